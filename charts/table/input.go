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
	if over {
		t.overNs = env.NowNs
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
