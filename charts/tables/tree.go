package tables

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// CollectorTree is the source of the table of all collectors: the static hierarchy with foldable
// rows, the mean of the live or selected frames, and a bar; counters below, in their units. A click
// selects, a click on the swatch hides, a double click opens a strip chart.
type CollectorTree struct {
	// OnlyWithData leaves out collectors for which nothing was ever received.
	OnlyWithData bool

	// rest is what the line for collectors without data of the thread stands for, while hidesRest; restOpen: they
	// have rows.
	rest, restOf        int
	hidesRest, restOpen bool
	restWords           string

	by    *table.Order[*treeRow]
	units view.PerUnit[treeUnit]
	unit  treeUnit // the unit of the numbers

	folded  map[model.CollectorID]bool
	chosen  model.CollectorID // the selected one; a newly selected one unfolds its parents
	foldRev uint64
	rows    []treeRow
	times   []frames.Stats
	levels  []frames.Stats
	timeOf  []float64 // mean by collector, seconds
	below   []float64 // by slot of the tree, work of read
	levelOf []float64
	// inside is the times of collectors in the frames, ascending, and frames their number.
	inside []spans.Inside
	tree   spans.Tree
	frames int
	// numbersOf is the inputs of the numbers of calls
	numbersOf hereKey
	here      []bool // by collector: the thread has data of it
	hereOf    hereKey
	gap       bool // the thread has frames, and none of them lies in the selected range
	most      float64
	keep      []bool // by collector: shown under the filter
	order     []treeRow
	pair      [2]treeRow // that are compared: here they take no memory
	fresh     panel.Refresher
	layout    treeKey
	callOf    []int32 // by collector: into stats, -1 none
	stats     callStats
	base      measured.Baseline
	// numberRev changes with the numbers, revision with anything that a cell shows.
	numberRev, revision uint64
}

// treeUnit is the unit of the tree's numbers: frames, or calls.
type treeUnit interface {
	columns() []table.Column[treeRow]
	// key returns the inputs of the numbers; ready reports whether they are available, read gets
	// them.
	key(env *panel.Env) (key panel.RangeKey, ok bool)
	ready(env *panel.Env) bool
	read(key panel.RangeKey, ok bool)
	// ranks reports whether siblings stand in the order of their numbers while no column was chosen.
	ranks() bool
	tip(env *panel.Env, c model.CollectorID, l *panel.TipLines)
}

// hereKey is the thread that CollectorTree.here is about.
type hereKey struct {
	session *store.Session
	track   model.TrackID
}

type treeRow struct {
	collector model.CollectorID
	depth     int32
	fold      table.Fold
	level     bool
	rest      int // of the line that stands for so many collectors without time; it is a level's without a value
}

type treeKey struct {
	defs, folds, numbers uint64
	session              *store.Session
	order                uint64
	data, gap            bool
}

// NewCollectorTree returns the source in the order of the hierarchy: among siblings, first those of
// which the thread has data.
func NewCollectorTree() *CollectorTree {
	t := &CollectorTree{folded: map[model.CollectorID]bool{}, chosen: model.NoCollector, OnlyWithData: true}
	name := table.Column[treeRow]{
		ID: "collector", Title: "collector",
		Text: func(env *panel.Env, r *treeRow) string {
			if r.rest > 0 {
				return t.restWords
			}
			return env.View.Session().Collector(r.collector).Name
		},
		Cell: func(env *panel.Env, r *treeRow, c *table.Cell) {
			if r.rest > 0 {
				c.Fold = r.fold
				return
			}
			c.Depth, c.Fold = int(r.depth), r.fold
			c.Swatch, c.Hollow = env.Palette().Fill(r.collector), env.View.Look().Hidden(r.collector)
			c.Found, c.Badge = env.Palette().Found(r.collector), limitBadge(env, r.collector)
			if c.Fold == table.FoldNone {
				c.Depth++ // where its text would be with an arrow
			}
		},
		Fold: func(_ *panel.Env, r *treeRow, _ *panel.Input) {
			if r.rest > 0 {
				t.foldRest()
				return
			}
			t.SetFolded(r.collector, r.fold == table.FoldOpen)
		},
		Swatch: func(env *panel.Env, r *treeRow) {
			env.View.Look().SetHidden(r.collector, !env.View.Look().Hidden(r.collector))
		},
	}
	bar := table.Column[treeRow]{ID: "bar", Kind: table.Bar, Width: 42, Drop: 1, Cell: t.bar}
	number := table.Column[treeRow]{
		ID: "net", Title: "net", Unit: "ns", Kind: table.Number, Width: 66, Quiet: true, Time: true,
		Value: t.timeValue, Compare: t.compare, Cell: t.net,
	}
	framed := []table.Column[treeRow]{
		name, bar, number,
		t.inFrame("total", 3, func(x *spans.Inside) int64 { return x.Total }),
		t.inFrame("self", 2, func(x *spans.Inside) int64 { return x.Self }),
	}
	below := number
	below.Drop = 4
	flat := []table.Column[treeRow]{
		name, bar,
		t.inFrame("total", 0, func(x *spans.Inside) int64 { return x.Total }),
		t.inFrame("self", 2, func(x *spans.Inside) int64 { return x.Self }),
		below,
	}
	number.ID, number.Title, number.Cell = "total", "total", t.total
	number.Value = func(_ *panel.Env, r *treeRow) float64 {
		if st := t.callOfRow(r); st != nil {
			return float64(st.TotalNs)
		}
		return math.NaN()
	}
	called, ofRuns := []table.Column[treeRow]{name, bar, number}, []table.Column[treeRow]{name, bar, number}
	for _, c := range [...]table.Column[treeRow]{
		{ID: "self", Width: 66, Drop: 3},
		{ID: "calls", Width: 58, Drop: 2},
		{ID: "uncertainty", Width: 66, Drop: 2},
		{ID: "samples", Width: 58, Drop: 3},
		{ID: "runs", Width: 58, Drop: 5},
		{ID: "mean", Width: 66, Drop: 4},
		{ID: "min", Width: 66, Drop: 7},
		{ID: "max", Width: 66, Drop: 5},
		{ID: "share", Width: 58, Drop: 6},
	} {
		c.Quiet = true
		of := figureOf(c.ID).of
		c = callColumn(c, &t.stats, t.callOfRow)
		if of != sampledOnly {
			called = append(called, c)
		}
		if of != recordedOnly {
			ofRuns = append(ofRuns, c)
		}
	}
	t.units = view.PerUnit[treeUnit]{
		Frames: &frameTree{t, measured.With(framed, t.measuredInFrame), measured.With(flat, t.measuredInFrame), false},
		Spans:  &callTree{t, measured.With(called, t.measuredCalls), measured.With(ofRuns, t.measuredCalls)},
	}
	t.unit = t.units.Frames
	return t
}

// Settled implements table.Settled.
func (t *CollectorTree) Settled() {}

// Columns implements table.Source.
func (t *CollectorTree) Columns() []table.Column[treeRow] { return t.unit.columns() }

// Arrange implements table.Arranger: siblings are sorted.
func (t *CollectorTree) Arrange(by *table.Order[*treeRow]) { t.by = by }

// At implements table.Source.
func (t *CollectorTree) At(i int) *treeRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *CollectorTree) Empty(filtered bool) string {
	if filtered {
		return panel.NoMatch
	}
	if t.gap {
		return "What the program measures.\n" + panel.NoFrame
	}
	return "What the program measures.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *CollectorTree) Rows(env *panel.Env) (n int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows = t.rows[:0]
		return 0, 0
	}
	if c := env.View.Collector(); c != t.chosen {
		if t.hidesRest && !(t.isHere(c) && t.isHere(t.chosen)) {
			t.foldRev++
		}
		t.chosen = c
		t.unfoldTo(s, c)
	}
	if unit := t.units.Of(env.View); unit != t.unit {
		t.unit, t.hereOf = unit, hereKey{}
		t.foldRev++
	}
	key, ok := t.unit.key(env)
	t.gap = !ok && !key.Calls && env.View.Shown() != nil && env.View.Shown().NumFrames() > 0
	if of := (hereKey{s, key.Track}); of != t.numbersOf {
		// Numbers of another thread are dropped, also while this one's are being made.
		t.numbersOf = of
		t.timeOf, t.levelOf, t.callOf, t.most = t.timeOf[:0], t.levelOf[:0], t.callOf[:0], 0
		t.inside = t.inside[:0]
		t.numberRev++
		t.revision++
	}
	if t.base.Follow(env) {
		t.revision++
	}
	if t.unit.ready(env) && t.fresh.Due(env, key) {
		t.unit.read(key, ok)
		t.numberRev++
		t.revision++
	}
	lk := treeKey{defs: s.DefsRevision(), folds: t.foldRev, session: s, order: t.by.Stamp(), data: t.OnlyWithData, gap: t.gap}
	if t.by.By() != "" || t.OnlyWithData || t.unit.ranks() {
		lk.numbers = t.numberRev
	}
	if lk != t.layout {
		t.layout = lk
		t.room(s.Collectors().Len())
		t.flatten(env, s)
		t.revision++
	}
	return len(t.rows), t.revision
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
	t.inside, t.frames = s.FrameTotals(track, first, last, &t.tree, t.inside), last-first+1
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

// room gives collectors that were defined since the numbers were made, which while live is only now
// and then, a place among them: 0.
func (t *CollectorTree) room(n int) {
	if len(t.timeOf) < n {
		t.timeOf = append(t.timeOf, make([]float64, n-len(t.timeOf))...)
		t.levelOf = append(t.levelOf, make([]float64, n-len(t.levelOf))...)
	}
}

// seen notes for which collectors the thread has data. Collectors that the layout had among those
// without move.
func (t *CollectorTree) seen(n int, stats []frames.Stats) {
	if len(t.here) < n {
		t.here = append(t.here, make([]bool, n-len(t.here))...)
	}
	for i := range stats {
		if c := stats[i].Collector; c >= 0 && int(c) < n && stats[i].Present > 0 && !t.here[c] {
			t.here[c] = true
			t.foldRev++
		}
	}
}

// isHere reports whether the thread has data of a collector.
func (t *CollectorTree) isHere(c model.CollectorID) bool {
	return c >= 0 && int(c) < len(t.here) && t.here[c]
}

// flatten makes the rows: first the root and the collectors with times, then counters.
func (t *CollectorTree) flatten(env *panel.Env, s *store.Session) {
	t.rows = t.rows[:0]
	t.filter(s)
	if t.gap || s.Collectors().Len() == 0 {
		return
	}
	root := s.Collector(0)
	if t.fresh.Done && (t.keep == nil || t.keep[0]) && (root.HasTime || !t.OnlyWithData) {
		t.rows = append(t.rows, treeRow{collector: 0})
	}
	t.rest = 0
	t.hidesRest = !t.restOpen && t.keep == nil && t.fresh.Done && slices.Contains(t.here, true) && t.without(s) >= leastRest
	t.add(env, s, 0, 0, false)
	t.addRest()
	t.add(env, s, 0, 0, true)
}

// leastRest is how many collectors without data of the thread are worth a line in their place.
const leastRest = 3

// without returns how many collectors have time, but none on the thread.
func (t *CollectorTree) without(s *store.Session) (n int) {
	for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
		if d := s.Collector(id); d != nil && (d.HasTime || !t.OnlyWithData && !d.HasLevel) && !t.isHere(id) {
			n++
		}
	}
	return n
}

// addRest adds the line that stands for the collectors that the thread has no data of, or closes them again.
func (t *CollectorTree) addRest() {
	row := treeRow{level: true, rest: t.rest, fold: table.FoldClosed}
	if t.restOpen && t.keep == nil {
		for i := range t.rows {
			if c := t.rows[i].collector; c != 0 && !t.isHere(c) {
				row.rest++
			}
		}
		if row.fold = table.FoldOpen; row.rest < leastRest {
			return
		}
	}
	if row.rest == 0 {
		return
	}
	if row.rest != t.restOf {
		t.restOf = row.rest
		t.restWords = string(format.AppendCount(nil, int64(row.rest))) + " without time here"
	}
	t.rows = append(t.rows, row)
}

// foldRest shows the collectors that the thread has no data of, or a line that stands for them.
func (t *CollectorTree) foldRest() {
	t.restOpen = !t.restOpen
	t.foldRev++
}

// inRest reports whether a collector stands in the line for those without data: not if it is selected, or
// has the selected one below it.
func (t *CollectorTree) inRest(s *store.Session, c model.CollectorID) bool {
	return t.hidesRest && !t.isHere(c) && c != t.chosen &&
		(t.chosen <= 0 || !s.Collectors().IsDescendant(t.chosen, c))
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
		if level && !d.HasLevel || !level && (d.HasLevel && !d.HasTime || t.OnlyWithData && !d.HasTime) {
			continue
		}
		if !level && t.inRest(s, c) {
			t.rest += t.countOf(s, c, 0)
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

// countOf returns how many collectors with time a collector is, with those below it.
func (t *CollectorTree) countOf(s *store.Session, c model.CollectorID, depth int) (n int) {
	n = 1
	for _, below := range s.Collectors().Children(c) {
		if d := s.Collector(below); depth < maxDepth && (d.HasTime || !t.OnlyWithData && !d.HasLevel) {
			n += t.countOf(s, below, depth+1)
		}
	}
	return n
}

// hasRows reports whether a collector has children that would be shown.
func (t *CollectorTree) hasRows(s *store.Session, parent model.CollectorID, level bool) bool {
	for _, c := range s.Collectors().Children(parent) {
		d := s.Collector(c)
		if level && d.HasLevel || !level && (d.HasTime || !t.OnlyWithData && !d.HasLevel) {
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

// value returns the sort key of rows: seconds, or a counter's mean.
func (t *CollectorTree) value(_ *panel.Env, r *treeRow) float64 {
	if r.level {
		return t.levelOf[r.collector]
	}
	return t.timeOf[r.collector]
}

func (t *CollectorTree) bar(env *panel.Env, r *treeRow, c *table.Cell) {
	if r.level || t.most <= 0 || r.collector == 0 {
		return
	}
	// A sliver is less useful than the name in its room.
	if v := float32(t.barOf(r) / t.most); v >= 0.04 {
		c.Share, c.Color = v, env.Palette().Fill(r.collector)
	}
}

// barOf is the value of a row's bar: the number beside it.
func (t *CollectorTree) barOf(r *treeRow) float64 {
	if f, ok := t.unit.(*frameTree); ok && f.isFlat {
		if x := t.insideOf(r); x != nil {
			return float64(x.Total) / 1e9 / float64(t.frames)
		}
		return 0
	}
	return t.timeOf[r.collector]
}

// timeValue is value for the unit of the column, in ns; not a number for counters, which have their
// own.
func (t *CollectorTree) timeValue(_ *panel.Env, r *treeRow) float64 {
	if r.level {
		return math.NaN()
	}
	return t.timeOf[r.collector] * 1e9
}

// compare sorts rows by value.
func (t *CollectorTree) compare(env *panel.Env, a, b *treeRow) int {
	return cmp.Compare(t.value(env, a), t.value(env, b))
}

// inFrame is a column of a collector's time in the mean frame.
func (t *CollectorTree) inFrame(id string, drop int, of func(*spans.Inside) int64) table.Column[treeRow] {
	return table.Column[treeRow]{
		ID: id, Title: id, Unit: "ns", Kind: table.Number, Width: 66, Drop: drop, Quiet: true, Time: true, As: "total",
		Value: func(_ *panel.Env, r *treeRow) float64 {
			if x := t.insideOf(r); x != nil {
				return float64(of(x)) / float64(t.frames)
			}
			return math.NaN()
		},
		Cell: func(_ *panel.Env, r *treeRow, c *table.Cell) {
			if r.level {
				c.Buf = c.Buf[:0]
			}
		},
	}
}

// insideOf returns the time of a row's collector in the frames; nil if it never ran itself.
func (t *CollectorTree) insideOf(r *treeRow) *spans.Inside {
	i, ok := slices.BinarySearchFunc(t.inside, r.collector, func(x spans.Inside, c model.CollectorID) int {
		return cmp.Compare(x.Collector, c)
	})
	if r.level || !ok {
		return nil
	}
	return &t.inside[i]
}

// ran reports whether a collector, or one that is named below it, ran in the frames.
func (t *CollectorTree) ran(s *store.Session, c model.CollectorID) bool {
	return slices.ContainsFunc(t.inside, func(x spans.Inside) bool {
		at := x.Collector
		for range maxDepth {
			if at == c {
				return true
			}
			k := s.Collector(at)
			if k == nil || at <= 0 {
				return false
			}
			at = k.Parent
		}
		return false
	})
}

// net describes the number of a row: for a counter in its own unit.
func (t *CollectorTree) net(env *panel.Env, r *treeRow, c *table.Cell) {
	if r.rest > 0 {
		c.Buf = c.Buf[:0]
		return
	}
	if r.level {
		c.Buf = format.AppendValue(c.Buf[:0], t.levelOf[r.collector], subject.UnitOf(env.View.Session(), r.collector))
		c.Color, c.Foreign = draw.Color(env.Theme.Text2), true
		return
	}
	c.None(t.timeOf[r.collector] == 0) // did not run
}

// Row implements table.Describer.
func (t *CollectorTree) Row(env *panel.Env, r *treeRow) table.RowInfo {
	if r.rest > 0 {
		return table.RowInfo{Dim: true, Hit: panel.NoHit()}
	}
	c := r.collector
	row := collectorRow(env.View, c)
	row.Dim = row.Dim || !t.isHere(c) && c != 0
	return row
}

// Click implements table.Clicker.
func (t *CollectorTree) Click(env *panel.Env, r *treeRow, in *panel.Input) panel.Action {
	if r.rest > 0 {
		t.foldRest()
		return panel.Action{}
	}
	if !in.DoubleClick {
		env.View.SelectCollector(r.collector)
		return panel.Action{}
	}
	kind := panel.ActionOpenStrip
	if r.level {
		kind = panel.ActionOpenLevels
	}
	return panel.Action{Kind: kind, Track: env.View.Track(), Collector: r.collector, Frame: -1, X: in.X, Y: in.Y}
}

// Tip implements table.Tips: the full name and the values of the collector.
func (t *CollectorTree) Tip(env *panel.Env, r *treeRow, l *panel.TipLines) {
	s := env.View.Session()
	if r.rest > 0 {
		l.Add(t.restWords)
		l.Add("This thread never ran them. Click: show them, or hide them again")
		return
	}
	l.Add(s.Collector(r.collector).Title())
	subject.LimitTip(l, env.Limits.Of(env.View.Track(), r.collector))
	if r.level {
		l.Buf = format.AppendValue(l.Buf, t.levelOf[r.collector], subject.UnitOf(s, r.collector))
		t.meanTip(env, r.collector, l.Text(" in "))
		return
	}
	t.unit.tip(env, r.collector, l)
}

func (t *callTree) tip(env *panel.Env, c model.CollectorID, l *panel.TipLines) {
	if st := t.call(c); st != nil {
		callTip(l, st, &t.stats)
	} else if ns := int64(t.timeOf[c]*1e9 + 0.5); ns > 0 {
		l.Text("net, by name: self times of all below\t").Duration(ns).End()
	} else {
		l.Text("no ").Text(subject.CallWordsIn(env.View.Session()).Many).Text(" of it on this thread in this range").End()
	}
	if env.View.Look().Hidden(c) {
		l.Add("Hidden; click the square to show it")
	} else {
		l.Add("Click the square: hide")
	}
}

// SetFolded folds or unfolds the rows below a collector.
func (t *CollectorTree) SetFolded(c model.CollectorID, folded bool) {
	if folded {
		t.folded[c] = true
	} else {
		delete(t.folded, c)
	}
	t.foldRev++
}

// unfoldTo unfolds all that a collector is in.
func (t *CollectorTree) unfoldTo(s *store.Session, c model.CollectorID) {
	for range s.Collectors().Len() { // however they name each other
		d := s.Collector(c)
		if d == nil || c == 0 {
			return
		}
		if c = d.Parent; t.folded[c] {
			t.SetFolded(c, false)
		}
	}
}

// RowOf returns the row of a collector, -1 when it is not shown.
func (t *CollectorTree) RowOf(c model.CollectorID) int {
	return slices.IndexFunc(t.rows, func(r treeRow) bool { return r.collector == c })
}

// Key implements table.Keyed.
func (t *CollectorTree) Key(r *treeRow) uint64 {
	if r.level {
		return table.KeyOf(int64(r.collector), 1)
	}
	return uint64(r.collector)
}
