package workspace

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// chromeKey is everything that the looks of a pane's frame depend on.
type chromeKey struct {
	rect                     draw.Rect
	title, mode              string
	active                   int
	folded, float, hot, over bool
	runs                     bool
	hotTab                   int
	out                      uint64 // bits of the tabs that are left out
	scale                    float32
}

// paintChrome fills the list of the pane's frame, if it has changed: ground, border, title row with
// tabs at the left and the mode at the right. x and y are where the mouse is, hot tells that it is
// over the pane.
func (p *pane) paintChrome(env *panel.Env, hot bool, x, y float32) {
	front := p.front()
	key := chromeKey{
		rect: p.rect, title: front.Panel.Title(env), mode: front.Panel.Mode(env), active: p.active, runs: p.runs, folded: p.folded,
		float: p.float, hot: hot, over: hot && p.closeBox(env).Contains(x, y), hotTab: -1, scale: env.Scale,
	}
	if hot {
		key.hotTab = p.tabAt(x, y)
	}
	for i, out := range p.out {
		if out {
			key.out |= 1 << (i & 63)
		}
	}
	if p.chrome != nil && key == p.painted && p.chrome.Atlas() == env.Atlas {
		return
	}
	if p.chrome == nil || p.chrome.Atlas() != env.Atlas {
		p.chrome = draw.NewList(env.Atlas)
	}
	p.painted = key
	t, l, row := env.Theme, p.chrome, p.titleRow(env)
	edge := max(1, float32(int(env.Scale)))
	l.Reset(p.rect.Inset(-edge))
	l.Outline(p.rect.Inset(-edge), edge, draw.Color(t.Separator))
	l.Rect(p.rect, draw.Color(t.Panel))
	l.Rect(row, draw.Color(t.PanelTitle))
	border := draw.Color(t.Separator)
	if p.float && hot {
		border = draw.Color(t.TextDim)
	}
	l.Outline(p.rect, 1, border)
	left := row.X0 + env.Px(9)
	if !p.over {
		p.paintFold(env, hot)
		left += env.Px(11)
	}
	right := row.X1 - env.Px(8)
	if box := p.closeBox(env); !box.Empty() {
		p.paintClose(env, box, key.over)
		right = box.X0
	}
	p.paintTabs(env, left, right, &key)
}

// paintFold says by a triangle that the row folds.
func (p *pane) paintFold(env *panel.Env, hot bool) {
	c, row := draw.Color(env.Theme.TextDim), p.titleRow(env)
	if hot {
		c = draw.Color(env.Theme.Text2)
	}
	x, mid, s := row.X0+env.Px(9), (row.Y0+row.Y1)/2, env.Px(3)
	if p.folded {
		p.chrome.Triangle(x, mid-s, x, mid+s, x+s, mid, c)
	} else {
		p.chrome.Triangle(x-s/2, mid-s/2, x+s*1.5, mid-s/2, x+s/2, mid+s/2, c)
	}
}

// paintClose paints a cross, or, where the pane goes back to its cell, a square that stands on a
// bar.
func (p *pane) paintClose(env *panel.Env, box draw.Rect, over bool) {
	l, c := p.chrome, draw.Color(env.Theme.TextDim)
	if over {
		c = draw.Color(env.Theme.Text)
	}
	cx, cy, s := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2, env.Px(4)
	if p.docked {
		l.Outline(draw.Rect{X0: cx - s, Y0: cy - s, X1: cx + s, Y1: cy + s}, 1, c)
		l.Rect(draw.Rect{X0: cx - s, Y0: cy + s - env.Px(2), X1: cx + s, Y1: cy + s}, c)
		return
	}
	l.Line(cx-s, cy-s, cx+s, cy+s, env.Px(1.2), c)
	l.Line(cx-s, cy+s, cx+s, cy-s, env.Px(1.2), c)
}

// paintTabs names the tabs. Of several each has its name and its place whichever is in front; what
// the one in front is about stands beside its mode. Where not all have room the longest names are
// cut.
func (p *pane) paintTabs(env *panel.Env, x, right float32, key *chromeKey) {
	t, l, row := env.Theme, p.chrome, p.titleRow(env)
	p.names = p.names[:0]
	shown := 0
	for i := range p.tabs {
		if !p.left(i) {
			shown++
		}
	}
	name := func(i int) string {
		if shown == 1 {
			return key.title
		}
		return p.name(p.tabs[i])
	}
	width := func(i int) float32 {
		n := name(i)
		return max(env.Atlas.Measure(draw.Medium, n), env.Atlas.Measure(draw.Regular, n))
	}
	gap := env.Px(16)
	sum := func(most float32) (w float32) {
		for i := range p.tabs {
			if !p.left(i) {
				w += min(width(i), most) + gap
			}
		}
		return w - gap
	}
	most := right - x
	if shown > 1 && sum(most) > right-x {
		gap = env.Px(12)
		for most = env.Px(160); most > 0 && sum(most) > right-x; {
			most -= env.Px(2)
		}
	}
	for i := range p.tabs {
		if p.left(i) {
			continue
		}
		face, c := draw.Regular, draw.Color(t.TextDim)
		if i == key.hotTab {
			c = draw.Color(t.Text)
		}
		if i == p.active {
			face, c = draw.Medium, draw.Color(t.Text)
		}
		w := min(width(i), most, max(0, right-x))
		r := draw.Rect{X0: x, Y0: row.Y0, X1: x + w, Y1: row.Y1}
		l.TextIn(face, r, draw.Left, name(i), c)
		if i == p.active && shown > 1 {
			l.Rect(draw.Rect{X0: x, Y0: row.Y1 - env.Px(2), X1: x + w, Y1: row.Y1}, draw.Color(t.Accent))
		}
		r.X0, r.X1 = r.X0-env.Px(6), r.X1+env.Px(6)
		p.names = append(p.names, tabRect{r, i})
		x += w + gap
	}
	mode := key.mode
	if shown > 1 {
		mode = join(subject(p.name(p.front()), key.title), mode)
	}
	if mode != "" && right-x >= env.Px(40) {
		r := draw.Rect{X0: x, Y0: row.Y0, X1: right, Y1: row.Y1}
		l.TextIn(draw.Regular, r, draw.Right, mode, draw.Color(t.Text2))
	}
}

// left tells whether a tab is left out.
func (p *pane) left(tab int) bool { return tab < len(p.out) && p.out[tab] }

// subject returns what a title says beyond the name of its tab: "Frame" of "Strip chart: Frame".
func subject(name, title string) string {
	rest, ok := strings.CutPrefix(title, name)
	if !ok {
		return ""
	}
	return strings.TrimLeft(rest, ":· ")
}

// join puts two things into a line, each of which may be missing.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}
