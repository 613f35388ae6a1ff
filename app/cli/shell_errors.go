package cli

import "fmt"

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
