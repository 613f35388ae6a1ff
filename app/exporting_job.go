package app

import (
	"context"
	"io"
	"iter"
	"time"

	"framescope/app/convert"
	"framescope/internal/aside"
)

// job is a running export. It reads the session only while goOn is called: it is a coroutine of the
// game loop. A goroutine that gets only bytes writes the file.
type job struct {
	format      *convert.Format
	part        *convert.Part
	path        string
	evicted     int64 // frames that had left memory at its start
	done, total int64
	err         error // why it is not written
	why         error // why it was given up

	next   func() (struct{}, bool)
	end    func()
	until  time.Time
	yield  func(struct{}) bool
	ctx    context.Context
	cancel context.CancelFunc
}

func newJob(f *convert.Format, p *convert.Part, path string) *job {
	j := &job{format: f, part: p, path: path, evicted: p.Session.Ledger().Evicted, err: context.Canceled}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.next, j.end = iter.Pull(j.write)
	return j
}

// goOn writes for so long. It returns false when all is done.
func (j *job) goOn(d time.Duration) bool {
	j.until = time.Now().Add(d)
	_, more := j.next()
	if !more {
		j.cancel()
	}
	return more
}

// giveUp ends it, and waits until its output is removed.
func (j *job) giveUp(why error) {
	j.why = why
	j.cancel()
	j.end()
}

// pause waits for the next tick. It returns an error when the export was given up.
func (j *job) pause() error {
	if j.ctx.Err() == nil && !j.yield(struct{}{}) {
		j.cancel()
	}
	return j.ctx.Err()
}

// write is the coroutine.
func (j *job) write(yield func(struct{}) bool) {
	j.yield = yield
	if j.err = j.pause(); j.err != nil { // the first tick only begins it
		return
	}
	j.part.OnProgress(func(done, total int64) {
		j.done, j.total = done, total
		if time.Now().After(j.until) {
			j.pause()
		}
	})
	if j.format.InFolder(j.path) {
		j.err = aside.Folder(j.path, func(dir string) (string, error) { return dir, j.format.Folder(j.ctx, j.part, dir) })
		return
	}
	w := newFile(j)
	j.err = w.close(j.format.Pack(w, j.path, func(w io.Writer) error { return j.format.Give(j.ctx, j.part, w) }))
}

// file hands bytes to a goroutine that writes them.
type file struct {
	j       *job
	parts   chan []byte
	written chan struct{} // closed at its end
	err     error         // valid then
	failed  error         // why there are no more parts, set before parts is closed
}

// waiting is how many pieces wait for the disk at most.
const waiting = 64

func newFile(j *job) *file {
	w := &file{j: j, parts: make(chan []byte, waiting), written: make(chan struct{})}
	go func() {
		defer close(w.written)
		w.err = aside.Write(j.path, func(out io.Writer) error {
			for p := range w.parts {
				if _, err := out.Write(p); err != nil {
					return err
				}
			}
			return w.failed
		})
	}()
	return w
}

// Write implements io.Writer. While the disk is behind it waits, a tick at a time.
func (w *file) Write(p []byte) (int, error) {
	part := append([]byte(nil), p...)
	for {
		select {
		case w.parts <- part:
			return len(p), nil
		case <-w.written:
			return 0, w.err
		default:
			if err := w.j.pause(); err != nil {
				return 0, err
			}
		}
	}
}

// close ends the file, which is there only if failed is nil, and returns why it is not.
func (w *file) close(failed error) error {
	w.failed = failed
	close(w.parts)
	for {
		select {
		case <-w.written:
			return w.err
		default:
			if w.j.pause() != nil {
				<-w.written // the output is removed
				return w.err
			}
		}
	}
}
