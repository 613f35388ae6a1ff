//go:build !unix

package follow

import (
	"errors"
	"io/fs"
	"os"
)

// MakeFIFO is not supported here; the error is errors.ErrUnsupported.
func MakeFIFO(path string) error {
	return &fs.PathError{Op: "mkfifo", Path: path, Err: errors.ErrUnsupported}
}

// fifo reads from a pipe or device that has a name, until its writer closes it.
func (f *follower) fifo() error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	return f.stream(in)
}

// Readable reports whether the user may read a file, as far as this can be checked without opening it.
func Readable(path string) error {
	_, err := os.Stat(path)
	return err
}
