package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// CollectorTree is the source of the table of all collectors: the static hierarchy with foldable rows, the mean of the live or selected frames, and a bar; counters below, in their
// units. A click selects, a click on the swatch hides, a double click opens a strip chart.
type CollectorTree struct {
	// Filter keeps only collectors whose full name contains it, in any case, with their ancestors.
	panel.NameFilter
	// OnlyWithData leaves out collectors for which nothing was ever received.
	OnlyWithData bool

	folded  map[model.CollectorID]bool
	foldRev uint64
	rows    []treeRow
	times   []model.Stats
	levels  []model.Stats
	timeOf  []float64 // mean by collector, seconds
	levelOf []float64
	// numbersOf is what the numbers of calls are of
	numbersOf hereKey
	here      []bool // by collector: the thread has data of it
	hereOf    hereKey
	most      float64
	keep      []bool // by collector: shown under the filter
	order     []model.CollectorID
	sortCol   int
	sortDown  bool
	fresh     panel.Refresher
	layout    treeKey
	calls     bool    // numbers are of calls, not of frames
	callOf    []int32 // by collector: into stats, -1 none
	stats     callStats
	// numberRev changes with the numbers, revision with anything that a cell shows.
	numberRev, revision uint64
}

// hereKey is the thread that CollectorTree.here is about.
type hereKey struct {
	session *model.Session
	track   model.TrackID
}

type treeRow struct {
	collector model.CollectorID
	depth     int32
	fold      table.Fold
	level     bool
}

type treeKey struct {
	defs, folds, numbers uint64
	session              *model.Session
	filter               string
	sortCol              int
	sortDown, data       bool
}

var treeColumns = []table.Column{
	{Title: "collector", Kind: table.ColumnText, Sortable: true},
	{Kind: table.ColumnBar, Width: 42, Drop: 1},
	{Title: "ms", Kind: table.ColumnNumber, Width: 58, Sortable: true},
}

// NewCollectorTree returns the source in the order of the hierarchy: among siblings, first those of which the thread has data.
func NewCollectorTree() *CollectorTree {
	return &CollectorTree{folded: map[model.CollectorID]bool{}, sortCol: -1, OnlyWithData: true}
}

// Columns implements Source.
func (t *CollectorTree) Columns() []table.Column {
	if t.calls {
		return treeCallColumns
	}
	return treeColumns
}

// Empty implements Source.
func (t *CollectorTree) Empty() string {
	if t.Filter != "" {
		return "No collector is called like that."
	}
	return "What the program measures.\n" + panel.NoData
}

// Sort implements Source: by mean within the same parent, or by name; the name column once more gives the order of the hierarchy.
func (t *CollectorTree) Sort(col int, descending bool) {
	t.sortCol, t.sortDown = col, descending
	if col == 0 && descending {
		t.sortCol = -1
	}
}

// Prepare implements Source.
func (t *CollectorTree) Prepare(env *panel.Env) (rows int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows = t.rows[:0]
		return 0, 0
	}
	key, calls := callKey(env)
	t.setCalls(calls)
	first, last, ok := 0, -1, false
	if !calls {
		_, first, last, ok = panel.FrameRange(env)
		key = panel.RangeKey{Session: s, Revision: s.Revision(), Track: env.View.Track(), First: first, Last: last, Live: env.View.Live()}
	}
	if of := (hereKey{s, key.Track}); calls && of != t.numbersOf {
		// Numbers of another thread are none of this one's, also while this one's are made ready.
		t.numbersOf = of
		t.timeOf, t.levelOf, t.callOf, t.most = t.timeOf[:0], t.levelOf[:0], t.callOf[:0], 0
		t.numberRev++
		t.revision++
	}
	if (!calls || callsReady(env)) && t.fresh.Due(env, key) {
		if calls {
			t.callNumbers(key)
		} else {
			t.numbers(s, env.View.Track(), first, last, ok)
		}
		t.numberRev++
		t.revision++
	}
	lk := treeKey{defs: s.DefsRevision(), folds: t.foldRev, session: s, filter: t.Filter, sortCol: t.sortCol, sortDown: t.sortDown, data: t.OnlyWithData}
	if t.sortCol == 2 || t.OnlyWithData || t.calls {
		lk.numbers = t.numberRev
	}
	if lk != t.layout {
		t.layout = lk
		t.room(s.NumCollectors())
		t.flatten(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

// numbers gets the means.
func (t *CollectorTree) numbers(s *model.Session, track model.TrackID, first, last int, ok bool) {
	n := s.NumCollectors()
	t.timeOf, t.levelOf = sized(t.timeOf, n), sized(t.levelOf, n)
	t.most = 0
	if to := (hereKey{s, track}); to != t.hereOf {
		t.hereOf = to
		clear(t.here)
		if tr := s.Track(track); tr != nil { // all frames once; later ones are noticed as they are shown
			t.seen(n, s.AllStats(track, false, 0, tr.NumFrames()-1, t.times[:0]))
			t.seen(n, s.AllStats(track, true, 0, tr.NumFrames()-1, t.levels[:0]))
		}
	}
	if !ok {
		return
	}
	t.times = s.AllStats(track, false, first, last, t.times[:0])
	t.seen(n, t.times)
	for i := range t.times {
		if st := &t.times[i]; int(st.Collector) < n && st.Collector >= 0 {
			t.timeOf[st.Collector] = st.Mean
			if st.Collector != 0 {
				t.most = max(t.most, st.Mean)
			}
		}
	}
	t.levels = s.AllStats(track, true, first, last, t.levels[:0])
	t.seen(n, t.levels)
	for i := range t.levels {
		if st := &t.levels[i]; int(st.Collector) < n && st.Collector >= 0 {
			t.levelOf[st.Collector] = st.Mean
		}
	}
}

// room gives collectors that were defined since the numbers were made, which while live is only now and then, a place among them: 0.
func (t *CollectorTree) room(n int) {
	if len(t.timeOf) < n {
		t.timeOf = append(t.timeOf, make([]float64, n-len(t.timeOf))...)
		t.levelOf = append(t.levelOf, make([]float64, n-len(t.levelOf))...)
	}
}

// seen notes for which collectors the thread has data. Collectors that the layout had among those without move.
func (t *CollectorTree) seen(n int, stats []model.Stats) {
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

// isHere tells whether the thread has data of a collector.
func (t *CollectorTree) isHere(c model.CollectorID) bool { return int(c) < len(t.here) && t.here[c] }

// sized returns a slice of n zeros in the memory of s where it suffices.
func sized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}

// flatten makes the rows: first the root and the collectors with times, then counters.
func (t *CollectorTree) flatten(s *model.Session) {
	t.rows = t.rows[:0]
	t.filter(s)
	if s.NumCollectors() == 0 {
		return
	}
	root := s.Collector(0)
	if t.fresh.Done && (t.keep == nil || t.keep[0]) && (root.HasTime || !t.OnlyWithData) {
		t.rows = append(t.rows, treeRow{collector: 0})
	}
	t.add(s, 0, 0, false)
	t.add(s, 0, 0, true)
}

// add appends the children of a collector, and below each of them its own while it is not folded. The depth of the recursion is bounded by that of names.
func (t *CollectorTree) add(s *model.Session, parent model.CollectorID, depth int32, level bool) {
	if depth > 64 {
		return
	}
	from := len(t.order)
	for _, c := range s.Children(parent) {
		d := s.Collector(c)
		if t.keep != nil && !t.keep[c] {
			continue
		}
		if level && !d.HasLevel || !level && (d.HasLevel && !d.HasTime || t.OnlyWithData && !d.HasTime) {
			continue
		}
		t.order = append(t.order, c)
	}
	t.sortSiblings(s, t.order[from:], level)
	to := len(t.order)
	for i := from; i < to; i++ {
		c := t.order[i]
		row := len(t.rows)
		t.rows = append(t.rows, treeRow{collector: c, depth: depth, level: level})
		if t.folded[c] && t.keep == nil {
			if t.hasRows(s, c, level) {
				t.rows[row].fold = table.FoldClosed
			}
			continue
		}
		t.add(s, c, depth+1, level)
		if len(t.rows) > row+1 {
			t.rows[row].fold = table.FoldOpen
		}
	}
	t.order = t.order[:from]
}

// hasRows tells whether a collector has children that would be shown.
func (t *CollectorTree) hasRows(s *model.Session, parent model.CollectorID, level bool) bool {
	for _, c := range s.Children(parent) {
		d := s.Collector(c)
		if level && d.HasLevel || !level && (d.HasTime || !t.OnlyWithData && !d.HasLevel) {
			return true
		}
	}
	return false
}

func (t *CollectorTree) sortSiblings(s *model.Session, ids []model.CollectorID, level bool) {
	values := t.timeOf
	if level {
		values = t.levelOf
	}
	switch t.sortCol {
	case -1: // what this thread has nothing of comes last, dimmed
		slices.SortStableFunc(ids, func(a, b model.CollectorID) int {
			switch x, y := t.isHere(a), t.isHere(b); {
			case x == y && t.calls:
				return cmp.Compare(values[b], values[a])
			case x == y:
				return 0
			case x:
				return -1
			}
			return 1
		})
	case 0:
		slices.SortStableFunc(ids, func(a, b model.CollectorID) int { return cmp.Compare(s.Collector(a).Name, s.Collector(b).Name) })
	case 2:
		slices.SortStableFunc(ids, func(a, b model.CollectorID) int {
			if t.sortDown {
				a, b = b, a
			}
			return cmp.Compare(values[a], values[b])
		})
	}
}

// filter notes which collectors are called like Filter, and their ancestors.
func (t *CollectorTree) filter(s *model.Session) {
	if t.Filter == "" {
		t.keep = nil
		return
	}
	t.keep = make([]bool, s.NumCollectors())
	for id := range model.CollectorID(s.NumCollectors()) {
		if !format.ContainsFold(subject.FullName(s.Collector(id)), t.Filter) {
			continue
		}
		for c, guard := id, 0; c >= 0 && guard < 64 && !t.keep[c]; guard++ {
			t.keep[c] = true
			c = s.Collector(c).Parent
		}
	}
}

// Cell implements Source.
func (t *CollectorTree) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.rows[row]
	d := env.View.Session().Collector(r.collector)
	fill := env.View.Palette().Fill(r.collector)
	switch col {
	case 0:
		c.Text, c.Depth, c.Fold = d.Name, int(r.depth), r.fold
		c.Swatch, c.Hollow = fill, env.View.Hidden(r.collector)
		if c.Fold == table.FoldNone {
			c.Depth++ // where its text would be with an arrow
		}
	case 1:
		if !r.level && t.most > 0 && r.collector != 0 {
			// A sliver says less than the name that has its room instead.
			if v := float32(t.timeOf[r.collector] / t.most); v >= 0.04 {
				c.Value, c.Color = v, fill
			}
		}
	default:
		if t.calls && !r.level {
			t.callCell(env, r, col, c)
			return
		}
		if col > 2 {
			return
		}
		if r.level {
			c.Buf = format.AppendValue(c.Buf, t.levelOf[r.collector], subject.UnitOf(env.View.Session(), r.collector))
		} else {
			ns := int64(t.timeOf[r.collector]*1e9 + 0.5)
			if ns == 0 {
				c.Buf = append(c.Buf, "–"...) // did not run
			} else if ns >= 100_000 || ns < 0 {
				c.Buf = format.AppendMs(c.Buf, ns)
			} else {
				c.Buf = format.AppendDuration(c.Buf, ns) // two digits after the point would say nothing
			}
		}
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// Row implements Source.
func (t *CollectorTree) Row(env *panel.Env, row int) table.RowInfo {
	c := t.rows[row].collector
	v := env.View
	return table.RowInfo{Selected: c == v.Collector(), Lit: c == v.HoverCollector(), Dim: v.Hidden(c) || !t.isHere(c) && c != 0, Hit: panel.Hit{Kind: panel.HitCollector, Collector: c, Track: v.Track(), Frame: -1}}
}

// Click implements Source.
func (t *CollectorTree) Click(env *panel.Env, row, col int, part table.CellPart, in *panel.Input) panel.Action {
	r := t.rows[row]
	switch {
	case part == table.PartFold:
		t.SetFolded(r.collector, r.fold == table.FoldOpen)
		return panel.Action{}
	case part == table.PartSwatch:
		env.View.SetHidden(r.collector, !env.View.Hidden(r.collector))
		return panel.Action{}
	case in.DoubleClick:
		kind := panel.ActionOpenStrip
		if r.level {
			kind = panel.ActionOpenLevels
		}
		return panel.Action{Kind: kind, Track: env.View.Track(), Collector: r.collector, Frame: -1, X: in.X, Y: in.Y}
	}
	env.View.SelectCollector(r.collector)
	return panel.Action{}
}

// SetFolded folds or unfolds what is below a collector.
func (t *CollectorTree) SetFolded(c model.CollectorID, folded bool) {
	if folded {
		t.folded[c] = true
	} else {
		delete(t.folded, c)
	}
	t.foldRev++
}

// RowOf returns the row of a collector, -1 when it is not shown.
func (t *CollectorTree) RowOf(c model.CollectorID) int {
	return slices.IndexFunc(t.rows, func(r treeRow) bool { return r.collector == c })
}
