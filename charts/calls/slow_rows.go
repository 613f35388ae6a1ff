package calls

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// slowSource is the source of the table of Slow: groups of calls that unfold, or the calls alone.
type slowSource struct {
	args                      []model.Arg // scratch memory
	owner                     *Slow
	by                        *table.Order[*slowRow]
	groupColumns, flatColumns measured.Columns[slowRow]
	base                      measured.Baseline

	open   map[uint64]bool // by slowGroup.key
	groups []slowGroup
	calls  []int32   // of run: by group, in the order of display
	order  []slowRow // groups in the order of display
	rows   []slowRow

	groupAt map[int64]int32 // by the shared property of its calls
	groupOf []int32         // of each call of run
	names   [2][]byte       // of groups that are compared

	groupName    string // see nameOfGroup
	groupOfSteps uint64 // the steps of the search that groupName is of

	layout          slowLayout
	runs            bool // the columns are named for runs
	folds, revision uint64
}

// slowGroup is the calls that have something in common (Grouping).
type slowGroup struct {
	from, to           int32 // of calls
	one                int32 // the first of them, of run
	min, max, sum, own int64
	async              bool   // not all of them are calls, and have a time of their own
	first              int64  // the earliest begin
	mixed              bool   // from several call paths or threads, or one with a lost end
	of                 int64  // their shared property, see Grouping.keyOf
	key                uint64 // of that, or of the collectors of the primary stack
}

// n returns the number of calls.
func (g *slowGroup) n() int64 { return int64(g.to - g.from) }

// slowRow is a row: a call, or a group (call < 0).
type slowRow struct{ group, call int32 }

type slowLayout struct {
	steps, folds, order uint64
	flat                bool
	by                  Grouping
}

// callTitle is the title of rows of groups of calls.
const callTitle = "call, and what took most of it"

// rename names the columns of groups for runs, or for calls.
func (t *slowSource) rename(runs bool) {
	if runs == t.runs {
		return
	}
	t.runs = runs
	words := subject.CallWordsOf(runs)
	t.groupColumns.Rename(func(c *table.Column[slowRow]) {
		switch c.ID {
		case "name":
			c.Title = words.One + strings.TrimPrefix(callTitle, "call")
		case "count":
			c.Title = words.Many
		}
	})
}

// columns returns the columns of groups, and those of calls one by one.
func (t *slowSource) columns() (groups, flat []table.Column[slowRow]) {
	type column = table.Column[slowRow]
	name := column{
		ID: "name", Title: callTitle, Least: 190, Compare: t.compareNames, Cell: t.name, Fold: t.fold,
	}
	begin := column{
		ID: "begin", Title: "begin", Unit: "ns", Kind: table.Number, Width: 124, Drop: 1, Quiet: true,
		Value: t.value(func(g *slowGroup) int64 { return g.first }, func(x *spans.Call) int64 { return x.Begin }),
		Cell: func(env *panel.Env, r *slowRow, c *table.Cell) {
			if x := t.call(r); x != nil {
				c.Buf = format.AppendClock(c.Buf, x.Begin, env.View.Session().Info().Clock.Step(x.Begin))
			}
		},
	}
	longest := column{
		ID: "longest", Title: "longest", Unit: "ns", Kind: table.Number, Width: 74, Lead: true, Time: true,
		Value: t.value(func(g *slowGroup) int64 { return g.max }, func(x *spans.Call) int64 { return x.Ns }),
		Cell: func(_ *panel.Env, r *slowRow, c *table.Cell) {
			if x := t.call(r); x != nil {
				open := x.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0
				c.AtLeast(open)
				c.About(!open && x.Flags&model.SpanUncertain != 0) // its ends are known to a sample
			}
		},
	}
	self := column{
		ID: "self", Title: "self", Unit: "ns", Kind: table.Number, Width: 70, Drop: 3, Quiet: true, Time: true,
	}
	own := t.value(func(g *slowGroup) int64 { return g.own / g.n() }, func(x *spans.Call) int64 { return x.SelfNs })
	self.Value = func(env *panel.Env, r *slowRow) float64 {
		return table.Known(own(env, r), !t.async(env.View.Session(), r))
	}
	self.Cell = func(env *panel.Env, r *slowRow, c *table.Cell) { c.None(self.Value(env, r) == 0) }
	// ofGroup is a column that single calls have nothing in.
	ofGroup := func(c column, value func(g *slowGroup) int64) column {
		c.Kind, c.Value, c.Time = table.Number, t.value(value, nil), c.Unit != ""
		c.Cell = func(_ *panel.Env, r *slowRow, to *table.Cell) {
			if r.call >= 0 {
				to.Buf = to.Buf[:0]
			}
		}
		return c
	}
	groups = []column{
		name,
		ofGroup(column{ID: "count", Title: "calls", Width: 50, Drop: 2, Format: table.Count}, (*slowGroup).n),
		begin,
		longest,
		ofGroup(column{ID: "mean", Title: "mean", Unit: "ns", Width: 70, Drop: 4},
			func(g *slowGroup) int64 { return g.sum / g.n() }),
		ofGroup(column{ID: "shortest", Title: "shortest", Unit: "ns", Width: 74, Drop: 5},
			func(g *slowGroup) int64 { return g.min }),
		self,
	}
	name.Title, longest.Title, self.Drop = "thread, and what took most of it", "duration", 2
	return groups, []column{name, begin, longest, self}
}

// value returns the number of a column: of groups, and of calls, which have none where call is nil.
func (t *slowSource) value(
	group func(*slowGroup) int64, call func(*spans.Call) int64,
) func(*panel.Env, *slowRow) float64 {
	return func(_ *panel.Env, r *slowRow) float64 {
		switch x := t.call(r); {
		case x == nil:
			return float64(group(&t.groups[r.group]))
		case call != nil:
			return float64(call(x))
		}
		return math.NaN()
	}
}

// async reports whether a row has spans that are no calls: it has no self time.
func (t *slowSource) async(s *store.Session, r *slowRow) bool {
	if x := t.call(r); x != nil {
		return s.Collector(x.Collector).Async
	}
	return t.groups[r.group].async
}

// call returns the call of a row, nil for that of a group.
func (t *slowSource) call(r *slowRow) *spans.Call {
	if r.call < 0 {
		return nil
	}
	return &t.run().Calls()[r.call]
}

// compareNames orders calls by their threads, and groups by the names of their stacks.
func (t *slowSource) compareNames(env *panel.Env, a, b *slowRow) int {
	s := env.View.Session()
	if x, y := t.call(a), t.call(b); x != nil && y != nil {
		d := format.CompareNatural(s.Track(x.Ref.Track).Title(), s.Track(y.Ref.Track).Title())
		return cmp.Or(d, cmp.Compare(x.Begin, y.Begin))
	}
	return t.compareGroups(env, a, b)
}

// name describes the first cell: a group's primary stack; a call's thread, with the stack where
// there are no groups.
func (t *slowSource) name(env *panel.Env, r *slowRow, c *table.Cell) {
	x, s, palette := t.call(r), env.View.Session(), env.Palette()
	switch {
	case x == nil:
		_, id := s.Path(t.stackOf(r)[0])
		c.Fold, c.Swatch = table.FoldOf(t.isOpen(r.group)), palette.Fill(id)
		c.Found = palette.Found(id)
		c.Buf = t.appendGroup(env, c.Buf, r)
	case t.owner.Flat:
		c.Swatch, c.Found = palette.Fill(x.Collector), palette.Found(x.Collector)
		c.Buf = append(append(c.Buf, s.Track(x.Ref.Track).Title()...), " · "...)
		c.Buf = t.appendStack(env, c.Buf, t.stackOf(r))
	default:
		c.Text, c.Depth = s.Track(x.Ref.Track).Title(), 2
	}
}

// Columns implements table.Source.
func (t *slowSource) Columns() []table.Column[slowRow] {
	if t.owner.Flat {
		return t.flatColumns.All(t.base.Against != nil)
	}
	return t.groupColumns.All(t.base.Against != nil)
}

// Arrange implements table.Arranger.
func (t *slowSource) Arrange(by *table.Order[*slowRow]) {
	t.by = by
	by.Tie = func(a, b *slowRow) int {
		if by.Descending() {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a.call, b.call), cmp.Compare(a.group, b.group))
	}
}

// At implements table.Source.
func (t *slowSource) At(i int) *slowRow { return &t.rows[i] }

// noneSelected is the text of the list while no collector is selected: for calls, and for runs.
var noneSelected = [2]string{sayNoneSelected(false), sayNoneSelected(true)}

func sayNoneSelected(runs bool) string {
	words := subject.CallWordsOf(runs)
	return words.Longest + " of a " + words.Who + ".\nSelect one in any panel, or search for a part of its name."
}

// Empty implements table.Source.
func (t *slowSource) Empty(filtered bool) string {
	c, q := t.owner, &t.owner.search
	switch {
	case !q.valid:
		if t.runs {
			return noneSelected[1]
		}
		return noneSelected[0]
	case !q.done:
		return "Searching …"
	case filtered && q.key.text != "" && !slices.Contains(q.wanted, true):
		return panel.NoMatch
	case t.nameOfGroup() != "":
		return "It was not called: “" + t.groupName + "” is a group.\nSelect one of those below it, or a bar."
	case c.InRange:
		return "It was not called in this range."
	}
	return "It was not called."
}

// nameOfGroup returns the name of the collector of the shown calls if it only stands for those below
// it, else nothing. It looks at all threads, so each state of the search is looked at once.
func (t *slowSource) nameOfGroup() string {
	q := &t.owner.search
	if t.groupOfSteps == q.steps {
		return t.groupName
	}
	t.groupOfSteps, t.groupName = q.steps, ""
	s, c := q.key.session, q.key.collector
	if s != nil && c != model.NoCollector && len(s.Collectors().Children(c)) > 0 && !called(s, c) {
		t.groupName = s.Collector(c).Title()
	}
	return t.groupName
}

// called reports whether there is a span of a collector on any thread.
func called(s *store.Session, c model.CollectorID) bool {
	for id := range model.TrackID(s.NumTracks()) {
		if _, ok := s.Spans().Next(id, c, math.MinInt64, 1); ok {
			return true
		}
	}
	return false
}

// Rows implements table.Source.
func (t *slowSource) Rows(env *panel.Env) (n int, revision uint64) {
	q := &t.owner.search
	t.rename(env.View.Session().Spans().AnySampled())
	if t.base.Follow(env) {
		t.layout = slowLayout{}
	}
	k := slowLayout{steps: q.steps, folds: t.folds, order: t.by.Stamp(), flat: t.owner.Flat, by: t.owner.grouping()}
	if k == t.layout {
		return len(t.rows), t.revision
	}
	if k.steps != t.layout.steps || k.by != t.layout.by {
		t.gather()
	}
	t.layout = k
	t.arrange(env)
	t.revision++
	return len(t.rows), t.revision
}

func (t *slowSource) run() *spans.CallSearch { return &t.owner.search.run[t.owner.search.shown] }

// gather puts the calls found so far into groups.
func (t *slowSource) gather() {
	t.groups, t.calls = t.groups[:0], t.calls[:0]
	if !t.owner.search.valid {
		return
	}
	s, calls := t.owner.search.key.session, t.run().Calls()
	t.assign(calls)
	for i := range calls {
		x := &calls[i]
		g := &t.groups[t.groupOf[i]]
		if g.to == 0 {
			g.min, g.max, g.first = x.Ns, x.Ns, x.Begin
		}
		g.min, g.max, g.first = min(g.min, x.Ns), max(g.max, x.Ns), min(g.first, x.Begin)
		g.sum += x.Ns
		g.own += x.SelfNs
		g.async = g.async || s.Collector(x.Collector).Async
		if g.to == 0 {
			g.one = int32(i)
		}
		one := &calls[g.one]
		g.mixed = g.mixed || x.Path != one.Path || x.Ref.Track != one.Ref.Track || x.Flags&openEnds != 0
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
		g := &t.groups[t.groupOf[i]]
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
			t.rows = append(t.rows, slowRow{t.groupOf[i], int32(i)})
		}
		table.Sort(env, t.rows, t.by)
		return
	}
	for i := range t.groups {
		if t.groups[i].n() > 0 {
			t.order = append(t.order, slowRow{int32(i), -1})
		}
	}
	table.Sort(env, t.order, t.by)
	for _, r := range t.order {
		t.rows = append(t.rows, r)
		if !t.isOpen(r.group) {
			continue
		}
		from := len(t.rows)
		for _, i := range t.calls[t.groups[r.group].from:t.groups[r.group].to] {
			t.rows = append(t.rows, slowRow{r.group, i})
		}
		table.Sort(env, t.rows[from:], t.by)
	}
}

// isOpen reports whether the calls of a group are shown: a group alone is open until it is folded.
func (t *slowSource) isOpen(g int32) bool {
	open, said := t.open[t.groups[g].key]
	return open || !said && len(t.order) == 1
}

// appendStack appends a primary stack in one line, from the call in. A method that calls itself is
// named once, with the number of its calls.
func (t *slowSource) appendStack(env *panel.Env, dst []byte, stack []model.PathID) []byte {
	const most = 12
	s := env.View.Session()
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

// recursion returns how many paths at the beginning of a stack belong to a collector.
func recursion(s *store.Session, stack []model.PathID, c model.CollectorID) int {
	n := 0
	for ; n < len(stack); n++ {
		if _, d := s.Path(stack[n]); d != c {
			break
		}
	}
	return n
}

// methodOnly leaves the class out of a method's name: "priceLine()" of
// "Workload$OrderService.priceLine()". Names of other kinds stay as they are.
func methodOnly(name string) string {
	if at := strings.IndexByte(name, '('); at > 0 {
		return name[strings.LastIndexByte(name[:at], '.')+1:]
	}
	return name
}

// Row implements table.Describer.
func (t *slowSource) Row(env *panel.Env, r *slowRow) table.RowInfo {
	v, x := env.View, t.call(r)
	if x == nil {
		_, id := v.Session().Path(t.stackOf(r)[0])
		return table.RowInfo{Hit: panel.Hit{Kind: panel.HitNode, Collector: id, Track: model.NoTrack, Frame: -1}}
	}
	bar := spans.Bar{
		Begin: x.Begin, End: x.Begin + x.Ns, Path: x.Path, Collector: x.Collector, Count: 1, Busy: 1, Flags: x.Flags,
		Ref: x.Ref,
	}
	return table.RowInfo{
		Selected: v.HasSpan() && v.Span().Ref == x.Ref,
		Hit: panel.Hit{
			Kind: panel.HitSpan, Collector: x.Collector, Track: x.Ref.Track, Frame: -1, TimeNs: x.Begin, Bar: bar,
		},
	}
}

// fold folds or unfolds the calls of a group.
func (t *slowSource) fold(_ *panel.Env, r *slowRow, _ *panel.Input) {
	t.open[t.groups[r.group].key] = !t.isOpen(r.group)
	t.folds++
}

// Click implements table.Clicker.
func (t *slowSource) Click(env *panel.Env, r *slowRow, in *panel.Input) panel.Action {
	row := *r
	if row.call < 0 {
		if !in.DoubleClick {
			t.fold(env, r, in)
			return panel.Action{}
		}
		row.call = t.longest(row.group)
	}
	x := *t.call(&row)
	if !t.owner.show(env, &x) || !in.DoubleClick {
		return panel.Action{}
	}
	return panel.Action{
		Kind: panel.ActionOpenFlame, Track: x.Ref.Track, Collector: x.Collector, Frame: -1, X: in.X, Y: in.Y,
	}
}

// longest returns the longest call of a group: calls are in descending order.
func (t *slowSource) longest(group int32) int32 {
	g := &t.groups[group]
	return slices.Min(t.calls[g.from:g.to])
}

// Tip implements table.Tips: the primary stack, a line for each.
func (t *slowSource) Tip(env *panel.Env, r *slowRow, l *panel.TipLines) {
	s := env.View.Session()
	const most = 14
	stack := t.stackOf(r)
	for i, names := 0, 0; i < len(stack); names++ {
		if names == most {
			l.Add("…")
			break
		}
		_, c := s.Path(stack[i])
		l.Text(s.Collector(c).Title())
		n := recursion(s, stack[i:], c)
		i += n
		l.If(n > 1).Text(" ×").Count(int64(n))
		l.End()
	}
	if t.base.Against != nil {
		m := t.measured(env, r)
		m.Tip(l)
	}
	if r.call < 0 {
		words := t.owner.callWords(env)
		l.Text("Click: the ").Text(words.Many).Text(" · double click: the longest one").End()
		l.If(words.Warning != "").Add(words.Warning)
		return
	}
	x := t.call(r)
	l.Text("thread\t").Text(s.Track(x.Ref.Track).Title()).End()
	subject.SourceTip(l, s.Collector(x.Collector).Place)
	l.Text("duration\t").Duration(x.Ns)
	l.If(x.Flags&model.SpanUncertain != 0).Text(" ± ").Duration(s.Info().Clock.Step(x.Begin))
	l.End()
	l.If(!t.async(s, r)).Text("self\t").Duration(x.SelfNs).End()
	t.args = subject.ArgsTip(l, s, x.Ref, t.args)
	if w := t.owner.callWords(env).Warning; w != "" {
		l.Add(w)
	}
	l.Add("Click: go there · double click: flame graph")
}

// Key implements table.Keyed: a call, or a group of calls.
func (t *slowSource) Key(r *slowRow) uint64 {
	if r.call < 0 {
		return t.groups[r.group].key
	}
	ref := t.run().Calls()[r.call].Ref
	return table.KeyOf(int64(ref.Track), int64(ref.Lane), ref.Index)
}
