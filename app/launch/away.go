package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
)

// awayError is the cause of a missing or incomplete answer.
type awayError struct {
	cause error
	// accepted reports that the connection was accepted.
	accepted bool
}

func (e *awayError) Error() string { return e.describe() }

// Unwrap returns the cause.
func (e *awayError) Unwrap() error { return e.cause }

// refused reports whether the port is closed.
func (e *awayError) refused() bool { return !e.accepted && errors.Is(e.cause, syscall.ECONNREFUSED) }

// describe returns the error for people, as the text behind a name.
func (e *awayError) describe() string {
	cause := e.cause
	if asked, ok := errors.AsType[*url.Error](cause); ok {
		cause = asked.Err
	}
	if op, ok := errors.AsType[*net.OpError](cause); ok {
		cause = op
	}
	timeout := errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, os.ErrDeadlineExceeded)
	if n, ok := errors.AsType[net.Error](e.cause); ok {
		timeout = timeout || n.Timeout()
	}
	switch {
	case !e.accepted && timeout:
		return "no connection: nothing answers at this address"
	case !e.accepted:
		return cause.Error()
	case timeout:
		return "it accepts the connection, but does not complete its answer in time"
	case errors.Is(cause, context.Canceled):
		return "it accepts the connection, but has not completed an answer yet"
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF), errors.Is(cause, syscall.ECONNRESET):
		return "it closes the connection before its answer is complete"
	}
	return "its answer is invalid: " + cause.Error()
}

// nobody is the error of an address without an answer.
func (p *Polled) nobody(why *awayError, serves string) error {
	what := "no program at " + p.Addr
	if why.accepted {
		what = "no data from the program at " + p.Addr
	}
	return fmt.Errorf("%s: %w. %s", what, why, fmt.Sprintf(serves, p.Addr))
}

// waiting describes the wait for an address without an answer.
func (e *awayError) waiting() string {
	if e.refused() {
		return pollNobody
	}
	return e.describe() + " (trying every second)"
}
