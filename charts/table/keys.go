package table

import "framescope/charts/panel"

// Chooser is a source that is notified of the row chosen by keys or by a menu.
type Chooser[R any] interface {
	Choose(env *panel.Env, r R)
}

// Key handles a key struck while the table has the keyboard, by its name; false when it is none of
// the table's. "up" and "down" go from row to row; once they have, "pgup", "pgdn", "home" and "end"
// go further, and "enter" acts as a click on the row, until the mouse is pressed.
func (t *Table) Key(env *panel.Env, key string) (panel.Action, bool) {
	t.prepare(env)
	row := t.cursorRow()
	arrow := key == "up" || key == "down"
	if t.n == 0 || row < 0 && !arrow {
		return panel.Action{}, false
	}
	if row < 0 {
		row = t.start(env)
	}
	page := max(1, int(t.Body().H()/t.rowPx())-1)
	switch key {
	case "up":
		row--
	case "down":
		row++
	case "pgup":
		row -= page
	case "pgdn":
		row += page
	case "home":
		row = 0
	case "end":
		row = t.n - 1
	case "enter":
		r := t.RowRect(row)
		return t.rows.click(env, row, -1, partText, &panel.Input{X: r.X0, Y: r.Y0}), true
	default:
		return panel.Action{}, false
	}
	t.goTo(env, row)
	return panel.Action{}, true
}

// goTo takes the keys to a row, or the nearest one, which is chosen by that.
func (t *Table) goTo(env *panel.Env, row int) {
	row = min(max(row, 0), t.n-1)
	t.cursor = t.rows.item(row)
	t.rows.choose(env, row)
	t.ScrollTo(env, row)
}

// KeyRow returns the row that the keys act on, as of the last Update, -1 for none.
func (t *Table) KeyRow() int { return t.cursorRow() }

// KeepKeys lets the keys stay with one of the source's rows that has another index there now.
func (t *Table) KeepKeys(item int) { t.cursor = item }

// GoTo takes the keys to a row, or the nearest one, as they go there themselves. Without rows it does
// nothing.
func (t *Table) GoTo(env *panel.Env, row int) {
	if t.prepare(env); t.n > 0 {
		t.goTo(env, row)
	}
}

// cursorRow returns the row that the keys act on, -1 for none.
func (t *Table) cursorRow() int {
	if t.cursor < 0 {
		return -1
	}
	if row := t.rows.rowOf(t.cursor); row < t.n {
		return row
	}
	return -1
}

// start returns the row from which the keys go on: a selected one in view, else the one above the
// first in view.
func (t *Table) start(env *panel.Env) int {
	top, body := int(t.scrollY/float64(t.rowPx())), t.Body()
	for row := top; row < t.n && t.RowRect(row).Y0 < body.Y1; row++ {
		if t.rows.info(env, row).Selected {
			return row
		}
	}
	return top - 1
}
