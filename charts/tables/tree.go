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
	rest restLine

	by    *table.Order[*treeRow]
	units view.PerUnit[treeUnit]
	unit  treeUnit // the unit of the numbers

	folded        map[model.CollectorID]bool
	chosen        model.CollectorID // the selected one; a newly selected one unfolds its parents
	foldRev       uint64
	rows          []treeRow
	times, levels []frames.Stats
	timeOf        []float64 // mean by collector, seconds
	below         []float64 // by slot of the tree, work of read
	levelOf       []float64
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
	rest      bool // it is the line in place of collectors that the thread never ran
}

type treeKey struct {
	defs, folds, numbers uint64
	session              *store.Session
	order                uint64
	gap                  bool
}

// NewCollectorTree returns the source in the order of the hierarchy: among siblings, first those of
// which the thread has data.
func NewCollectorTree() *CollectorTree {
	t := &CollectorTree{folded: map[model.CollectorID]bool{}, chosen: model.NoCollector}
	t.rest.turn = t.turnRest
	name := table.Column[treeRow]{
		ID: "collector", Title: "collector",
		Text: func(env *panel.Env, r *treeRow) string { return env.View.Session().Collector(r.collector).Name },
		Cell: func(env *panel.Env, r *treeRow, c *table.Cell) {
			c.Depth, c.Fold = int(r.depth), r.fold
			c.Swatch, c.Hollow = env.Palette().Fill(r.collector), env.View.Look().Hidden(r.collector)
			c.Found, c.Badge = env.Palette().Found(r.collector), limitBadge(env, r.collector)
			if c.Fold == table.FoldNone {
				c.Depth++ // where its text would be with an arrow
			}
		},
		Fold: func(_ *panel.Env, r *treeRow, _ *panel.Input) { t.SetFolded(r.collector, r.fold == table.FoldOpen) },
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
	called, ofRuns := callColumns([]table.Column[treeRow]{name, bar, number}, []table.Column[treeRow]{
		{ID: "self", Width: 66, Drop: 3, Quiet: true},
		{ID: "calls", Width: 58, Drop: 2, Quiet: true},
		{ID: "uncertainty", Width: 66, Drop: 2, Quiet: true},
		{ID: "samples", Width: 58, Drop: 3, Quiet: true},
		{ID: "runs", Width: 58, Drop: 5, Quiet: true},
		{ID: "mean", Width: 66, Drop: 4, Quiet: true},
		{ID: "min", Width: 66, Drop: 7, Quiet: true},
		{ID: "max", Width: 66, Drop: 5, Quiet: true},
		{ID: "share", Width: 58, Drop: 6, Quiet: true},
	}, &t.stats, t.callOfRow)
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
	if c := env.View.Collector(); c != t.chosen {
		if t.rest.hides && !(t.isHere(c) && t.isHere(t.chosen)) {
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
	lk := treeKey{defs: s.DefsRevision(), folds: t.foldRev, session: s, order: t.by.Stamp(), numbers: t.numberRev,
		gap: t.gap}
	if lk != t.layout {
		t.layout = lk
		t.room(s.Collectors().Len())
		t.flatten(env, s)
		t.revision++
	}
	return len(t.rows), t.revision
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
	return table.Known(t.timeOf[r.collector]*1e9, !r.level)
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
	if r.level {
		v, unit := t.levelOf[r.collector], subject.UnitOf(env.View.Session(), r.collector)
		c.Buf = format.AppendValue(c.Buf[:0], v, unit)
		if unit == "MB" && v > 0 && v < .001 { // a few bytes; the tooltip has them
			c.Buf = append(c.Buf[:0], "< 0.001 MB"...)
		}
		c.Color, c.Foreign = draw.Color(env.Theme.Text2), true
		c.None(!t.isHere(r.collector)) // the thread did not send it
		return
	}
	c.None(t.timeOf[r.collector] == 0) // did not run
}

// Row implements table.Describer.
func (t *CollectorTree) Row(env *panel.Env, r *treeRow) table.RowInfo {
	c := r.collector
	row := collectorRow(env.View, c)
	row.Dim = row.Dim || !t.isHere(c) && c != 0
	return row
}

// Click implements table.Clicker.
func (t *CollectorTree) Click(env *panel.Env, r *treeRow, in *panel.Input) panel.Action {
	if !in.DoubleClick {
		env.View.SelectCollector(r.collector)
		return panel.Action{}
	}
	kind := format.Pick(r.level, panel.ActionOpenLevels, panel.ActionOpenStrip)
	return panel.Action{Kind: kind, Track: env.View.Track(), Collector: r.collector, Frame: -1, X: in.X, Y: in.Y}
}

// Tip implements table.Tips: the full name and the values of the collector.
func (t *CollectorTree) Tip(env *panel.Env, r *treeRow, l *panel.TipLines) {
	s := env.View.Session()
	l.Add(s.Collector(r.collector).Title())
	subject.LimitTip(l, env.Limits.Of(env.View.Track(), r.collector))
	if r.level && !t.isHere(r.collector) {
		l.Add("This thread did not send it")
		return
	}
	if r.level {
		l.Buf = format.AppendValue(l.Buf, t.levelOf[r.collector], subject.UnitOf(s, r.collector))
		t.meanTip(env, r.collector, l.Text(" in "))
		return
	}
	t.unit.tip(env, r.collector, l)
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

// Key implements table.Keyed.
func (t *CollectorTree) Key(r *treeRow) uint64 {
	switch {
	case r.rest:
		return table.KeyOf(0, 2)
	case r.level:
		return table.KeyOf(int64(r.collector), 1)
	}
	return uint64(r.collector)
}
