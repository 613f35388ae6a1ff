//go:build !((linux && !android) || freebsd || netbsd || openbsd)

package display

// Present returns nil: on these systems a window can always be asked for.
func Present() error { return nil }
