package memory

import "golang.org/x/sys/unix"

// machine returns how much memory the machine has, in bytes; 0 when it is not known.
func machine() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
