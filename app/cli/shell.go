// Shared parts of the commands: their output and errors, their flags for memory, disk and recordings,
// and how they read recordings and listen to games. This code depends on no command.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"framescope/internal/escape"
	"framescope/model/store"
)

// Streams are the outputs of a command, and its common flags.
type Streams struct {
	Out     *Output
	Err     io.Writer
	Profile string
	Memory  string
	Disk    string
	Strict  bool         // what a limit left out, or a recorder lost, is a failure
	store   *store.Store // of recordings that are read whole
	told    bool         // the problems of the settings were reported
	left    bool         // the sessions of killed viewers were reported: see TellLeft
	damaged atomic.Bool  // see Damaged
	unread  []string     // the reports on that

	worksOn atomic.Pointer[string] // a recording that was read: all that is left to do may end at any time
}

// ProgramError ends with the status of a program that was started, if that is not 0, or with one that
// a command's result has.
type ProgramError struct {
	Status int
	Err    error // a further error; nil: none
}

// Error implements error.
func (e ProgramError) Error() string { return fmt.Sprintf("exit status %d, %v", e.Status, e.Err) }

// UsageError is a mistake in the command line.
type UsageError struct{ error }

// Usage makes one of an error.
func Usage(err error) error { return UsageError{err} }

// Unwrap implements the interface of errors.Is.
func (e UsageError) Unwrap() error { return e.error }

// PartialError is an error of a command that still has useful output.
type PartialError struct{ error }

// Partial makes one of an error.
func Partial(err error) error { return PartialError{err} }

// Unwrap implements the interface of errors.Is.
func (e PartialError) Unwrap() error { return e.error }

// LinePrinter returns a function that prints lines for the user. Any goroutine may call it.
func (s *Streams) LinePrinter() func(line string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(s.Err, "framescope:", escape.Line(line))
	}
}

// Shared is a writer that several goroutines may use: background work prints its lines there, too. It
// removes characters that could disturb a terminal.
type Shared struct {
	mu sync.Mutex
	to io.Writer
}

// NewShared returns one for a writer.
func NewShared(to io.Writer) *Shared { return &Shared{to: to} }

// Write implements io.Writer.
func (s *Shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return escape.NewWriter(s.to).Write(p)
}

// Control is Shared that lets escape codes for the terminal pass.
type Control struct{ *Shared }

// Write implements io.Writer.
func (c Control) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to.Write(p)
}

// ChildErr returns the error output for a started program: the file itself, which it inherits. Any
// other writer stays shared.
func ChildErr(w io.Writer) io.Writer {
	if s, ok := w.(*Shared); ok {
		if f, ok := s.to.(*os.File); ok {
			return f
		}
	}
	return w
}

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
