//go:build unix

package decode_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the program used so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
