package subject

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// FrameWork is the figure beside the name of a thread: what it did in a frame, or in the mean of several.
type FrameWork struct {
	Frames int64 // of the thread that the figure is from; 0: there is none
	Beside bool  // they go with those that the figures are of, so that the budget is theirs, too
	Known  bool  // what it did in them; else the next three are 0
	Of     int64 // the number of frames that their sum is shared among
	Busy   int64 // ns in spans that are no waits
	Waits  int64 // ns in waits: idle, parked
	Bare   int64 // ns that no span within the frame covers
	Wall   int64 // ns from begin to end of one of its own frames
}

// Share is the frames of a thread that the figures of all threads are of.
type Share struct {
	Of          model.TrackID
	First, Last int // Last < First: each thread counts by its own frames
}

// SharedBy returns the frames that a view is about.
func SharedBy(v *view.View) Share {
	x := Share{v.Track(), 0, -1}
	if v.Live() || v.FrameA() >= 0 {
		x.First, x.Last = panel.FramesOf(v, x.Of)
	}
	return x
}

// WorkOf returns the work of a thread in its frames [first, last]. Frames that go with those which the figures are
// of count one by one; of others these share the sum of all.
func WorkOf(s *store.Session, id model.TrackID, first, last int, by Share) (x FrameWork) {
	t := s.Track(id)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		return x
	}
	x.Frames = t.CountedFrames(first, last)
	x.Of, x.Beside = x.Frames, true
	if n := s.CountedFrames(by.Of, by.First, by.Last); id != by.Of && n > 0 {
		_, _, x.Beside = s.FramesBeside(id, by.Of, by.First, by.Last)
		x.Beside = x.Beside || x.Frames == n // as many: they take turns
		if !x.Beside {
			x.Of = n
		}
	}
	did, known := s.WorkInFrames(id, first, last)
	x.Known = known
	mean := func(sum, of int64) int64 { return int64(float64(sum)/float64(of) + 0.5) }
	x.Busy, x.Waits, x.Bare = mean(did.BusyNs, x.Of), mean(did.WaitNs, x.Of), mean(did.BareNs, x.Of)
	x.Wall = mean(t.SumOfFrames(first, last), x.Frames)
	return x
}

// Shown returns the time that the user asks for: busy, or from begin to end; ok is false where it is not known.
func (x *FrameWork) Shown(l *view.Look) (ns int64, ok bool) {
	if l.ShowWall() {
		return x.Wall, x.Frames > 0
	}
	return x.Busy, x.Known
}

// Over reports whether the time that is shown is over the budget of a frame.
func (x *FrameWork) Over(l *view.Look) bool {
	ns, ok := x.Shown(l)
	return ok && x.Beside && OverBudget(ns, l.FrameBudgetNs())
}

// Tip adds what makes up the time of a thread to a tooltip.
func (x *FrameWork) Tip(l *panel.TipLines) {
	if x.Frames == 0 {
		return
	}
	l.If(x.Known).Text("busy\t").Duration(x.Busy).End()
	l.If(x.Waits > 0).Text("waits, idle\t").Duration(x.Waits).End()
	l.If(x.Bare > 0).Text("not measured\t").Duration(x.Bare).End()
	l.Text("begin to end\t").Duration(x.Wall).End()
}
