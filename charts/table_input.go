package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// at returns the row and the column (as an index into the source's columns) under a point, -1 for none; header tells that it is in the header row.
func (t *Table) at(env *Env, pxX, pxY float32) (row, col int, header bool) {
	row, col = -1, -1
	if !t.key.rect.Contains(pxX, pxY) {
		return
	}
	for _, c := range t.layout {
		if pxX >= c.x0 && pxX < c.x1 {
			col = c.index
		}
	}
	body := t.body(env)
	if pxY < body.Y0 {
		return -1, col, true
	}
	if r := int((float64(pxY-body.Y0) + t.scrollY) / float64(t.rowHeight(env))); r < t.rows {
		row = r
	}
	return
}

// thumb returns the scroll bar's handle; empty when everything fits.
func (t *Table) thumb(env *Env) draw.Rect {
	body := t.body(env)
	total := float32(t.rows) * t.rowHeight(env)
	if total <= body.H() || body.H() <= 0 {
		return draw.Rect{}
	}
	h := max(env.Px(20), body.H()*body.H()/total)
	y := body.Y0 + (body.H()-h)*float32(t.scrollY/float64(total-body.H()))
	return draw.Rect{X0: body.X1 - env.Px(5), Y0: y, X1: body.X1 - env.Px(1), Y1: y + h}
}

// input handles wheel, scroll bar, hover and clicks.
func (t *Table) input(env *Env, in *Input) Action {
	if !in.Left.Down {
		t.grabY = -1
	}
	t.hoverRow, t.hoverCol = -1, -1
	thumb := t.thumb(env)
	if t.grabY >= 0 {
		body := t.body(env)
		total := float32(t.rows) * t.rowHeight(env)
		if room := body.H() - thumb.H(); room > 0 {
			t.scrollY = float64(in.Y-t.grabY-body.Y0) / float64(room) * float64(total-body.H())
		}
		return Action{}
	}
	if !in.Over {
		return Action{}
	}
	if in.WheelY != 0 {
		t.scrollY -= float64(in.WheelY * 3 * t.rowHeight(env))
	}
	t.clampScroll(env)
	grip := thumb
	grip.X0 -= env.Px(4)
	grip.X1 = t.key.rect.X1
	if in.Left.Pressed && !thumb.Empty() && grip.Contains(in.X, in.Y) {
		t.grabY = in.Y - thumb.Y0
		return Action{}
	}
	row, col, header := t.at(env, in.X, in.Y)
	if header {
		t.hoverCol = col
		if in.Left.Pressed && col >= 0 && t.Source.Columns()[col].Sortable {
			t.sortBy(col)
		}
		return Action{}
	}
	t.hoverRow = row
	if row < 0 {
		return Action{}
	}
	hit := t.Source.Row(env, row).Hit
	if hit.Kind != HitNothing && hit.Collector != model.NoCollector {
		t.hover.atCollector(hit.Collector)
	}
	switch {
	case in.DoubleClick && !in.Left.Released && t.partAt(env, row, col, in.X) == PartText:
		// The mark comes with the second press; its release is no further click.
		t.swallow = true
		return t.Source.Click(env, row, col, PartText, in)
	case in.Left.Released && t.swallow:
		t.swallow = false
	case in.Left.Released && !in.Left.Dragging && in.Left.DownY >= t.body(env).Y0 && t.key.rect.Contains(in.Left.DownX, in.Left.DownY):
		return t.Source.Click(env, row, col, t.partAt(env, row, col, in.X), in)
	case in.Right.Released && !in.Right.Dragging:
		return menuOf(hit, in.X, in.Y)
	}
	return Action{}
}

// sortBy sorts by a column: numbers first the greatest, words first the first; the same column again reverses.
func (t *Table) sortBy(col int) {
	if t.SortColumn == col {
		t.Descending = !t.Descending
	} else {
		t.SortColumn, t.Descending = col, t.Source.Columns()[col].Kind != ColumnText
	}
	t.Source.Sort(t.SortColumn, t.Descending)
	t.key.valid = false
}

// partAt returns the part of a cell at an x position. The swatch can be hit a little beside it.
func (t *Table) partAt(env *Env, row, col int, pxX float32) CellPart {
	if col < 0 || t.Source.Columns()[col].Kind != ColumnText {
		return PartText
	}
	c := t.fetch(env, row, col)
	for _, lc := range t.layout {
		if lc.index != col {
			continue
		}
		x := lc.x0 + indent(env, c.Depth, lc.x1-lc.x0)
		if c.Fold != FoldNone {
			if x += env.Px(indentPx); pxX < x-env.Px(2) {
				return PartFold
			}
		}
		if c.Swatch != (draw.Color{}) && pxX >= x-env.Px(3) && pxX < x+env.Px(13) {
			return PartSwatch
		}
	}
	return PartText
}
