package table

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Source gives a table its rows. They are numbered from 0 in the source's own order; the table
// sorts and filters them, and reads only those on screen, so that a table of a hundred thousand
// rows costs as much as one of twenty. Optional interfaces: Describer, Clicker, Tips, Matcher and
// Arranger.
type Source[R any] interface {
	// Rows brings the rows up to date, once a tick, and returns their number and a revision that
	// changes whenever any cell may have changed.
	Rows(env *panel.Env) (n int, revision uint64)
	// At returns a row, valid until Rows is called again; if all columns are Fixed, until the next
	// call of At.
	At(i int) R
	// Columns returns the columns of these rows: the same slice until they are others.
	Columns() []ColumnOf[R]
	// Empty is the text of the table while it has no rows; filtered: while a filter is set.
	Empty(filtered bool) string
}

// Describer is a source with rows that stand for something: Row returns how a row stands out, and
// its item.
type Describer[R any] interface {
	Row(env *panel.Env, r R) RowInfo
}

// Clicker is a source that handles clicks on a row.
type Clicker[R any] interface {
	Click(env *panel.Env, r R, in *panel.Input) panel.Action
}

// Tips is a source with more details on a row than its cells show.
type Tips[R any] interface {
	Tip(env *panel.Env, r R, l *panel.TipLines)
}

// Matcher is a source that the search narrows down to the rows that have a text in their name, in
// any case.
type Matcher[R any] interface {
	Match(env *panel.Env, r R, text string) bool
}

// Grouper is a source with rows in groups: these keep their order, whatever the rows are sorted by.
type Grouper[R any] interface {
	Group(r R) int
}

// Liner is a source some of whose rows are lines of words: headings, or rows in the place of others.
type Liner[R any] interface {
	// Line returns the line that a row is; ok is false for rows with cells.
	Line(r R) (l Line, ok bool)
}

// Line is a row of words across the table, which is no item.
type Line struct {
	Words string
	Tip   string // beside the words; empty: the line has no tooltip
	Fold  Fold
	Turn  func() // folds or unfolds the rows of the line by a click, nil: it has none
}

// Settled is a source with rows that show only names and data of their revision: its table is drawn
// again when that or the look changes, not with all new data while the session is live.
type Settled interface {
	Settled()
}

// Arranger is a source that sorts and filters its rows itself, as trees do: by the order that it is
// given once.
type Arranger[R any] interface {
	Arrange(by *Order[R])
}

// RowInfo is the highlight of a row of a table, and its item.
type RowInfo struct {
	Selected bool
	Lit      bool // its item is under the mouse in some panel
	Dim      bool
	Hit      panel.Hit
}

// Order is how the rows of a table are to be arranged.
type Order[R any] struct {
	// Tie orders rows that are equal in the column that was chosen; nil: they stay in their order.
	Tie func(a, b R) int

	src  Source[R]
	by   *choice
	held *held[R]
	now  any // the *sorter of the rows, once they were sorted
}

// sorter is a list that is being sorted. It lies in the Order, and compares rows in their places,
// so that sorting allocates nothing.
type sorter[E any] struct {
	list []E
	env  *panel.Env
	by   *Column[E]
	down bool
	tie  func(a, b *E) int
	held *held[*E]
}

func (s *sorter[E]) Len() int      { return len(s.list) }
func (s *sorter[E]) Swap(i, j int) { s.list[i], s.list[j] = s.list[j], s.list[i] }
func (s *sorter[E]) Less(i, j int) bool {
	a, b := &s.list[i], &s.list[j]
	d, held := s.held.compare(a, b)
	if held {
		return d < 0
	}
	if s.by != nil {
		d = s.by.compare(s.env, a, b, s.down)
	}
	if d == 0 && s.tie != nil {
		d = s.tie(a, b)
	}
	return d < 0
}

// Sort sorts rows, of a tree those with one parent, by the column that was chosen, else by the one
// that leads.
func Sort[E any](env *panel.Env, list []E, o *Order[*E]) {
	c, down := o.column()
	now, _ := o.now.(*sorter[E])
	if now == nil {
		now = new(sorter[E])
		o.now = now
	}
	*now = sorter[E]{list, env, c, down, o.Tie, o.held}
	if o.Tie != nil {
		sort.Sort(now)
	} else if c != nil || o.held.on {
		sort.Stable(now)
	}
	*now = sorter[E]{}
}

// choice is the setting made by header and search.
type choice struct {
	id     string // of the column, empty: none
	down   bool
	filter string
	only   only
	stamp  uint64
}

// only names the column to filter by, and the words; the zero value lets all rows through.
type only struct{ column, words string }

// Stamp changes with the order and the filter, and when rows that were held may change places again.
func (o *Order[R]) Stamp() uint64 { return o.by.stamp + o.held.ends }

// Filter returns the text that names must contain, in any case; empty: all.
func (o *Order[R]) Filter() string { return o.by.filter }

// By returns the ID of the column that was chosen, empty for none.
func (o *Order[R]) By() string { return o.by.id }

// column returns the column that the rows are sorted by, nil for none, and the direction.
func (o *Order[R]) column() (lead *ColumnOf[R], down bool) {
	for cols, i := o.src.Columns(), 0; i < len(cols); i++ {
		c := &cols[i]
		if c.ID == o.by.id && c.sorts() {
			return c, o.by.down
		}
		if c.Lead {
			lead = c
		}
	}
	return lead, lead != nil && lead.Kind != Words
}

// Descending reports whether the greatest come first.
func (o *Order[R]) Descending() bool {
	_, down := o.column()
	return down
}

// head is the table's data of a column.
type head struct {
	id, title, unit            string
	kind                       Kind
	width, least               float32
	drop                       int
	sorts, valued, time, share bool
	prose, gap                 bool
	long                       string // title with the unit of a column of times or shares
	suffix                     string // that unit, as it follows the title
	as                         format.TimeUnit
	legend                     func(env *panel.Env) []Part
}

// counted sets the unit of the column's numbers.
func (h *head) counted(unit string) {
	if h.suffix = ""; unit != "" {
		h.suffix = " " + unit
	}
	h.long = strings.TrimSpace(h.title + h.suffix)
}

// content is a source as the table sees it.
type content interface {
	prepare(env *panel.Env, overNs int64) (n int, revision uint64)
	heads() []head
	cell(env *panel.Env, row, col int, c *Cell)
	value(env *panel.Env, row, col int) float64
	info(env *panel.Env, row int) RowInfo
	click(env *panel.Env, row, col int, part cellPart, in *panel.Input) panel.Action
	tip(env *panel.Env, row int, l *panel.TipLines) bool
	choose(env *panel.Env, row int)
	empty(filtered bool) string
	arranges() bool
	settled() bool
	room() Roomed // nil: it has as many rows in any case
	// item returns which of the source's rows a row is, rowOf the row of one of these, -1 for none.
	item(row int) int
	rowOf(item int) int
}

// rows is a source with its rows in the order of display.
type rows[R any] struct {
	src     Source[R]
	lines   Liner[R] // nil: the source has none
	by      Order[R]
	own     bool // the source arranges them itself
	columns []ColumnOf[R]
	names   []head // of the columns

	held     held[R]
	order    []int32 // of the rows of the source
	n        int     // rows of the source
	sorted   bool    // order holds; else all rows are in the order of the source
	of       arranged[R]
	measured arranged[R] // inputs of the units of times
	revision uint64
}

// arranged is the inputs of an order.
type arranged[R any] struct {
	n               int
	revision, stamp uint64
	columns         *ColumnOf[R]
}

func (x *rows[R]) prepare(env *panel.Env, overNs int64) (int, uint64) {
	begins := x.hold(env, resting(env, overNs))
	n, revision := x.bringUp(env)
	switch {
	case begins:
		x.beginHold(n, revision)
	case x.held.on && x.held.placed != revision: // those that came meanwhile keep their place
		x.held.placed = revision
		x.places()
	}
	return n, revision
}

// bringUp brings the rows up to date, and returns how many are shown and the revision of their order.
func (x *rows[R]) bringUp(env *panel.Env) (int, uint64) {
	n, revision := x.src.Rows(env)
	x.n = n
	x.units(env, n, revision)
	if x.own {
		return n, revision
	}
	cols := x.src.Columns()
	of := arranged[R]{n, revision, x.by.Stamp(), &cols[0]}
	if of != x.of {
		x.of = of
		x.arrange(env, n)
		x.revision++
	}
	if x.sorted {
		n = len(x.order)
	}
	return n, x.revision
}

// units chooses the unit of each column of times by its greatest value, or that of the column's As.
func (x *rows[R]) units(env *panel.Env, n int, revision uint64) {
	cols := x.src.Columns()
	of := arranged[R]{n: n, revision: revision, columns: &cols[0]}
	if of == x.measured {
		return
	}
	x.measured = of
	heads := x.heads()
	for i := range cols {
		c := &cols[i]
		if !c.Time || leadOf(cols, c) >= 0 {
			continue
		}
		most := 0.0
		if c.Scale != nil {
			most = float64(c.Scale(env))
		}
		for k := range min(n, unitRows) {
			if v := x.valueOf(env, c, x.src.At(k)); v == v {
				most = max(most, math.Abs(v))
			}
		}
		if h := &heads[i]; n > 0 {
			if u := format.TimeUnitOf(most, h.as); u != h.as {
				h.as = u
				h.counted(u.Name)
			}
		}
	}
	for i := range cols {
		if lead := leadOf(cols, &cols[i]); lead >= 0 && heads[i].as != heads[lead].as {
			heads[i].as = heads[lead].as
			heads[i].counted(heads[i].as.Name)
		}
	}
}

// unitRows is how many rows choose the unit of a column at most: values of those that nobody sees may cost much.
const unitRows = 500

// leadOf returns which column's unit the times of another are written in, -1: its own.
func leadOf[R any](cols []ColumnOf[R], c *ColumnOf[R]) int {
	for i := range cols {
		if c.As == cols[i].ID && c.As != c.ID && cols[i].Time {
			return i
		}
	}
	return -1
}

// arrange filters and sorts the rows. Rows that compare equal stay in their order.
func (x *rows[R]) arrange(env *panel.Env, n int) {
	text := x.by.Filter()
	column, down := x.by.column()
	x.order = x.order[:0]
	only := x.onlyColumn()
	if x.sorted = text != "" || column != nil || only != nil || x.held.on; !x.sorted {
		return
	}
	matcher, _ := x.src.(Matcher[R])
	for i := range n {
		r := x.src.At(i)
		if text != "" && matcher != nil && !matcher.Match(env, r, text) {
			continue
		}
		if _, line := x.line(r); only == nil || !line && only.says(env, r, x.by.by.only.words) {
			x.order = append(x.order, int32(i))
		}
	}
	if column != nil || x.held.on {
		grouper, grouped := x.src.(Grouper[R])
		slices.SortStableFunc(x.order, func(i, j int32) int {
			a, b := x.src.At(int(i)), x.src.At(int(j))
			if grouped {
				if d := cmp.Compare(grouper.Group(a), grouper.Group(b)); d != 0 {
					return d
				}
			}
			if d, held := x.held.compare(a, b); held || column == nil {
				return d
			}
			return column.compare(env, a, b, down)
		})
	}
}

// onlyColumn returns the column to filter by, nil: none.
func (x *rows[R]) onlyColumn() *ColumnOf[R] {
	for cols, i := x.src.Columns(), 0; i < len(cols); i++ {
		if x.by.by.only.words != "" && cols[i].ID == x.by.by.only.column {
			return &cols[i]
		}
	}
	return nil
}

// says reports whether the cell of a row has a text.
func (c *ColumnOf[R]) says(env *panel.Env, r R, words string) bool {
	cell := Cell{Mark: -1}
	c.cell(env, r, &cell)
	return cell.text() == words
}

// arranges reports whether the source chooses the rows itself: trees do, and sources with a filter of
// their own, as all of their columns are Fixed.
func (x *rows[R]) arranges() bool {
	return x.own || !slices.ContainsFunc(x.names, func(h head) bool { return h.sorts })
}

func (x *rows[R]) settled() bool {
	_, ok := x.src.(Settled)
	return ok
}

func (x *rows[R]) room() Roomed {
	r, _ := x.src.(Roomed)
	return r
}

// heads returns the table's data of the columns. The slice is another when the columns are.
func (x *rows[R]) heads() []head {
	cols := x.src.Columns()
	if len(cols) == len(x.columns) && &cols[0] == &x.columns[0] {
		return x.names
	}
	x.columns, x.names = cols, make([]head, len(cols))
	for i := range cols {
		c := &cols[i]
		x.names[i] = head{
			id: c.ID, title: c.Title, unit: c.Unit, kind: c.Kind, width: c.Width, least: c.least(), drop: c.leaves(i),
			sorts: c.sorts(), valued: c.Value != nil, time: c.Time, share: c.Share, prose: c.Prose, gap: c.Gap, long: c.Title,
			legend: c.Legend,
		}
		if c.Share {
			x.names[i].counted("%")
		}
	}
	return x.names
}

func (x *rows[R]) item(row int) int {
	if x.sorted && row >= 0 && row < len(x.order) {
		return int(x.order[row])
	}
	return row
}

func (x *rows[R]) rowOf(item int) int {
	if x.sorted {
		return slices.Index(x.order, int32(item))
	}
	return item
}

func (x *rows[R]) at(row int) R { return x.src.At(x.item(row)) }

// line returns the line that a row is, if it is one.
func (x *rows[R]) line(r R) (Line, bool) {
	if x.lines == nil {
		return Line{}, false
	}
	return x.lines.Line(r)
}

func (x *rows[R]) cell(env *panel.Env, row, col int, c *Cell) {
	r := x.at(row)
	if l, ok := x.line(r); ok {
		if col == 0 {
			c.Text, c.Color, c.Fold, c.Wide = l.Words, draw.Color(env.Theme.TextDim), l.Fold, true
		}
		return
	}
	c.Unit = x.names[col].as
	x.columns[col].cell(env, r, c)
}

func (x *rows[R]) value(env *panel.Env, row, col int) float64 {
	return x.valueOf(env, &x.columns[col], x.at(row))
}

// valueOf returns the number of a row in a column, NaN of a line.
func (x *rows[R]) valueOf(env *panel.Env, c *ColumnOf[R], r R) float64 {
	if _, line := x.line(r); line {
		return math.NaN()
	}
	return c.Value(env, r)
}

func (x *rows[R]) info(env *panel.Env, row int) RowInfo {
	r := x.at(row)
	if d, ok := x.src.(Describer[R]); ok {
		if _, line := x.line(r); !line {
			return d.Row(env, r)
		}
	}
	return RowInfo{Hit: panel.NoHit()}
}

func (x *rows[R]) click(env *panel.Env, row, col int, part cellPart, in *panel.Input) panel.Action {
	r := x.at(row)
	if l, ok := x.line(r); ok {
		if l.Turn != nil {
			l.Turn()
		}
		return panel.Action{}
	}
	if col >= 0 {
		switch c := &x.columns[col]; {
		case part == partFold && c.Fold != nil:
			c.Fold(env, r, in)
			return panel.Action{}
		case part == partSwatch && c.Swatch != nil:
			c.Swatch(env, r)
			return panel.Action{}
		case c.Click != nil:
			return c.Click(env, r, in)
		}
	}
	if s, ok := x.src.(Clicker[R]); ok {
		return s.Click(env, r, in)
	}
	return panel.Action{}
}

func (x *rows[R]) tip(env *panel.Env, row int, l *panel.TipLines) bool {
	r := x.at(row)
	if words, ok := x.line(r); ok {
		if words.Tip != "" {
			l.Begin()
			l.Add(words.Words)
			l.Add(words.Tip)
		}
		return words.Tip != ""
	}
	t, ok := x.src.(Tips[R])
	if ok {
		l.Begin()
		t.Tip(env, r, l)
	}
	return ok
}

func (x *rows[R]) choose(env *panel.Env, row int) {
	r := x.at(row)
	if _, line := x.line(r); line {
		return
	}
	if c, ok := x.src.(Chooser[R]); ok {
		c.Choose(env, r)
	}
}

func (x *rows[R]) empty(filtered bool) string { return x.src.Empty(filtered) }
