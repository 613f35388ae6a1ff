package calls

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
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// callTreeSource is the source of the table of a Tree.
type callTreeSource struct {
	owner   *Tree
	by      *table.Order[*callRow]
	columns [spans.MeasureWeight + 1]measured.Columns[callRow] // by measure, the last of the weight that is shown
	weight  spans.Weight
	ofRuns  measured.Columns[callRow] // of the duration, where stacks are sampled
	against treeAgainst
	runs    bool

	key    callTreeKey
	atNs   int64
	filled bool
	wanted callTreeKey // the key that shared waits for
	shared spans.TreeUser
	tree   *spans.SharedTree // that is shown

	nodes []callNode
	roots []int32
	bases []int32 // bottom up: nodes of tree by runs, see callNode
	at    []int32
	below []bool // of each node of the tree, while filtered: something in it is called like that
	order []callerPair

	open   map[uint64]struct{}
	wasAny bool   // the heaviest path was unfolded once
	chosen uint64 // key of the row that was clicked last
	asked  uint64 // key of the method with callers to unfold; 0: none
	found  uint64 // the one just unfolded, to be scrolled into view

	rows, stack, children      []callRow
	match                      []bool // by collector, while filtered
	layout                     callLayoutKey
	numbers, foldRev, revision uint64
}

// callTreeKey is the inputs of the numbers.
type callTreeKey struct {
	session  *store.Session
	revision uint64
	t0, t1   int64
	tracks   uint64
	measure  spans.Measure
	live     bool
}

// callLayoutKey is the inputs of the rows.
type callLayoutKey struct {
	numbers, folds, order uint64
	filter                string
	bottomUp              bool
	against               uint64
}

// callRow is a row: a node at a depth.
type callRow struct {
	node, depth int32
	fold        table.Fold
}

// columnsOf returns the columns of the numbers of a measure.
func (t *callTreeSource) columnsOf(m spans.Measure, runs bool) []table.Column[callRow] {
	count, unit, titles := "samples", "ns", [2]string{"total", "self"}
	who := subject.CallWordsOf(true).Who // only sampled sessions have another measure
	switch m {
	case spans.MeasureDuration:
		words := subject.CallWordsOf(runs)
		count, who = words.Many, words.Who
	case spans.MeasureCPU:
		titles = [2]string{"CPU time", "self CPU time"}
	case spans.MeasureSamples:
		unit, titles = "", [2]string{"samples", "self samples"}
	case spans.MeasureWeight:
		unit, titles = t.weight.Unit, [2]string{t.weight.Name, "self " + t.weight.Name}
	}
	write := table.Count
	if unit == "B" {
		write = func(dst []byte, v float64) []byte { return format.AppendBytes(dst, int64(v)) }
	}
	node := func(r *callRow) *callNode { return &t.nodes[r.node] }
	total := func(_ *panel.Env, r *callRow) float64 { return float64(node(r).total) }
	self := func(env *panel.Env, r *callRow) float64 {
		return table.Known(float64(node(r).self), !env.View.Session().Collector(node(r).collector).Async)
	}
	columns := []table.Column[callRow]{
		{
			ID: "name", Title: who, Least: 170,
			Text: func(env *panel.Env, r *callRow) string { return env.View.Session().Collector(node(r).collector).Name },
			Cell: func(env *panel.Env, r *callRow, c *table.Cell) {
				c.Depth, c.Fold = int(r.depth), r.fold
				c.Swatch, c.Hollow = env.Palette().Fill(node(r).collector), env.View.Look().Hidden(node(r).collector)
				c.Found = env.Palette().Found(node(r).collector)
				if c.Fold == table.FoldNone {
					c.Depth++ // where its text would be with an arrow
				}
			},
			Fold: t.foldRow, Click: t.clickName,
		},
		{ID: "bar", Kind: table.Bar, Width: 56, Drop: 3, Cell: func(env *panel.Env, r *callRow, c *table.Cell) {
			if t.total() > 0 {
				c.Share = float32(float64(node(r).total) / float64(t.total()))
				c.Color = env.Palette().Fill(node(r).collector)
			}
		}},
		{
			ID: "total", Title: titles[0], Unit: unit, Kind: table.Number, Width: 74, Lead: true, Value: total,
			Time: unit == "ns", Format: write, Cell: t.estimate(total),
		},
		{
			ID: "self", Title: titles[1], Unit: unit, Kind: table.Number, Width: 74,
			Value: self, Time: unit == "ns", As: "total", Format: write,
			Cell: func(env *panel.Env, r *callRow, c *table.Cell) {
				t.estimate(self)(env, r, c)
				if n := node(r); n.self*2 < n.total {
					c.Color = draw.Color(env.Theme.Text2)
				}
			},
		},
		{
			ID: "count", Title: count, Kind: table.Number, Width: 64, Drop: 2, Quiet: true, Format: table.Count,
			Value: func(_ *panel.Env, r *callRow) float64 { return float64(node(r).count) },
		},
		{
			ID: "share", Title: "share", Kind: table.Number, Width: 64, Drop: 1, Quiet: true, Share: true,
			Value: func(env *panel.Env, r *callRow) float64 { return total(env, r) / float64(max(t.total(), 1)) },
		},
	}
	if m >= spans.MeasureSamples { // the column of the measure shows them
		columns = slices.DeleteFunc(columns, func(c table.Column[callRow]) bool { return c.ID == "count" })
	}
	return columns
}

// Columns implements table.Source.
func (t *callTreeSource) Columns() []table.Column[callRow] {
	if t.runs && t.key.measure == spans.MeasureDuration {
		return t.ofRuns.All(t.against.base.Against != nil)
	}
	if w, ok := t.weightShown(); ok {
		if w != t.weight {
			t.weight = w
			t.columns[spans.MeasureWeight] = measured.With(t.columnsOf(spans.MeasureWeight, false), t.measured)
		}
		return t.columns[spans.MeasureWeight].All(t.against.base.Against != nil)
	}
	return t.columns[t.key.measure].All(t.against.base.Against != nil)
}

// weightShown returns the weight of samples, false if another measure is shown.
func (t *callTreeSource) weightShown() (w spans.Weight, ok bool) {
	if t.key.session == nil {
		return w, false
	}
	return t.key.session.Spans().Weight(t.key.measure)
}

// Arrange implements table.Arranger.
func (t *callTreeSource) Arrange(by *table.Order[*callRow]) {
	t.by = by
	by.Tie = func(a, b *callRow) int {
		return cmp.Compare(t.nodes[a.node].collector, t.nodes[b.node].collector)
	}
}

// At implements table.Source.
func (t *callTreeSource) At(i int) *callRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *callTreeSource) Empty(filtered bool) string {
	switch {
	case filtered && len(t.nodes) > 0:
		return panel.NoMatch
	case t.shared.Waits() && !t.filled:
		return panel.Building
	case t.filled && t.key.measure == spans.MeasureCPU:
		return "No CPU time was used here."
	case t.filled:
		return "Nothing ran here.\nSelect another range in the timeline."
	}
	return "Callers and callees, and their time.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *callTreeSource) Rows(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	t0, t1, ok := callRange(env)
	if !ok {
		if t.filled {
			t.revision++
		}
		t.empty()
		return 0, t.revision
	}
	tracks := t.owner.tracks(env)
	key := callTreeKey{
		session: v.Session(), revision: v.Session().Revision(), t0: t0, t1: t1, tracks: subject.TrackHash(tracks),
		measure: t.owner.measures.Of(v, tracks), live: v.Live(),
	}
	if key.session != t.key.session {
		clear(t.open)
		t.wasAny, t.chosen = false, 0
		t.empty()
		t.key = callTreeKey{session: key.session}
		t.revision++
	}
	if !t.shared.Waits() && key != t.key && !t.tooSoon(env, key) {
		t.wanted = key
		t.shared.Ask(v.Session().Spans(), key.measure, tracks, t0, t1)
	}
	if t.shared.Step() {
		t.key, t.atNs, t.filled, t.runs = t.wanted, env.NowNs, true, v.Session().Spans().AnySampled()
		t.tree = t.shared.Tree()
		t.numbers++
	}
	if !t.filled {
		return 0, t.revision
	}
	t.measure(env, tracks)
	k := callLayoutKey{
		numbers: t.numbers, folds: t.foldRev, order: t.by.Stamp(), filter: t.by.Filter(), bottomUp: t.owner.BottomUp,
		against: t.against.made,
	}
	if k == t.layout {
		return len(t.rows), t.revision
	}
	was := t.layout
	t.layout = k
	another := k.numbers != was.numbers || k.bottomUp != was.bottomUp
	if another {
		t.make(k.bottomUp)
	}
	if another || k.filter != was.filter {
		t.filter(v.Session())
	}
	if !t.wasAny && !k.bottomUp && len(t.roots) > 0 { // a tree folded to its root shows little
		t.wasAny = true
		t.heaviest(t.greatestRoot())
		t.layout.folds = t.foldRev
	}
	if k.bottomUp && t.asked != 0 {
		t.unfoldCallers()
	}
	t.flatten(env)
	t.revision++
	return len(t.rows), t.revision
}

// empty takes the rows away.
func (t *callTreeSource) empty() {
	t.rows, t.nodes, t.roots, t.filled, t.key = t.rows[:0], t.nodes[:0], t.roots[:0], false, callTreeKey{}
	t.shared.Drop()
	t.tree = nil
}

// total returns the total of the tree.
func (t *callTreeSource) total() int64 {
	if t.tree == nil {
		return 0
	}
	return t.tree.Total
}

// tooSoon reports whether numbers that only went on with live data were shown for too short a time to
// be read.
func (t *callTreeSource) tooSoon(env *panel.Env, key callTreeKey) bool {
	same := t.key
	same.revision, same.t0, same.t1 = key.revision, key.t0, key.t1
	return t.filled && key.live && same == key && panel.Stands(env, t.atNs)
}

func (t *callTreeSource) greatestRoot() int32 {
	best := t.roots[0]
	for _, n := range t.roots {
		if t.nodes[n].total > t.nodes[best].total {
			best = n
		}
	}
	return best
}

// callersOf unfolds the callers of a method.
func (t *callTreeSource) callersOf(method model.CollectorID) {
	if method != model.NoCollector {
		t.asked = childKey(bottomUpKey, method)
		t.foldRev++
	}
}

// unfoldCallers unfolds the heaviest path to the requested method, if it ran.
func (t *callTreeSource) unfoldCallers() {
	for _, n := range t.roots {
		if t.nodes[n].key == t.asked {
			t.heaviest(n)
			t.chosen, t.found = t.asked, t.asked
		}
	}
	t.asked, t.layout.folds = 0, t.foldRev
}

// isOpen reports whether the children of a node are shown.
func (t *callTreeSource) isOpen(n *callNode) bool {
	_, open := t.open[n.key]
	return open || n.below && t.layout.filter != ""
}

// flatten makes the rows of the unfolded part. Stacks can be thousands of calls deep, so the path
// is kept in a list.
func (t *callTreeSource) flatten(env *panel.Env) {
	t.rows, t.stack, t.children = t.rows[:0], t.stack[:0], t.children[:0]
	add := func(n, depth int32) {
		if t.shown(&t.nodes[n]) {
			t.children = append(t.children, callRow{node: n, depth: depth})
		}
	}
	push := func() {
		table.Sort(env, t.children, t.by)
		slices.Reverse(t.children)
		t.stack = append(t.stack, t.children...)
		t.children = t.children[:0]
	}
	for _, n := range t.roots {
		add(n, 0)
	}
	push()
	for len(t.stack) > 0 {
		r := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if t.hasChildren(r.node) {
			open := t.isOpen(&t.nodes[r.node])
			if r.fold = table.FoldOf(open); open {
				t.expand(r.node)
				for c := t.nodes[r.node].child; c >= 0; c = t.nodes[c].next {
					add(c, r.depth+1)
				}
				push()
			}
		}
		t.rows = append(t.rows, r)
	}
}

func (t *callTreeSource) shown(n *callNode) bool { return t.layout.filter == "" || n.keep }

// rowOf returns the row of a node's key, -1 when it is not shown.
func (t *callTreeSource) rowOf(key uint64) int {
	return slices.IndexFunc(t.rows, func(r callRow) bool { return t.nodes[r.node].key == key })
}

// estimate marks estimated figures, and writes a dash for 0.
func (t *callTreeSource) estimate(of func(*panel.Env, *callRow) float64) func(*panel.Env, *callRow, *table.Cell) {
	return func(env *panel.Env, r *callRow, c *table.Cell) {
		none := of(env, r) == 0
		c.None(none)
		c.About(!none && t.key.measure == spans.MeasureCPU)
	}
}

// Row implements table.Describer.
func (t *callTreeSource) Row(env *panel.Env, r *callRow) table.RowInfo {
	n, v := &t.nodes[r.node], env.View
	return table.RowInfo{
		Selected: n.collector == v.Collector(), Lit: n.collector == v.Pointer().Collector(),
		Dim: v.Look().Hidden(n.collector),
		Hit: panel.Hit{Kind: panel.HitNode, Collector: n.collector, Track: t.actTrack(env), Frame: -1},
	}
}

// selectedRow returns the row of the selected collector, of several the one that was clicked, else
// the first; -1 for none.
func (t *callTreeSource) selectedRow(env *panel.Env) int {
	of := func(r callRow) bool { return t.nodes[r.node].collector == env.View.Collector() }
	if row := t.rowOf(t.chosen); row >= 0 && of(t.rows[row]) {
		return row
	}
	return slices.IndexFunc(t.rows, of)
}

// actTrack is the track that actions of the panel are about: NoTrack for all of them.
func (t *callTreeSource) actTrack(env *panel.Env) model.TrackID {
	if t.owner.all(env) {
		return model.NoTrack
	}
	return t.owner.tracks(env)[0]
}

// foldRow folds or unfolds a row; with ctrl held it unfolds the heaviest path below it.
func (t *callTreeSource) foldRow(_ *panel.Env, r *callRow, in *panel.Input) {
	if in.Ctrl {
		t.heaviest(r.node)
	} else {
		t.setOpen(t.nodes[r.node].key, r.fold != table.FoldOpen)
	}
}

func (t *callTreeSource) choose(env *panel.Env, r *callRow) {
	n := &t.nodes[r.node]
	t.chosen = n.key
	env.View.SelectCollectorOf(t.actTrack(env), n.collector)
}

// clickName selects a method; a double click on its name opens a flame graph.
func (t *callTreeSource) clickName(env *panel.Env, r *callRow, in *panel.Input) panel.Action {
	t.choose(env, r)
	if !in.DoubleClick {
		return panel.Action{}
	}
	c := t.nodes[r.node].collector
	return panel.Action{Kind: panel.ActionOpenFlame, Track: t.actTrack(env), Collector: c, Frame: -1, X: in.X, Y: in.Y}
}

// Click implements table.Clicker.
func (t *callTreeSource) Click(env *panel.Env, r *callRow, in *panel.Input) panel.Action {
	t.choose(env, r)
	if in.DoubleClick {
		t.heaviest(r.node)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *callTreeSource) Tip(env *panel.Env, r *callRow, l *panel.TipLines) {
	n := &t.nodes[r.node]
	s := env.View.Session()
	l.Add(s.Collector(n.collector).Title())
	l.With(subject.AppendMeasured(append(l.Buf, "total\t"...), s, t.key.measure, n.total)).End()
	if !s.Collector(n.collector).Async {
		l.With(subject.AppendMeasured(append(l.Buf, "self\t"...), s, t.key.measure, n.self)).End()
	}
	if t.key.measure == spans.MeasureDuration && n.count > 0 {
		words := subject.CallWordsOf(t.runs)
		l.Text("mean ").Text(words.One).Text("\t").Mean(n.total, n.count).End()
		l.Text(words.Many).Text(", begun before included\t").Count(n.count).End()
	}
	if p := n.parent; p >= 0 {
		up := &t.nodes[p]
		if t.layout.bottomUp {
			l.Text("calls ").Text(s.Collector(up.collector).Name).End()
		} else if up.total > 0 {
			l.Percent(float64(n.total) / float64(up.total)).Text(" of ").Text(s.Collector(up.collector).Name).End()
		}
	}
	if t.against.base.Against != nil {
		m := t.measured(env, r)
		l.If(m.Known && !m.Share).Text("a frame\t").Duration(int64(math.Round(m.Value))).End()
		m.Tip(l)
	}
	if t.key.measure == spans.MeasureCPU && n.total > 0 {
		subject.EstimateTip(l, s, n.collector)
	}
	l.Add("Double click: flame graph · on a figure: heaviest path")
}

// Key implements table.Keyed.
func (t *callTreeSource) Key(r *callRow) uint64 { return t.nodes[r.node].key }
