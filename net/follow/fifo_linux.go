package follow

import "golang.org/x/sys/unix"

// widen enlarges the buffer of a pipe, so that the measured program seldom waits for us. The system
// may refuse.
func widen(fd int) { unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, 1<<20) }
