package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// ExitPipe is the exit status after the reader has gone, as in a shell: 128 and SIGPIPE.
const ExitPipe = 141

// Output is standard output. It remembers the first error, so that a failure to print is reported even
// if a command does not look, and takes nothing after it.
type Output struct {
	to io.Writer

	mu  sync.Mutex
	err error
}

// NewOutput returns one for a writer. If standard output was closed at the start, it is /dev/null: Go's
// runtime opens that in its place, which looks the same as a /dev/null that the caller chose.
func NewOutput(to io.Writer) *Output { return &Output{to: to} }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// Failed returns why not everything was printed, nil if all was or nothing was to be.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Raw is the output for started programs.
func (o *Output) Raw() io.Writer { return o.to }

// BrokenPipe reports whether an error says that whoever read has gone away.
func BrokenPipe(err error) bool {
	const windowsBrokenPipe, windowsNoData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)
}
