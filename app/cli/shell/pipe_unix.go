//go:build unix

package shell

import (
	"os"
	"os/signal"
	"syscall"
)

// SurviveBrokenPipes makes a write to a pipe whose reader has gone away an error instead of the
// program's end, so that what it has begun is ended in order. Programs that it starts have the
// usual behaviour.
func SurviveBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
