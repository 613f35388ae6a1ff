package app

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// drawnByProcessor reports whether Mesa draws on threads of this process, by their names.
func drawnByProcessor() bool {
	threads, _ := filepath.Glob("/proc/self/task/*/comm")
	for _, path := range threads {
		if name, _ := os.ReadFile(path); bytes.HasPrefix(name, []byte("llvmpipe")) {
			return true
		}
	}
	return false
}

// processorTime returns how much time of processors the process has taken.
func processorTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
