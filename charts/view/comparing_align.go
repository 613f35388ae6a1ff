package view

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// Alignment is the point of both sides that lies at time 0 of a common ruler.
type Alignment uint8

// The alignments.
const (
	AlignBegin  Alignment = iota // the begin of each side: its first frame, else the range or the session
	AlignMedian                  // the frame with a time nearest to the median of its side's
	AlignCall                    // the first call of a collector
)

// Zero is the point at time 0 of a side.
type Zero struct {
	AtNs int64 // on the clock of its session
	// Frame is the number of the frame that begins there, if Framed.
	Frame  int64
	Framed bool
	// Call is the full name of the collector with its first call there; empty: none.
	Call string
}

// aligned is the alignment of the sides on one ruler, and its known points.
type aligned struct {
	by     Alignment
	call   string // full name, of AlignCall
	thread string // on which it is looked for first: its title

	of    uint64 // revision of the sides
	zero  [2]Zero
	known [2]bool
	done  bool
	look  [2]search
}

// search looks for the frame that is nearest to the median, a piece a tick.
type search struct {
	at, last int // index of the next frame to look at, and of the last
	best     int // -1 none yet
	bestBy   float64
	begun    bool
}

// Align lays both sides on one ruler by another alignment. Of AlignCall it names the collector in full,
// and the title of the thread on which it is looked for first.
func (s *Comparing) Align(by Alignment, call, thread string) {
	s.align = aligned{by: by, call: call, thread: thread}
	s.tickAlign(0)
}

// Aligned returns the alignment of the sides, and the collector of AlignCall.
func (s *Comparing) Aligned() (by Alignment, call string) { return s.align.by, s.align.call }

// Zero returns the point at time 0 of a side. Until it is known, and if one of the sides lacks it, that
// is the begin of the side; false while the side is empty.
func (s *Comparing) Zero(side int) (Zero, bool) {
	if m, ok := s.Marked(side); ok {
		if a := &s.align; a.done && a.of == s.sides && a.known[SideA] && a.known[SideB] {
			return a.zero[side], true
		}
		return beginOf(&m.Side)
	}
	return Zero{}, false
}

// Lacks reports whether a side lacks the point to align by.
func (s *Comparing) Lacks(side int) bool {
	return s.align.done && s.align.of == s.sides && !s.align.known[side]
}

// tickAlign continues the search for time 0, for about so much work.
func (s *Comparing) tickAlign(work int) {
	a := &s.align
	if !s.is[SideA] || !s.is[SideB] || a.done && a.of == s.sides {
		return
	}
	if a.of != s.sides {
		*a = aligned{by: a.by, call: a.call, thread: a.thread, of: s.sides}
	}
	switch a.by {
	case AlignBegin:
		for side := range s.marks {
			a.zero[side], a.known[side] = beginOf(&s.marks[side].Side)
		}
	case AlignMedian:
		if s.result == nil {
			return
		}
		for side := range s.marks {
			if s.result.Frames != nil && !a.look[side].step(&s.marks[side].Side, &s.result.Frames.Sides[side], work) {
				return
			}
			a.zero[side], a.known[side] = a.look[side].zero(&s.marks[side].Side, s.result.Frames, side)
		}
	case AlignCall:
		for side := range s.marks {
			a.zero[side], a.known[side] = firstCall(&s.marks[side].Side, a.call, a.thread)
		}
	}
	a.done = true
}

// Extent returns the time [beginNs, endNs) of a side, for a whole session that of its data.
func Extent(x *compare.Side) (beginNs, endNs int64, ok bool) {
	beginNs, endNs, ok = x.Session.Bounds()
	return max(beginNs, x.BeginNs), min(endNs, x.EndNs), ok
}

// beginOf returns where a side begins: its first frame, else its first event.
func beginOf(x *compare.Side) (z Zero, ok bool) {
	begin, _, ok := Extent(x)
	z.AtNs = begin
	track, all := x.Track, x.BeginNs <= model.MinTime
	if track == model.NoTrack && all {
		track = x.Session.MainTrack()
	}
	t := x.Session.Track(track)
	if t == nil || t.NumFrames() == 0 || t.Def.OwnClock {
		return z, ok
	}
	i, there := 0, true
	if x.Track != model.NoTrack {
		i, there = t.FrameByNumber(x.First)
	}
	if there {
		f := t.Frame(i)
		z.AtNs, z.Frame, z.Framed = f.Begin, f.Number, true
	}
	return z, ok
}

// step looks at frames of a side; true: at all of them.
func (l *search) step(x *compare.Side, times *compare.Times, work int) bool {
	t := x.Session.Track(times.Track)
	if t == nil || t.Def.OwnClock || times.Received == 0 {
		l.best = -1
		return true
	}
	if !l.begun {
		l.at, l.last, l.best, l.bestBy, l.begun = indexOf(t, times.First), indexOf(t, times.Last), -1, math.Inf(1), true
	}
	for ; l.at <= min(l.last, t.NumFrames()-1); l.at++ {
		if work--; work < 0 {
			return false
		}
		f := t.Frame(l.at)
		if by := math.Abs(float64(f.End-f.Begin) - times.Median); by < l.bestBy {
			l.best, l.bestBy = l.at, by
		}
	}
	return true
}

func indexOf(t *store.Track, number int64) int {
	i, _ := t.FrameByNumber(number)
	return i
}

func (l *search) zero(x *compare.Side, f *compare.FrameTimes, side int) (Zero, bool) {
	if f == nil || l.best < 0 {
		return Zero{}, false
	}
	t := x.Session.Track(f.Sides[side].Track)
	if l.best >= t.NumFrames() {
		return Zero{}, false
	}
	frame := t.Frame(l.best)
	return Zero{AtNs: frame.Begin, Frame: frame.Number, Framed: true}, true
}

// firstCall returns the first call of a collector in a side, on the thread of a title, and where it has
// none on that which has it first. Threads on clocks of their own have no place in time to be trusted.
func firstCall(x *compare.Side, name, thread string) (z Zero, ok bool) {
	c, s := CollectorNamed(x.Session, name), x.Session
	begin, end, any := Extent(x)
	if c == model.NoCollector || !any {
		return z, false
	}
	preferred := false
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil || t.Def.OwnClock || x.Only != nil && !slices.Contains(x.Only, id) {
			continue
		}
		b, found := s.Spans().Next(id, c, begin-1, 1)
		if !found || b.Begin >= end {
			continue
		}
		here := t.Title() == thread
		if !ok || here && !preferred || here == preferred && b.Begin < z.AtNs {
			z, ok, preferred = Zero{AtNs: b.Begin, Call: name}, true, here
		}
	}
	return z, ok
}

// CollectorNamed returns the collector of a session with a full name, NoCollector where none has it.
// Cost: O(collectors).
func CollectorNamed(s *store.Session, name string) model.CollectorID {
	for c := range model.CollectorID(s.Collectors().Len()) {
		if col := s.Collector(c); col != nil && col.Title() == name {
			return c
		}
	}
	return model.NoCollector
}
