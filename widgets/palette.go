package widgets

import (
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets/paint"
)

// PaletteItem is something that can be looked up by its name.
type PaletteItem struct {
	Name, Key string
	// Also is found like the name, but not shown.
	Also string
	Run  func()
}

// Palette is a field with a list under it: type a part of a name, Enter runs the first that
// matches. With Answer it is a question, and the items, if any, are answers that can be chosen
// instead of typing.
type Palette struct {
	Name  string
	Field TextField
	Items []PaletteItem
	// Empty is what is said, line by line, where there are no items to look for.
	Empty []string
	// Answer is called with the text on Enter unless an item was chosen; it returns a complaint, or
	// nothing if all is well.
	Answer func(text string) (complaint string)
	Close  func()

	list      *draw.List
	rect      draw.Rect
	hits      []int
	at        int // the chosen hit, -1 none
	scroll    scroll
	complaint string
	last      string
	fresh     bool
}

const paletteRow = 24

// Title implements panel.Panel.
func (p *Palette) Title(*panel.Env) string { return p.Name }

// Mode implements panel.Panel.
func (p *Palette) Mode(*panel.Env) string { return "" }

// List implements panel.Panel.
func (p *Palette) List() *draw.List { return p.list }

// HitTest implements panel.Panel.
func (p *Palette) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// match refreshes the hits: every word of the text must occur in the name; what is called like the
// text comes first, then names that begin with it. The answers to a question are all there,
// whatever is typed.
func (p *Palette) match() {
	if p.fresh && p.last == p.Field.Text() {
		return
	}
	p.fresh, p.last = true, p.Field.Text()
	p.hits, p.at = p.hits[:0], 0
	words := strings.Fields(strings.ToLower(p.last))
	if p.Answer != nil {
		p.at, words = -1, nil
	}
items:
	for i := range p.Items {
		name := strings.ToLower(p.Items[i].Name + " " + p.Items[i].Also)
		for _, w := range words {
			if !strings.Contains(name, w) {
				continue items
			}
		}
		p.hits = append(p.hits, i)
	}
	if text := strings.ToLower(strings.TrimSpace(p.last)); p.Answer == nil && text != "" {
		rank := func(i int) int {
			switch name := strings.ToLower(p.Items[i].Name); {
			case name == text:
				return 0
			case strings.HasPrefix(name, text):
				return 1
			}
			return 2
		}
		slices.SortStableFunc(p.hits, func(i, j int) int { return rank(i) - rank(j) })
	}
	p.scroll.px = 0
}

// Move chooses another hit.
func (p *Palette) Move(n int) {
	if len(p.hits) > 0 {
		least := 0
		if p.Answer != nil {
			least = -1 // back to what was typed
		}
		p.at = min(max(p.at+n, least), len(p.hits)-1)
	}
}

// Enter runs the chosen hit, or gives the answer.
func (p *Palette) Enter() {
	p.match()
	switch {
	case p.Answer != nil && p.at < 0:
		if p.complaint = p.Answer(p.Field.Text()); p.complaint == "" {
			p.Close()
		}
	case p.at < len(p.hits):
		run := p.Items[p.hits[p.at]].Run
		p.Close()
		run()
	}
}

// Update implements panel.Panel.
func (p *Palette) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	p.rect = rect
	p.match()
	rows := rect
	rows.Y0 += env.Px(40)
	answer := rows
	if p.Answer != nil {
		answer.Y1 = rows.Y0 + env.Px(22)
		rows.Y0 += env.Px(30)
	}
	h := env.Px(paletteRow)
	content := float32(len(p.hits)) * h
	p.scroll.update(env, rows, in, content)
	if in.Over && rows.Contains(in.X, in.Y) {
		i := int((in.Y - rows.Y0 + p.scroll.px) / h)
		if i < len(p.hits) && in.Left.Released {
			p.at = i
			p.Enter()
			return panel.Action{}
		}
	}
	if y := float32(max(p.at, 0)) * h; y < p.scroll.px {
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
	if p.Answer != nil {
		c, text := t.TextDim, p.Field.Hint
		if p.complaint != "" {
			c, text = t.Over, p.complaint
		}
		l.TextIn(draw.Regular, draw.Rect{X0: answer.X0 + env.Px(12), Y0: answer.Y0, X1: answer.X1 - env.Px(12), Y1: answer.Y1}, draw.Left, text, draw.Color(c))
		if len(p.Items) == 0 {
			return panel.Action{}
		}
	}
	l.PushClip(rows)
	defer l.PopClip()
	for k, i := range p.hits {
		y := rows.Y0 - p.scroll.px + float32(k)*h
		if y+h < rows.Y0 || y > rows.Y1 {
			continue
		}
		r := draw.Rect{X0: rows.X0, Y0: y, X1: rows.X1, Y1: y + h}
		if k == p.at {
			l.Rect(r, draw.Color(t.Hover))
		}
		r.X0 += env.Px(12)
		r.X1 -= env.Px(14)
		l.TextIn(draw.Small, r, draw.Right, p.Items[i].Key, draw.Color(t.TextDim))
		r.X1 -= env.Atlas.Measure(draw.Small, p.Items[i].Key) + env.Px(8)
		l.TextIn(draw.Regular, r, draw.Left, p.Items[i].Name, draw.Color(t.Text))
	}
	switch {
	case len(p.Items) == 0:
		paint.Words(l, env, rows, p.Empty...)
	case len(p.hits) == 0:
		paint.Words(l, env, rows, "Nothing is called so")
	}
	p.scroll.draw(l, env, rows, content)
	return panel.Action{}
}
