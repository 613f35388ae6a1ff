//go:build !linux && !windows && !darwin

package memory

// machine returns 0: this system does not report it.
func machine() int64 { return 0 }
