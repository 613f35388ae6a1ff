package calls

import (
	"cmp"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// slowSource is the source of the table of Slow: groups of calls that unfold, or the calls alone.
type slowSource struct {
	owner  *Slow
	open   map[uint64]bool // by slowGroup.key
	groups []slowGroup
	calls  []int32 // of run: by group, in the order of display
	order  []int32 // groups in the order of display
	rows   []slowRow

	layout   slowLayout
	folds    uint64
	revision uint64
	sortCol  int
	sortDown bool
}

// slowGroup is the calls that have a primary stack in common.
type slowGroup struct {
	from, to           int32 // of calls
	min, max, sum, own int64
	first              int64  // the earliest begin
	key                uint64 // of the collectors of the primary stack
}

// slowRow is a row: a call, or a group (call < 0).
type slowRow struct{ group, call int32 }

type slowLayout struct {
	steps, folds uint64
	flat         bool
	sortCol      int
	sortDown     bool
}

// The columns.
const (
	slowColName = iota
	slowColCount
	slowColBegin
	slowColNs
	slowColMean
	slowColMin
	slowColSelf
)

var slowColumns = []table.Column{
	{Title: "call, and what took most of it", Kind: table.ColumnText, Sortable: true, Least: 190},
	{Title: "calls", Kind: table.ColumnNumber, Width: 50, Sortable: true, Drop: 2},
	{Title: "begin", Kind: table.ColumnNumber, Width: 84, Sortable: true, Drop: 1},
	{Title: "longest", Kind: table.ColumnNumber, Width: 74, Sortable: true},
	{Title: "mean", Kind: table.ColumnNumber, Width: 70, Sortable: true, Drop: 4},
	{Title: "shortest", Kind: table.ColumnNumber, Width: 74, Sortable: true, Drop: 5},
	{Title: "self", Kind: table.ColumnNumber, Width: 70, Sortable: true, Drop: 3},
}

// Those of calls one by one, and which of the others they are.
var (
	slowFlatColumns = []table.Column{
		{Title: "thread, and what took most of it", Kind: table.ColumnText, Sortable: true, Least: 190},
		{Title: "begin", Kind: table.ColumnNumber, Width: 84, Sortable: true, Drop: 1},
		{Title: "duration", Kind: table.ColumnNumber, Width: 74, Sortable: true},
		{Title: "self", Kind: table.ColumnNumber, Width: 70, Sortable: true, Drop: 2},
	}
	slowFlatOf = [...]int{slowColName, slowColBegin, slowColNs, slowColSelf}
)

// Columns implements Source.
func (t *slowSource) Columns() []table.Column {
	if t.owner.Flat {
		return slowFlatColumns
	}
	return slowColumns
}

// column returns which of the columns one on the screen is, and the other way round.
func (t *slowSource) column(col int) int {
	if t.owner.Flat && col >= 0 {
		return slowFlatOf[col]
	}
	return col
}

func (t *slowSource) columnOnScreen(col int) int {
	if t.owner.Flat {
		return slices.Index(slowFlatOf[:], col)
	}
	return col
}

// Empty implements Source.
func (t *slowSource) Empty() string {
	c, q := t.owner, &t.owner.search
	switch {
	case c.Regexp && c.Text != "" && q.exprErr != "":
		return "This is no regular expression.\n" + q.exprErr
	case !q.valid:
		return "The slowest calls of a method.\nSelect a method in any panel, or search for a part of its name."
	case !q.done:
		return "Searching …"
	case c.MinNs > 0:
		return "No call took that long."
	case c.InRange:
		return "It was not called in this range."
	}
	return "It was not called."
}

// Sort implements Source.
func (t *slowSource) Sort(col int, descending bool) {
	t.sortCol, t.sortDown = t.column(col), descending
}

// Prepare implements Source.
func (t *slowSource) Prepare(env *panel.Env) (rows int, revision uint64) {
	q := &t.owner.search
	k := slowLayout{steps: q.steps, folds: t.folds, flat: t.owner.Flat, sortCol: t.sortCol, sortDown: t.sortDown}
	if k == t.layout {
		return len(t.rows), t.revision
	}
	if k.steps != t.layout.steps {
		t.gather()
	}
	t.layout = k
	t.arrange(env)
	t.revision++
	return len(t.rows), t.revision
}

func (t *slowSource) run() *model.CallSearch { return &t.owner.search.run[t.owner.search.shown] }

// gather puts the calls found so far into groups.
func (t *slowSource) gather() {
	t.groups, t.calls = t.groups[:0], t.calls[:0]
	if !t.owner.search.valid {
		return
	}
	run := t.run()
	calls := run.Calls()
	for i := range run.Stacks() {
		g := slowGroup{key: 1}
		for _, p := range run.PrimaryStack(int32(i)) {
			_, c := t.owner.search.key.session.Path(p)
			g.key = childKey(g.key, c)
		}
		t.groups = append(t.groups, g)
	}
	for i := range calls {
		x := &calls[i]
		g := &t.groups[x.Stack]
		if g.to == 0 {
			g.min, g.max, g.first = x.Ns, x.Ns, x.Begin
		}
		g.min, g.max, g.first = min(g.min, x.Ns), max(g.max, x.Ns), min(g.first, x.Begin)
		g.sum += x.Ns
		g.own += x.SelfNs
		g.to++
	}
	at := int32(0)
	for i := range t.groups {
		g := &t.groups[i]
		n := g.to
		g.from, g.to = at, at
		at += n
	}
	t.calls = slices.Grow(t.calls, len(calls))[:len(calls)]
	for i := range calls {
		g := &t.groups[calls[i].Stack]
		t.calls[g.to] = int32(i)
		g.to++
	}
}

// arrange makes the rows.
func (t *slowSource) arrange(env *panel.Env) {
	t.rows, t.order = t.rows[:0], t.order[:0]
	if !t.owner.search.valid || len(t.calls) == 0 {
		return
	}
	if t.owner.Flat {
		for i := range t.run().Calls() {
			t.rows = append(t.rows, slowRow{t.run().Calls()[i].Stack, int32(i)})
		}
		slices.SortFunc(t.rows, func(a, b slowRow) int { return t.compareCalls(env, a.call, b.call) })
		return
	}
	for i := range t.groups {
		if t.groups[i].to > t.groups[i].from {
			t.order = append(t.order, int32(i))
		}
	}
	slices.SortFunc(t.order, func(a, b int32) int { return t.compareGroups(env, a, b) })
	for _, g := range t.order {
		t.rows = append(t.rows, slowRow{g, -1})
		if !t.isOpen(g) {
			continue
		}
		list := t.calls[t.groups[g].from:t.groups[g].to]
		slices.SortFunc(list, func(a, b int32) int { return t.compareCalls(env, a, b) })
		for _, i := range list {
			t.rows = append(t.rows, slowRow{g, i})
		}
	}
}

// isOpen tells whether the calls of a group are shown: a group alone is open until it is folded.
func (t *slowSource) isOpen(g int32) bool {
	open, said := t.open[t.groups[g].key]
	return open || !said && len(t.order) == 1
}

func (t *slowSource) compareCalls(env *panel.Env, i, j int32) int {
	if t.sortDown {
		i, j = j, i
	}
	a, b := &t.run().Calls()[i], &t.run().Calls()[j]
	d := 0
	switch t.sortCol {
	case slowColName:
		s := env.View.Session()
		d = cmp.Or(format.CompareNatural(s.Track(a.Ref.Track).Title(), s.Track(b.Ref.Track).Title()), cmp.Compare(a.Begin, b.Begin))
	case slowColBegin:
		d = cmp.Compare(a.Begin, b.Begin)
	case slowColSelf:
		d = cmp.Compare(a.SelfNs, b.SelfNs)
	default:
		d = cmp.Compare(a.Ns, b.Ns)
	}
	return cmp.Or(d, cmp.Compare(i, j))
}

func (t *slowSource) compareGroups(env *panel.Env, i, j int32) int {
	if t.sortDown {
		i, j = j, i
	}
	a, b := &t.groups[i], &t.groups[j]
	n, m := int64(a.to-a.from), int64(b.to-b.from)
	d := 0
	switch t.sortCol {
	case slowColName:
		s := env.View.Session()
		d = slices.CompareFunc(t.run().PrimaryStack(i), t.run().PrimaryStack(j), func(p, q model.PathID) int {
			_, x := s.Path(p)
			_, y := s.Path(q)
			return format.CompareNatural(s.Collector(x).Name, s.Collector(y).Name)
		})
	case slowColCount:
		d = cmp.Compare(n, m)
	case slowColBegin:
		d = cmp.Compare(a.first, b.first)
	case slowColMean:
		d = cmp.Compare(float64(a.sum)/float64(n), float64(b.sum)/float64(m))
	case slowColMin:
		d = cmp.Compare(a.min, b.min)
	case slowColSelf:
		d = cmp.Compare(float64(a.own)/float64(n), float64(b.own)/float64(m))
	default:
		d = cmp.Compare(a.max, b.max)
	}
	return cmp.Or(d, cmp.Compare(i, j))
}

// Cell implements Source.
func (t *slowSource) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := t.rows[row]
	s := env.View.Session()
	col = t.column(col)
	quiet := draw.Color(env.Theme.Text2)
	if r.call >= 0 {
		x := &t.run().Calls()[r.call]
		switch col {
		case slowColName:
			c.Swatch = env.View.Palette().Fill(x.Collector)
			if c.Text = s.Track(x.Ref.Track).Title(); t.owner.Flat {
				c.Buf = t.appendStack(env, append(append(c.Buf, c.Text...), " · "...), r.group)
				c.Text = ""
			} else {
				c.Depth = 2
			}
		case slowColBegin:
			c.Buf, c.Color = format.AppendClock(c.Buf, x.Begin, s.Info().Clock.Step(x.Begin)), quiet
		case slowColNs:
			if x.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
				c.Buf = append(c.Buf, "≥ "...)
			}
			c.Buf = format.AppendDuration(c.Buf, x.Ns)
		case slowColSelf:
			c.Buf, c.Color = appendOwn(c.Buf, x.SelfNs), quiet
		}
		return
	}
	g := &t.groups[r.group]
	n := int64(g.to - g.from)
	switch col {
	case slowColName:
		c.Fold = table.FoldClosed
		if t.isOpen(r.group) {
			c.Fold = table.FoldOpen
		}
		_, id := s.Path(t.run().PrimaryStack(r.group)[0])
		c.Swatch = env.View.Palette().Fill(id)
		c.Buf = t.appendStack(env, c.Buf, r.group)
	case slowColCount:
		c.Buf = format.AppendCount(c.Buf, n)
	case slowColNs:
		c.Buf = format.AppendDuration(c.Buf, g.max)
	case slowColMean:
		c.Buf = format.AppendDuration(c.Buf, g.sum/n)
	case slowColMin:
		c.Buf = format.AppendDuration(c.Buf, g.min)
	case slowColSelf:
		c.Buf, c.Color = appendOwn(c.Buf, g.own/n), quiet
	}
}

// appendOwn appends a call's own time.
func appendOwn(dst []byte, ns int64) []byte {
	if ns == 0 {
		return append(dst, "–"...)
	}
	return format.AppendDuration(dst, ns)
}

// appendStack appends a primary stack in one line, from the call in. A method that calls itself is named once, with the number of its calls.
func (t *slowSource) appendStack(env *panel.Env, dst []byte, group int32) []byte {
	const most = 12
	s := env.View.Session()
	stack := t.run().PrimaryStack(group)
	for i, names := 0, 0; i < len(stack); names++ {
		if names > 0 {
			dst = append(dst, " › "...)
		}
		if names == most {
			return append(dst, "…"...)
		}
		_, c := s.Path(stack[i])
		n := recursion(s, stack[i:], c)
		i += n
		dst = append(dst, methodOnly(s.Collector(c).Name)...)
		if n > 1 {
			dst = format.AppendCount(append(dst, " ×"...), int64(n))
		}
	}
	return dst
}

// recursion returns how many paths at the beginning of a stack are of a collector.
func recursion(s *model.Session, stack []model.PathID, c model.CollectorID) int {
	n := 0
	for ; n < len(stack); n++ {
		if _, d := s.Path(stack[n]); d != c {
			break
		}
	}
	return n
}

// methodOnly leaves the class out of a method's name: "priceLine()" of "Workload$OrderService.priceLine()". Names of other kinds stay as they are.
func methodOnly(name string) string {
	if at := strings.IndexByte(name, '('); at > 0 {
		return name[strings.LastIndexByte(name[:at], '.')+1:]
	}
	return name
}

// Row implements Source.
func (t *slowSource) Row(env *panel.Env, row int) table.RowInfo {
	r := t.rows[row]
	v := env.View
	if r.call < 0 {
		_, id := v.Session().Path(t.run().PrimaryStack(r.group)[0])
		return table.RowInfo{Hit: panel.Hit{Kind: panel.HitNode, Collector: id, Track: model.NoTrack, Frame: -1}}
	}
	x := &t.run().Calls()[r.call]
	return table.RowInfo{
		Selected: v.HasSpan() && v.Span().Ref.Track == x.Ref.Track && v.Span().Ref == x.Ref,
		Hit: panel.Hit{Kind: panel.HitSpan, Collector: x.Collector, Track: x.Ref.Track, Frame: -1, TimeNs: x.Begin,
			Bar: model.Bar{Begin: x.Begin, End: x.Begin + x.Ns, Path: x.Path, Collector: x.Collector, Count: 1, Busy: 1, Flags: x.Flags, Ref: x.Ref}},
	}
}

// Click implements Source.
func (t *slowSource) Click(env *panel.Env, row, _ int, part table.CellPart, in *panel.Input) panel.Action {
	r := t.rows[row]
	if r.call < 0 {
		if !in.DoubleClick || part == table.PartFold {
			t.open[t.groups[r.group].key] = !t.isOpen(r.group)
			t.folds++
			return panel.Action{}
		}
		r.call = t.longest(r.group)
	}
	x := t.run().Calls()[r.call]
	if !t.owner.show(env, &x) || !in.DoubleClick {
		return panel.Action{}
	}
	return panel.Action{Kind: panel.ActionOpenFlame, Track: x.Ref.Track, Collector: x.Collector, Frame: -1, X: in.X, Y: in.Y}
}

// longest returns the longest call of a group: calls are in descending order.
func (t *slowSource) longest(group int32) int32 {
	g := &t.groups[group]
	return slices.Min(t.calls[g.from:g.to])
}

// Tip implements Tips: the primary stack, a line for each.
func (t *slowSource) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := t.rows[row]
	s := env.View.Session()
	l := &tip.Lines
	const most = 14
	stack := t.run().PrimaryStack(r.group)
	for i, names := 0, 0; i < len(stack); names++ {
		if names == most {
			l.Add("…")
			break
		}
		_, c := s.Path(stack[i])
		l.Text(subject.FullName(s.Collector(c)))
		n := recursion(s, stack[i:], c)
		i += n
		if n > 1 {
			l.Text(" ×").Count(int64(n))
		}
		l.End()
	}
	if r.call < 0 {
		l.Add("Click: the calls · double click: the longest one")
		return
	}
	x := &t.run().Calls()[r.call]
	l.Text("thread\t").Text(s.Track(x.Ref.Track).Title()).End()
	l.Text("duration\t").Duration(x.Ns)
	if x.Flags&model.SpanUncertain != 0 {
		l.Text(" ± ").Duration(s.Info().Clock.Step(x.Begin))
	}
	l.End()
	l.Text("self\t").Duration(x.SelfNs).End()
	l.Add("Click: go there · double click: flame graph")
}
