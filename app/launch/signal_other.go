//go:build !unix

package launch

import (
	"os"
	"os/signal"
)

// forwardSignals keeps an interrupt, which the console sends to the other program as well, from ending
// this one before the other. asked reports whether there was one.
func forwardSignals(*os.Process) (asked func() bool, stop func()) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt)
	return func() bool { return len(got) > 0 }, func() { signal.Stop(got) }
}

// statusOf is the exit status of a program that has ended.
func statusOf(s *os.ProcessState) int {
	if s == nil {
		return 1
	}
	return s.ExitCode()
}
