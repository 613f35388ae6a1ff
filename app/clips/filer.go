package clips

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"framescope/net/pstats/decode"
)

// A Filer writes clips, one after the other, on goroutines of their own: a disk that is slow, full or gone
// costs clips and nothing else. One goroutine calls its methods.
type Filer struct {
	folder *Folder
	report func(Filed)

	waiting atomic.Int64  // clips that are not written yet
	written chan struct{} // closed when all are that came so far
}

// Filed is the result for a clip.
type Filed struct {
	Clip Clip
	Err  error // why it was not filed; nil: it was
}

// maxQueued bounds the clips that wait for the disk: the oldest frames of a session leave it.
const maxQueued = 16

// NewFiler returns a Filer for a folder. It reports each clip to report, on its goroutine.
func NewFiler(f *Folder, report func(Filed)) *Filer {
	x := &Filer{folder: f, report: report, written: make(chan struct{})}
	close(x.written)
	return x
}

// Folder returns where the clips are filed.
func (x *Filer) Folder() *Folder { return x.folder }

var errSlow = errors.New("the disk does not keep up")

// File writes a clip soon. It does not wait for the disk.
func (x *Filer) File(w Wanted) {
	w.Info.At = time.Now()
	if x.waiting.Load() >= maxQueued {
		go x.report(Filed{Clip{Info: w.Info}, errSlow})
		return
	}
	x.waiting.Add(1)
	before, written := x.written, make(chan struct{})
	x.written = written
	go func() {
		defer close(written)
		<-before
		c, err := x.folder.file(w.Info, w.write)
		x.report(Filed{c, err})
		x.waiting.Add(-1)
	}()
}

// late is how long ago the frames of a clip may have come, besides its length, until it is filed.
const late = time.Minute

// write writes a clip from its session's journal: from the newest segments if they hold all of it.
func (w *Wanted) write(out io.Writer) (frames int64, err error) {
	since := w.Info.At.Add(-time.Duration(w.Info.LengthNs) - late)
	for thread := range w.cut {
		if thread.Nth > 0 { // counted from the begin of the session
			since = time.Time{}
		}
	}
	if frames, err = w.writeSince(since, out, w.Info.Frames); errors.Is(err, decode.ErrNothing) {
		frames, err = w.writeSince(time.Time{}, out, 1)
	}
	return frames, err
}

func (w *Wanted) writeSince(since time.Time, out io.Writer, least int64) (frames int64, err error) {
	r, err := w.kept.Reopen(since)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	r.Unpin() // whoever deletes the session wants no clip of it
	return decode.WriteCut(context.Background(), out, r, "", w.cut, least)
}

// Written is closed when all clips are written that came so far.
func (x *Filer) Written() <-chan struct{} { return x.written }

// Wait waits until all clips are written, but no longer than so long; false: some are not.
func (x *Filer) Wait(atMost time.Duration) bool { return Wait(x.written, atMost) }

// Wait waits until a channel is closed, but no longer than so long; false: it is not.
func Wait(closed <-chan struct{}, atMost time.Duration) bool {
	select {
	case <-closed:
		return true
	case <-time.After(atMost):
		return false
	}
}
