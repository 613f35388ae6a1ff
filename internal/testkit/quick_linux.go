package testkit

import (
	"os"
	"syscall"
)

// inMemory is where Linux has a file system that is in memory.
const inMemory = "/dev/shm"

const (
	noExec = 8       // flag of a file system from which no program starts
	roomy  = 4 << 30 // bytes that must be free there
)

// Test programs live for seconds. Most of them would wait longer for the disk than for anything else. What the user has
// set stays.
func init() {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(inMemory, &fs) != nil {
		return
	}
	if fs.Flags&noExec == 0 && fs.Bavail*uint64(fs.Bsize) >= roomy {
		os.Setenv("TMPDIR", inMemory)
	}
}
