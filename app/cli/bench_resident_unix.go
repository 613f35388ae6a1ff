//go:build unix

package cli

import (
	"os"
	"runtime"
	"syscall"
)

// residentOf returns the most memory that a process had.
func residentOf(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
