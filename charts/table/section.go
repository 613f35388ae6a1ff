package table

import "framescope/charts/panel"

// section is the state of a table that is one of several in a pane that scrolls as one: it does not
// scroll itself, and returns the range to scroll into view.
type section struct {
	on     bool
	wanted bool
	y0, y1 float32 // from the upper edge of the rows
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
