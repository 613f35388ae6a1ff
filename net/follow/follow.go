// Package follow reads bytes that are still being written: files that grow, are cut, replaced or not
// there yet, FIFOs with writers that come and go, standard input, and folders in which new files
// appear.
//
// It knows nothing of the meaning of the bytes. All calls come from one goroutine, the caller's.
package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Writer takes the bytes that are read.
type Writer interface {
	// Write takes the next bytes, at most 64 KiB. It must not keep p. An error ends the following and
	// is returned by it.
	Write(p []byte) (int, error)
	// Idle is called each time that nothing came for 50 ms.
	Idle()
	// Restart ends the current data: the file was cut, written anew or replaced, or the FIFO's writer
	// closed it. Later bytes, if any, begin new data.
	Restart(reason string)
}

// State is the state of a follower.
type State uint8

// The states of a follower.
const (
	Waiting   State = iota // there is nothing to read from yet, or no longer
	Following              // all present data are read; more are read as they come
	Ended                  // nothing will come any more
)

// String returns the state in words, for people.
func (s State) String() string {
	return [...]string{Waiting: "waiting for data", Following: "following", Ended: "ended"}[s]
}

// Options of a follower. The zero value follows until the context is done.
type Options struct {
	// Done is closed when the writer has ended. Then the rest is read, and Follow returns without an
	// error. nil: the end is unknown.
	Done <-chan struct{}
	// State is called when the state changes, with the reason in words, on the following goroutine. It
	// may be nil.
	State func(s State, why string)

	idle time.Duration // instead of idleEvery, in tests
}

const (
	readBytes = 64 << 10 // of one read, and so of one Write
	idleEvery = 50 * time.Millisecond
	lookEvery = 2 // of these
)

// ErrCompressed is the error for following a compressed file, which is unreadable before it is
// complete.
var ErrCompressed = errors.New("is compressed with gzip and cannot be followed: open it without --follow when it " +
	"is complete")

// follower is one Follow.
type follower struct {
	ctx   context.Context
	path  string
	w     Writer
	o     Options
	buf   []byte
	timer *time.Timer
	state State
	told  bool   // State was called at least once
	why   string // and with these words
}

func newFollower(ctx context.Context, path string, w Writer, o Options) *follower {
	o.idle = cmp.Or(o.idle, idleEvery)
	return &follower{ctx: ctx, path: path, w: w, o: o, buf: make([]byte, readBytes), timer: time.NewTimer(o.idle)}
}

// Follow reads the file or FIFO at path from its beginning and writes it to w until ctx is done,
// Options.Done is closed, w returns an error, or reading fails. The path "-" stands for standard
// input, which ends when it is closed. Follow waits for a missing file. It returns nil at a regular
// end and ctx's error when ctx is done.
func Follow(ctx context.Context, path string, w Writer, o Options) error {
	if path == "-" {
		return Stream(ctx, os.Stdin, w, o)
	}
	f := newFollower(ctx, path, w, o)
	defer f.timer.Stop()
	err := f.run()
	f.reportState(Ended, reasonOf(err))
	return err
}

// Stream writes the bytes of a pipe, a terminal or the like to w until it ends, as Follow does.
func Stream(ctx context.Context, in *os.File, w Writer, o Options) error {
	f := newFollower(ctx, in.Name(), w, o)
	defer f.timer.Stop()
	f.reportState(Waiting, "nothing came yet")
	err := f.stream(in)
	f.reportState(Ended, reasonOf(err))
	return err
}

// stream reads from an open file. A blocked read cannot be cancelled, so after the context is
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
				return got.err // which names the file
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

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// errKind is returned inside the package when the path now leads to another kind of file.
var errKind = errors.New("another kind of file")

// run follows the path through all kinds of files, one after the other.
func (f *follower) run() error {
	for began := false; ; began = true {
		last := f.done()
		st, err := os.Stat(f.path)
		why := ""
		switch {
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case errors.Is(err, fs.ErrNotExist):
			why = "the file is not there yet"
			if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
				why = fmt.Sprintf("the folder %s is not there yet", filepath.Dir(f.path))
			}
		case err != nil:
			return err
		case (st.IsDir() || st.Mode()&fs.ModeSocket != 0) && began:
			// The path was, or is now, a regular file: it may come back.
			why = "something that is no file took its place"
		case st.IsDir():
			return fmt.Errorf("%s: is a folder, which can be watched for new files but not followed", f.path)
		case st.Mode().IsRegular():
			err = f.file()
		case st.Mode()&fs.ModeSocket != 0:
			return fmt.Errorf("%s: is a socket, which cannot be opened as a file", f.path)
		default:
			err = f.fifo()
		}
		switch {
		case why == "" && !errors.Is(err, errKind):
			return err
		case why != "":
			f.reportState(Waiting, why)
			if last {
				return nil
			}
			f.wait()
		}
	}
}

// reportState reports a change of state to Options.State.
func (f *follower) reportState(s State, why string) {
	if f.told && f.state == s && f.why == why {
		return
	}
	f.told, f.state, f.why = true, s, why
	if f.o.State != nil {
		f.o.State(s, why)
	}
}

// done reports whether the writer has ended. Check it before looking for data, so that the last bytes
// are read.
func (f *follower) done() bool {
	select {
	case <-f.o.Done: // never if nil
		return true
	default:
		return false
	}
}

// write hands bytes over.
func (f *follower) write(p []byte) error {
	f.reportState(Following, "")
	_, err := f.w.Write(p)
	return err
}

// wait returns when it is time to look again, when the writer has ended or the context is done.
func (f *follower) wait() {
	for range lookEvery {
		if f.pause(); f.done() || f.ctx.Err() != nil {
			return
		}
	}
}

// pause waits for a moment, and then calls Idle.
func (f *follower) pause() {
	f.timer.Reset(f.o.idle)
	select {
	case <-f.ctx.Done():
	case <-f.o.Done:
	case <-f.timer.C:
		f.w.Idle()
	}
}
