// File comparing.go holds the comparison of a window: the ranges A and B with their sessions, and
// their comparison, made a piece a tick. The panels that show it read it here; the window marks the
// sides. It knows the selection (view) and the model, and no panel.

package view

import (
	"cmp"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// The sides.
const (
	SideA = 0
	SideB = 1
)

// Mark is one of the sides.
type Mark struct {
	Side compare.Side
	Name string // of its session
	What string // of it: "frames 0 – 999 of Main"
	When string // What without its thread; empty if it is all
}

// Short is a short name of a mark: its range, for all of a session its name.
func (m *Mark) Short() string { return cmp.Or(m.When, m.Name) }

// Comparing is the comparison of a window. The zero value compares nothing.
type Comparing struct {
	marks    [2]Mark
	is       [2]bool
	now      *compare.Comparison
	result   *compare.Result
	revision uint64
	budgetNs int64
	sum      int    // index of the measure for sides without times
	sides    uint64 // changes with the sides alone
	align    aligned
	base     baseline
}

// Set sets a side, and begins to compare when both are there. Frames longer than budgetNs are
// counted; 0: there is no budget.
func (s *Comparing) Set(side int, m Mark, budgetNs int64) {
	s.marks[side], s.is[side], s.budgetNs, s.sum = m, true, budgetNs, 0
	s.begin()
}

// Rename calls the session of a side otherwise.
func (s *Comparing) Rename(side int, name string) {
	if s.is[side] && s.marks[side].Name != name {
		s.marks[side].Name = name
		s.revision++
	}
}

// Letters are the letters of the sides that a session is, "AB" where it is both; empty: of none.
func (s *Comparing) Letters(of *store.Session) string {
	a, b := s.is[SideA] && s.marks[SideA].Side.Session == of, s.is[SideB] && s.marks[SideB].Side.Session == of
	switch {
	case a && b:
		return "AB"
	case a:
		return "A"
	case b:
		return "B"
	}
	return ""
}

// Timeless reports whether both sides are set, and one of them has no times: sums are compared, and panels
// along time are empty.
func (s *Comparing) Timeless() bool {
	return s.is[SideA] && s.is[SideB] &&
		(s.marks[SideA].Side.Session.Info().Sampling.Timeless || s.marks[SideB].Side.Session.Info().Sampling.Timeless)
}

// Sums returns the possible measures for sides without times, and the chosen one; otherwise nothing.
func (s *Comparing) Sums() (of []compare.Summed, chosen int) {
	if !s.Timeless() {
		return nil, 0
	}
	of = compare.Summables(&s.marks[SideA].Side, &s.marks[SideB].Side)
	return of, min(s.sum, max(len(of)-1, 0))
}

// SumBy compares sides without times by another of Sums.
func (s *Comparing) SumBy(chosen int) {
	if chosen != s.sum && s.Timeless() {
		s.sum = chosen
		s.begin()
	}
}

// Swap swaps A and B.
func (s *Comparing) Swap() {
	s.marks[SideA], s.marks[SideB] = s.marks[SideB], s.marks[SideA]
	s.is[SideA], s.is[SideB] = s.is[SideB], s.is[SideA]
	s.begin()
}

// Sides are both sides, as Restore takes them.
type Sides struct {
	marks [2]Mark
	is    [2]bool
}

// Sides returns the marked sides.
func (s *Comparing) Sides() Sides { return Sides{s.marks, s.is} }

// Restore restores both sides, and begins to compare when both are there.
func (s *Comparing) Restore(was Sides) {
	s.marks, s.is = was.marks, was.is
	s.begin()
}

// Keep forgets the sides of vanished sessions.
func (s *Sides) Keep(there func(*store.Session) bool) {
	for side := range s.marks {
		if s.is[side] && !there(s.marks[side].Side.Session) {
			s.marks[side], s.is[side] = Mark{}, false
		}
	}
}

// Stop forgets both sides.
func (s *Comparing) Stop() {
	s.marks, s.is = [2]Mark{}, [2]bool{}
	s.begin()
}

// Keep forgets the sides of vanished sessions, and a baseline that can no longer be made.
func (s *Comparing) Keep(there func(*store.Session) bool) {
	for side := range s.marks {
		if s.is[side] && !there(s.marks[side].Side.Session) {
			s.marks[side], s.is[side] = Mark{}, false
			s.begin()
		}
	}
	s.keepBaseline(there)
}

// begin compares anew.
func (s *Comparing) begin() {
	if s.now != nil {
		s.now.Close()
	}
	s.now, s.result = nil, nil
	s.revision++
	s.sides++
	if s.is[SideA] && s.is[SideB] {
		s.now = compare.Begin(s.marks[SideA].Side, s.marks[SideB].Side, compare.Options{BudgetNs: s.budgetNs, Sum: s.sum})
	}
}

// Tick goes on comparing for about so much work, see compare.Comparison.Step.
func (s *Comparing) Tick(work int) {
	if s.now != nil && s.result == nil && s.now.Step(work) {
		s.result = s.now.Result()
		s.revision++
	}
	s.tickAlign(work)
	s.tickBaseline(work)
}

// Marked returns a side; false while it is not marked.
func (s *Comparing) Marked(side int) (Mark, bool) { return s.marks[side], s.is[side] }

// Any reports whether a side is marked.
func (s *Comparing) Any() bool { return s.is[SideA] || s.is[SideB] }

// Result returns the comparison, nil before it is ready.
func (s *Comparing) Result() *compare.Result { return s.result }

// Revision changes with the sides and the result.
func (s *Comparing) Revision() uint64 { return s.revision }

// SidesRevision changes with the sides alone.
func (s *Comparing) SidesRevision() uint64 { return s.sides }

// ShownSide returns the side of a session, B if both are; -1 for none. Panels select the items of a
// row there.
func (s *Comparing) ShownSide(of *store.Session) int {
	for side := SideB; side >= SideA; side-- {
		if m, ok := s.Marked(side); ok && m.Side.Session == of {
			return side
		}
	}
	return -1
}

// SideOf returns the side of a time of a session: if both sides are of different sessions that of the
// session, else the only one with the time in its range; -1 for none.
func (s *Comparing) SideOf(of *store.Session, timeNs int64) int {
	if !s.is[SideA] || !s.is[SideB] {
		return -1
	}
	if s.marks[SideA].Side.Session != s.marks[SideB].Side.Session {
		return s.ShownSide(of)
	}
	at := -1
	for side := range s.marks {
		begin, end, _ := Extent(&s.marks[side].Side)
		if s.marks[side].Side.Session != of || timeNs < begin || timeNs >= end {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = side
	}
	return at
}

// Words returns the text of a panel without content: its purpose, and advice.
func (s *Comparing) Words(shows string) string {
	switch a, b := s.is[SideA], s.is[SideB]; {
	case a && b:
		return shows + "\nComparing …"
	case a:
		return shows + "\nA is marked. Select frames or a range, here or in another session, and mark B (Shift+B)."
	case b:
		return shows + "\nB is marked. Select frames or a range, here or in another session, and mark A (Shift+A)."
	}
	return shows + "\nSelect frames or a range and mark A (Shift+A), then another and mark B (Shift+B)."
}

// Selected returns the side that is selected in a view: a range of time or of frames, all of the session
// where the view follows it or nothing is selected. False where there is nothing.
func MarkSelected(v *View, name string) (Mark, bool) {
	s := v.Session()
	if s.MainTrack() == model.NoTrack && !s.Contents().Timeless {
		return Mark{}, false
	}
	m := MarkWhole(s, name)
	t := s.Track(v.Track())
	switch {
	case v.Live():
	case t != nil && t.NumFrames() > 0 && v.FrameB() >= v.FrameA() && v.FrameA() >= 0:
		m = framesMark(m, compare.FramesOf(s, v.Track(), v.FrameA(), min(v.FrameB(), t.NumFrames()-1)))
	case v.RangeB() > v.RangeA():
		m = timeMark(m, compare.TimeOf(s, v.RangeA(), v.RangeB()))
	}
	return m, true
}

// Chosen is Selected, but all of the session if the user chose no frame, or a single one: for a comparison
// with a whole recording.
func MarkChosen(v *View, name string) (Mark, bool) {
	m, ok := MarkSelected(v, name)
	if ok && (!v.ChoseRange() || v.FrameA() >= 0 && v.FrameA() == v.FrameB()) {
		m = MarkWhole(v.Session(), name)
	}
	return m, ok
}

// MarkOf returns a side as it is called: of all of a session, of frames, or of a time.
func MarkOf(x compare.Side, name string) Mark {
	m := MarkWhole(x.Session, name)
	switch {
	case x.Track != model.NoTrack:
		m = framesMark(m, x)
	case x.BeginNs > model.MinTime || x.EndNs < model.MaxTime:
		m = timeMark(m, x)
	}
	m.Side.Only = x.Only
	return m
}

// Whole returns all of a session.
func MarkWhole(s *store.Session, name string) Mark {
	return Mark{Side: compare.All(s), Name: name, What: "all"}
}

// Of is the unit of a comparison's values: a frame, or a second; empty for sums.
func Of(r *compare.Result) string {
	if r.Sums != nil {
		return ""
	}
	return format.Pick(r.ByTime, "second", "frame")
}
