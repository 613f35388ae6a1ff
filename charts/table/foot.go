package table

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

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
