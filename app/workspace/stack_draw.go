package workspace

import (
	"unicode/utf8"

	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/widgets"
)

// iconRect is the place of a section's icon; n is its index among the shown ones.
func (p *pane) iconRect(env *panel.Env, n int) draw.Rect {
	x, y := p.stack.strip.X0+env.Px(4), p.stack.strip.Y0+env.Px(8)+env.Px(36)*float32(n)
	return draw.Rect{X0: x, Y0: y, X1: x + env.Px(28), Y1: y + env.Px(28)}
}

// iconAt returns the section with its icon at a point, -1 none.
func (p *pane) iconAt(env *panel.Env, x, y float32) int {
	n := 0
	for i := range p.tabs {
		if p.left(i) || p.stack.strip.Empty() {
			continue
		}
		if p.iconRect(env, n).Contains(x, y) {
			return i
		}
		n++
	}
	return -1
}

// headWords are the texts on the head of a section: its name, and more at the right.
func (p *pane) headWords(env *panel.Env, i int) (name, words string) {
	t := p.tabs[i]
	if name = p.name(t); t.Titled {
		name = t.Panel.Title(env)
	}
	return name, t.paced.Of(env, t.Panel.Mode(env))
}

// sumSections sums up the looks of the heads of sections, or of their icons.
func (p *pane) sumSections(env *panel.Env, x, y float32, hot bool) (sum widgets.Sum) {
	s := &p.stack
	if !s.strip.Empty() {
		sum.Add(uint64(1 + s.asked))
		if hot {
			sum.Add(uint64(p.iconAt(env, x, y) + 2))
		}
		for i := range p.tabs {
			sum.Flag(p.left(i))
		}
	}
	if hot {
		sum.Add(uint64(p.headAt(x, y) + 2))
	}
	sum.Add(uint64(s.scroll))
	sum.Add(uint64(s.total))
	for i := range s.places {
		if place := &s.places[i]; place.shown {
			name, words := p.headWords(env, i)
			sum.Text(name, words)
			sum.Add(uint64(uint32(int32(place.head.Y0))))
			sum.Flag(s.folds(i))
		}
	}
	return sum
}

// paintSide fills the list of a pane of sections: its ground and the heads, or the icons.
func (p *pane) paintSide(env *panel.Env, hot bool, x, y float32) {
	key := chromeKey{rect: p.rect, hot: hot, float: p.stack.open, scale: env.Scale, tools: p.sumSections(env, x, y, hot)}
	if p.chrome != nil && key == p.painted && p.chrome.Atlas() == env.Atlas {
		return
	}
	panel.ListFor(&p.chrome, env)
	p.painted = key
	t, l := env.Theme, p.chrome
	edge := max(1, float32(int(env.Scale)))
	l.Reset(p.rect.Inset(-edge))
	if p.stack.open {
		l.Outline(p.rect.Inset(-edge), edge, draw.Color(t.Separator))
	}
	l.Rect(p.rect, draw.Color(t.Panel))
	if strip := p.stack.strip; !strip.Empty() {
		p.paintIcons(env, hot, x, y)
		if lists := p.lists(); lists.Empty() {
			return
		} else if p.side == layout.Left {
			l.Rect(draw.Rect{X0: strip.X1 - edge, Y0: strip.Y0, X1: strip.X1, Y1: strip.Y1}, draw.Color(t.Separator))
		} else {
			l.Rect(draw.Rect{X0: strip.X0, Y0: strip.Y0, X1: strip.X0 + edge, Y1: strip.Y1}, draw.Color(t.Separator))
		}
	}
	l.PushClip(p.view())
	first := true
	for i := range p.stack.places {
		if place := &p.stack.places[i]; place.shown {
			p.paintHead(env, i, first, hot && p.headAt(x, y) == i)
			first = false
		}
	}
	if thumb := p.thumb(env); !thumb.Empty() {
		l.Rect(thumb, draw.Color(t.ButtonHover))
	}
	l.PopClip()
}

// paintHead paints the head of a section: the name has room before the text at the right.
func (p *pane) paintHead(env *panel.Env, i int, first, hot bool) {
	t, l, place := env.Theme, p.chrome, &p.stack.places[i]
	r := place.head
	if r.Empty() && !p.tabs[i].Bare {
		return
	}
	if !first {
		l.HLine(r.X0, r.X1, r.Y0, env.Px(1), draw.Color(t.Separator))
	}
	if p.tabs[i].Bare {
		return
	}
	x, mid, s := r.X0+env.Px(8), (r.Y0+r.Y1)/2, env.Px(3)
	c := draw.Color(format.Pick(hot, t.Text, t.Text2))
	if p.stack.folds(i) {
		l.Triangle(x, mid-s, x, mid+s, x+s, mid, c)
	} else {
		l.Triangle(x-s/2, mid-s/2, x+s*1.5, mid-s/2, x+s/2, mid+s/2, c)
	}
	name, words := p.headWords(env, i)
	in := draw.Rect{X0: r.X0 + env.Px(21), Y0: r.Y0, X1: r.X1 - env.Px(10), Y1: r.Y1}
	need, w := env.Atlas.Measure(draw.Medium, name), float32(0)
	left := in
	if words != "" && in.W() >= need+env.Px(36) {
		most := in.W() - need - env.Px(10)
		words = wholeParts(env, draw.Small, words, most)
		w = min(env.Atlas.Measure(draw.Small, words), most)
		right := in
		right.X0 = in.X1 - w
		l.NameIn(draw.Small, right, draw.Right, words, draw.Color(t.TextDim))
		left.X1 = right.X0 - env.Px(8)
	}
	l.TextIn(draw.Medium, left, draw.Left, name, draw.Color(t.Text))
}

// paintIcons paints an icon for each section.
func (p *pane) paintIcons(env *panel.Env, hot bool, x, y float32) {
	t, l, n := env.Theme, p.chrome, 0
	over := -1
	if hot {
		over = p.iconAt(env, x, y)
	}
	for i, tab := range p.tabs {
		if p.left(i) {
			continue
		}
		r, c := p.iconRect(env, n), draw.Color(t.Text2)
		switch n++; {
		case p.stack.asked == i+1:
			l.Rect(r, draw.Color(t.AccentGround))
			c = draw.Color(t.Accent)
		case i == over:
			l.Rect(r, draw.Color(t.Button))
			c = draw.Color(t.Text)
		}
		if tab.Icon == nil {
			_, size := utf8.DecodeRuneInString(tab.Name)
			l.TextIn(draw.Medium, r, draw.Center, tab.Name[:size], c)
			continue
		}
		tab.Icon(l, env, panel.Snap((r.X0+r.X1)/2), panel.Snap((r.Y0+r.Y1)/2), c)
	}
}

// hitSide returns the target at an icon or the head of a section.
func (p *pane) hitSide(env *panel.Env, x, y float32) (panel.Hit, bool) {
	h := panel.NoHit()
	h.Kind, h.Rect = panel.HitLabel, p.rect
	if p.stack.strip.Contains(x, y) {
		i := p.iconAt(env, x, y)
		if i < 0 {
			return h, false
		}
		h.Lines = append(h.Lines, p.name(p.tabs[i]), p.tabs[i].Tip)
		return h, true
	}
	i := p.headAt(x, y)
	if i < 0 {
		return h, false
	}
	name, words := p.headWords(env, i)
	if h.Lines = append(h.Lines, name); words != "" {
		h.Lines = append(h.Lines, words)
	}
	return h, true
}
