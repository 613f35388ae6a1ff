package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

// exitPipe is the status of a program whose reader has gone away, as a shell has it: 128 and SIGPIPE.
const exitPipe = 141

// errClosed tells that there is nowhere to print to.
var errClosed = errors.New("standard output is closed")

// output is standard output. It remembers the first error, so that what was not printed is told though a command does
// not look, and takes nothing after it.
type output struct {
	to io.Writer

	mu  sync.Mutex
	err error
}

// newOutput returns one for a writer. Standard output that was closed when the program began is told from one that
// leads to /dev/null: the first write to it fails.
func newOutput(to io.Writer) *output {
	o := &output{to: to}
	if f, ok := to.(*os.File); ok && f == os.Stdout && stdoutClosed() {
		o.err = errClosed
	}
	return o
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		if o.err == errClosed {
			o.err = fmt.Errorf("%w: nothing could be printed", errClosed)
		}
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
	if o.err == errClosed {
		return nil // nothing was written
	}
	return o.err
}

// raw is what programs that are started print to.
func (o *output) raw() io.Writer { return o.to }

// brokenPipe tells whether an error says that whoever read has gone away.
func brokenPipe(err error) bool {
	const windowsBrokenPipe, windowsNoData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)
}
