//go:build !unix

package cli

import "os"

// SurviveBrokenPipes has nothing to do: here a write to a pipe whose reader has gone away is an
// error.
func SurviveBrokenPipes() {}

// openSpecial opens what takes what is written as it comes.
func openSpecial(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
