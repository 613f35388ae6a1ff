package sessions

import (
	"syscall"
	"time"
)

// threadTime returns the processor's time that this thread has taken; 0 where that is not told.
func threadTime() time.Duration {
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
