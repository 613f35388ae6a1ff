//go:build !unix

package cli

import "os"

// SurviveBrokenPipes does nothing: here a write to a pipe without a reader is an error.
func SurviveBrokenPipes() {}

// openSpecial opens a stream for writing.
func openSpecial(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
