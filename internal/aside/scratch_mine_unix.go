//go:build unix

package aside

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether a file is of the user who runs the program.
func mine(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}
