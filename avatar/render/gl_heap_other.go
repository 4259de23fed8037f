//go:build !linux

package render

func keepHeap() {}
