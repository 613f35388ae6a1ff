// Temporary files and folders disappear with the program, however it ends.
//
// Where the system can open a file without a name, a file loses its name at once. All others lie in one
// folder of this program, which it locks while it runs. Clear removes the folder at a normal exit. The
// next program that starts removes the folder of a killed one (Sweep).

package aside

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	prefix   = "framescope-scratch-"
	lockName = "lock"
	// heldName is a file that is made when the lock is held: without it, a folder may be one that is just being
	// made, unless that was long ago.
	heldName = "held"
	young    = time.Minute
)

// own is this program's folder.
var own struct {
	mu   sync.Mutex
	dir  string // empty: none yet
	lock *flock.Flock
}

// File is a temporary file, open for reading and writing.
type File struct {
	*os.File
	path string
	name string // to be removed; empty: none
}

// Create makes an empty temporary file.
func Create() (*File, error) {
	if f, path, ok := nameless(); ok {
		return &File{File: f, path: path}, nil
	}
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "file-*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: f.Name(), name: f.Name()}, nil
}

// Path is where the file can be opened once more, by this program, while it is not removed.
func (f *File) Path() string { return f.path }

// Remove closes and deletes the file.
func (f *File) Remove() {
	f.Close()
	if f.name != "" {
		os.Remove(f.name)
	}
}

// Dir makes an empty temporary folder. Whoever needs it no longer removes it with all that is in
// it.
func Dir() (string, error) {
	dir, err := folder()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "folder-*")
}

// folder returns this program's folder, created on first use.
func folder() (string, error) {
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.dir != "" {
		if _, err := os.Lstat(own.dir); err == nil {
			return own.dir, nil
		}
		own.lock.Close() // another process has cleaned up
		own.dir, own.lock = "", nil
	}
	dir, err := os.MkdirTemp("", prefix+"*")
	if err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(dir, lockName))
	held, err := lock.TryLock()
	if err == nil && !held {
		err = errors.New("somebody else has its lock")
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		lock.Close()
		os.RemoveAll(dir)
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	if held {
		os.WriteFile(filepath.Join(dir, heldName), nil, 0o600) // without it the folder is kept for a while
	}
	own.dir, own.lock = dir, lock
	return dir, nil
}

// Clear removes all that was made and is not removed yet. Nothing of it may be in use any more.
func Clear() {
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.dir == "" {
		return
	}
	own.lock.Close() // Windows removes no file that is open
	removeNoted(own.dir)
	os.RemoveAll(own.dir)
	own.dir, own.lock = "", nil
}

// Sweep removes the leftovers of killed programs.
func Sweep() {
	list, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), prefix) && e.IsDir() {
			sweep(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// sweep removes one folder if it is of this user and of a program that runs no longer.
func sweep(dir string) {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() || !mine(st) {
		return
	}
	at := filepath.Join(dir, lockName)
	made, err := os.Lstat(at)
	if err != nil { // its maker was killed early
		made = st
	}
	_, unheld := os.Lstat(filepath.Join(dir, heldName))
	if unheld != nil && time.Since(made.ModTime()) < young {
		return
	}
	if err != nil {
		os.Remove(dir) // unless there is something in it
		return
	}
	if !made.Mode().IsRegular() {
		return
	}
	lock := flock.New(at)
	held, err := lock.TryLock()
	lock.Close() // Windows removes no file that is open
	if err == nil && held {
		removeNoted(dir)
		os.RemoveAll(dir)
	}
}
