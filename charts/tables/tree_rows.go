package tables

import (
	"cmp"
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

// flatten makes the rows: first the root and the collectors with times, then counters.
func (t *CollectorTree) flatten(env *panel.Env, s *store.Session) {
	t.rows = t.rows[:0]
	t.filter(s)
	if t.gap || s.Collectors().Len() == 0 {
		return
	}
	root := s.Collector(0)
	if t.fresh.Done && (t.keep == nil || t.keep[0]) && root.HasTime {
		t.rows = append(t.rows, treeRow{collector: 0})
	}
	t.beginRest(s)
	t.add(env, s, 0, 0, false)
	t.addRest()
	t.add(env, s, 0, 0, true)
}

// maxDepth is how deep names are followed.
const maxDepth = 64

// add appends the children of a collector, and below each of them its own while it is not folded.
// The depth of the recursion is bounded by that of names.
func (t *CollectorTree) add(env *panel.Env, s *store.Session, parent model.CollectorID, depth int32, level bool) {
	if depth > maxDepth {
		return
	}
	from := len(t.order)
	for _, c := range s.Collectors().Children(parent) {
		d := s.Collector(c)
		if t.keep != nil && !t.keep[c] {
			continue
		}
		if !t.lists(d, level) || !level && t.inRest(s, c) {
			continue
		}
		t.order = append(t.order, treeRow{collector: c, depth: depth, level: level})
	}
	t.sortSiblings(env, t.order[from:])
	to := len(t.order)
	for i := from; i < to; i++ {
		c, row := t.order[i].collector, len(t.rows)
		t.rows = append(t.rows, t.order[i])
		if t.folded[c] && t.keep == nil {
			if t.hasRows(s, c, level) {
				t.rows[row].fold = table.FoldClosed
			}
			continue
		}
		t.add(env, s, c, depth+1, level)
		if len(t.rows) > row+1 {
			t.rows[row].fold = table.FoldOpen
		}
	}
	t.order = t.order[:from]
}

// lists reports whether a collector is one of the rows with times, or of those of counters.
func (t *CollectorTree) lists(d *model.Collector, level bool) bool {
	if level {
		return d.HasLevel
	}
	return d.HasTime
}

// hasRows reports whether a collector has children that would be shown.
func (t *CollectorTree) hasRows(s *store.Session, parent model.CollectorID, level bool) bool {
	for _, c := range s.Collectors().Children(parent) {
		d := s.Collector(c)
		if t.lists(d, level) {
			return true
		}
	}
	return false
}

// sortSiblings orders the children of a collector.
func (t *CollectorTree) sortSiblings(env *panel.Env, list []treeRow) {
	if t.by.By() != "" {
		table.Sort(env, list, t.by)
		return
	}
	slices.SortStableFunc(list, func(a, b treeRow) int { // collectors without data on this thread come last, dimmed
		t.pair = [2]treeRow{a, b}
		if d, held := t.by.Held(&t.pair[0], &t.pair[1]); held {
			return d
		}
		switch x, y := t.isHere(a.collector), t.isHere(b.collector); {
		case x == y && t.unit.ranks():
			return cmp.Compare(t.value(env, &b), t.value(env, &a))
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
}

// filter notes which collectors are called like the filter, and their ancestors.
func (t *CollectorTree) filter(s *store.Session) {
	text := t.by.Filter()
	if text == "" {
		t.keep = nil
		return
	}
	t.keep = make([]bool, s.Collectors().Len())
	for id := range model.CollectorID(s.Collectors().Len()) {
		if !format.ContainsFold(s.Collector(id).Title(), text) {
			continue
		}
		for c := id; c >= 0 && !t.keep[c]; c = s.Collector(c).Parent {
			t.keep[c] = true
		}
	}
}

// restLine is the line in place of the collectors that the thread never ran.
type restLine struct {
	all, n int // how many the thread never ran, and how many of these the line stands for
	words  string
	of     int    // that the words count
	open   bool   // they have rows above the line
	hides  bool   // they have none
	turn   func() // turnRest
}

// leastRest is how many collectors are worth a line in their place.
const leastRest = 3

// beginRest counts the collectors that the thread never ran, and decides whether they have rows.
func (t *CollectorTree) beginRest(s *store.Session) {
	r := &t.rest
	if r.all, r.n = 0, 0; t.keep == nil && t.fresh.Done && slices.Contains(t.here, true) {
		for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
			if d := s.Collector(id); d == nil || !t.lists(d, false) || t.isHere(id) {
				continue
			}
			if r.all++; r.open || !t.leadsToChosen(s, id) {
				r.n++
			}
		}
	}
	r.hides = !r.open && r.all >= leastRest
}

// leadsToChosen reports whether a collector is the selected one, or has it below it.
func (t *CollectorTree) leadsToChosen(s *store.Session, c model.CollectorID) bool {
	return c == t.chosen || t.chosen > 0 && s.Collectors().IsDescendant(t.chosen, c)
}

// inRest reports whether a collector has no row. One on the way to the selected one has.
func (t *CollectorTree) inRest(s *store.Session, c model.CollectorID) bool {
	return t.rest.hides && !t.isHere(c) && !t.leadsToChosen(s, c)
}

// addRest adds the line, if there is any.
func (t *CollectorTree) addRest() {
	r := &t.rest
	if r.all < leastRest || r.n == 0 {
		return
	}
	if r.of != r.n {
		r.of, r.words = r.n, string(format.AppendCount(nil, int64(r.n)))+" without time here"
	}
	t.rows = append(t.rows, treeRow{rest: true, fold: table.FoldOf(r.open)})
}

// Line implements table.Liner.
func (t *CollectorTree) Line(r *treeRow) (table.Line, bool) {
	if !r.rest {
		return table.Line{}, false
	}
	return table.Line{
		Words: t.rest.words, Tip: "This thread never ran them. Click: show them, or hide them again",
		Fold: r.fold, Turn: t.rest.turn,
	}, true
}

func (t *CollectorTree) turnRest() {
	t.rest.open = !t.rest.open
	t.foldRev++
}

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
	t.inside, t.frames = s.FrameTotals(track, first, last, &t.tree, t.inside),
		int(s.Track(track).CountedFrames(first, last))
	t.times = s.Frames().AllStats(track, false, first, last, t.times[:0])
	t.seen(n, t.times)
	for i := range t.times {
		if st := &t.times[i]; int(st.Collector) < n && st.Collector >= 0 {
			t.timeOf[st.Collector] = st.Mean
			if x := t.insideOf(&treeRow{collector: st.Collector}); x != nil { // as frames have it
				x.Self = st.SelfNs()
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
