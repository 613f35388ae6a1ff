package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Noted is called with a temporary path before anything is made there, and returns the function to
// call when it is gone. A program that cleans up after a kill sets it.
var Noted = func(part string) (forget func()) { return func() {} }

// namedError is an error that names the requested path instead of the temporary one.
type namedError struct {
	text string
	error
}

// Error implements error.
func (e *namedError) Error() string { return e.text }

// Unwrap implements the interface of errors.Is.
func (e *namedError) Unwrap() error { return e.error }

// named makes an error name the requested path.
func named(err error, part, to string) error {
	if err == nil || !strings.Contains(err.Error(), part) {
		return err
	}
	return &namedError{strings.ReplaceAll(err.Error(), part, to), err}
}

// unmade is the error when nothing can be created in the folder of the requested path.
func unmade(err error, to string) error {
	dir := filepath.Dir(to)
	_, missing := os.Stat(dir) // Linux reports "does not exist" for files that cannot be created in /proc
	switch failed, ok := errors.AsType[*fs.PathError](err); {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return &namedError{fmt.Sprintf("%s: there is no folder %s", to, dir), err}
	case ok:
		return &namedError{fmt.Sprintf("%s: nothing can be made in the folder %s: %v", to, dir, failed.Err), err}
	}
	return err
}
