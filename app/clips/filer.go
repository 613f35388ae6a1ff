package clips

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"framescope/net/pstats/decode"
)

// A Filer writes clips, one after the other, on a goroutine of its own: a disk that is slow, full or gone
// costs clips and nothing else.
type Filer struct {
	folder *Folder
	report func(Filed)
	queue  chan Wanted
	work   sync.WaitGroup // one for each clip that waits or is written
}

// Filed is the result for a clip.
type Filed struct {
	Clip Clip
	Err  error // why it was not filed; nil: it was
}

// maxQueued bounds the clips that wait for the disk: the oldest frames of a session leave it.
const maxQueued = 16

// NewFiler returns a Filer for a folder. It reports each clip to report, on its own goroutine.
func NewFiler(f *Folder, report func(Filed)) *Filer {
	x := &Filer{folder: f, report: report, queue: make(chan Wanted, maxQueued)}
	go x.run()
	return x
}

// Folder returns where the clips are filed.
func (x *Filer) Folder() *Folder { return x.folder }

var errSlow = errors.New("the disk does not keep up")

// File writes a clip soon. It does not wait for the disk.
func (x *Filer) File(w Wanted) {
	w.Info.At = time.Now()
	x.work.Add(1)
	select {
	case x.queue <- w:
	default:
		go x.filed(Clip{Info: w.Info}, errSlow)
	}
}

// filed reports the result for a clip.
func (x *Filer) filed(c Clip, err error) {
	defer x.work.Done()
	x.report(Filed{c, err})
}

// late is how long ago the frames of a clip may have come, besides its length, until it is filed.
const late = time.Minute

// write writes a clip from what is kept of its session: from the newest part if all of it is there.
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
	return decode.WriteCut(context.Background(), out, r, "", w.cut, least)
}

// run writes the clips.
func (x *Filer) run() {
	for w := range x.queue {
		x.filed(x.folder.file(w.Info, w.write))
	}
}

// Wait waits until all clips are written, but no longer than so long; false: some are not.
func (x *Filer) Wait(atMost time.Duration) bool {
	written := make(chan struct{})
	go func() {
		defer close(written)
		x.work.Wait()
	}()
	select {
	case <-written:
		return true
	case <-time.After(atMost):
		return false
	}
}
