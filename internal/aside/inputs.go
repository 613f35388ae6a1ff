package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// InputError reports that an output is also an input.
type InputError struct{ Path, Input string }

// Error implements error.
func (e *InputError) Error() string {
	if e.Path == e.Input {
		return e.Path + " is the input: name another file to write"
	}
	return fmt.Sprintf("%s is, or lies in, %s, which is read: name another file to write", e.Path, e.Input)
}

// Distinct returns an InputError when an output file is one of the inputs, by any name, or lies in an
// input folder.
func Distinct(to string, inputs ...string) error {
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && Is(to, st) {
			return &InputError{to, in}
		}
	}
	return nil
}

// Is reports whether a path leads to a file, or into a folder.
func Is(path string, of fs.FileInfo) bool {
	st, err := os.Stat(path)
	if err == nil && os.SameFile(st, of) {
		return true
	}
	if !of.IsDir() {
		return false
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // it is not there yet
		path = filepath.Join(real, filepath.Base(path))
	}
	path, err = filepath.Abs(path)
	for err == nil {
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
		if st, err := os.Stat(path); err == nil && os.SameFile(st, of) {
			return true
		}
	}
	return false
}

// Free returns an error when there is something of a name that nothing but force replaces.
func Free(path string, force bool) error {
	if _, err := os.Lstat(path); force || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return taken(path)
}
