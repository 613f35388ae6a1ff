//go:build !linux && !windows && !darwin

package memory

// resident returns 0: this system does not report it.
func resident() int64 { return 0 }
