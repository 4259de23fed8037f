//go:build unix

package private

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether a file belongs to the person who runs this.
func mine(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}
