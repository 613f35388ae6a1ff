package table

import "framescope/charts/panel"

// section is what a table needs to know that is one of several in a pane that scrolls as one: it does
// not scroll itself, and says what should come into sight.
type section struct {
	on     bool
	wanted bool
	y0, y1 float32 // from the upper edge of the rows
}

// Extent implements panel.Section.
func (t *Table) Extent(env *panel.Env, _ float32) float32 {
	t.scale = env.Scale
	if t.n == 0 {
		return t.headerHeight() + env.Px(56) + t.footHeight()
	}
	return t.headerHeight() + float32(t.n)*t.rowPx() + t.footHeight()
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

// want asks for a row to come into sight, if the table does not scroll itself.
func (t *Table) want(row int) bool {
	if !t.section.on {
		return false
	}
	t.section.y0, t.section.y1 = float32(row)*t.rowPx(), float32(row+1)*t.rowPx()
	t.section.wanted = true
	return true
}
