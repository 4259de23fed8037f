//go:build !unix

package browser

import "os"

// alive tells whether there is a process of that id.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

const openFlags = 0
