package widgets

import (
	"strings"

	"framescope/charts"
	"framescope/charts/draw"
)

// PaletteItem is something that can be looked up by its name.
type PaletteItem struct {
	Name, Key string
	Run       func()
}

// Palette is a field with a list under it: type a part of a name, Enter runs the first that matches. Without items it is a plain question.
type Palette struct {
	Name  string
	Field TextField
	Items []PaletteItem
	// Answer is called with the text on Enter when there are no items; it returns a complaint, or nothing if all is well.
	Answer func(text string) (complaint string)
	Close  func()

	list      *draw.List
	rect      draw.Rect
	hits      []int
	at        int
	scroll    scroll
	complaint string
	last      string
	fresh     bool
}

const paletteRow = 24

// Title implements charts.Chart.
func (p *Palette) Title(*charts.Env) string { return p.Name }

// Mode implements charts.Chart.
func (p *Palette) Mode(*charts.Env) string { return "" }

// List implements charts.Chart.
func (p *Palette) List() *draw.List { return p.list }

// HitTest implements charts.Chart.
func (p *Palette) HitTest(*charts.Env, float32, float32) charts.Hit { return noHit() }

// match refreshes the hits: every word of the text must occur in the name.
func (p *Palette) match() {
	if p.fresh && p.last == p.Field.Text() {
		return
	}
	p.fresh, p.last = true, p.Field.Text()
	p.hits, p.at = p.hits[:0], 0
	words := strings.Fields(strings.ToLower(p.last))
items:
	for i := range p.Items {
		name := strings.ToLower(p.Items[i].Name)
		for _, w := range words {
			if !strings.Contains(name, w) {
				continue items
			}
		}
		p.hits = append(p.hits, i)
	}
	p.scroll.px = 0
}

// Move chooses another hit.
func (p *Palette) Move(n int) {
	if len(p.hits) > 0 {
		p.at = min(max(p.at+n, 0), len(p.hits)-1)
	}
}

// Enter runs the chosen hit, or gives the answer.
func (p *Palette) Enter() {
	p.match()
	switch {
	case p.Answer != nil:
		if p.complaint = p.Answer(p.Field.Text()); p.complaint == "" {
			p.Close()
		}
	case p.at < len(p.hits):
		run := p.Items[p.hits[p.at]].Run
		p.Close()
		run()
	}
}

// Update implements charts.Chart.
func (p *Palette) Update(env *charts.Env, rect draw.Rect, in *charts.Input) charts.Action {
	p.rect = rect
	p.match()
	rows := rect
	rows.Y0 += env.Px(40)
	h := env.Px(paletteRow)
	content := float32(len(p.hits)) * h
	p.scroll.update(env, rows, in, content)
	if in.Over && rows.Contains(in.X, in.Y) {
		i := int((in.Y - rows.Y0 + p.scroll.px) / h)
		if i < len(p.hits) && in.Left.Released {
			p.at = i
			p.Enter()
			return charts.Action{}
		}
	}
	if y := float32(p.at) * h; y < p.scroll.px {
		p.scroll.px = y
	} else if y+h > p.scroll.px+rows.H() {
		p.scroll.px = y + h - rows.H()
	}
	if p.list == nil || p.list.Atlas() != env.Atlas {
		p.list = draw.NewList(env.Atlas)
	}
	l, t := p.list, env.Theme
	l.Reset(rect)
	p.Field.Draw(l, env, draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(9), Y1: rect.Y0 + env.Px(34)}, "")
	l.PushClip(rows)
	defer l.PopClip()
	if p.Answer != nil {
		c, text := t.TextDim, p.Field.Hint
		if p.complaint != "" {
			c, text = t.Over, p.complaint
		}
		l.TextIn(draw.Regular, draw.Rect{X0: rows.X0 + env.Px(12), Y0: rows.Y0, X1: rows.X1 - env.Px(12), Y1: rows.Y0 + env.Px(22)}, draw.Left, text, col(c))
		return charts.Action{}
	}
	for k, i := range p.hits {
		y := rows.Y0 - p.scroll.px + float32(k)*h
		if y+h < rows.Y0 || y > rows.Y1 {
			continue
		}
		r := draw.Rect{X0: rows.X0, Y0: y, X1: rows.X1, Y1: y + h}
		if k == p.at {
			l.Rect(r, col(t.Hover))
		}
		r.X0 += env.Px(12)
		r.X1 -= env.Px(14)
		l.TextIn(draw.Small, r, draw.Right, p.Items[i].Key, col(t.TextDim))
		r.X1 -= env.Atlas.Measure(draw.Small, p.Items[i].Key) + env.Px(8)
		l.TextIn(draw.Regular, r, draw.Left, p.Items[i].Name, col(t.Text))
	}
	if len(p.hits) == 0 {
		words(l, env, rows, "Nothing is called so")
	}
	p.scroll.draw(l, env, rows, content)
	return charts.Action{}
}
