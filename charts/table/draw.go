package table

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// draw fills the list anew.
func (t *Table) draw(env *panel.Env) {
	t.Drawn.Reset(t.Key.Rect)
	t.Paint(env)
}

// DrawInto adds the picture of the last Update to another list, for panels that have more in them than the table.
func (t *Table) DrawInto(l *draw.List, env *panel.Env) {
	own := t.Drawn
	t.Drawn = l
	t.Paint(env)
	t.Drawn = own
}

// paint adds the header and the rows on screen to the list.
func (t *Table) Paint(env *panel.Env) {
	l, th, rect := t.Drawn, env.Theme, t.Key.Rect
	if rect.Empty() {
		return
	}
	l.Rect(rect, draw.Color(th.Panel))
	if !t.NoHeader {
		t.drawHeader(env)
	}
	body := t.Body(env)
	if t.Rows == 0 {
		panel.DrawWords(l, env, body, t.Source.Empty())
		return
	}
	h := t.RowPx(env)
	l.PushClip(body)
	for row := int(t.ScrollY / float64(h)); row < t.Rows; row++ {
		y := t.RowY(env, row)
		if y >= body.Y1 {
			break
		}
		t.drawRow(env, row, draw.Rect{X0: rect.X0, Y0: y, X1: rect.X1, Y1: y + h})
	}
	if th := t.thumb(env); !th.Empty() {
		c := draw.Color(env.Theme.Text2).WithAlpha(90)
		if t.GrabY >= 0 {
			c = c.WithAlpha(170)
		}
		l.Rect(th, c)
	}
	l.PopClip()
}

func (t *Table) drawHeader(env *panel.Env) {
	l, th := t.Drawn, env.Theme
	h := t.Key.Rect
	h.Y1 = min(h.Y0+t.headerHeight(env), h.Y1)
	for _, lc := range t.Layout {
		c := &t.Source.Columns()[lc.Index]
		if c.Title == "" {
			continue
		}
		cell := draw.Rect{X0: lc.X0, Y0: h.Y0, X1: lc.X1, Y1: h.Y1}
		color := draw.Color(th.Text2)
		if c.Sortable && t.HoverCol == lc.Index {
			color = draw.Color(th.Accent)
		}
		align := draw.Left
		if c.Kind == ColumnNumber {
			align = draw.Right
		}
		if t.SortColumn == lc.Index {
			color = draw.Color(th.Text)
			mark := env.Px(10)
			w := min(env.Atlas.Measure(draw.Small, c.Title), cell.W()-mark)
			x := cell.X0 + w + env.Px(3)
			if align == draw.Right {
				cell.X1 -= mark
				x = cell.X1 + env.Px(3)
			}
			drawSortMark(l, env, x, (h.Y0+h.Y1)/2, t.Descending, color)
		}
		l.TextIn(draw.Small, cell, align, c.Title, color)
	}
	l.HLine(h.X0, h.X1, h.Y1-env.Px(1), env.Px(1), draw.Color(th.Separator))
}

// drawSortMark draws a little triangle: down for the greatest first.
func drawSortMark(l *draw.List, env *panel.Env, x, yMid float32, descending bool, c draw.Color) {
	w, h := env.Px(6), env.Px(2)
	if descending {
		l.Triangle(x, yMid-h, x+w, yMid-h, x+w/2, yMid+h, c)
	} else {
		l.Triangle(x, yMid+h, x+w/2, yMid-h, x+w, yMid+h, c)
	}
}

// drawFold draws the fold arrow in a box that starts at x.
func drawFold(l *draw.List, env *panel.Env, x, yMid float32, f Fold, c draw.Color) {
	a, b := env.Px(7), env.Px(3)
	switch f {
	case FoldOpen:
		l.Triangle(x, yMid-b, x+a, yMid-b, x+a/2, yMid+b, c)
	case FoldClosed:
		x += env.Px(1)
		l.Triangle(x, yMid-a/2, x+2*b, yMid, x, yMid+a/2, c)
	}
}

func (t *Table) drawRow(env *panel.Env, row int, r draw.Rect) {
	l, th := t.Drawn, env.Theme
	info := t.Source.Row(env, row)
	if info.Selected {
		l.Rect(r, draw.Color(th.Selection).WithAlpha(58))
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(th.Selection))
	}
	if info.Lit || row == t.HoverRow {
		l.Rect(r, draw.Color(th.Hover))
	}
	for i, lc := range t.Layout {
		col := &t.Source.Columns()[lc.Index]
		cell := draw.Rect{X0: lc.X0, Y0: r.Y0, X1: lc.X1, Y1: r.Y1}
		if col.Kind == ColumnText && i+1 < len(t.Layout) {
			// A name may use the room of a bar that is not there.
			if next := t.Layout[i+1]; t.Source.Columns()[next.Index].Kind == ColumnBar && t.Fetch(env, row, next.Index).Value <= 0 {
				cell.X1 = next.X1
			}
		}
		t.drawCell(env, col, t.Fetch(env, row, lc.Index), cell, info.Dim)
	}
}

func (t *Table) drawCell(env *panel.Env, col *Column, c *Cell, r draw.Rect, dim bool) {
	l, th := t.Drawn, env.Theme
	color := c.Color
	if color == (draw.Color{}) {
		color = draw.Color(th.Text)
		if col.Kind == ColumnBar || col.Kind == ColumnSpark || col.Kind == ColumnBars {
			color = draw.Color(th.FrameBar)
		}
	}
	if dim {
		color = draw.Color(th.TextDim)
	}
	text := c.Text
	if text == "" {
		text = panel.ScratchText(c.Buf)
	}
	yMid := (r.Y0 + r.Y1) / 2
	switch col.Kind {
	case ColumnText:
		r.X0 += indent(env, c.Depth, r.W())
		if c.Fold != FoldNone {
			drawFold(l, env, r.X0, yMid, c.Fold, draw.Color(th.Text2))
			r.X0 += env.Px(indentPx)
		}
		if c.Swatch != (draw.Color{}) {
			s := env.Px(9)
			box := draw.Rect{X0: r.X0, Y0: float32(int(yMid - s/2)), X1: r.X0 + s}
			box.Y1 = box.Y0 + s
			if c.Hollow {
				l.Outline(box, env.Px(1), c.Swatch)
			} else {
				l.Rect(box, c.Swatch)
			}
			r.X0 += s + env.Px(6)
		}
		r.X1 -= env.Px(6)
		if c.Wide {
			r.X1 = t.Key.Rect.X1 - env.Px(9)
		}
		l.TextIn(draw.Regular, r, draw.Left, text, color)
	case ColumnNumber:
		r.X0 += env.Px(4)
		if !l.TextFit(draw.Mono, r, draw.Right, text, color) && !l.TextFit(draw.SmallMono, r, draw.Right, text, color) {
			l.TextIn(draw.SmallMono, r, draw.Right, text, color)
		}
	case ColumnBar:
		h := env.Px(5)
		bar := draw.Rect{X0: r.X0, Y0: float32(int(yMid - h/2)), X1: r.X0 + (r.W()-env.Px(6))*max(0, min(1, c.Value))}
		bar.Y1 = bar.Y0 + h
		if c.Value > 0 {
			bar.X1 = max(bar.X1, bar.X0+env.Px(1))
			l.Rect(bar, color)
		}
	case ColumnSpark:
		r.Y0, r.Y1 = r.Y0+env.Px(4), r.Y1-env.Px(4)
		r.X1 -= env.Px(6)
		if c.FromZero {
			panel.SparklineIn(l, env, r, c.Series, 0, c.SeriesMax, color)
		} else {
			panel.Sparkline(l, env, r, c.Series, c.SeriesMax, color)
		}
	case ColumnBars:
		r.Y0, r.Y1 = r.Y0+env.Px(2), r.Y1-env.Px(2)
		r.X1 -= env.Px(6)
		panel.SparkBars(l, env, r, c.Series, c.SeriesMax, c.Mark, draw.Color(th.FrameBar), color)
	}
}

// indent is how far a row of a tree stands in. In a narrow column deep rows stand less far in, so that there is room for their names.
func indent(env *panel.Env, depth int, pxWidth float32) float32 {
	return min(env.Px(indentPx)*float32(depth), float32(int(pxWidth*0.4)))
}
