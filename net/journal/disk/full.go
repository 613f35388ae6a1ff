package disk

import (
	"errors"
	"os"
	"syscall"
)

// Full reports whether an error means that a disk, or the user's share of it, is full.
func Full(err error) bool {
	const windowsDiskFull = syscall.Errno(112)
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, windowsDiskFull) && os.PathSeparator == '\\'
}
