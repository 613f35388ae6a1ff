// Package disk is the file system as journals see it: files that are read and written at offsets,
// names, and locks that end with the process that holds them. It opens nothing that is not a file,
// and knows nothing of journals.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// FS is the file system on which journals are kept. Names are those of the operating system.
type FS interface {
	// OpenFile opens or creates a file, as os.OpenFile does.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Mkdir(name string, perm fs.FileMode) error
	MkdirAll(name string, perm fs.FileMode) error
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	// Lock locks a file, shared with others that lock it shared or for one alone, until unlock is
	// called or the process ends, however it ends. It does not wait: ErrLocked says that another
	// has it, in this process or another. With create the file is made if it is not there.
	Lock(name string, shared, create bool) (unlock func(), err error)
}

// File is an open file of an FS. How many bytes WriteAt returns is how many of them are in the file, with an
// error too.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	// Reserve takes room on the disk for so many bytes from an offset on, so that these can be written
	// however full the disk becomes. The file stays as long as it is. Where the system can't do that it
	// does nothing.
	Reserve(off, size int64) error
	Sync() error
}

// ErrLocked is returned by FS.Lock when another has the lock.
var ErrLocked = errors.New("is locked by another")

// System is the file system of the operating system.
var System FS = system{}

type system struct{}

func (system) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := onlyFile(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not a File that holds a nil pointer
	}
	return file{f}, nil
}

// file is a file of the operating system.
type file struct{ *os.File }

// WriteAt writes as Write does, because os.File.WriteAt returns 0 when the disk takes only the first bytes,
// although these are in the file then.
func (f file) WriteAt(p []byte, off int64) (n int, err error) {
	if _, err := f.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	return f.Write(p)
}

// ErrNotFile is why something is not opened that stands where a file should.
var ErrNotFile = errors.New("is not a file")

// ReadFile reads a file, but no more than most bytes of it. ErrNotFile: it is none.
func ReadFile(name string, most int64) ([]byte, error) {
	if err := onlyFile(name); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// onlyFile reports whether a name may be opened: nothing but a file is, as opening a FIFO or a device
// can take for ever.
func onlyFile(name string) error {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: ErrNotFile}
	}
	return nil
}

func (system) Mkdir(name string, perm fs.FileMode) error    { return os.Mkdir(name, perm) }
func (system) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (system) ReadDir(name string) ([]fs.DirEntry, error)   { return os.ReadDir(name) }
func (system) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (system) Rename(from, to string) error                 { return os.Rename(from, to) }
func (system) Remove(name string) error                     { return os.Remove(name) }
func (system) RemoveAll(name string) error                  { return os.RemoveAll(name) }

func (system) Lock(name string, shared, create bool) (func(), error) {
	if err := onlyFile(name); err != nil {
		return nil, err
	}
	flag := os.O_RDWR
	if shared {
		flag = os.O_RDONLY
	}
	if create {
		flag |= os.O_CREATE
	}
	l := flock.New(name, flock.SetFlag(flag), flock.SetPermissions(0o600))
	try := l.TryLock
	if shared {
		try = l.TryRLock
	}
	switch ok, err := try(); {
	case err != nil:
		return nil, err
	case !ok:
		l.Close()
		return nil, ErrLocked
	}
	return func() { l.Close() }, nil
}
