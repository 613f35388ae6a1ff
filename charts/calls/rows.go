package calls

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

// callTreeSource is the source of the table of a Tree.
type callTreeSource struct {
	owner   *Tree
	columns []table.Column

	key    callTreeKey
	atNs   int64
	filled bool
	tree   model.FlameTree
	nested []bool  // by node of tree: it lies in another of the same collector
	inside []int32 // by collector: nodes of it that findNested is in

	nodes []callNode
	roots []int32
	bases []int32 // bottom up: nodes of tree by runs, see callNode
	at    []int32
	order []callerPair

	open   map[uint64]struct{}
	wasAny bool   // the heaviest path was unfolded once
	chosen uint64 // key of the row that was clicked last

	rows     []callRow
	stack    []callRow
	children []int32
	match    []bool // by collector, while filtered
	layout   callLayoutKey
	numbers  uint64
	foldRev  uint64
	revision uint64
	sortCol  int
	sortDown bool
}

// callTreeKey is what the numbers depend on.
type callTreeKey struct {
	session  *model.Session
	revision uint64
	t0, t1   int64
	tracks   uint64
	measure  model.Measure
	live     bool
}

// callLayoutKey is what the rows depend on.
type callLayoutKey struct {
	numbers, folds uint64
	filter         string
	bottomUp       bool
	sortCol        int
	sortDown       bool
}

// callRow is a row: a node at a depth.
type callRow struct {
	node  int32
	depth int32
	fold  table.Fold
}

// The columns.
const (
	callColName = iota
	callColBar
	callColTotal
	callColSelf
	callColCount
	callColShare
)

func callTreeColumns() []table.Column {
	return []table.Column{
		{Title: "method", Kind: table.ColumnText, Sortable: true, Least: 170},
		{Kind: table.ColumnBar, Width: 56, Drop: 3},
		{Title: "total", Kind: table.ColumnNumber, Width: 74, Sortable: true},
		{Title: "self", Kind: table.ColumnNumber, Width: 74, Sortable: true},
		{Title: "calls", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 2},
		{Title: "share", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 1},
	}
}

// Columns implements Source.
func (t *callTreeSource) Columns() []table.Column { return t.columns }

// Empty implements Source.
func (t *callTreeSource) Empty() string {
	switch {
	case t.owner.Filter != "" && len(t.nodes) > 0:
		return "Nothing that ran here is called like that."
	case t.filled && t.key.measure == model.MeasureCPU:
		return "No CPU time was used here."
	case t.filled:
		return "Nothing ran here.\nSelect another range in the timeline."
	}
	return "Who called whom, and how long.\n" + panel.NoData
}

// Sort implements Source.
func (t *callTreeSource) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *callTreeSource) Prepare(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	t0, t1, ok := callRange(env)
	if !ok {
		if t.filled {
			t.revision++
		}
		t.rows, t.nodes, t.roots, t.filled, t.key = t.rows[:0], t.nodes[:0], t.roots[:0], false, callTreeKey{}
		return 0, t.revision
	}
	tracks := t.owner.tracks(env)
	key := callTreeKey{session: v.Session(), revision: v.Session().Revision(), t0: t0, t1: t1, tracks: subject.TrackHash(tracks), measure: t.owner.measures.Of(v, tracks), live: v.Live()}
	if key != t.key && !(t.tooSoon(env, key)) {
		if key.session != t.key.session {
			clear(t.open)
			t.wasAny, t.chosen = false, 0
		}
		t.key, t.atNs, t.filled = key, env.NowNs, true
		v.Session().FlameTreeOf(key.measure, tracks, t0, t1, &t.tree)
		t.columns[callColCount].Title = "samples"
		if key.measure == model.MeasureDuration {
			t.columns[callColCount].Title = "calls"
		}
		t.numbers++
	}
	k := callLayoutKey{numbers: t.numbers, folds: t.foldRev, filter: t.owner.Filter, bottomUp: t.owner.BottomUp, sortCol: t.sortCol, sortDown: t.sortDown}
	if k == t.layout {
		return len(t.rows), t.revision
	}
	if k.numbers != t.layout.numbers || k.bottomUp != t.layout.bottomUp {
		t.make(k.bottomUp)
	}
	if k.numbers != t.layout.numbers || k.bottomUp != t.layout.bottomUp || k.filter != t.layout.filter {
		t.filter(v.Session())
	}
	t.layout = k
	if !t.wasAny && !k.bottomUp && len(t.roots) > 0 { // a tree that begins with nothing but its root says little
		t.wasAny = true
		t.heaviest(t.greatestRoot())
		t.layout.folds = t.foldRev
	}
	t.flatten(v.Session())
	t.revision++
	return len(t.rows), t.revision
}

// tooSoon tells whether numbers that only went on with live data were shown for too short a time to be read.
func (t *callTreeSource) tooSoon(env *panel.Env, key callTreeKey) bool {
	same := t.key
	same.revision, same.t0, same.t1 = key.revision, key.t0, key.t1
	return t.filled && key.live && env.Animate && same == key && env.NowNs-t.atNs < panel.TableLiveNs
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

// isOpen tells whether the children of a node are shown.
func (t *callTreeSource) isOpen(n *callNode) bool {
	_, open := t.open[n.key]
	return open || n.below && t.layout.filter != ""
}

// flatten makes the rows of what is unfolded. Stacks can be thousands of calls deep, so the way is kept in a list.
func (t *callTreeSource) flatten(s *model.Session) {
	t.rows, t.stack = t.rows[:0], t.stack[:0]
	push := func(list []int32, depth int32) {
		t.sort(s, list)
		for _, n := range slices.Backward(list) {
			t.stack = append(t.stack, callRow{node: n, depth: depth})
		}
	}
	t.children = t.children[:0]
	for _, n := range t.roots {
		if t.shown(&t.nodes[n]) {
			t.children = append(t.children, n)
		}
	}
	push(t.children, 0)
	for len(t.stack) > 0 {
		r := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if t.hasChildren(r.node) {
			r.fold = table.FoldClosed
			if t.isOpen(&t.nodes[r.node]) {
				r.fold = table.FoldOpen
				t.expand(r.node)
				t.children = t.children[:0]
				for c := t.nodes[r.node].child; c >= 0; c = t.nodes[c].next {
					if t.shown(&t.nodes[c]) {
						t.children = append(t.children, c)
					}
				}
				push(t.children, r.depth+1)
			}
		}
		t.rows = append(t.rows, r)
	}
}

func (t *callTreeSource) shown(n *callNode) bool { return t.layout.filter == "" || n.keep }

// sort orders siblings by the chosen column.
func (t *callTreeSource) sort(s *model.Session, list []int32) {
	slices.SortFunc(list, func(i, j int32) int {
		if t.sortDown {
			i, j = j, i
		}
		a, b := &t.nodes[i], &t.nodes[j]
		d := 0
		switch t.sortCol {
		case callColName:
			d = cmp.Compare(s.Collector(a.collector).Name, s.Collector(b.collector).Name)
		case callColSelf:
			d = cmp.Compare(a.self, b.self)
		case callColCount:
			d = cmp.Compare(a.count, b.count)
		default:
			d = cmp.Compare(a.total, b.total)
		}
		if d == 0 && t.sortDown {
			return cmp.Compare(b.collector, a.collector)
		}
		return cmp.Or(d, cmp.Compare(a.collector, b.collector))
	})
}

// rowOf returns the row of a node's key, -1 when it is not shown.
func (t *callTreeSource) rowOf(key uint64) int {
	return slices.IndexFunc(t.rows, func(r callRow) bool { return t.nodes[r.node].key == key })
}

// Cell implements Source.
func (t *callTreeSource) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.rows[row]
	n := &t.nodes[r.node]
	switch col {
	case callColName:
		c.Text, c.Depth, c.Fold = env.View.Session().Collector(n.collector).Name, int(r.depth), r.fold
		c.Swatch, c.Hollow = env.View.Palette().Fill(n.collector), env.View.Hidden(n.collector)
		if c.Fold == table.FoldNone {
			c.Depth++ // where its text would be with an arrow
		}
	case callColBar:
		if t.tree.Total > 0 {
			c.Value, c.Color = float32(float64(n.total)/float64(t.tree.Total)), env.View.Palette().Fill(n.collector)
		}
	case callColTotal:
		c.Buf = t.figure(c.Buf, n.total)
	case callColSelf:
		c.Buf = t.figure(c.Buf, n.self)
		if n.self*2 < n.total {
			c.Color = draw.Color(env.Theme.Text2)
		}
	case callColCount:
		c.Buf, c.Color = format.AppendCount(c.Buf, n.count), draw.Color(env.Theme.Text2)
	case callColShare:
		c.Buf, c.Color = format.AppendPercent(c.Buf, float64(n.total)/float64(max(t.tree.Total, 1))), draw.Color(env.Theme.Text2)
	}
}

// figure appends a number of the measure, without its unit where the column says it.
func (t *callTreeSource) figure(dst []byte, v int64) []byte {
	switch {
	case v == 0:
		return append(dst, "–"...)
	case t.key.measure == model.MeasureSamples:
		return format.AppendCount(dst, v)
	}
	return format.AppendDuration(dst, v)
}

// Row implements Source.
func (t *callTreeSource) Row(env *panel.Env, row int) table.RowInfo {
	n := &t.nodes[t.rows[row].node]
	v := env.View
	return table.RowInfo{
		Selected: n.key == t.chosen || n.collector == v.Collector(), Lit: n.collector == v.HoverCollector(), Dim: v.Hidden(n.collector),
		Hit: panel.Hit{Kind: panel.HitNode, Collector: n.collector, Track: t.actTrack(env), Frame: -1},
	}
}

// actTrack is the track that actions of the panel are about: NoTrack for all of them.
func (t *callTreeSource) actTrack(env *panel.Env) model.TrackID {
	if t.owner.AllTracks {
		return model.NoTrack
	}
	return t.owner.tracks(env)[0]
}

// Click implements Source.
func (t *callTreeSource) Click(env *panel.Env, row, col int, part table.CellPart, in *panel.Input) panel.Action {
	r := t.rows[row]
	n := t.nodes[r.node]
	if part == table.PartFold {
		if in.Ctrl {
			t.heaviest(r.node)
		} else {
			t.setOpen(n.key, r.fold != table.FoldOpen)
		}
		return panel.Action{}
	}
	t.chosen = n.key
	env.View.SelectCollectorOf(t.actTrack(env), n.collector)
	if !in.DoubleClick {
		return panel.Action{}
	}
	if col == callColName {
		return panel.Action{Kind: panel.ActionOpenFlame, Track: t.actTrack(env), Collector: n.collector, Frame: -1, X: in.X, Y: in.Y}
	}
	t.heaviest(r.node)
	return panel.Action{}
}

// Tip implements Tips.
func (t *callTreeSource) Tip(env *panel.Env, row int, tip *table.Tip) {
	n := &t.nodes[t.rows[row].node]
	s := env.View.Session()
	l := &tip.Lines
	l.Add(subject.FullName(s.Collector(n.collector)))
	l.Buf = subject.AppendMeasured(append(l.Buf, "total\t"...), t.key.measure, n.total)
	l.End()
	l.Buf = subject.AppendMeasured(append(l.Buf, "self\t"...), t.key.measure, n.self)
	l.End()
	if t.key.measure == model.MeasureDuration && n.count > 0 {
		l.Text("mean call\t").Duration(n.total / n.count).End()
	}
	if p := n.parent; p >= 0 {
		up := &t.nodes[p]
		if t.layout.bottomUp {
			l.Text("calls ").Text(s.Collector(up.collector).Name).End()
		} else if up.total > 0 {
			l.Percent(float64(n.total) / float64(up.total)).Text(" of ").Text(s.Collector(up.collector).Name).End()
		}
	}
	if t.key.measure == model.MeasureCPU {
		l.Add(subject.EstimateLine)
	}
	l.Add("Double click: flame graph · on a figure: heaviest path")
}
