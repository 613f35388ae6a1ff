//go:build unix

package aside

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether a file belongs to the user of the program.
func mine(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}
