// Package aside writes files and folders that appear under their name only when they are whole. Until
// then they lie in a temporary place, and an earlier file of that name stays.
package aside

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"framescope/net/journal/disk"
)

// Write writes a file. It replaces an existing file when everything is written and on disk, and keeps
// the permissions. It follows a symbolic link to a file. Anything that is not a file is left alone: the
// error is a NotFileError.
func Write(to string, fill func(out io.Writer) error) error {
	return replace(to, 0o644, Noted, os.Rename, whole(fill))
}

// whole writes all through a buffer, to the disk.
func whole(fill func(out io.Writer) error) func(out *os.File) error {
	return func(out *os.File) error {
		buf := bufio.NewWriterSize(&counted{to: out}, 1<<16)
		if err := fill(buf); err != nil {
			return err
		}
		if err := buf.Flush(); err != nil {
			return err
		}
		return out.Sync()
	}
}

// counted says where a disk is full how much of a file had room.
type counted struct {
	to   io.Writer
	done int64
}

// Write implements io.Writer.
func (c *counted) Write(b []byte) (n int, err error) {
	n, err = c.to.Write(b)
	if c.done += int64(n); err != nil && disk.Full(err) {
		err = fmt.Errorf("%w: %d bytes of it have room, and at least %d more are needed", err, c.done, len(b)-n)
	}
	return n, err
}

// Small is Write for small files that are written often, perhaps by a caller that must not wait: it
// does not wait for the disk, so the new text may be lost in a power failure. mode is the mode of a new
// file.
func Small(to string, text []byte, mode fs.FileMode) error {
	return replace(to, mode, nil, os.Rename, func(out *os.File) error {
		_, err := out.Write(text)
		return err
	})
}

// replace fills a temporary file and puts it in place with move. It calls noted, if not nil, with the
// temporary path.
func replace(
	to string, mode fs.FileMode, noted func(string) func(), move func(part, to string) error,
	fill func(out *os.File) error,
) (err error) {
	if err := Check(to); err != nil {
		return err
	}
	asked := to
	st, err := os.Stat(to)
	switch link, _ := os.Readlink(to); {
	case err == nil:
		mode = st.Mode().Perm()
		if to, err = filepath.EvalSymlinks(to); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return unmade(err, asked)
	case link != "": // to a file to come
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(to), link)
		}
		return replace(link, mode, noted, move, fill)
	}
	part, whole := partOf(to), false
	if noted != nil {
		defer noted(part)()
	}
	out, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unmade(err, asked)
	}
	defer func() { // also of a fill that panics
		if !whole {
			out.Close()
			os.Remove(part)
		}
		err = named(err, part, asked)
	}()
	if err := errors.Join(fill(out), out.Close()); err != nil {
		return err
	}
	os.Chmod(part, mode)
	err = move(part, to)
	whole = err == nil
	return err
}

// partOf returns a new temporary path beside a path.
func partOf(to string) string { return fmt.Sprintf("%s.%d.part", filepath.Clean(to), rand.Uint64()) }

// Folder makes a folder, which must not exist: fill writes it under a temporary name beside its place.
// whole is the folder that takes the place: part, or a folder in it.
func Folder(to string, fill func(part string) (whole string, err error)) (err error) {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already: a folder needs a name of its own", to)
	}
	part := partOf(to)
	defer Noted(part)()
	if err := os.Mkdir(part, 0o700); err != nil {
		return unmade(err, to)
	}
	defer func() {
		os.RemoveAll(part)
		err = named(err, part, to)
	}()
	whole, err := fill(part)
	if err != nil {
		return err
	}
	os.Chmod(whole, 0o755)
	return os.Rename(whole, to)
}

// Copy copies a file. A file in its place is replaced when all is written; a file is its own copy
// already.
func Copy(from, to string) error {
	a, errA := os.Stat(from)
	b, errB := os.Stat(to)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return nil
	}
	return Write(to, func(out io.Writer) error {
		in, err := os.Open(from)
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(out, in)
		return err
	})
}

// NotFileError reports that the target exists and is not a file.
type NotFileError struct {
	Path string
	Mode fs.FileMode
}

// Error implements error.
func (e *NotFileError) Error() string {
	return fmt.Sprintf("%s is %s: name a file", e.Path, kind(e.Mode))
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a file"
}

// IsOut reports whether the name of an output means standard output.
func IsOut(path string) bool { return path == "" || path == "-" }

// Check returns a NotFileError when something is there that is no file: a folder, device, FIFO or
// socket. A name that means standard output is an error, too.
func Check(path string) error {
	if IsOut(path) {
		return fmt.Errorf("%q is standard output, which does not take this: name a file", path)
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return &NotFileError{path, st.Mode()}
	}
	return nil
}
