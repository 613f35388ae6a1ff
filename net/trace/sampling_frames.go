package trace

import (
	"math"
	"sort"
)

// Limits of a frame: one in which more happens is none.
const (
	frameSpans   = 1 << 18
	frameSamples = 1 << 20
)

// StackFrame is a stretch of time that is a frame, of so many bytes of the recording. One that is open went on at its
// end. One that goes on is published again, with another end.
type StackFrame struct {
	Number, Begin, End int64
	Bytes              int
	Open, GoesOn       bool
}

// Frame publishes all that came since the thread's last frame as the next.
func (t *StackThread) Frame(f StackFrame) { t.publish(&f) }

// StackFrames are frames of threads, in order and without overlap. More may be added behind the last, before what
// follows them.
type StackFrames struct {
	List []StackFrame
	// Credit is how many empty frames threads may have, besides the one that leads.
	Credit int64
}

// framed is what a thread has of its frames.
type framed struct {
	list   *StackFrames // nil: it has none, or they come by Frame
	byCall bool
	next   int  // of the list: the frame that goes on or comes next
	inside bool // it goes on
	begun  bool
	leads  bool
}

// Frames gives a thread frames, before the first sample or call that is in one; Flush publishes what came before.
// A run belongs to the frame in which it begins; its time counts in every frame it covers. The thread has frames from
// its first data on, up to its last. With nil the reader knows the frames of this thread only at their end: it calls
// Frame then, and nothing is published before that, unless 2^18 spans wait.
func (t *StackThread) Frames(list *StackFrames) { t.framed = framed{list: list, byCall: list == nil} }

// Lead says that the frames from a number on are the thread's own: it has each of them.
func (t *StackThread) Lead(from int) {
	f := &t.framed
	if f.leads = true; !f.begun {
		f.next, f.begun = from, true
	}
}

// pass goes on to a time: frames that begin or end up to then do so. comes says that there are data of that time; a
// thread without any begins no frame, unless it leads.
func (t *StackThread) pass(at int64, comes bool) {
	if f := &t.framed; f.list != nil && (f.begun || comes) {
		t.passFrames(at, comes)
	}
}

func (t *StackThread) passFrames(at int64, comes bool) {
	f := &t.framed
	if !f.begun {
		f.begun, f.next = true, f.list.after(0, at)
	}
	for f.next < len(f.list.List) && !t.w.stopped {
		x := f.list.List[f.next]
		if !f.inside {
			if at < x.Begin || !comes && !f.leads && len(t.open) == 0 {
				return
			}
			t.last = max(t.last, x.Begin)
			t.flush()
			f.inside = true
		}
		switch {
		case at < x.End:
			return
		case t.isIdle() && !f.leads && f.list.Credit <= 0:
			next := f.list.after(f.next, at)
			t.w.bad.BadN(ManyEmptyFrames, int64(next-f.next), Unknown)
			f.next, f.inside = next, false
			continue
		case t.isIdle() && !f.leads:
			f.list.Credit--
		}
		t.last = max(t.last, x.End)
		t.publish(&x)
		f.next, f.inside = f.next+1, false
	}
}

// after returns the first frame from one on that ends after a time.
func (l *StackFrames) after(from int, at int64) int {
	rest := l.List[from:]
	return from + sort.Search(len(rest), func(i int) bool { return rest[i].End > at })
}

// isIdle reports whether nothing waits or goes on.
func (t *StackThread) isIdle() bool { return len(t.open)+len(t.spans)+t.facts() == 0 }

// leave passes the frame that goes on, and all that the thread leads.
func (t *StackThread) leave() {
	t.end(0, t.last)
	f := &t.framed
	switch {
	case f.leads:
		t.pass(math.MaxInt64, false)
	case f.inside:
		t.pass(f.list.List[f.next].End, false)
	}
}

// waits reports whether publishing must wait for the end of the open frame. A frame with too much data is
// given up.
func (t *StackThread) waits() bool {
	f := &t.framed
	full := len(t.spans) >= frameSpans+4*len(t.open) || t.facts() >= frameSamples
	if f.inside && full {
		f.next, f.inside = f.next+1, false
		t.w.bad.Bad(BigFrame, Unknown)
	}
	return f.inside || f.byCall && !full
}
