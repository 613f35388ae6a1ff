package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// keepSize is FALLOC_FL_KEEP_SIZE.
const keepSize = 1

// Reserve implements File.
func (f file) Reserve(off, size int64) error {
	for {
		err := syscall.Fallocate(int(f.Fd()), keepSize, off, size)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
			return &fs.PathError{Op: "write", Path: f.Name(), Err: err}
		}
		return nil // unsupported by the file system, or the write will fail
	}
}
