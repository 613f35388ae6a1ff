package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// kept is the copy on disk of a recording that can't be read again, so that it can be saved.
type kept struct {
	mu    sync.Mutex
	spool *Spool
	err   error // why there is no copy, or no complete one
}

// Keep makes the recording keep a copy of what comes on disk, unless it is a file already, so that Save can write it. The Opener calls it.
func (r *Recording) Keep() {
	if r.Path != "" {
		return
	}
	if r.samples != nil {
		r.samples.keep()
		return
	}
	k := &kept{}
	k.spool, k.err = newCopy()
	r.kept = k
}

// keep adds bytes to the copy.
func (r *Recording) keep(p []byte) {
	k := r.kept
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.spool != nil && k.err == nil {
		_, k.err = k.spool.Write(p) // a full disk must not keep the recording off the screen
	}
}

// Forget removes the copy that Keep made. The recording must have ended, or been stopped.
func (r *Recording) Forget() {
	if r.samples != nil {
		r.samples.forget()
	}
	k := r.kept
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.spool != nil {
		k.spool.Remove()
		k.spool, k.err = nil, errors.New("the recording was closed")
	}
}

// Save writes what has come so far to a file, byte for byte. The file appears under its name when it is whole.
func (r *Recording) Save(path string) error {
	if r.Path != "" {
		return copyTo(path, func(out io.Writer) error {
			in, err := os.Open(r.Path)
			if err != nil {
				return err
			}
			defer in.Close()
			_, err = io.Copy(out, in)
			return err
		})
	}
	if r.samples != nil {
		return r.samples.save(path)
	}
	k := r.kept
	if k == nil {
		return errors.New("this session was not kept, so it cannot be saved")
	}
	k.mu.Lock()
	s, err := k.spool, k.err
	var size int64
	if s != nil {
		size = s.size
	}
	k.mu.Unlock()
	if s == nil || err != nil && size == 0 {
		return fmt.Errorf("this session cannot be saved: %w", err)
	}
	saved := copyTo(path, func(out io.Writer) error {
		_, err := io.Copy(out, io.NewSectionReader(s.file, 0, size))
		return err
	})
	if saved == nil && err != nil {
		return fmt.Errorf("%s has only the first %d bytes: %w", path, size, err)
	}
	return saved
}

// copyTo writes a file that appears under its name when it is whole.
func copyTo(path string, fill func(out io.Writer) error) error {
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	err = errors.Join(fill(out), out.Close())
	if err == nil {
		os.Chmod(out.Name(), 0o644)
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		os.Remove(out.Name())
	}
	return err
}
