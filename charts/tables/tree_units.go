package tables

import (
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// The tree of collectors without frames: the time inside each, callees included, in the selected
// range. A mere group (a package, a kind of tracer) has no calls and so no total. Its net, the sum
// of the self times below it, orders the rows, and the tooltip has it.

// callTree is the tree with the statistics of calls.
type callTree struct {
	*CollectorTree
	cols, ofRuns measured.Columns[treeRow]
}

func (t *callTree) columns() []table.Column[treeRow] {
	if t.stats.runs {
		return t.ofRuns.All(t.base.Against != nil)
	}
	return t.cols.All(t.base.Against != nil)
}

func (t *callTree) key(env *panel.Env) (panel.RangeKey, bool) { return callKey(env) }

func (t *callTree) ready(env *panel.Env) bool { return callsReady(env) }

func (t *callTree) ranks() bool { return true }

// read gets the statistics of calls.
func (t *callTree) read(key panel.RangeKey, _ bool) {
	s, n := key.Session, key.Session.Collectors().Len()
	t.callOf, t.timeOf, t.levelOf = panel.Zeros(t.callOf, n), panel.Zeros(t.timeOf, n), panel.Zeros(t.levelOf, n)
	for i := range t.callOf {
		t.callOf[i] = -1
	}
	t.most = 0
	if to := (hereKey{s, key.Track}); to != t.hereOf {
		t.hereOf = to
		clear(t.here)
		all := key
		if b, e, ok := s.Bounds(); ok {
			all.T0, all.T1 = b, e+1
		}
		t.stats.read(all)
		t.called(n)
	}
	t.stats.read(key)
	t.called(n)
	for i := range t.stats.all {
		st := &t.stats.all[i]
		if st.Collector < 0 || int(st.Collector) >= n {
			continue
		}
		t.callOf[st.Collector] = int32(i)
		t.timeOf[st.Collector] = float64(st.TotalNs) / 1e9
		t.most = max(t.most, float64(st.TotalNs)/1e9)
	}
	// A collector without calls gets the self time, or the time under way, of those below it.
	h := s.Collectors().Tree()
	t.below = panel.Zeros(t.below, len(h.All))
	for i := range t.stats.all {
		st := &t.stats.all[i]
		at := h.Slot(st.Collector)
		if at < 0 {
			continue
		}
		t.below[at] = float64(st.SelfNs) / 1e9
		if t.stats.async(st) {
			t.below[at] = float64(st.TotalNs) / 1e9
		}
	}
	for _, at := range slices.Backward(h.Order) { // those below come first
		if c := h.All[at].ID; c > 0 && int(c) < n && t.callOf[c] < 0 {
			t.timeOf[c] = t.below[at]
		}
		if up := h.Parents[at]; up >= 0 {
			t.below[up] += t.below[at]
		}
	}
}

// called notes which collectors have calls on the track, and their ancestors.
func (t *CollectorTree) called(n int) {
	if len(t.here) < n {
		t.here = append(t.here, make([]bool, n-len(t.here))...)
	}
	for i := range t.stats.all {
		for c := t.stats.all[i].Collector; c >= 0 && int(c) < n && !t.here[c]; c = t.hereOf.session.Collector(c).Parent {
			t.here[c] = true
			t.foldRev++
		}
	}
}

// call returns the statistics of a collector in the range, nil without calls.
func (t *CollectorTree) call(c model.CollectorID) *spans.Stat {
	if int(c) >= len(t.callOf) || t.callOf[c] < 0 {
		return nil
	}
	return &t.stats.all[t.callOf[c]]
}

// callOfRow is call for a row of the table.
func (t *CollectorTree) callOfRow(r *treeRow) *spans.Stat {
	if r.level {
		return nil
	}
	return t.call(r.collector)
}

// total describes the time inside a collector.
func (t *CollectorTree) total(env *panel.Env, r *treeRow, c *table.Cell) {
	if r.level {
		t.net(env, r, c)
		return
	}
	if t.call(r.collector) == nil {
		if c.Buf = c.Buf[:0]; t.timeOf[r.collector] == 0 && !t.isHere(r.collector) {
			c.Unknown(env)
		}
	}
}

func (t *callTree) tip(env *panel.Env, c model.CollectorID, l *panel.TipLines) {
	if st := t.call(c); st != nil {
		callTip(l, st, &t.stats)
	} else if ns := int64(t.timeOf[c]*1e9 + 0.5); ns > 0 {
		l.Text("net, by name: self times of all below\t").Duration(ns).End()
	} else {
		many := subject.CallWordsIn(env.View.Session()).Many
		l.Text("no ").Text(many).Text(" of it on this thread in this range").End()
	}
	l.Add(format.Pick(env.View.Look().Hidden(c), "Hidden; click the square to show it", "Click the square: hide"))
}

// frameTree is the tree with the means of frames.
type frameTree struct {
	*CollectorTree
	cols measured.Columns[treeRow]
	// flat are the columns where no name lies below another, so that net is self: there, total
	// stays in a narrow table.
	flat   measured.Columns[treeRow]
	isFlat bool
}

func (t *frameTree) columns() []table.Column[treeRow] {
	if t.isFlat {
		return t.flat.All(t.base.Against != nil)
	}
	return t.cols.All(t.base.Against != nil)
}

// flatNames reports whether nothing that takes time lies below another name than the root.
func flatNames(s *store.Session) bool {
	for id := range model.CollectorID(s.Collectors().Len()) {
		if k := s.Collector(id); k != nil && k.HasTime && k.Parent > 0 && k.Parent != id {
			return false
		}
	}
	return true
}

func (t *frameTree) key(env *panel.Env) (panel.RangeKey, bool) {
	v := env.View
	_, first, last, ok := panel.FrameRange(env)
	return panel.RangeKey{
		Session: v.Session(), Revision: v.Session().Revision(), Track: v.Track(), First: first, Last: last, Live: v.Live(),
	}, ok
}

func (t *frameTree) ready(*panel.Env) bool { return true }

func (t *frameTree) ranks() bool { return false }

func (t *frameTree) tip(env *panel.Env, c model.CollectorID, l *panel.TipLines) {
	x := t.insideOf(&treeRow{collector: c})
	if x != nil {
		l.Text("total, with callees\t").Mean(x.Total, int64(t.frames)).End()
		l.Text("self, without callees\t").Mean(x.Self, int64(t.frames)).End()
	}
	l.Text("net, by name\t").Duration(int64(t.timeOf[c]*1e9 + 0.5)).End()
	switch {
	case t.timeOf[c] != 0:
	case x != nil && x.Total > 0:
		l.Add("Its time is that of what it called")
	case !t.ran(env.View.Session(), c):
		l.Add("Neither it nor its children ran")
	}
	if t.base.Against != nil {
		m := t.measuredInFrame(env, &treeRow{collector: c})
		m.Tip(l)
	}
	t.meanTip(env, c, l.Text("of "))
}

// measuredInFrame measures a row by the baseline.
func (t *CollectorTree) measuredInFrame(env *panel.Env, r *treeRow) subject.Measured {
	x := t.insideOf(r)
	if x == nil || r.level {
		return subject.Measured{}
	}
	return t.base.InFrame(env, r.collector, float64(x.Total)/float64(max(t.frames, 1)))
}

// measuredCalls measures a row by the baseline, where there are no frames.
func (t *CollectorTree) measuredCalls(env *panel.Env, r *treeRow) subject.Measured {
	return ofCalls(&t.base, env, t.callOfRow(r), &t.stats)
}

// meanTip ends the lines on the mean of a collector.
func (t *CollectorTree) meanTip(env *panel.Env, c model.CollectorID, l *panel.TipLines) {
	if t.frames == 1 {
		l.Text("this frame").End()
	} else {
		l.Text("the mean of ").Count(int64(t.frames)).Text(" frames").End()
	}
	if env.View.Look().Hidden(c) {
		l.Add("Hidden; click the square to show it")
	} else {
		l.Add("Double click: chart · click the square: hide")
	}
}

// read gets the means.
func (t *frameTree) read(key panel.RangeKey, ok bool) {
	s, track, first, last := key.Session, key.Track, key.First, key.Last
	n := s.Collectors().Len()
	t.isFlat = flatNames(s)
	t.timeOf, t.levelOf = panel.Zeros(t.timeOf, n), panel.Zeros(t.levelOf, n)
	t.most = 0
	if to := (hereKey{s, track}); to != t.hereOf {
		t.hereOf = to
		clear(t.here)
		if tr := s.Track(track); tr != nil { // all frames once; later ones are noticed as they are shown
			t.seen(n, s.Frames().AllStats(track, false, 0, tr.NumFrames()-1, t.times[:0]))
			t.seen(n, s.Frames().AllStats(track, true, 0, tr.NumFrames()-1, t.levels[:0]))
		}
	}
	t.inside = t.inside[:0]
	if !ok {
		return
	}
	t.inside, t.frames = s.FrameTotals(track, first, last, &t.tree, t.inside), int(s.Track(track).CountedFrames(first, last))
	t.times = s.Frames().AllStats(track, false, first, last, t.times[:0])
	t.seen(n, t.times)
	for i := range t.times {
		if st := &t.times[i]; int(st.Collector) < n && st.Collector >= 0 {
			t.timeOf[st.Collector] = st.Mean
			if x := t.insideOf(&treeRow{collector: st.Collector}); x != nil { // as frames have it
				x.Self = int64(math.Round(st.SelfMean * 1e9 * float64(t.frames)))
			}
			if st.Collector != 0 {
				t.most = max(t.most, st.Mean)
			}
		}
	}
	if t.isFlat { // bars show totals there
		t.most = 0
		for i := range t.inside {
			if t.inside[i].Collector != 0 {
				t.most = max(t.most, float64(t.inside[i].Total)/1e9/float64(t.frames))
			}
		}
	}
	t.levels = s.Frames().AllStats(track, true, first, last, t.levels[:0])
	t.seen(n, t.levels)
	for i := range t.levels {
		if st := &t.levels[i]; int(st.Collector) < n && st.Collector >= 0 {
			t.levelOf[st.Collector] = st.Mean
		}
	}
}
