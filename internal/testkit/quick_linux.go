package testkit

import (
	"os"
	"runtime/debug"
	"syscall"
)

// inMemory is where Linux has a file system that is in memory.
const inMemory = "/dev/shm"

const (
	noExec    = 8       // flag of a file system from which no program starts
	roomy     = 4 << 30 // bytes that must be free there
	lessOften = 400     // percent of the heap that may be added until garbage is collected
)

// Test programs live for seconds. Most of them would wait longer for the disk than for anything else, and collect
// garbage that ends with them anyway. What the user has set stays.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(lessOften)
	}
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(inMemory, &fs) != nil {
		return
	}
	if fs.Flags&noExec == 0 && fs.Bavail*uint64(fs.Bsize) >= roomy {
		os.Setenv("TMPDIR", inMemory)
	}
}
