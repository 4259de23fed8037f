//go:build !linux

// Package slack has something to do on Linux only.
package slack

// Fine does nothing here.
func Fine() {}
