//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// SurviveBrokenPipes makes a write to a pipe without a reader an error instead of the program's end, so
// that the program ends in order. Programs that it starts have the usual behaviour.
func SurviveBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// openSpecial opens a stream for writing. A FIFO needs a reader: waiting for one could not be
// interrupted.
func openSpecial(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s: no program reads from this FIFO: start the reader first", path)
	}
	return f, err
}
