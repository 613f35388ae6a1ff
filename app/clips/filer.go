package clips

import (
	"errors"
	"sync"
	"time"
)

// A Filer writes clips, one after the other, on a goroutine of its own: a disk that is slow, full or gone
// costs clips and nothing else.
type Filer struct {
	folder *Folder
	report func(Filed)
	now    func() time.Time

	mu      sync.Mutex
	queue   []job
	running bool
	idle    *sync.Cond
}

// Filed is the result for a clip.
type Filed struct {
	Clip Clip
	Err  error // why it was not filed; nil: it was
}

type job struct {
	wanted Wanted
	frames *snapshot
}

// maxQueued bounds the clips that wait for the disk: their frames are in memory.
const maxQueued = 16

// NewFiler returns a Filer for a folder. It reports each clip to report, on its own goroutine.
func NewFiler(f *Folder, report func(Filed)) *Filer {
	x := &Filer{folder: f, report: report, now: time.Now}
	x.idle = sync.NewCond(&x.mu)
	return x
}

// Folder returns where the clips are filed.
func (x *Filer) Folder() *Folder { return x.folder }

// Why a clip is not filed though the disk has room.
var (
	errNoFrames = errors.New("the frames came faster than the memory for clips can hold them")
	errSlow     = errors.New("the disk does not keep up")
)

// File keeps the frames of a clip and writes it soon. It does not wait for the disk.
func (x *Filer) File(w Wanted) {
	x.mu.Lock()
	defer x.mu.Unlock()
	w.Info.At = x.now()
	if len(x.queue) >= maxQueued {
		go x.report(Filed{Clip{Info: w.Info}, errSlow})
		return
	}
	x.queue = append(x.queue, job{w, w.ring.hold(w.frames.Cut)})
	if !x.running {
		x.running = true
		go x.run()
	}
}

// write writes a clip.
func (x *Filer) write(j job) (Clip, error) {
	s, i := j.frames, j.wanted.Info
	defer s.release()
	s.gather()
	if len(s.frames) == 0 {
		return Clip{Info: i}, errNoFrames
	}
	i.Frames, i.LengthNs = int64(len(s.frames)), s.EndNs-s.BeginNs
	i.Lacks = max(j.wanted.frames.N-i.Frames, 0)
	return x.folder.file(i, s.size(), s.write)
}

// run writes the queue.
func (x *Filer) run() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for len(x.queue) > 0 {
		j := x.queue[0]
		x.mu.Unlock()
		c, err := x.write(j)
		x.report(Filed{c, err})
		x.mu.Lock()
		x.queue = x.queue[1:]
	}
	x.running = false
	x.idle.Broadcast()
}

// Wait waits until all clips are written, but no longer than so long; false: some are not.
func (x *Filer) Wait(atMost time.Duration) bool {
	late := false
	timer := time.AfterFunc(atMost, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.idle.Broadcast()
	})
	defer timer.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.running && !late {
		x.idle.Wait()
	}
	return !x.running
}
