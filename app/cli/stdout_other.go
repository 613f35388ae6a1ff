//go:build !linux

package cli

// stdoutClosed tells whether standard output was closed when the program began; here that cannot be told.
func stdoutClosed() bool { return false }
