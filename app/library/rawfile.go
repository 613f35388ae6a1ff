package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// rawFile writes bytes to a file as they come, on its own goroutine, so that a disk that is slow, full
// or gone never blocks the caller. Unwritten bytes wait, up to a bound, with a retry every second;
// bytes beyond the bound are refused and counted.
type rawFile struct {
	rounds
	path string
	told func() // after each change of the state

	mu      sync.Mutex
	waiting []byte // to be written, in order
	spare   []byte // the other of the two buffers
	state   RecordingState
	closing bool
	now     func() time.Duration // since the session's start

	open  func() (fileWriter, error)
	retry time.Duration
	most  int // bytes that may wait
	file  fileWriter

	pack   *zstd.Encoder // of a file with the suffix .zst; nil: bytes are written unchanged
	packed []byte        // compressed bytes not on disk yet
}

// fileWriter is the part of *os.File that is needed.
type fileWriter interface {
	Write(p []byte) (int, error)
	Sync() error
	Close() error
}

const (
	rawWaiting    = 16 << 20 // bytes that may wait for the disk
	rawWriteEvery = 200 * time.Millisecond
	rawRetryEvery = time.Second
	rawLastTries  = 3 // when a recording ends while nothing can be written
)

// newRawFile writes to an existing, empty file, once run is called.
func newRawFile(path string, now func() time.Duration, told func()) *rawFile {
	f := &rawFile{path: path, now: now, told: told, retry: rawRetryEvery, most: rawWaiting, rounds: newRounds()}
	f.state.Path = path
	if strings.HasSuffix(path, ".zst") {
		f.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails for bad options only
	}
	f.open = func() (fileWriter, error) { return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644) }
	return f
}

// write takes bytes. It copies them and returns at once; false when they are refused.
func (f *rawFile) write(p []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closing || !f.fits(len(p)) {
		f.state.Refused++
		f.state.RefusedBytes += int64(len(p))
		return false
	}
	f.waiting = append(f.waiting, p...)
	return true
}

// fits reports whether there is room for more waiting bytes. f.mu is held.
func (f *rawFile) fits(bytes int) bool { return len(f.waiting)+bytes <= f.most || len(f.waiting) == 0 }

// missing counts data that never came here.
func (f *rawFile) missing(records, bytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Refused += records
	f.state.RefusedBytes += bytes
}

// queued is how many bytes wait.
func (f *rawFile) queued() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.waiting))
}

// flush tries to write waiting data, and returns the error.
func (f *rawFile) flush() error {
	f.await()
	return f.State().Err
}

// State returns the present state.
func (f *rawFile) State() RecordingState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// close writes waiting data as far as possible, and returns the error if some was not written.
func (f *rawFile) close() error {
	f.mu.Lock()
	f.closing = true
	f.mu.Unlock()
	f.hurry()
	<-f.done
	s := f.State()
	if s.Err == nil && s.RefusedBytes > 0 {
		return fmt.Errorf("%s lacks %s that could not be written", Home(f.path), Bytes(s.RefusedBytes))
	}
	if s.Err != nil {
		err := s.Err
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err
		}
		return fmt.Errorf("%s is incomplete: it ends %.1f s after the start, after %s: %w", Home(f.path),
			s.Since.Seconds(), Bytes(s.Bytes), err)
	}
	return nil
}

func (f *rawFile) run() {
	defer close(f.done)
	pause := rawWriteEvery
	tries := 0
	for {
		f.rest(pause)
		err := f.writeWaiting()
		f.mu.Lock()
		closing, left := f.closing, len(f.waiting)+len(f.packed)
		f.mu.Unlock()
		if pause = rawWriteEvery; err != nil {
			pause = f.retry
		}
		if !closing {
			continue
		}
		if err != nil {
			tries++
		}
		if left > 0 && tries < rawLastTries {
			if err == nil { // it came while the rest was being written
				f.hurry()
			}
			continue
		}
		f.mu.Lock()
		f.state.RefusedBytes += int64(left)
		f.mu.Unlock()
		if f.file != nil {
			if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
				f.note(err)
			}
		}
		return
	}
}

// writeWaiting writes waiting data. Unwritten data stays in front of newer data.
func (f *rawFile) writeWaiting() error {
	defer f.begin()()
	f.mu.Lock()
	batch := f.waiting
	f.waiting, f.spare = f.spare[:0], nil
	f.mu.Unlock()
	tried := len(batch)+len(f.packed) > 0
	n, err := f.putPacked(batch)
	f.mu.Lock()
	f.state.Bytes += int64(n)
	if n < len(batch) {
		rest := append([]byte(nil), batch[n:]...) // rare
		f.waiting = append(rest, f.waiting...)
	}
	f.spare = batch[:0]
	f.mu.Unlock()
	if tried {
		f.note(err)
	}
	return err
}

// putPacked is put for files that may be compressed. Each piece becomes its own zstd frame, so the file
// is readable at any time, up to the last piece. Compressed bytes that cannot be written wait, and
// putPacked takes no more meanwhile.
func (f *rawFile) putPacked(p []byte) (n int, err error) {
	if f.pack == nil {
		return f.put(p)
	}
	before, err := f.put(f.packed)
	f.packed = f.packed[:copy(f.packed, f.packed[before:])]
	if err != nil || len(p) == 0 {
		return 0, err
	}
	f.packed = f.pack.EncodeAll(p, f.packed[:0])
	written, err := f.put(f.packed)
	f.packed = f.packed[:copy(f.packed, f.packed[written:])]
	return len(p), err
}

func (f *rawFile) put(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if f.file == nil {
		if f.file, err = f.open(); err != nil {
			f.file = nil
			return 0, err
		}
	}
	if n, err = f.file.Write(p); err != nil {
		f.file.Close() // a disk that is back may need a new descriptor
		f.file = nil
	}
	return n, err
}

// note stores the outcome of a write, and reports a change of it.
func (f *rawFile) note(err error) {
	f.mu.Lock()
	changed := (err == nil) != (f.state.Err == nil)
	if changed && err != nil {
		f.state.Since = f.now()
	}
	f.state.Err = err
	f.mu.Unlock()
	if changed {
		f.told()
	}
}
