package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// tail is a file that is open.
type tail struct {
	file   *os.File
	offset int64
	// first and last are the first bytes of the file and those before the offset, as they were read:
	// if they are no longer there, the file was written anew.
	first, last []byte
	modified    time.Time
}

// printBytes is how much of a file is remembered at its beginning and before the offset.
const printBytes = 256

func (t *tail) close() {
	if t.file != nil {
		t.file.Close()
	}
	*t = tail{}
}

// file follows a regular file.
func (f *follower) file() error {
	var t tail
	defer t.close()
	for {
		last := f.done()
		found, err := f.look(&t)
		switch {
		case err != nil:
			return err
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case found:
			continue
		case last:
			return nil
		}
		f.wait()
	}
}

// look reads the next piece of the file, or finds out why there is none; found asks for another call
// at once.
func (f *follower) look(t *tail) (found bool, err error) {
	if t.file == nil {
		return f.open(t)
	}
	n, err := t.file.ReadAt(f.buf, t.offset)
	// Check after reading: the bytes just read may come from a rewritten file.
	if anew, err := t.writtenAnew(); err != nil {
		return false, err
	} else if anew {
		f.w.Restart("the file was written anew")
		t.rewind()
		return true, nil
	}
	if n > 0 {
		return f.handOver(t, f.buf[:n])
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return f.atEnd(t)
}

// open opens the file at the path, if it is there.
func (f *follower) open(t *tail) (found bool, err error) {
	st, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.reportState(Waiting, "the file was removed")
		return false, nil
	case err != nil:
		return false, err
	case !st.Mode().IsRegular():
		return false, errKind
	}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	*t = tail{file: file}
	f.reportState(Following, "")
	return true, nil
}

// handOver hands over bytes that were read at the offset.
func (f *follower) handOver(t *tail, p []byte) (found bool, err error) {
	if t.offset == 0 {
		if p[0] == 0x1f && len(p) == 1 {
			return false, nil // the next byte reports whether it is compressed
		}
		if p[0] == 0x1f && p[1] == 0x8b {
			return false, fmt.Errorf("%s: %w", f.path, ErrCompressed)
		}
	}
	if k := printBytes - len(t.first); k > 0 {
		t.first = append(t.first, p[:min(k, len(p))]...)
	}
	if len(p) >= printBytes {
		t.last = append(t.last[:0], p[len(p)-printBytes:]...)
	} else {
		t.last = append(t.last, p...)
		t.last = append(t.last[:0], t.last[max(0, len(t.last)-printBytes):]...)
	}
	t.offset += int64(len(p))
	return true, f.write(p)
}

// atEnd finds out what happened to a file that has been read to its end.
func (f *follower) atEnd(t *tail) (found bool, err error) {
	open, err := t.file.Stat()
	if err != nil {
		return false, err
	}
	if open.Size() < t.offset {
		f.w.Restart(fmt.Sprintf("the file was cut from %d to %d bytes", t.offset, open.Size()))
		t.rewind()
		return true, nil
	}
	there, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A writer may still have the file open, under another name or none.
		f.reportState(Waiting, "the file was removed")
		return false, nil
	case err != nil:
		return false, err
	case os.SameFile(open, there):
		return false, nil
	case open.Size() > t.offset: // written after the last read, before the other file took its place
		return true, nil
	}
	f.w.Restart("another file took its place")
	t.close()
	return true, nil
}

// rewind goes back to the beginning of the file.
func (t *tail) rewind() { *t = tail{file: t.file} }

// writtenAnew reports whether the file was overwritten without becoming shorter. It costs two small
// reads, and only if the file was modified.
func (t *tail) writtenAnew() (bool, error) {
	st, err := t.file.Stat()
	if err != nil {
		return false, err
	}
	if st.ModTime().Equal(t.modified) && st.Size() == t.offset || st.Size() < t.offset {
		return false, nil
	}
	t.modified = st.ModTime()
	var room [printBytes]byte
	for _, print := range []struct {
		bytes []byte
		at    int64
	}{{t.first, 0}, {t.last, t.offset - int64(len(t.last))}} {
		now := room[:len(print.bytes)]
		if n, err := t.file.ReadAt(now, print.at); n < len(now) {
			if errors.Is(err, io.EOF) {
				return false, nil // it has just been cut, which is found out at its end
			}
			return false, err
		}
		if !bytes.Equal(now, print.bytes) {
			return true, nil
		}
	}
	return false, nil
}
