package aside

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Put is Write with force. Without it nothing is replaced, not even a file created during the writing:
// that is an error.
func Put(to string, force bool, fill func(out io.Writer) error) error {
	if force {
		return Write(to, fill)
	}
	if err := Free(to, false); err != nil {
		return err
	}
	return replace(to, 0o644, Noted, moveFresh, whole(fill))
}

// moveFresh gives a file a name that nothing has.
func moveFresh(part, to string) error {
	switch err := link(part, to); {
	case err == nil:
		os.Remove(part) // it has two names
		return nil
	case errors.Is(err, fs.ErrExist):
		return taken(to)
	}
	return claimed(part, to)
}

// link is os.Link, which some file systems do not have.
var link = os.Link

// claimed takes a name with an empty file, which nothing else can make then, and puts the file in its place.
func claimed(part, to string) error {
	own, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return taken(to)
	} else if err != nil {
		return err
	}
	st, err := own.Stat()
	if err = errors.Join(err, own.Close()); err != nil {
		os.Remove(to)
		return err
	}
	if now, err := os.Lstat(to); err != nil || !os.SameFile(st, now) || now.Size() > 0 {
		return taken(to)
	}
	if err := os.Rename(part, to); err != nil {
		os.Remove(to)
		return err
	}
	return nil
}

func taken(path string) error {
	return fmt.Errorf("%s is there already: choose another name, or replace it with --force", path)
}
