package leaks

import (
	"cmp"
	"slices"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// numFates is the number of a resource's fates.
const numFates = 4

// leakTable is the source of the table of what leak tracers listed: a row for each type with its numbers, which unfolds to the objects.
type leakTable struct {
	owner *Panel

	types    []leakType
	byType   map[string]int32
	open     map[string]bool
	rows     []leakRow
	most     int64
	listings int
	total    [numFates]int64
	sortCol  int
	sortDown bool
	fresh    panel.Refresher
	key      leakTableKey
	revision uint64
}

// leakTableKey is what the rows depend on, besides the session.
type leakTableKey struct {
	filter   string
	listing  int
	sortCol  int
	sortDown bool
	selected model.ResourceID
	folds    uint64
}

// leakType is a type of objects.
type leakType struct {
	name    string
	numbers [numFates]int64
	total   int64
	objects []model.ResourceID
}

// leakRow is a row: a type (object NoResource) or an object.
type leakRow struct {
	kind   int32 // index into types
	object model.ResourceID
}

// noResource is the absence of a listed object.
const noResource model.ResourceID = -1

// The columns. Those of the fates follow the first three in the order of model.ResourceFate.
const (
	leakColName = iota
	leakColBar
	leakColRefs
	leakColFates
)

var leakColumns = []table.Column{
	{Title: "type", Kind: table.ColumnText, Sortable: true, Least: 110},
	{Kind: table.ColumnBar, Width: 48, Drop: 6},
	{Title: "refs", Kind: table.ColumnNumber, Width: 46, Sortable: true, Drop: 1},
	{Title: "leaked", Kind: table.ColumnNumber, Width: 58, Sortable: true},
	{Title: "alive", Kind: table.ColumnNumber, Width: 50, Sortable: true, Drop: 2},
	{Title: "added", Kind: table.ColumnNumber, Width: 54, Sortable: true, Drop: 4},
	{Title: "removed", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 5},
}

// Columns implements Source.
func (t *leakTable) Columns() []table.Column { return leakColumns }

// Empty implements Source.
func (t *leakTable) Empty() string {
	switch {
	case t.listings > 0 && (t.owner.Filter != "" || t.owner.Listing > 0):
		return "Nothing that was listed is called like that."
	case t.owner.ran():
		return "Nothing leaked.\nThe leaks tracer ran and listed no object."
	}
	return "What was not given up, and who holds it.\nNothing leaked, or no leaks tracer ran: GST_TRACERS=leaks"
}

// Sort implements Source.
func (t *leakTable) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *leakTable) Prepare(env *panel.Env) (rows int, revision uint64) {
	s := env.View.Session()
	if s == nil {
		t.rows, t.types, t.listings = t.rows[:0], t.types[:0], 0
		t.fresh.Done = false
		return 0, t.revision
	}
	key := leakTableKey{filter: t.owner.Filter, listing: t.owner.Listing, sortCol: t.sortCol, sortDown: t.sortDown, folds: t.key.folds}
	fresh := t.fresh.Due(env, panel.RangeKey{Session: s, Revision: s.DefsRevision(), Live: env.View.Live()})
	if fresh || key.filter != t.key.filter || key.listing != t.key.listing {
		t.count(s)
		t.key.sortCol = -2
	}
	key.selected = t.owner.Selected
	if key != t.key {
		t.key = key
		t.flatten(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

// count puts what was listed, and is not filtered out, into types.
func (t *leakTable) count(s *model.Session) {
	t.types, t.listings, t.most, t.total = t.types[:0], 0, 0, [numFates]int64{}
	t.byType = map[string]int32{}
	list := s.Resources()
	for i := range list {
		r := &list[i]
		if r.Listing == 0 && r.Type == "" && r.Address == "" { // a hole in the ids
			continue
		}
		t.listings = max(t.listings, r.Listing)
		if t.owner.Listing > 0 && r.Listing != t.owner.Listing || !t.matches(r) {
			continue
		}
		k, ok := t.byType[r.Type]
		if !ok {
			k = int32(len(t.types))
			t.byType[r.Type] = k
			t.types = append(t.types, leakType{name: r.Type})
		}
		x := &t.types[k]
		if int(r.Fate) < numFates {
			x.numbers[r.Fate]++
			t.total[r.Fate]++
		}
		x.total++
		x.objects = append(x.objects, r.ID)
		t.most = max(t.most, x.total)
	}
}

// matches tells whether a resource contains the filter in its type, address or the beginning of its description.
func (t *leakTable) matches(r *model.ResourceDef) bool {
	const most = 2000
	f := t.owner.Filter
	return f == "" || format.ContainsFold(r.Type, f) || format.ContainsFold(r.Address, f) || format.ContainsFold(r.Description[:min(len(r.Description), most)], f)
}

// flatten orders the types and makes the rows.
func (t *leakTable) flatten(s *model.Session) {
	order := make([]int32, len(t.types))
	for i := range order {
		order[i] = int32(i)
	}
	by := func(x *leakType) int64 {
		if t.sortCol >= leakColFates && t.sortCol < leakColFates+numFates {
			return x.numbers[t.sortCol-leakColFates]
		}
		return x.total
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := &t.types[a], &t.types[b]
		if t.sortCol == leakColName {
			c := strings.Compare(x.name, y.name)
			if t.sortDown {
				return -c
			}
			return c
		}
		c := cmp.Compare(by(x), by(y))
		if t.sortDown || t.sortCol < 0 {
			c = -c
		}
		return cmp.Or(c, strings.Compare(x.name, y.name))
	})
	t.rows = t.rows[:0]
	for _, k := range order {
		t.rows = append(t.rows, leakRow{kind: k, object: noResource})
		x := &t.types[k]
		if !t.open[x.name] {
			continue
		}
		if t.sortCol == leakColRefs {
			list := s.Resources()
			slices.SortStableFunc(x.objects, func(a, b model.ResourceID) int {
				c := cmp.Compare(list[a].RefCount, list[b].RefCount)
				if t.sortDown {
					return -c
				}
				return c
			})
		} else {
			slices.Sort(x.objects)
		}
		for _, o := range x.objects {
			t.rows = append(t.rows, leakRow{kind: k, object: o})
		}
	}
}

// headLine returns the beginning of a text up to a line's end.
func headLine(s string) string {
	const most = 300
	s = s[:min(len(s), most)]
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	return s
}

// Cell implements Source.
func (t *leakTable) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.rows[row]
	x := &t.types[r.kind]
	th := env.Theme
	if r.object == noResource {
		switch {
		case col == leakColName:
			c.Text, c.Fold, c.Swatch = x.name, table.FoldClosed, draw.RGB(assets.NameColor(x.name))
			if x.name == "" {
				c.Text = "of unknown type"
			}
			if t.open[x.name] {
				c.Fold = table.FoldOpen
			}
		case col == leakColBar:
			c.Value, c.Color = float32(float64(x.total)/float64(max(t.most, 1))), draw.RGB(assets.NameColor(x.name))
		case col >= leakColFates:
			if n := x.numbers[col-leakColFates]; n > 0 {
				c.Buf = format.AppendCount(c.Buf, n)
				c.Color = fateColor(th, model.ResourceFate(col-leakColFates))
			}
		}
		return
	}
	o := &env.View.Session().Resources()[r.object]
	switch {
	case col == leakColName:
		c.Depth = 2
		d := headLine(o.Description)
		if d == "" || !strings.Contains(d[:min(len(d), 60)], o.Address) { // many descriptions begin with the address
			c.Buf = append(append(c.Buf, o.Address...), "  "...)
		}
		c.Buf = append(c.Buf, d...)
		c.Color = draw.Color(th.Text2)
	case col == leakColRefs:
		if o.RefCount >= 0 {
			c.Buf = format.AppendCount(c.Buf, o.RefCount)
		}
	case col >= leakColFates && int(o.Fate) == col-leakColFates:
		c.Buf = append(c.Buf, "in "...)
		c.Buf = format.AppendCount(c.Buf, int64(o.Listing))
		c.Color = draw.Color(th.TextDim)
	}
}

// fateColor returns the colour of the number of a fate.
func fateColor(th *assets.Theme, f model.ResourceFate) draw.Color {
	switch f {
	case model.ResourceLeaked:
		return draw.Color(th.Bad)
	case model.ResourceAdded:
		return draw.Color(th.Over)
	case model.ResourceRemoved:
		return draw.Color(th.Live)
	}
	return draw.Color(th.Text)
}

// Row implements Source.
func (t *leakTable) Row(_ *panel.Env, row int) table.RowInfo {
	r := &t.rows[row]
	return table.RowInfo{Selected: r.object != noResource && r.object == t.owner.Selected, Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: model.NoTrack, Frame: -1}}
}

// Click implements Source.
func (t *leakTable) Click(_ *panel.Env, row, _ int, _ table.CellPart, in *panel.Input) panel.Action {
	r := t.rows[row]
	if r.object != noResource {
		t.owner.choose(r.object)
		return panel.Action{}
	}
	if in.DoubleClick { // its first click has unfolded already
		return panel.Action{}
	}
	t.setOpen(t.types[r.kind].name, !t.open[t.types[r.kind].name])
	return panel.Action{}
}

func (t *leakTable) setOpen(name string, open bool) {
	if t.open == nil {
		t.open = map[string]bool{}
	}
	t.open[name] = open
	t.key.folds++
	t.key.sortCol = -2
}

// Tip implements Tips.
func (t *leakTable) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := &t.rows[row]
	l := &tip.Lines
	x := &t.types[r.kind]
	if r.object == noResource {
		l.Text(format.ClipName(x.name)).End()
		for i, n := range x.numbers {
			if n > 0 {
				l.Text(fateWords[i]).Text("\t").Count(n).End()
			}
		}
		return
	}
	o := &env.View.Session().Resources()[r.object]
	l.Text(format.ClipName(o.Type)).Text(" ").Text(format.ClipName(o.Address)).End()
	for d := headLine(o.Description); d != ""; {
		n := min(len(d), 76)
		for n < len(d) && d[n]&0xc0 == 0x80 {
			n++
		}
		l.Text(d[:n]).End()
		d = d[n:]
	}
	l.Text(fateWords[min(int(o.Fate), numFates-1)]).Text("\tlisting ").Count(int64(o.Listing)).End()
	if o.RefCount >= 0 {
		l.Text("references when listed\t").Count(o.RefCount).End()
	}
	if n := len(env.View.Session().RefEvents(r.object)); n > 0 {
		l.Text("steps of its history\t").Count(int64(n)).End()
	}
	if o.Trace != "" {
		l.Text("made in ")
		l.Buf = appendTraceLine(l.Buf, o.Trace)
		l.End()
	}
}

var fateWords = [numFates]string{"leaked: alive at the end", "alive when asked for", "added since the checkpoint before", "removed since the checkpoint before"}
