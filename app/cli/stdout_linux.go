package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// stdoutClosed tells whether standard output was closed when the program began. Go's runtime then has opened /dev/null
// in its place, for reading and writing; a shell's `> /dev/null` is for writing only. Where the other two are open in the
// same way, as in a daemon, somebody meant it so.
func stdoutClosed() bool { return nullReadWrite(1) && !nullReadWrite(0) && !nullReadWrite(2) }

// nullReadWrite tells whether a descriptor is /dev/null, open for reading and writing.
func nullReadWrite(fd int) bool {
	var here, null unix.Stat_t
	if unix.Fstat(fd, &here) != nil || unix.Stat(os.DevNull, &null) != nil || here.Mode&unix.S_IFMT != unix.S_IFCHR || here.Rdev != null.Rdev {
		return false
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
