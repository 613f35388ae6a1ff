//go:build !unix

package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MakeFIFO is not supported here; the error is errors.ErrUnsupported.
func MakeFIFO(path string) error {
	return &fs.PathError{Op: "mkfifo", Path: path, Err: errors.ErrUnsupported}
}

// fifo reads from a pipe or device that has a name, until its writer closes it.
func (f *follower) fifo() error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	return f.stream(in)
}

// stream reads from an open file. A blocked read cannot be cancelled here, so after the context is
// done the reading goroutine stays until data arrive or the program ends.
func (f *follower) stream(in *os.File) error {
	type piece struct {
		p   []byte
		err error
	}
	pieces, back := make(chan piece), make(chan []byte, 2)
	back <- f.buf
	back <- make([]byte, readBytes)
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		for {
			var buf []byte
			select {
			case buf = <-back:
			case <-gone:
				return
			}
			n, err := in.Read(buf[:readBytes])
			select {
			case pieces <- piece{buf[:n], err}:
			case <-gone:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	f.timer.Reset(f.o.idle)
	done := f.o.Done
	for {
		select {
		case <-f.ctx.Done():
			return context.Cause(f.ctx)
		case got := <-pieces:
			if len(got.p) > 0 {
				if err := f.write(got.p); err != nil {
					return err
				}
			}
			if errors.Is(got.err, io.EOF) {
				return nil
			} else if got.err != nil {
				return fmt.Errorf("%s: %w", f.path, got.err)
			}
			back <- got.p[:cap(got.p)]
			f.timer.Reset(f.o.idle)
		case <-f.timer.C:
			f.w.Idle()
			if done != nil && f.done() {
				return nil // nothing came for a while after its end
			}
			f.timer.Reset(f.o.idle)
		}
	}
}

// Readable reports whether the user may read a file, as far as this can be checked without opening it.
func Readable(path string) error {
	_, err := os.Stat(path)
	return err
}
