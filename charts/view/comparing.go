// File comparing.go holds the comparison of a window: the ranges A and B with their sessions, and
// their comparison, made a piece a tick. The panels that show it read it here; the window marks the
// sides. It knows the selection (view) and the model, and no panel.

package view

import (
	"cmp"
	"math"
	"slices"

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

// MarkSelected returns the side that is selected in a view: a range of time or of frames, all of the session
// where the view follows it or nothing is selected. False where there is nothing.
func MarkSelected(v *View, name string) (Mark, bool) {
	s := v.Session()
	if s.MainTrack() == model.NoTrack && !s.Contents().Timeless {
		return Mark{}, false
	}
	m := MarkWhole(s, name)
	t, first, last := v.Lead(), v.LeadA(), v.LeadB() // the hitch, not the thread of its cause
	switch {
	case v.Live():
	case t != nil && t.NumFrames() > 0 && last >= first && first >= 0:
		m = framesMark(m, compare.FramesOf(s, v.LeadTrack(), first, min(last, t.NumFrames()-1)))
	case v.RangeB() > v.RangeA():
		m = timeMark(m, compare.TimeOf(s, v.RangeA(), v.RangeB()))
	}
	return m, true
}

// FrameLike returns a mark of one frame as one of the thread of another of one frame of the session: the frame that
// goes with it, see store.Session.FramesWith. Other marks stay as they are, and so do frames with none or several.
func (m Mark) FrameLike(other *Mark) Mark {
	x, y := &m.Side, &other.Side
	from, to := x.Session.Track(x.Track), y.Session.Track(y.Track)
	if x.Session != y.Session || from == nil || to == nil || from == to || x.First != x.Last || y.First != y.Last {
		return m
	}
	i := indexOf(from, x.First)
	if a, b, _ := x.Session.FramesWith(y.Track, x.Track, i, i); a == b {
		return framesMark(m, compare.FramesOf(x.Session, y.Track, a, a))
	}
	return m
}

// MarkChosen is MarkSelected, but all of the session if the user chose no frame, or a single one: for a comparison
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

// MarkWhole returns all of a session.
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

// MarkVisible returns the range for a baseline: the selection, if that is more than a frame, else the
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
