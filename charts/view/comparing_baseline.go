package view

import (
	"framescope/charts/format"

	"framescope/model/compare"
	"framescope/model/store"
)

// baseline is the pinned baseline of bars and rows.
type baseline struct {
	mark     Mark
	is       bool
	now      *compare.Baseline
	ready    bool
	on       [2]*compare.Against // for the sessions of the last queries, the newest first
	revision uint64
}

// Pin makes a range the baseline of bars and rows, in place of another.
func (s *Comparing) Pin(m Mark) {
	s.unpin()
	s.base.mark, s.base.is, s.base.now = m, true, compare.BeginBaseline(m.Side)
}

// Unpin forgets the baseline of bars and rows.
func (s *Comparing) Unpin() {
	if s.base.is {
		s.unpin()
	}
}

func (s *Comparing) unpin() {
	if s.base.now != nil {
		s.base.now.Close()
	}
	s.base = baseline{revision: s.base.revision + 1}
}

// tickBaseline continues the computation of the baseline, for about so much work.
func (s *Comparing) tickBaseline(work int) {
	if b := &s.base; b.is && !b.ready && b.now.Step(work) {
		b.ready = true
		b.revision++
	}
}

// keepBaseline forgets a baseline if its session is gone before it is complete. After that the
// session may go.
func (s *Comparing) keepBaseline(there func(*store.Session) bool) {
	if b := &s.base; b.is && !b.ready && !there(b.mark.Side.Session) {
		s.unpin()
	} else {
		for i, on := range b.on {
			if on != nil && !there(on.Session()) {
				b.on[i] = nil
			}
		}
	}
}

// Pinned returns the range of the baseline; false if there is none. ready means that its usual values
// are computed.
func (s *Comparing) Pinned() (m Mark, is, ready bool) { return s.base.mark, s.base.is, s.base.ready }

// Baseline returns the baseline for bars and rows of a session; nil if none is pinned, or it is not
// ready yet.
func (s *Comparing) Baseline(of *store.Session) *compare.Against {
	if !s.base.ready {
		return nil
	}
	b := &s.base
	for _, on := range b.on {
		if on != nil && on.Session() == of {
			return on
		}
	}
	b.on[1], b.on[0] = b.on[0], b.now.On(of)
	return b.on[0]
}

// BaselineRevision changes with the pinned range, and when its usual values are ready.
func (s *Comparing) BaselineRevision() uint64 { return s.base.revision }

// Visible returns the range for a baseline: the selection, if that is more than a frame, else the
// visible range. It returns false if there is none.
func MarkVisible(v *View, name string) (Mark, bool) {
	m, ok := MarkSelected(v, name)
	t := v.Shown()
	switch {
	case !ok || !v.Time().Valid():
		return m, ok
	case !v.Live() && (v.RangeB() > v.RangeA() || v.FrameB() > v.FrameA()):
		return m, true
	}
	begin, end := v.Time().Visible()
	if t != nil && t.NumFrames() > 0 {
		first, last := t.FramesBeginning(begin, end)
		first, last = max(first, 0), min(last, t.NumFrames()-1)
		if first > last { // none begins in view: that which is there
			first = min(max(t.FrameAt(begin), 0), t.NumFrames()-1)
			last = first
		}
		return framesMark(m, compare.FramesOf(v.Session(), v.Track(), first, last)), true
	}
	return timeMark(m, compare.TimeOf(v.Session(), begin, end)), true
}

// framesMark makes a mark that of frames of a thread.
func framesMark(m Mark, x compare.Side) Mark {
	m.Side = x
	b := append([]byte(nil), "frame"...)
	if m.Side.Last > m.Side.First {
		b = append(b, 's')
	}
	b = format.AppendCount(append(b, ' '), m.Side.First)
	if m.Side.Last > m.Side.First {
		b = format.AppendCount(append(b, " – "...), m.Side.Last)
	}
	m.When = string(b)
	m.What = m.When + " of " + x.Session.Track(x.Track).Title()
	return m
}

// timeMark makes a mark that of a time.
func timeMark(m Mark, x compare.Side) Mark {
	m.Side = x
	b := format.AppendDuration(nil, x.BeginNs)
	m.When = string(format.AppendDuration(append(b, " – "...), x.EndNs))
	m.What = m.When
	return m
}
