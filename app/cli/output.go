package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// exitPipe is the status of a program whose reader has gone away, as a shell has it: 128 and
// SIGPIPE.
const exitPipe = 141

// output is standard output. It remembers the first error, so that what was not printed is told
// though a command does not look, and takes nothing after it.
type output struct {
	to io.Writer

	mu  sync.Mutex
	err error
}

// newOutput returns one for a writer. Standard output that was closed when the program began is
// /dev/null: Go's runtime opens that in its place, and it can't be told from the one that whoever
// started the program has meant.
func newOutput(to io.Writer) *output { return &output{to: to} }

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// failed returns why not everything was printed, nil if all was or nothing was to be.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// raw is what programs that are started print to.
func (o *output) raw() io.Writer { return o.to }

// brokenPipe tells whether an error says that whoever read has gone away.
func brokenPipe(err error) bool {
	const windowsBrokenPipe, windowsNoData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)
}
