package table

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// DrawInto adds the picture of the last Place or Update to another list.
func (t *Table) DrawInto(l *draw.List, env *panel.Env) {
	l.PushClip(t.rect)
	t.paint(l, env)
	l.PopClip()
}

// emptyWords is the text of a table without rows.
func (t *Table) emptyWords() string {
	words := t.rows.empty(t.narrowed())
	switch {
	case words != panel.NoMatch:
		return words
	case t.by.only.words != "":
		return panel.NoMatchWords(t.by.only.words)
	}
	return panel.NoMatchWords(t.by.filter)
}

// narrowed reports whether rows are left out.
func (t *Table) narrowed() bool { return t.by.filter != "" || t.by.only.words != "" }

// paint adds the header and the rows on screen to a list.
func (t *Table) paint(l *draw.List, env *panel.Env) {
	th := env.Theme
	if t.rect.Empty() {
		return
	}
	l.Rect(t.rect, draw.Color(th.Panel))
	if !t.NoHeader {
		t.drawHeader(l, env)
	}
	t.drawFoot(l, env)
	body := t.Body()
	if t.n == 0 {
		panel.DrawWords(l, env, body, t.emptyWords())
		return
	}
	l.PushClip(body)
	for row := int(t.scrollY / float64(t.rowPx())); row < t.n; row++ {
		r := t.RowRect(row)
		if r.Y0 >= body.Y1 {
			break
		}
		t.drawRow(l, env, row, r)
	}
	t.names.Draw(l)
	if thumb := t.thumb(); !thumb.Empty() {
		c := draw.Color(th.Text2).WithAlpha(90)
		if t.grabY >= 0 {
			c = c.WithAlpha(170)
		}
		l.Rect(thumb, c)
	}
	l.PopClip()
}

func (t *Table) drawHeader(l *draw.List, env *panel.Env) {
	th := env.Theme
	h := t.rect
	h.Y1 = min(h.Y0+t.headerHeight(), h.Y1)
	for _, p := range t.layout {
		c := &t.rows.heads()[p.col]
		if c.long == "" {
			continue
		}
		cell := draw.Rect{X0: p.x0, Y0: h.Y0, X1: p.x1, Y1: h.Y1}
		color := draw.Color(format.Pick(c.sorts && t.hoverHead == p.col, th.Text, th.Text2))
		if t.onlyIn(c) {
			color = draw.Color(th.Accent)
		}
		align := format.Pick(c.kind == Number, draw.Right, draw.Left)
		if mark := env.Px(10); t.by.id == c.id && cell.W() >= mark {
			if !t.onlyIn(c) {
				color = draw.Color(th.Text)
			}
			w := min(env.Atlas.Measure(draw.Small, c.long), cell.W()-mark)
			x := cell.X0 + w + env.Px(3)
			if align == draw.Right {
				cell.X1 -= mark
				x = cell.X1 + env.Px(3)
			}
			drawSortMark(l, env, x, (h.Y0+h.Y1)/2, t.by.down, color)
		}
		if c.legend != nil && drawLegend(l, env, cell, c.legend(env), color) {
			continue
		}
		if !l.TextFit(draw.Small, cell, align, c.long, color) {
			unit := cell
			unit.X0 = max(cell.X0, cell.X1-env.Atlas.Measure(draw.Small, c.suffix))
			if c.suffix != "" && l.TextFit(draw.Small, unit, draw.Right, c.suffix, color) {
				cell.X1 = unit.X0 // the title is cut, not the unit
			}
			l.TextIn(draw.Small, cell, align, c.title, color)
		}
	}
	l.HLine(h.X0, h.X1, h.Y1-env.Px(1), env.Px(1), draw.Color(th.Separator))
}

// stackPad is beside a bar of parts, at scale 1: before it there may be a number.
const stackPad = 12

// drawLegend draws the names of the parts of the bars of a column, each behind a square of its
// color. false: they do not all fit.
func drawLegend(l *draw.List, env *panel.Env, r draw.Rect, parts []Part, c draw.Color) bool {
	r.X0 += env.Px(stackPad)
	square, gap, apart := env.Px(8), env.Px(4), env.Px(9)
	need := -apart
	for i := range parts {
		need += square + gap + env.Atlas.Measure(draw.Small, parts[i].Name) + apart
	}
	if need > r.W()-env.Px(6) {
		return false
	}
	for i := range parts {
		box := draw.Rect{X0: r.X0, Y0: panel.Snap((r.Y0 + r.Y1 - square) / 2), X1: r.X0 + square}
		box.Y1 = box.Y0 + square
		l.Rect(box, parts[i].Color)
		r.X0 = box.X1 + gap
		l.TextIn(draw.Small, r, draw.Left, parts[i].Name, c)
		r.X0 += env.Atlas.Measure(draw.Small, parts[i].Name) + apart
	}
	return true
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

func (t *Table) drawRow(l *draw.List, env *panel.Env, row int, r draw.Rect) {
	th := env.Theme
	info := t.rows.info(env, row)
	if info.Selected {
		l.Rect(r, draw.Color(th.Button))
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(th.Accent))
	} else if t.cursor >= 0 && t.rows.item(row) == t.cursor {
		l.Outline(r, env.Px(1), draw.Color(th.Accent))
	}
	if info.Lit || row == t.hoverRow {
		l.Rect(r, draw.Color(th.Hover))
	}
	if col := t.ticks(); col >= 0 {
		under := draw.Rect{X0: r.X0 + env.Px(10), Y0: r.Y1 - env.Px(ticksRoom), X1: r.X1 - env.Px(10), Y1: r.Y1 - env.Px(4)}
		r.Y1 = under.Y0
		drawTicks(l, env, under, t.fetch(env, row, col))
	}
	heads := t.rows.heads()
	left := float32(0) // begin of the columns at the right
	for i := len(t.layout) - 1; i >= 0; i-- {
		p := t.layout[i]
		cell := draw.Rect{X0: p.x0, Y0: r.Y0, X1: p.x1, Y1: r.Y1}
		c, kind := t.fetch(env, row, p.col), heads[p.col].kind
		if kind == Words && left > 0 { // a name may use the room of a bar that is not there, and before a number
			cell.X1 = left
		}
		if kind == Bar && left > 0 && left < cell.X1 {
			continue // a number needs its room
		}
		if c.Color == draw.Color(th.Text2) && (info.Selected || info.Lit || row == t.hoverRow) {
			c.Color = draw.Color(th.Text) // the ground is brighter there
		}
		switch {
		case kind == Number:
			left = p.x1 - env.Atlas.Measure(draw.Regular, c.text()) - env.Px(numberGap)
			if left < p.x0 {
				left = min(p.x0, p.x1-env.Atlas.Measure(draw.Small, c.text())-env.Px(numberGap+1))
			}
			if left < p.x0 && i > 0 && heads[t.layout[i-1].col].kind != Number {
				cell.X0 = left // no number is cut for a bar or a name
			}
			left = max(left, cell.X0)
		case left > 0 && left < p.x0: // a number at the right takes this room, too
		case kind != Bar || c.Share > 0:
			left = p.x0
		}
		t.drawCell(l, env, p.col, c, cell, info.Dim)
	}
}

// numberGap is between a name that goes on before a number and that, besides the gap behind each name,
// at scale 1.
const numberGap = 4

func (t *Table) drawCell(l *draw.List, env *panel.Env, col int, c *Cell, r draw.Rect, dim bool) {
	th, kind := env.Theme, t.rows.heads()[col].kind
	color := c.Color
	if color == (draw.Color{}) {
		color = draw.Color(format.Pick(kind.drawn(), th.FrameBar, th.Text))
	}
	if dim {
		color = draw.Color(th.TextDim)
	}
	yMid := (r.Y0 + r.Y1) / 2
	switch kind {
	case Words:
		t.drawWords(l, env, col, c, r, color)
	case Number:
		r.X0 += env.Px(4)
		text := c.text()
		if !l.TextFit(draw.Regular, r, draw.Right, text, color) && !l.TextFit(draw.Small, r, draw.Right, text, color) {
			l.TextIn(draw.Small, r, draw.Right, text, color)
		}
	case Bar:
		h := env.Px(5)
		bar := draw.Rect{X0: r.X0, Y0: float32(int(yMid - h/2)), X1: r.X0 + (r.W()-env.Px(6))*max(0, min(1, c.Share))}
		bar.Y1 = bar.Y0 + h
		if c.Share > 0 {
			bar.X1 = max(bar.X1, bar.X0+env.Px(1))
			l.Rect(bar, color)
		}
	case Delta:
		h := env.Px(5)
		zero, half := float32(int((r.X0+r.X1-env.Px(6))/2)), (r.W()-env.Px(6))/2
		bar := draw.Rect{X0: zero, Y0: float32(int(yMid - h/2)), X1: zero + half*max(-1, min(1, c.Share))}
		bar.Y1 = bar.Y0 + h
		bar.X0, bar.X1 = min(bar.X0, bar.X1), max(bar.X0, bar.X1)
		l.Rect(draw.Rect{X0: zero, Y0: r.Y0, X1: zero + env.Px(1), Y1: r.Y1}, draw.Color(th.FrameBar))
		if c.Share != 0 {
			bar.X1 = max(bar.X1, bar.X0+env.Px(1))
			l.Rect(bar, color)
		}
		for k := range 2 {
			if c.Share < -1 || c.Share > 1 { // it goes on
				x := zero + (half-env.Px(6+4*float32(k)))*max(-1, min(1, c.Share))
				l.Line(x+env.Px(1.5), bar.Y0-env.Px(1), x-env.Px(1.5), bar.Y1+env.Px(1), env.Px(1.5), draw.Color(th.Panel))
			}
		}
	case Stack:
		h := env.Px(8)
		bar := draw.Rect{X0: r.X0 + env.Px(stackPad), Y0: panel.Snap(yMid - h/2), X1: r.X1 - env.Px(stackPad)}
		bar.Y1 = bar.Y0 + h
		drawStack(l, env, bar, c.Parts)
	case Spark:
		r.Y0, r.Y1, r.X1 = r.Y0+env.Px(4), r.Y1-env.Px(4), r.X1-env.Px(6)
		if c.FromZero {
			panel.SparklineIn(l, env, r, c.Series, 0, c.SeriesMax, color)
		} else {
			panel.Sparkline(l, env, r, c.Series, c.SeriesMax, color)
		}
	case Bars:
		r.Y0, r.Y1, r.X1 = r.Y0+env.Px(2), r.Y1-env.Px(2), r.X1-env.Px(6)
		panel.SparkBars(l, env, r, c.Series, c.SeriesMax, c.Limit, c.Mark, color)
	}
}

// drawTicks draws a tick at each value of a cell, on a line. Of those on one pixel one is drawn, and the
// marked one last.
func drawTicks(l *draw.List, env *panel.Env, r draw.Rect, c *Cell) {
	l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - 1, X1: r.X1, Y1: r.Y1}, draw.Color(env.Theme.FrameBar))
	w, before := env.Px(2), float32(-1)
	at := func(v float32) float32 { return panel.Snap(r.X0 + (r.W()-w)*max(0, min(1, v))) }
	for _, v := range c.Series {
		if x := at(v); x != before {
			l.Rect(draw.Rect{X0: x, Y0: r.Y0 + env.Px(2), X1: x + w, Y1: r.Y1}, c.Color)
			before = x
		}
	}
	if c.Mark >= 0 && c.Mark < len(c.Series) {
		x := at(c.Series[c.Mark])
		l.Rect(draw.Rect{X0: x, Y0: r.Y0, X1: x + w, Y1: r.Y1}, draw.Color(env.Theme.Accent))
	}
}

// drawStack draws parts of a bar behind each other.
func drawStack(l *draw.List, env *panel.Env, bar draw.Rect, parts []Part) {
	at, from := bar.X0, float32(0)
	for i := range parts {
		from += parts[i].Share
		to := panel.Snap(bar.X0 + bar.W()*min(from, 1))
		part := draw.Rect{X0: at, Y0: bar.Y0, X1: to, Y1: bar.Y1}
		if parts[i].Color == (draw.Color{}) {
			l.Hatch(part, draw.Color(env.Theme.Hatch))
		} else {
			l.Rect(part, parts[i].Color)
		}
		at = to
	}
}

// drawWords draws a cell of words, after its fold arrow and its swatch. Names are left to the end,
// when all of their column are known.
func (t *Table) drawWords(l *draw.List, env *panel.Env, col int, c *Cell, r draw.Rect, color draw.Color) {
	yMid := (r.Y0 + r.Y1) / 2
	r.X0 += indent(env, c.Depth, r.W())
	// Arrows that do not fit are not drawn: beside a narrow column there are numbers.
	if c.Fold != FoldNone && r.W() >= env.Px(indentPx) {
		drawFold(l, env, r.X0, yMid, c.Fold, draw.Color(env.Theme.Text2))
		r.X0 += env.Px(indentPx)
	}
	if c.Swatch != (draw.Color{}) {
		s := env.Px(9)
		box := draw.Rect{X0: r.X0, Y0: float32(int(yMid - s/2)), X1: r.X0 + s}
		box.Y1 = box.Y0 + s
		switch {
		case box.X1 > r.X1:
		case c.Sign != "":
			l.TextIn(draw.Small, box.Inset(-s), draw.Center, c.Sign, c.Swatch)
		case c.Hollow:
			l.Outline(box, env.Px(1), c.Swatch)
		default:
			l.Rect(box, c.Swatch)
		}
		if c.Found && box.X1 <= r.X1 {
			l.Outline(box.Inset(-env.Px(1)), env.Px(1), draw.Color(env.Theme.Accent))
		}
		r.X0 += s + env.Px(6)
	}
	r.X1 -= env.Px(6)
	if s := env.Px(6); c.Badge.A > 0 && r.W() > 4*s {
		x := min(panel.Snap(r.X0+env.Atlas.Measure(draw.Regular, c.text()))+s, r.X1-s)
		l.Rect(draw.Rect{X0: x, Y0: float32(int(yMid - s/2)), X1: x + s, Y1: float32(int(yMid-s/2)) + s}, c.Badge)
		r.X1 = x - env.Px(4)
	}
	if c.Wide {
		r.X1 = t.rect.X1 - env.Px(9)
	}
	if t.rows.heads()[col].prose || c.Wide {
		l.TextIn(draw.Regular, r, draw.Left, c.text(), color)
		return
	}
	t.names.Add(col, draw.Regular, r, draw.Left, c.text(), color)
}

// indent is how far a row of a tree stands in. In a narrow column deep rows stand less far in, so
// that there is room for their names.
func indent(env *panel.Env, depth int, pxWidth float32) float32 {
	return min(env.Px(indentPx)*float32(depth), float32(int(pxWidth*0.4)))
}

// Foot is a line below the rows of a table, which stays visible while they scroll: it describes
// what they omit.
type Foot struct {
	// Words stand at its left, Sum at its right. Tip is its tooltip, the first line the title.
	Words, Sum string
	Tip        []string
	// Facts are the numbers that it states; the table fills in where they stand.
	Facts []panel.Fact
}

// footHeight is the height of the line, 0 without one.
func (t *Table) footHeight() float32 {
	if t.foot == nil {
		return 0
	}
	return t.rowPx()
}

// FootRect returns the place of the line below the rows; empty where there is none.
func (t *Table) FootRect() draw.Rect {
	if t.foot == nil {
		return draw.Rect{}
	}
	r := t.rect
	r.Y0 = max(r.Y1-t.footHeight(), t.Body().Y1)
	return r
}

func (t *Table) drawFoot(l *draw.List, env *panel.Env) {
	r := t.FootRect()
	if r.Empty() {
		return
	}
	color := draw.Color(env.Theme.Text2)
	l.HLine(r.X0, r.X1, r.Y0, env.Px(1), draw.Color(env.Theme.Separator))
	r.X0, r.X1 = r.X0+env.Px(9), r.X1-env.Px(9)
	w := min(env.Atlas.Measure(draw.Small, t.foot.Sum), r.W())
	l.TextIn(draw.Small, draw.Rect{X0: r.X1 - w, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, draw.Right, t.foot.Sum, color)
	if r.X1 -= w + env.Px(6); r.W() > 0 {
		l.TextIn(draw.Small, r, draw.Left, t.foot.Words, color)
	}
}

// footHit is the line as a hit.
func (t *Table) footHit() panel.Hit {
	hit := panel.NoHit()
	hit.Lines, hit.Rect = t.foot.Tip, t.FootRect()
	return hit
}

// footFacts appends the facts of the line.
func (t *Table) footFacts(out []panel.Fact) []panel.Fact {
	if t.foot == nil {
		return out
	}
	from := len(out)
	out = append(out, t.foot.Facts...)
	for i := range out[from:] {
		f := &out[from+i]
		f.Row, f.Name, f.Of = t.n, t.foot.Words, panel.NoHit()
	}
	return out
}
