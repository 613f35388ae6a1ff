package tables

import (
	"cmp"
	"math"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// numFates is the number of a resource's fates.
const numFates = 4

// leakTable is the source of the table of leak listings: a row for each type with its numbers,
// which unfolds to the objects.
type leakTable struct {
	table.List[leakRow]
	owner *LeaksPanel

	types    []leakType
	byType   map[string]int32
	open     map[string]bool
	order    []leakRow // types
	most     int64
	listings int
	total    [numFates]int64
	by       *table.Order[*leakRow]
	columns  []table.Column[leakRow]
	folds    uint64
	key      leakTableKey
}

// leakTableKey is the inputs of the rows, besides the session.
type leakTableKey struct {
	counted, order, folds uint64
	filter                string
	listing               int
	selected              model.ResourceID
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

// newLeakTable returns the source, the types with most objects first.
func newLeakTable(owner *LeaksPanel) *leakTable {
	t := &leakTable{owner: owner}
	t.columns = []table.Column[leakRow]{
		{
			ID: "type", Title: "type", Least: 110, Cell: t.name,
			Compare: func(_ *panel.Env, a, b *leakRow) int {
				return strings.Compare(t.types[a.kind].name, t.types[b.kind].name)
			},
		},
		{ID: "bar", Kind: table.Bar, Width: 48, Drop: 6, Cell: func(env *panel.Env, r *leakRow, c *table.Cell) {
			if x := &t.types[r.kind]; r.object == noResource {
				c.Share, c.Color = float32(float64(x.total)/float64(max(t.most, 1))), draw.Color(env.Theme.NameColor(x.name))
			}
		}},
		{
			ID: "refs", Title: "refs", Kind: table.Number, Width: 46, Drop: 1,
			Value: func(env *panel.Env, r *leakRow) float64 {
				if r.object == noResource {
					return math.NaN()
				}
				return float64(env.View.Session().Topology().Resources()[r.object].RefCount)
			},
			Compare: func(_ *panel.Env, a, b *leakRow) int {
				return cmp.Compare(t.types[a.kind].total, t.types[b.kind].total)
			},
			Cell: func(env *panel.Env, r *leakRow, c *table.Cell) {
				if r.object == noResource {
					return
				}
				if n := env.View.Session().Topology().Resources()[r.object].RefCount; n >= 0 {
					c.Buf = format.AppendCount(c.Buf, n)
				}
			},
		},
		t.fate(58, 0, model.ResourceLeaked),
		t.fate(50, 2, model.ResourceAlive),
		t.fate(54, 4, model.ResourceAdded),
		t.fate(64, 5, model.ResourceRemoved),
	}
	return t
}

// fate returns the column of a fate: the number of objects of a type, and for an object the listing
// that reported it.
func (t *leakTable) fate(width float32, drop int, f model.ResourceFate) table.Column[leakRow] {
	number := func(_ *panel.Env, r *leakRow) float64 {
		return table.Known(float64(t.types[r.kind].numbers[f]), r.object == noResource)
	}
	count := table.Positive(table.Count)
	return table.Column[leakRow]{
		ID: fateNames[f], Title: fateNames[f], Kind: table.Number, Width: width, Drop: drop, Value: number,
		Cell: func(env *panel.Env, r *leakRow, c *table.Cell) {
			if r.object == noResource {
				c.Buf, c.Color = count(c.Buf, number(env, r)), fateColor(env.Theme, f)
			} else if o := &env.View.Session().Topology().Resources()[r.object]; o.Fate == f {
				c.Buf = format.AppendCount(append(c.Buf, "in "...), int64(o.Listing))
				c.Color = draw.Color(env.Theme.TextDim)
			}
		},
	}
}

// Columns implements table.Source.
func (t *leakTable) Columns() []table.Column[leakRow] { return t.columns }

// Arrange implements table.Arranger. Types that are equal are in the order of their names, objects
// in that of their ids.
func (t *leakTable) Arrange(by *table.Order[*leakRow]) {
	t.by = by
	by.Tie = func(a, b *leakRow) int {
		d := 0
		if by.By() == "" {
			d = cmp.Compare(t.types[b.kind].total, t.types[a.kind].total)
		}
		return cmp.Or(d, strings.Compare(t.types[a.kind].name, t.types[b.kind].name), cmp.Compare(a.object, b.object))
	}
}

// Empty implements table.Source.
func (t *leakTable) Empty(filtered bool) string {
	if t.listings > 0 && (filtered || t.owner.Listing > 0) {
		return panel.NoMatch
	}
	return "Leaked objects, and their holders.\nNothing leaked, or no leaks tracer ran: GST_TRACERS=leaks"
}

// Rows implements table.Source.
func (t *leakTable) Rows(env *panel.Env) (n int, revision uint64) {
	s := env.View.Session()
	key := leakTableKey{
		counted: t.key.counted, order: t.by.Stamp(), folds: t.folds, filter: t.by.Filter(), listing: t.owner.Listing,
		selected: t.owner.Selected,
	}
	fresh := t.Fresh.Due(env, panel.RangeKey{Session: s, Revision: s.DefsRevision(), Live: env.View.Live()})
	if fresh || key.filter != t.key.filter || key.listing != t.key.listing {
		t.count(s)
		key.counted++
	}
	if key != t.key {
		t.key = key
		t.flatten(env)
		t.Revision++
	}
	return t.Listed()
}

// count sums up the listed objects that pass the filter, by type.
func (t *leakTable) count(s *store.Session) {
	t.types, t.listings, t.most, t.total = t.types[:0], 0, 0, [numFates]int64{}
	t.byType = map[string]int32{}
	list := s.Topology().Resources()
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

// matches reports whether a resource contains the filter in its type, address or the beginning of its
// description.
func (t *leakTable) matches(r *model.ResourceDef) bool {
	const most = 2000
	f := t.by.Filter()
	return f == "" || format.ContainsFold(r.Type, f) || format.ContainsFold(r.Address, f) ||
		format.ContainsFold(r.Description[:min(len(r.Description), most)], f)
}

// flatten orders the types and makes the rows.
func (t *leakTable) flatten(env *panel.Env) {
	t.order = t.order[:0]
	for k := range t.types {
		t.order = append(t.order, leakRow{kind: int32(k), object: noResource})
	}
	table.Sort(env, t.order, t.by)
	t.All = t.All[:0]
	for _, r := range t.order {
		t.All = append(t.All, r)
		x := &t.types[r.kind]
		if !t.open[x.name] {
			continue
		}
		from := len(t.All)
		for _, o := range x.objects {
			t.All = append(t.All, leakRow{kind: r.kind, object: o})
		}
		table.Sort(env, t.All[from:], t.by)
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

// name describes the first cell: a type, or an object with the beginning of its description.
func (t *leakTable) name(env *panel.Env, r *leakRow, c *table.Cell) {
	if r.object == noResource {
		name := t.types[r.kind].name
		c.Text, c.Fold, c.Swatch = name, table.FoldOf(t.open[name]), draw.Color(env.Theme.NameColor(name))
		if name == "" {
			c.Text = "of unknown type"
		}
		return
	}
	o := &env.View.Session().Topology().Resources()[r.object]
	d := headLine(o.Description)
	if d == "" || !strings.Contains(d[:min(len(d), 60)], o.Address) { // many descriptions begin with the address
		c.Buf = append(append(c.Buf, o.Address...), "  "...)
	}
	c.Buf, c.Depth, c.Color = append(c.Buf, d...), 2, draw.Color(env.Theme.Text2)
}

// fateColor returns the color of the number of a fate.
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

// Row implements table.Describer.
func (t *leakTable) Row(_ *panel.Env, r *leakRow) table.RowInfo {
	return table.RowInfo{Selected: r.object != noResource && r.object == t.owner.Selected, Hit: rowHit()}
}

// rowHit is the item of a row.
func rowHit() panel.Hit {
	h := panel.NoHit()
	h.Kind = panel.HitLabel
	return h
}

// Click implements table.Clicker.
func (t *leakTable) Click(env *panel.Env, r *leakRow, in *panel.Input) panel.Action {
	if r.object != noResource {
		t.owner.choose(env, r.object)
	} else if name := t.types[r.kind].name; !in.DoubleClick { // its first click has unfolded already
		t.setOpen(name, !t.open[name])
	}
	return panel.Action{}
}

func (t *leakTable) setOpen(name string, open bool) {
	if t.open == nil {
		t.open = map[string]bool{}
	}
	t.open[name] = open
	t.folds++
}

// Tip implements table.Tips.
func (t *leakTable) Tip(env *panel.Env, r *leakRow, l *panel.TipLines) {
	x := &t.types[r.kind]
	if r.object == noResource {
		l.Text(format.ClipName(x.name)).End()
		for i, n := range x.numbers {
			l.If(n > 0).Text(fateWords[i]).Text("\t").Count(n).End()
		}
		return
	}
	o := &env.View.Session().Topology().Resources()[r.object]
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
	l.If(o.RefCount >= 0).Text("references when listed\t").Count(o.RefCount).End()
	if n := len(env.View.Session().Topology().RefEvents(r.object)); n > 0 {
		l.Text("steps of its history\t").Count(int64(n)).End()
	}
	if o.Trace != "" {
		l.With(appendTraceLine(append(l.Buf, "made in "...), o.Trace)).End()
	}
}

// fateNames are the fates in a word, fateWords in more.
var fateNames = [numFates]string{
	model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added",
	model.ResourceRemoved: "removed",
}

var fateWords = [numFates]string{"leaked: alive at the end", "alive when listed", "added since the checkpoint before",
	"removed since the checkpoint before"}

// Key implements table.Keyed: a type, or an object.
func (t *leakTable) Key(r *leakRow) uint64 { return table.KeyOf(int64(r.kind), int64(r.object)) }
