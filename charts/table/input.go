package table

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// at returns the row and the column (as an index into the source's columns) under a point, -1 for none; header tells that it is in the header row.
func (t *Table) At(env *panel.Env, pxX, pxY float32) (row, col int, header bool) {
	row, col = -1, -1
	if !t.Key.Rect.Contains(pxX, pxY) {
		return
	}
	for _, c := range t.Layout {
		if pxX >= c.X0 && pxX < c.X1 {
			col = c.Index
		}
	}
	body := t.Body(env)
	if pxY < body.Y0 {
		return -1, col, true
	}
	if r := int((float64(pxY-body.Y0) + t.ScrollY) / float64(t.RowPx(env))); r < t.Rows {
		row = r
	}
	return
}

// thumb returns the scroll bar's handle; empty when everything fits.
func (t *Table) thumb(env *panel.Env) draw.Rect {
	body := t.Body(env)
	total := float32(t.Rows) * t.RowPx(env)
	if total <= body.H() || body.H() <= 0 {
		return draw.Rect{}
	}
	h := max(env.Px(20), body.H()*body.H()/total)
	y := body.Y0 + (body.H()-h)*float32(t.ScrollY/float64(total-body.H()))
	return draw.Rect{X0: body.X1 - env.Px(5), Y0: y, X1: body.X1 - env.Px(1), Y1: y + h}
}

// input handles wheel, scroll bar, hover and clicks.
func (t *Table) Input(env *panel.Env, in *panel.Input) panel.Action {
	if !in.Left.Down {
		t.GrabY = -1
	}
	t.HoverRow, t.HoverCol = -1, -1
	thumb := t.thumb(env)
	if t.GrabY >= 0 {
		body := t.Body(env)
		total := float32(t.Rows) * t.RowPx(env)
		if room := body.H() - thumb.H(); room > 0 {
			t.ScrollY = float64(in.Y-t.GrabY-body.Y0) / float64(room) * float64(total-body.H())
		}
		return panel.Action{}
	}
	if !in.Over {
		return panel.Action{}
	}
	if in.WheelY != 0 {
		t.ScrollY -= float64(in.WheelY * 3 * t.RowPx(env))
	}
	t.ClampScroll(env)
	grip := thumb
	grip.X0 -= env.Px(4)
	grip.X1 = t.Key.Rect.X1
	if in.Left.Pressed && !thumb.Empty() && grip.Contains(in.X, in.Y) {
		t.GrabY = in.Y - thumb.Y0
		return panel.Action{}
	}
	row, col, header := t.At(env, in.X, in.Y)
	if header {
		t.HoverCol = col
		if in.Left.Pressed && col >= 0 && t.Source.Columns()[col].Sortable {
			t.SortBy(col)
		}
		return panel.Action{}
	}
	t.HoverRow = row
	if row < 0 {
		return panel.Action{}
	}
	hit := t.Source.Row(env, row).Hit
	if hit.Kind != panel.HitNothing && hit.Collector != model.NoCollector {
		t.Hover.AtCollector(hit.Collector)
	}
	switch {
	case in.DoubleClick && !in.Left.Released && t.partAt(env, row, col, in.X) == PartText:
		// The mark comes with the second press; its release is no further click.
		t.swallow = true
		return t.Source.Click(env, row, col, PartText, in)
	case in.Left.Released && t.swallow:
		t.swallow = false
	case in.Left.Released && !in.Left.Dragging && in.Left.DownY >= t.Body(env).Y0 && t.Key.Rect.Contains(in.Left.DownX, in.Left.DownY):
		return t.Source.Click(env, row, col, t.partAt(env, row, col, in.X), in)
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(hit, in.X, in.Y)
	}
	return panel.Action{}
}

// SortBy sorts by a column: numbers first the greatest, words first the first; the same column again reverses.
func (t *Table) SortBy(col int) {
	if t.SortColumn == col {
		t.Descending = !t.Descending
	} else {
		t.SortColumn, t.Descending = col, t.Source.Columns()[col].Kind != ColumnText
	}
	t.Source.Sort(t.SortColumn, t.Descending)
	t.Key.Valid = false
}

// partAt returns the part of a cell at an x position. The swatch can be hit a little beside it.
func (t *Table) partAt(env *panel.Env, row, col int, pxX float32) CellPart {
	if col < 0 || t.Source.Columns()[col].Kind != ColumnText {
		return PartText
	}
	c := t.Fetch(env, row, col)
	for _, lc := range t.Layout {
		if lc.Index != col {
			continue
		}
		x := lc.X0 + indent(env, c.Depth, lc.X1-lc.X0)
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
