package follow

import "golang.org/x/sys/unix"

// widen makes room in a pipe, so that its writer, which is what is being measured, seldom waits for
// us. It is a wish: the system may refuse.
func widen(fd int) { unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, 1<<20) }
