//go:build !unix

package shell

// SurviveBrokenPipes has nothing to do: here a write to a pipe whose reader has gone away is an
// error.
func SurviveBrokenPipes() {}
