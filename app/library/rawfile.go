package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"framescope/net/journal"
)

// rawFile writes the bytes of a session to a file as they come, on its own goroutine, so that a disk that is slow, full
// or gone never blocks the caller. Unwritten bytes wait, up to a bound, with a retry every second;
// bytes beyond the bound are refused and counted.
type rawFile struct {
	outlet
	waiting []byte // to be written, in order
	spare   []byte // the other of the two buffers

	open  func() (fileWriter, error)
	retry time.Duration
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
func newRawFile(path string, now func() time.Duration, notify func(RecordingState)) *rawFile {
	f := &rawFile{outlet: newOutlet(path, now, notify), retry: rawRetryEvery}
	if strings.HasSuffix(path, ".zst") {
		f.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails for bad options only
	}
	f.open = func() (fileWriter, error) { return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644) }
	return f
}

func (f *rawFile) put(r record) bool {
	switch r.kind {
	case journal.KindData:
		return f.take(r.payload)
	case journal.KindHole:
		f.miss(r.payload)
	}
	return true
}

// take takes bytes. It copies them and returns at once; false when they are refused.
func (f *rawFile) take(p []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closing || !f.fits(len(p)) {
		f.status.Refused++
		f.status.RefusedBytes += int64(len(p))
		return false
	}
	f.waiting = append(f.waiting, p...)
	f.held = len(f.waiting)
	return true
}

// finish writes waiting data as far as possible, and returns the error if some was not written.
func (f *rawFile) finish(string) error {
	s := f.close()
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
		f.status.RefusedBytes += int64(left)
		f.mu.Unlock()
		if f.file != nil {
			if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
				f.note(err, 0)
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
	f.waiting, f.spare, f.held = f.spare[:0], nil, 0
	f.mu.Unlock()
	tried := len(batch)+len(f.packed) > 0
	n, err := f.writePacked(batch)
	f.mu.Lock()
	f.status.Bytes += int64(n)
	if n < len(batch) {
		rest := append([]byte(nil), batch[n:]...) // rare
		f.waiting = append(rest, f.waiting...)
		f.held = len(f.waiting)
	}
	f.spare = batch[:0]
	f.mu.Unlock()
	if tried {
		f.note(err, 0)
	}
	return err
}

// writePacked is write for files that may be compressed. Each piece becomes its own zstd frame, so the file
// is readable at any time, up to the last piece. Compressed bytes that cannot be written wait, and
// writePacked takes no more meanwhile.
func (f *rawFile) writePacked(p []byte) (n int, err error) {
	if f.pack == nil {
		return f.write(p)
	}
	before, err := f.write(f.packed)
	f.packed = f.packed[:copy(f.packed, f.packed[before:])]
	if err != nil || len(p) == 0 {
		return 0, err
	}
	f.packed = f.pack.EncodeAll(p, f.packed[:0])
	written, err := f.write(f.packed)
	f.packed = f.packed[:copy(f.packed, f.packed[written:])]
	return len(p), err
}

func (f *rawFile) write(p []byte) (n int, err error) {
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
