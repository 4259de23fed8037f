//go:build !unix

package control

import "net"

// listenOwner opens a socket; whom the folder lets in decides who can read it.
func listenOwner(path string) (net.Listener, error) { return net.Listen("unix", path) }
