// Package table draws rows and columns of a source, and handles sorting, filtering, scrolling,
// folding, hovering, the keyboard, copies and exports. It knows no source.
package table

import (
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/measure"
)

// Table draws rows and columns of a source in a draw list: the rows on screen, nothing else.
// Clicking a header sorts by it, again reverses, once more gives the order of the source; the wheel
// and the bar at the right scroll.
type Table struct {
	// Name is the panel's title. Words, if set, returns the text at its right while there is a
	// session.
	Name  string
	Words func(*panel.Env) string
	// Foot, if set, returns the line below the rows: the same pointer until it changes; nil while
	// there is none.
	Foot func(*panel.Env) *Foot
	// RowHeight at scale 1; 0 means 22.
	RowHeight float32
	// NoHeader leaves the header row out.
	NoHeader bool
	// FollowEnd keeps the last row in view when rows come, unless one has scrolled away from it.
	FollowEnd bool
	// OwnReveal leaves it to the panel to bring the selection into view.
	OwnReveal bool

	rows    content
	settled bool // see Settled
	by      choice
	panel.Layers[uint64, struct{}]
	cell     Cell
	names    draw.Names // of the rows that are being drawn
	hover    panel.HoverReport
	tip      panel.TipLines
	layout   []place // of the columns that are shown
	widths   widths
	n        int // rows
	foot     *Foot
	revision uint64
	key      key
	stamp    uint64

	rect    draw.Rect
	scale   float32
	theme   *assets.Theme
	looks   uint64  // of the view
	scrollY float64 // px; exact for millions of rows
	section section
	atEnd   bool
	over    [2]float32 // where the mouse was last over it
	overNs  int64      // when it moved or pressed there last, 0: never
	swallow bool       // the next release belongs to a double click
	grabY   float32    // where in the thumb the scroll bar was taken; < 0 not taken
	// Under the mouse, -1 none: a row, or the header of a column.
	hoverRow, hoverHead int
	cursor              int // the source's number of the row that keys act on, -1 none
	seek                seek
}

// key holds everything that a table's picture depends on.
type key struct {
	rect                        draw.Rect
	scale                       float32
	revision                    uint64
	rows                        int
	foot                        *Foot
	scrollY                     float64
	hoverRow, hoverHead, cursor int
	grabbed                     bool
	by                          choice
	looks                       uint64
	theme                       *assets.Theme
	valid                       bool
}

// indentPx is the indentation of a level of a tree, and the room for a fold arrow, at scale 1.
const indentPx = 12

// New returns a table of a source, in the source's order.
func New[R any](name string, src Source[R]) *Table {
	t := &Table{Name: name, grabY: -1, hoverRow: -1, hoverHead: -1, cursor: -1, atEnd: true}
	x := &rows[R]{src: src}
	x.lines, _ = src.(Liner[R])
	x.by = Order[R]{src: src, by: &t.by, held: &x.held}
	if a, ok := src.(Arranger[R]); ok {
		x.own = true
		a.Arrange(&x.by)
	}
	t.rows, t.settled = x, x.settled()
	return t
}

// Title returns the table's name.
func (t *Table) Title(*panel.Env) string { return t.Name }

// Mode returns Words.
func (t *Table) Mode(env *panel.Env) string {
	if t.Words == nil || env.View.None() {
		return ""
	}
	return t.Words(env)
}

// Update handles the input of a tick, reads the rows on screen, and draws them if anything changed.
func (t *Table) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	act := t.Place(env, rect, in)
	if t.BeginBase(env, rect, t.Stamp()) {
		t.paint(t.List(), env)
	}
	return act
}

// Place handles the input of a tick like Update but draws nothing, for panels that have more in
// them than the table: they call DrawInto when Stamp has changed. Of a mouse that is not over rect
// it sees nothing, but that it drags the scroll bar.
func (t *Table) Place(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.rect, t.scale, t.theme = rect, env.Scale, env.Theme
	t.prepare(env)
	t.layOut(env)
	if t.FollowEnd && t.atEnd && !resting(env, t.overNs) {
		t.scrollY = t.bottom()
	}
	t.clampScroll()
	at := t.scrollY
	t.reveal(env, in)
	t.hover.Begin()
	act := t.input(env, in)
	t.seek.choice = env.View.Choice() // a choice made here stays where it was pressed
	t.hover.Report(env.View, t)
	if act.Kind != panel.ActionNone || in.Left.Released {
		t.prepare(env) // the click may have changed the rows
		t.layOut(env)
	}
	t.scrolled(at)
	if t.looks = env.View.Stamp(); t.settled {
		t.looks = env.View.LookStamp()
	}
	return act
}

// Stamp changes with everything that the picture shows.
func (t *Table) Stamp() uint64 {
	k := key{
		rect: t.rect, scale: t.scale, revision: t.revision, rows: t.n, foot: t.foot, scrollY: t.scrollY, hoverRow: t.hoverRow,
		hoverHead: t.hoverHead, cursor: t.cursor, grabbed: t.grabY >= 0, by: t.by, looks: t.looks, theme: t.theme,
		valid: true,
	}
	if k != t.key {
		t.key = k
		t.stamp++
	}
	return t.stamp
}

func (t *Table) prepare(env *panel.Env) {
	t.n, t.revision = t.rows.prepare(env, t.overNs)
	if t.foot = nil; t.Foot != nil && !env.View.None() {
		t.foot = t.Foot(env)
	}
	if t.hoverRow >= t.n {
		t.hoverRow = -1
	}
}

// Sorting returns the column that was chosen to sort by, empty for none, and its direction.
func (t *Table) Sorting() (id string, down bool) { return t.by.id, t.by.down }

// SortBy sorts by a column, named by its ID; where down the greatest first. An empty ID gives the
// order of the source. Where the rows that are shown have no such column, they are in the source's
// order.
func (t *Table) SortBy(id string, down bool) {
	t.by.id, t.by.down = id, down && id != ""
	t.by.stamp++
}

// SetFilter implements panel.Filterer, for tables with a filtering source.
func (t *Table) SetFilter(text string) {
	if t.by.filter != text {
		t.by.filter = text
		t.by.stamp++
	}
}

// NumRows returns the number of rows, as of the last Update.
func (t *Table) NumRows() int { return t.n }

// Hovered returns the row under the mouse, -1 for none.
func (t *Table) Hovered() int { return t.hoverRow }

// Dragging reports whether the mouse drags the scroll bar.
func (t *Table) Dragging() bool { return t.grabY >= 0 }

// CellText returns the words of a cell, as shown but not cut; valid until the next cell is read. It
// is empty for columns that the rows do not have, and for drawn ones.
func (t *Table) CellText(env *panel.Env, row int, id string) string {
	for i, h := range t.rows.heads() {
		if h.id == id {
			return t.fetch(env, row, i).text()
		}
	}
	return ""
}

// fetch reads a cell from the source.
func (t *Table) fetch(env *panel.Env, row, col int) *Cell {
	t.cell = Cell{Buf: t.cell.Buf[:0], Parts: t.cell.Parts[:0], Series: t.cell.Series[:0], Mark: -1}
	t.rows.cell(env, row, col, &t.cell)
	if c := &t.cell; t.NoHeader && t.rows.heads()[col].time && c.inUnit() { // which the header would name
		c.Buf = append(append(c.Buf, ' '), c.Unit.Name...)
	}
	return &t.cell
}

// HitTest returns the row under a point.
func (t *Table) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if t.FootRect().Contains(pxX, pxY) {
		return t.footHit()
	}
	row, col, header := t.at(pxX, pxY)
	if header && col >= 0 && !t.NoHeader {
		return t.headHit(col)
	}
	if row < 0 {
		return panel.NoHit()
	}
	h := t.rows.info(env, row).Hit
	h.Rect, h.Among = t.RowRect(row), t.Body()
	h.Among.Y1 = min(h.Among.Y1, t.RowRect(t.n-1).Y1)
	if h.Lines == nil {
		h.Lines = t.TipOf(env, row)
	}
	return h
}

// tipChars is how long a line of a header's tooltip may be.
const tipChars = 68

// headHit is the header of a column with its entry in the vocabulary.
func (t *Table) headHit(col int) panel.Hit {
	hit, h := panel.NoHit(), &t.rows.heads()[col]
	m, ok := measure.Of(h.title)
	if !ok && !t.onlyIn(h) {
		return hit
	}
	t.tip.Begin()
	t.tip.Add(h.long)
	t.tip.If(t.onlyIn(h)).Text("Only rows with “").Text(t.by.only.words).Text("”: right click for all").End()
	for rest := m.What; rest != ""; {
		line := rest
		if at := strings.LastIndexByte(rest[:min(len(rest), tipChars)], ' '); len(rest) > tipChars && at > 0 {
			line = rest[:at]
		}
		t.tip.Add(line)
		rest = strings.TrimLeft(rest[len(line):], " ")
	}
	hit.Lines, hit.Rect = t.tip.All(), t.HeadRect(h.id)
	return hit
}

// Titles returns the titles of the columns, as of the last Update; those that are only drawn have
// none.
func (t *Table) Titles() (titles []string) {
	for _, h := range t.rows.heads() {
		if !h.kind.drawn() && h.title != "" {
			titles = append(titles, h.title)
		}
	}
	return titles
}

// TipOf returns the tooltip of a row, valid until the next call: if the source has none, the row's
// words, which the cells may have had to cut.
func (t *Table) TipOf(env *panel.Env, row int) []string {
	if t.rows.tip(env, row, &t.tip) {
		return t.tip.All()
	}
	t.tip.Begin()
	for i, h := range t.rows.heads() {
		if h.kind != Words {
			continue
		}
		if words := t.fetch(env, row, i).text(); words != "" {
			t.tip.Add(words)
		}
	}
	return t.tip.All()
}
