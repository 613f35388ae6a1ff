package table

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// cellPart is a part of a cell of words.
type cellPart uint8

const (
	partText cellPart = iota
	partFold
	partSwatch
)

// at returns the row and the column under a point, -1 for none; header means the header row.
func (t *Table) at(pxX, pxY float32) (row, col int, header bool) {
	row, col = -1, -1
	if !t.rect.Contains(pxX, pxY) {
		return
	}
	for _, p := range t.layout {
		if pxX >= p.x0 && pxX < p.x1 {
			col = p.col
		}
	}
	body := t.Body()
	switch {
	case pxY < body.Y0:
		return -1, col, true
	case pxY >= body.Y1:
		return -1, -1, false
	}
	if r := int((float64(pxY-body.Y0) + t.scrollY) / float64(t.rowPx())); r < t.n {
		row = r
	}
	return
}

// thumb returns the scroll bar's handle; empty when everything fits.
func (t *Table) thumb() draw.Rect {
	body := t.Body()
	total := float32(t.n) * t.rowPx()
	if t.section.on || total <= body.H() || body.H() <= 0 {
		return draw.Rect{}
	}
	h := max(t.px(20), body.H()*body.H()/total)
	y := body.Y0 + (body.H()-h)*float32(t.scrollY/float64(total-body.H()))
	return draw.Rect{X0: body.X1 - t.px(5), Y0: y, X1: body.X1 - t.px(1), Y1: y + h}
}

// input handles wheel, scroll bar, hover and clicks.
func (t *Table) input(env *panel.Env, in *panel.Input) panel.Action {
	if !in.Left.Down {
		t.grabY = -1
	}
	t.hoverRow, t.hoverHead = -1, -1
	thumb := t.thumb()
	if t.grabY >= 0 {
		body := t.Body()
		total := float32(t.n) * t.rowPx()
		if room := body.H() - thumb.H(); room > 0 {
			row := float64(t.rowPx()) // by whole rows, as the wheel
			t.scrollY = row * math.Round(float64(in.Y-t.grabY-body.Y0)/float64(room)*float64(total-body.H())/row)
		}
		return panel.Action{}
	}
	over := in.Over && t.rect.Contains(in.X, in.Y)
	if at := [2]float32{in.X, in.Y}; over && (at != t.over || in.Left.Down || in.WheelY != 0) {
		t.over, t.overNs = at, env.NowNs
	}
	if !over {
		if in.Left.Pressed {
			t.cursor = -1
		}
		return panel.Action{}
	}
	if in.WheelY != 0 {
		t.scrollY -= float64(in.WheelY * 3 * t.rowPx())
	}
	t.clampScroll()
	grip := thumb
	grip.X0 -= t.px(4)
	grip.X1 = t.rect.X1
	if in.Left.Pressed && !thumb.Empty() && grip.Contains(in.X, in.Y) {
		t.grabY = in.Y - thumb.Y0
		return panel.Action{}
	}
	row, col, header := t.at(in.X, in.Y)
	if header {
		t.hoverHead = col
		if in.Left.Pressed && col >= 0 {
			t.clickHead(&t.rows.heads()[col])
		}
		if all := t.all(); all != nil && in.Right.Released && !in.Right.Dragging {
			act := panel.MenuOf(panel.NoHit(), in.X, in.Y)
			act.Cells.All = all
			return act
		}
		return panel.Action{}
	}
	if t.hoverRow = row; row < 0 {
		return t.emptyInput(in)
	}
	return t.rowInput(env, in, row, col)
}

// emptyInput handles clicks without rows: a click on the words for no match clears the search.
func (t *Table) emptyInput(in *panel.Input) panel.Action {
	clicked := in.Left.Released && !in.Left.Dragging && t.Body().Contains(in.Left.DownX, in.Left.DownY)
	if !clicked || t.n > 0 || !t.narrowed() || t.rows.empty(true) != panel.NoMatch {
		return panel.Action{}
	}
	if all := t.all(); all != nil {
		all()
		return panel.Action{}
	}
	return panel.Action{Kind: panel.ActionClearSearch}
}

// rowInput handles the mouse over a row.
func (t *Table) rowInput(env *panel.Env, in *panel.Input, row, col int) panel.Action {
	hit := t.rows.info(env, row).Hit
	switch {
	case hit.Kind == panel.HitMessage:
		t.hover.AtTime(hit.TimeNs)
	case hit.Kind != panel.HitNothing && hit.Collector != model.NoCollector:
		t.hover.AtCollector(hit.Collector)
	}
	if in.Left.Pressed {
		t.cursor = -1
	}
	switch {
	case in.DoubleClick && !in.Left.Released && t.partAt(env, row, col, in.X) == partText:
		// The mark comes with the second press; its release is no further click.
		t.swallow = true
		return t.rows.click(env, row, col, partText, in)
	case in.Left.Released && t.swallow:
		t.swallow = false
	case in.Left.Released && !in.Left.Dragging && t.Body().Contains(in.Left.DownX, in.Left.DownY):
		return t.rows.click(env, row, col, t.partAt(env, row, col, in.X), in)
	case in.Right.Released && !in.Right.Dragging:
		t.rows.choose(env, row)
		return t.menuOf(env, hit, row, col, in)
	}
	return panel.Action{}
}

// clickHead sorts by a column: numbers first the greatest, words first the first; again reverses,
// and once more gives the order of the source.
func (t *Table) clickHead(h *head) {
	if !h.sorts {
		return
	}
	first := h.kind != Words
	switch {
	case t.by.id != h.id:
		t.SortBy(h.id, first)
	case t.by.down == first:
		t.SortBy(h.id, !first)
	default:
		t.SortBy("", false)
	}
}

// partAt returns the part of a cell at an x position. The swatch can be hit a little beside it.
func (t *Table) partAt(env *panel.Env, row, col int, pxX float32) cellPart {
	if col < 0 || t.rows.heads()[col].kind != Words {
		return partText
	}
	c := t.fetch(env, row, col)
	for _, p := range t.layout {
		if p.col != col {
			continue
		}
		x := p.x0 + indent(env, c.Depth, p.x1-p.x0)
		if c.Fold != FoldNone {
			if x += env.Px(indentPx); pxX < x-env.Px(2) {
				return partFold
			}
		}
		if c.Swatch != (draw.Color{}) && pxX >= x-env.Px(3) && pxX < x+env.Px(13) {
			return partSwatch
		}
	}
	return partText
}

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
