package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Noted is told what is being written aside before there is anything in it, and returns what is to be
// called when it is gone. A program that removes what it left behind when it was killed sets it.
var Noted = func(part string) (forget func()) { return func() {} }

// namedError is an error that speaks of what was asked for, instead of what lies aside.
type namedError struct {
	text string
	error
}

// Error implements error.
func (e *namedError) Error() string { return e.text }

// Unwrap implements the interface of errors.Is.
func (e *namedError) Unwrap() error { return e.error }

// named makes an error speak of what was asked for.
func named(err error, part, to string) error {
	if err == nil || !strings.Contains(err.Error(), part) {
		return err
	}
	return &namedError{strings.ReplaceAll(err.Error(), part, to), err}
}

// unmade is the error where nothing could be made beside the place of what was asked for.
func unmade(err error, to string) error {
	dir := filepath.Dir(to)
	_, missing := os.Stat(dir) // a system may say of a file that can't be made that it is not there: Linux of /proc
	switch failed, ok := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return &namedError{fmt.Sprintf("%s: there is no folder %s", to, dir), err}
	case ok:
		return &namedError{fmt.Sprintf("%s: nothing can be made in the folder %s: %v", to, dir, failed.Err), err}
	}
	return err
}
