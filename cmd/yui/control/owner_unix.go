//go:build unix

package control

import (
	"net"
	"syscall"
)

// listenOwner opens a socket that its owner alone can read, from its first instant.
func listenOwner(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}
