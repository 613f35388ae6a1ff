package table

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// place is a column with its place.
type place struct {
	col    int
	x0, x1 float32
}

// widths is the inputs of the places of the columns.
type widths struct {
	rect  draw.Rect
	scale float32
	heads *head
	n     int
	words int    // letters of all headers
	rows  uint64 // revision of the rows, where they decide: columns beside drawn ones
}

// px returns n scale-1 pixels, as panel.Env.Px does.
func (t *Table) px(n float32) float32 { return float32(int32(n*t.scale + 0.5)) }

func (t *Table) rowPx() float32 {
	h := t.px(22)
	if t.RowHeight > 0 {
		h = t.px(t.RowHeight)
	}
	if t.ticks() >= 0 {
		h += t.px(ticksRoom)
	}
	return h
}

// ticksRoom is the room of ticks below the other cells, at scale 1.
const ticksRoom = 14

// ticks returns the column of ticks, -1 none.
func (t *Table) ticks() int {
	for i := range t.rows.heads() {
		if t.rows.heads()[i].kind == Ticks {
			return i
		}
	}
	return -1
}

func (t *Table) headerHeight() float32 {
	if t.NoHeader {
		return 0
	}
	return t.px(22)
}

// Rect returns where the table was placed last.
func (t *Table) Rect() draw.Rect { return t.rect }

// Body returns the part of the table that scrolls. Where there are more rows than have room it is as
// high as whole rows, so that none is cut off at its lower edge.
func (t *Table) Body() draw.Rect {
	r := t.rect
	r.Y0 = min(r.Y0+t.headerHeight(), r.Y1)
	r.Y1 = max(r.Y1-t.footHeight(), r.Y0)
	if rows := int(r.H() / t.rowPx()); !t.section.on && rows > 0 && rows < t.n {
		r.Y1 = r.Y0 + float32(rows)*t.rowPx()
	}
	return r
}

// HeadRect returns the place of a column's header; empty where the column is not shown.
func (t *Table) HeadRect(id string) draw.Rect {
	for _, p := range t.layout {
		if t.rows.heads()[p.col].id == id {
			return draw.Rect{X0: p.x0, Y0: t.rect.Y0, X1: p.x1, Y1: t.Body().Y0}
		}
	}
	return draw.Rect{}
}

// RowRect returns the place of a row, which may be out of view.
func (t *Table) RowRect(row int) draw.Rect {
	y := t.Body().Y0 + float32(float64(row)*float64(t.rowPx())-t.scrollY)
	return draw.Rect{X0: t.rect.X0, Y0: y, X1: t.rect.X1, Y1: y + t.rowPx()}
}

// CellRect returns the place of a cell; empty where the column is not shown.
func (t *Table) CellRect(row int, id string) draw.Rect {
	r, head := t.RowRect(row), t.HeadRect(id)
	if head.X1 <= head.X0 {
		return draw.Rect{}
	}
	r.X0, r.X1 = head.X0, head.X1
	return r
}

// layOut places the columns, leaving out those that do not fit.
func (t *Table) layOut(env *panel.Env) {
	heads := t.rows.heads()
	w := widths{rect: t.rect, scale: t.scale, heads: &heads[0], n: len(heads)}
	for i := range heads {
		w.words += len(heads[i].long)
		if heads[i].rest() {
			w.rows = t.revision + 1
		}
	}
	if w == t.widths {
		return
	}
	t.widths = w
	pad := env.Px(9)
	avail := t.rect.W() - 2*pad
	dropAt := dropAt(env, heads, avail)
	t.layout = t.layout[:0]
	var fixed, flex, names float32
	for i := range heads {
		h := &heads[i]
		if h.drop >= dropAt || h.kind == Ticks {
			continue
		}
		px := env.Px(h.width)
		if h.width == 0 {
			flex++
			names += env.Px(roomyNames * h.least)
		}
		fixed += px
		t.layout = append(t.layout, place{col: i, x1: px})
	}
	share := float32(0)
	if flex > 0 {
		spare := max(0, avail-fixed-names)
		for i := range t.layout {
			more := min(heads[t.layout[i].col].wants(env), spare)
			t.layout[i].x1 += more
			spare, fixed = spare-more, fixed+more
		}
		share = max(0, float32(int((avail-fixed)/flex)))
	}
	rest := share // of a column that is drawn: words leave it what they do not need
	for i := range t.layout {
		p := &t.layout[i]
		if h := &heads[p.col]; h.width == 0 {
			p.x1 = share
			if w.rows > 0 && !h.rest() {
				p.x1 = min(share, max(t.needs(env, p.col), env.Px(h.least)))
				rest += share - p.x1
			}
		}
	}
	x := t.rect.X0 + pad
	for i := range t.layout {
		p := &t.layout[i]
		px := format.Pick(heads[p.col].rest(), rest, p.x1)
		p.x0, p.x1 = x, x+max(0, min(px, t.rect.X1-pad-x))
		if x = p.x1; heads[p.col].gap {
			p.x0 = min(p.x0+env.Px(gapPad), x)
		}
	}
}

// rest reports whether a column is drawn in the room that the others leave.
func (h *head) rest() bool { return h.width == 0 && h.kind.drawn() && h.kind != Ticks }

// needs returns the width of the words of a column, of the first rows of a long table.
func (t *Table) needs(env *panel.Env, col int) (most float32) {
	for row := range min(t.n, neededRows) {
		c := t.fetch(env, row, col)
		most = max(most, env.Atlas.Measure(draw.Regular, c.text())+indent(env, c.Depth, t.rect.W()))
	}
	return float32(int(most + env.Px(nameTreePad)))
}

// gapPad is the room of a Gap, at scale 1.
const gapPad = 14

// roomyNames is how often a column of names has its least width before others become wide enough for
// their titles.
const roomyNames = 2

// wants returns how much wider a column would have to be to show all of its title.
func (h *head) wants(env *panel.Env) float32 {
	if h.kind != Number || h.long == "" || h.width == 0 {
		return 0
	}
	need := env.Atlas.Measure(draw.Small, h.long) + env.Px(headPad)
	return max(0, float32(int(need+1))-env.Px(h.width))
}

// headPad is the room of the mark in the header of the column that the rows are sorted by, and of a gap
// to the title beside it, at scale 1.
const headPad = 16

// namePad is the room beside a name, at scale 1: a gap, and in trees an arrow and a swatch.
const (
	namePad     = 6
	nameTreePad = 33
)

// least returns the width that a column with a share of the rest keeps before others leave.
func (c *ColumnOf[R]) least() float32 {
	switch {
	case c.Least > 0:
		return c.Least
	case c.Fold != nil:
		return panel.NameLeast + nameTreePad
	}
	return panel.NameLeast + namePad
}

// leaves returns when the column of a number leaves a table that is too narrow: highest first, 0
// never. A name stays: drawn parts go before text.
func (c *ColumnOf[R]) leaves(i int) int {
	const written, drawn, chosen = 1, 1 << 10, 1 << 20
	switch {
	case c.Width == 0 && c.Drop == 0 || i == 0 && c.Kind == Words:
		return 0
	case c.Drop > 0:
		return chosen + c.Drop
	case c.Kind.drawn():
		return drawn + i
	}
	return written + i
}

// dropAt returns the least rank of the columns that have to leave.
func dropAt(env *panel.Env, heads []head, avail float32) int {
	at := 1 << 30
	for {
		var need float32
		worst := 0
		for _, h := range heads {
			if h.drop >= at || h.kind == Ticks {
				continue
			}
			worst = max(worst, h.drop)
			need += env.Px(format.Pick(h.width == 0, h.least, h.width))
		}
		if need <= avail || worst == 0 {
			return at
		}
		at = worst
	}
}

// bottom returns how far the table can be scrolled.
func (t *Table) bottom() float64 {
	return max(0, float64(t.n)*float64(t.rowPx())-float64(t.Body().H()))
}

// clampScroll keeps the rows in view.
func (t *Table) clampScroll() { t.scrollY = max(0, min(t.scrollY, t.bottom())) }

// scrolled keeps the rows in view after scrolling, and notes whether the end is.
func (t *Table) scrolled(before float64) {
	t.clampScroll()
	if t.scrollY != before {
		t.atEnd = t.bottom()-t.scrollY <= 1
	}
}

// AtEnd reports whether the last row is in view: it stays there when others come while FollowEnd is
// set.
func (t *Table) AtEnd() bool { return t.atEnd }

// ScrollTo brings a row into view.
func (t *Table) ScrollTo(env *panel.Env, row int) {
	t.prepare(env)
	if t.want(row) {
		return
	}
	h, body, before := float64(t.rowPx()), float64(t.Body().H()), t.scrollY
	t.scrollY = min(t.scrollY, float64(row)*h)
	t.scrollY = max(t.scrollY, float64(row+1)*h-body)
	t.scrolled(before)
}

// Center brings a row into the middle.
func (t *Table) Center(row int) {
	if t.want(row) {
		return
	}
	before := t.scrollY
	t.scrollY = float64(row-int(t.Body().H()/t.rowPx())/2) * float64(t.rowPx())
	t.scrolled(before)
}

// Middle returns the row in the middle, -1 without rows.
func (t *Table) Middle() int {
	return min(int((t.scrollY+float64(t.Body().H()/2))/float64(t.rowPx())), t.n-1)
}

// neededRows bounds the rows that are measured for the width of a column.
const neededRows = 200

// revealRows bounds the rows among which the selected one is looked for: longer lists have ways of
// their own to get to it.
const revealRows = 1 << 13

// seek reports whether the selected row is still to be brought into view.
type seek struct {
	session *store.Session
	choice  view.Choice
	pending bool
	looked  uint64 // revision of the rows in which it was not found
}

// reveal brings the selected row into view when another was selected elsewhere: at once, or as soon
// as there is such a row, unless one presses or scrolls here before.
func (t *Table) reveal(env *panel.Env, in *panel.Input) {
	s, choice := &t.seek, env.View.Choice()
	if session := env.View.Session(); session != s.session {
		s.session, s.choice, s.pending = session, choice, false
	}
	if choice != s.choice && !t.OwnReveal {
		s.pending, s.looked = true, t.revision-1
	}
	if in.Over && (in.WheelY != 0 || in.Left.Pressed) || t.FollowEnd && t.atEnd {
		s.pending = false
	}
	if !s.pending || s.looked == t.revision || t.n > revealRows || !t.section.on && t.Body().H() < t.rowPx() {
		return
	}
	s.looked = t.revision
	body, first := t.Body(), -1
	for row := range t.n {
		if !t.rows.info(env, row).Selected {
			continue
		}
		if r := t.RowRect(row); r.Y0 >= body.Y0-1 && r.Y1 <= body.Y1+1 {
			s.pending = false
			return
		}
		if first < 0 {
			first = row
		}
	}
	if first >= 0 {
		s.pending = false
		t.Center(first)
	}
}

// section is the state of a table that is one of several in a pane that scrolls as one: it does not
// scroll itself, and returns the range to scroll into view.
type section struct {
	on, wanted bool
	y0, y1     float32 // from the upper edge of the rows
}

// Extent implements panel.Section.
func (t *Table) Extent(env *panel.Env, _ float32) float32 {
	t.scale = env.Scale
	if t.n == 0 {
		least := env.Px(56)
		if r := t.rows.room(); r != nil {
			least = max(least, float32(r.Least())*t.rowPx())
		}
		return t.headerHeight() + least + t.footHeight()
	}
	return t.headerHeight() + float32(t.n)*t.rowPx() + t.footHeight()
}

// Roomed is a source with fewer rows in a small pane: Room is the number of rows that fit for all
// sections of the pane together, Least the height of an empty table in rows.
type Roomed interface {
	Room(rows int)
	Least() int
}

// Room implements panel.Roomy.
func (t *Table) Room(px float32) {
	if r := t.rows.room(); r != nil && t.scale > 0 {
		r.Room(int(px / t.rowPx()))
	}
}

// Shift implements panel.Section. A header stays in sight while rows pass below it.
func (t *Table) Shift(px float32) {
	if t.section.on = px >= 0; t.section.on {
		t.scrollY = float64(px)
	}
}

// Reveal implements panel.Section.
func (t *Table) Reveal() (y0, y1 float32, ok bool) {
	s := &t.section
	ok, s.wanted = s.wanted, false
	return s.y0, s.y1 + t.headerHeight(), ok
}

// want requests a row to be scrolled into view, if the table does not scroll itself.
func (t *Table) want(row int) bool {
	if !t.section.on {
		return false
	}
	t.section.y0, t.section.y1 = float32(row)*t.rowPx(), float32(row+1)*t.rowPx()
	t.section.wanted = true
	return true
}
