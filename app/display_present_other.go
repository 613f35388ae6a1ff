//go:build !((linux && !android) || freebsd || netbsd || openbsd)

package app

// HasDisplay returns nil: on these systems a window can always be asked for.
func HasDisplay() error { return nil }
