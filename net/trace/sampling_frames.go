package trace

import (
	"fmt"
	"math"

	"framescope/model"
)

// Limits of a frame: one in which more is sampled is none.
const (
	frameSpans   = 1 << 18
	frameSamples = 1 << 20
)

// StackFrame is a stretch of time that is a frame of its thread. One that is open went on at its end.
type StackFrame struct {
	Begin, End int64
	Open       bool
}

// framed holds the frames of a thread.
type framed struct {
	list   []StackFrame // the one that goes on, if any does, and those to come
	number int64
	inside bool
	loose  int64 // runs that began in none
	given  int64 // frames that were given up
	any    bool
	of     func(model.PathID) model.CollectorID
	alone  SelfTimes
}

// Frames sets the frames of a sampled thread, in order and without overlap, before its first sample. A run
// belongs to the frame in which it begins; its time counts in every frame it covers. of returns the
// collector of a call path.
func (t *StackThread) Frames(list []StackFrame, of func(model.PathID) model.CollectorID) {
	t.framed.list, t.framed.of, t.framed.any = list, of, len(list) > 0
}

// pass goes on to a time: frames that begin or end up to then do so.
func (t *StackThread) pass(at int64) {
	f := &t.framed
	for len(f.list) > 0 && !t.w.stopped {
		x := f.list[0]
		if !f.inside {
			if at < x.Begin {
				return
			}
			t.last = max(t.last, x.Begin)
			t.flush()
			f.inside = true
		}
		if at < x.End {
			return
		}
		t.last = max(t.last, x.End)
		t.publish(&x)
		f.list, f.inside, f.number = f.list[1:], false, f.number+1
	}
}

// leave passes all frames that are left.
func (t *StackThread) leave() {
	t.end(0, t.last)
	t.pass(math.MaxInt64)
	f := &t.framed
	f.list, f.inside = nil, false
	losses := Losses{Define: t.w.sink.Define}
	lose := func(n int64, words string) { losses.Lose(model.LossUnframed, n, words) }
	lose(f.loose, "runs began in no frame: they are shown, and are in call trees by time, but not in figures of frames")
	lose(f.given, fmt.Sprintf("frames with more than %d runs or %d samples do not count as frames", frameSpans, frameSamples))
	f.loose, f.given = 0, 0
}

// waits reports whether publishing must wait for the end of the open frame. A frame with too much data is
// given up.
func (t *StackThread) waits() bool {
	f := &t.framed
	if f.inside && (len(t.spans) >= frameSpans || len(t.samples)+len(t.notes) >= frameSamples) {
		f.list, f.inside = f.list[1:], false
		f.given++
	}
	return f.inside
}
