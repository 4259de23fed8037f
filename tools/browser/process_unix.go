//go:build unix

package browser

import "syscall"

// alive tells whether there is a process of that id, of whatever user.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

// openFlags keep a named pipe from blocking and a symbolic link from being followed.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
