package workspace

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
	"framescope/widgets"
)

// chromeKey is everything that the looks of a pane's frame depend on.
type chromeKey struct {
	rect            draw.Rect
	about           string // the subject of the tab in front
	label           string // of a pane with an unnamed tab
	active          int
	folded, float   bool
	hot, over       bool // the mouse is over the pane, over its box
	has             store.Contents
	hotTab, hotTool int
	out             uint64      // bits of the tabs that are left out
	tools           widgets.Sum // of their texts
	scale           float32
}

// paintChrome fills the list of the pane's frame, if it has changed: its ground and the title row. x
// and y are the mouse, hot reports that it is over the pane.
func (p *pane) paintChrome(env *panel.Env, hot bool, x, y float32) {
	front := p.front()
	p.tools = nil
	about := "" // empty for a hidden panel: it does not follow the selection
	if !p.folded && p.rect.H() > p.titleRow(env).H() {
		if t, ok := front.Panel.(panel.Tooled); ok {
			p.tools = t.Tools(env)
		}
		about = front.paced.Of(env, join(p.subject(env), front.Panel.Mode(env)))
	}
	key := chromeKey{
		rect: p.rect, about: about, active: p.active, has: p.has, folded: p.folded,
		float: p.float, hot: hot, over: hot && p.closeBox(env).Contains(x, y), hotTab: -1, hotTool: -1, scale: env.Scale,
		tools: sumTools(p.tools),
	}
	if hot {
		key.hotTab, key.hotTool = p.row.tabAt(x, y), p.row.toolAt(x, y)
	}
	if front.Name == "" {
		key.label = front.Panel.Title(env)
	}
	for i, out := range p.out {
		if out {
			key.out |= 1 << (i & 63)
		}
	}
	if p.chrome != nil && key == p.painted && p.chrome.Atlas() == env.Atlas {
		return
	}
	panel.ListFor(&p.chrome, env)
	p.painted = key
	t, l, row := env.Theme, p.chrome, p.titleRow(env)
	edge := max(1, float32(int(env.Scale)))
	l.Reset(p.rect.Inset(-edge))
	if p.float { // it lies above others, and needs an edge
		border := draw.Color(t.Separator)
		switch {
		case p.size != nil:
			border = draw.Color(t.TooltipBorder)
		case hot:
			border = draw.Color(t.TextDim)
		}
		l.Outline(p.rect.Inset(-edge), edge, border)
	}
	l.Rect(p.rect, draw.Color(t.Panel))
	if p.float {
		l.Rect(row, draw.Color(t.PanelTitle))
	}
	left := row.X0 + env.Px(12)
	if p.folded {
		p.paintFolded(env, left)
		left += env.Px(14)
	}
	right := row.X1 - env.Px(8)
	if box := p.closeBox(env); !box.Empty() {
		p.paintClose(env, box, key.over)
		right = box.X0 - env.Px(4)
	}
	p.layTitle(env, left, right, key.about)
	p.paintTitle(env, &key)
}

// label is the text on a tab: its name, or for an unnamed one the panel's title.
func (p *pane) label(env *panel.Env, t *Tab) string {
	if t.Name == "" {
		return t.Panel.Title(env)
	}
	return p.name(t)
}

// subject returns the part of the front tab's title beyond its label.
func (p *pane) subject(env *panel.Env) string {
	f := p.front()
	title, label := f.Panel.Title(env), p.label(env, f)
	if s := subject(label, title); s != "" || title == label || len(p.tabs) > 1 {
		return s
	}
	return title
}

// sumTools sums up the texts of tools.
func sumTools(tools []panel.Tool) (sum widgets.Sum) {
	for i := range tools {
		t := &tools[i]
		sum.Add(uint64(t.Kind))
		sum.Flag(t.On)
		sum.Text(t.Label)
	}
	return sum
}

// layTitle places the parts of the title row.
func (p *pane) layTitle(env *panel.Env, left, right float32, about string) {
	c := &p.title
	c.left, c.right, c.subject = left, right, env.Atlas.Measure(draw.Regular, about)
	c.tabs, c.tools = c.tabs[:0], c.tools[:0]
	for i, t := range p.tabs {
		if p.left(i) || p.untitled() {
			c.tabs = append(c.tabs, -1)
			continue
		}
		n := p.label(env, t)
		c.tabs = append(c.tabs, max(env.Atlas.Measure(draw.Medium, n), env.Atlas.Measure(draw.Regular, n)))
	}
	for i := range p.tools {
		c.tools = append(c.tools, p.tools[i].Width(env))
	}
	p.row.lay(env, p.titleRow(env), c)
}

// paintTitle paints the parts of the title row where they were placed.
func (p *pane) paintTitle(env *panel.Env, key *chromeKey) {
	t, l := env.Theme, p.chrome
	for _, n := range p.row.names {
		face, c := draw.Regular, draw.Color(format.Pick(n.tab == key.hotTab, t.Text, t.Text2))
		if n.tab == p.active {
			face, c = draw.Medium, draw.Color(t.Text)
		}
		l.TextIn(face, n.rect, draw.Left, p.label(env, p.tabs[n.tab]), c)
		if n.tab == p.active && len(p.row.names) > 1 && !p.folded {
			l.Rect(draw.Rect{X0: n.rect.X0, Y0: n.rect.Y1 - env.Px(2), X1: n.rect.X1, Y1: n.rect.Y1}, draw.Color(t.Accent))
		}
	}
	if s := p.row.subject; !s.Empty() && !p.folded {
		mid := (s.Y0 + s.Y1) / 2
		l.VLine(s.X0-env.Px(13), mid-env.Px(6), mid+env.Px(6), env.Px(1), draw.Color(t.Separator))
		l.TextIn(draw.Regular, s, draw.Left, wholeParts(env, draw.Regular, key.about, s.W()), draw.Color(t.Text2))
	}
	for _, r := range p.row.tools {
		p.tools[r.tool].Draw(l, env, r.rect, r.tool == key.hotTool)
	}
	if !p.row.more.Empty() {
		(&panel.Tool{ID: panel.MoreTool}).Draw(l, env, p.row.more, key.hotTool == panel.MoreTool)
	}
}

// wholeParts drops parts of a subject at its end, of the first one words, until the rest fits: half a number is a
// wrong one. The first word stays, and is cut if necessary.
func wholeParts(env *panel.Env, f draw.Face, about string, pxRoom float32) string {
	said := about
	for env.Atlas.Measure(f, said) > ceil(pxRoom) {
		i := max(strings.LastIndex(about, parted), 0)
		if i == 0 {
			i = strings.LastIndexByte(about, ' ')
		}
		if i < 0 {
			return about
		}
		about = about[:i]
		said = about + " …"
	}
	return said
}

// paintFolded says by a triangle that there is more than the row.
func (p *pane) paintFolded(env *panel.Env, x float32) {
	row, s := p.titleRow(env), env.Px(3)
	mid := (row.Y0 + row.Y1) / 2
	p.chrome.Triangle(x, mid-s, x, mid+s, x+s, mid, draw.Color(env.Theme.Text2))
}

// paintClose paints a cross, or, where the pane goes back to its cell, a square that stands on a
// bar.
func (p *pane) paintClose(env *panel.Env, box draw.Rect, over bool) {
	l, c := p.chrome, draw.Color(format.Pick(over, env.Theme.Text, env.Theme.TextDim))
	cx, cy, s := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2, env.Px(4)
	if p.docked {
		l.Outline(draw.Rect{X0: cx - s, Y0: cy - s, X1: cx + s, Y1: cy + s}, 1, c)
		l.Rect(draw.Rect{X0: cx - s, Y0: cy + s - env.Px(2), X1: cx + s, Y1: cy + s}, c)
		return
	}
	l.Line(cx-s, cy-s, cx+s, cy+s, env.Px(1.2), c)
	l.Line(cx-s, cy+s, cx+s, cy-s, env.Px(1.2), c)
}

// left reports whether a tab is left out.
func (p *pane) left(tab int) bool { return tab < len(p.out) && p.out[tab] }

// untitled reports whether the row has no names: they would stand over nothing where there is nothing to show.
func (p *pane) untitled() bool { return !p.float && !p.folded && p.side == "" && !p.has.Any() }

// Icons stand for the lists beside the charts where there is no room for them, in the middle of a
// square of 28 pixels at scale 1.
var Icons = map[string]func(l *draw.List, env *panel.Env, x, y float32, c draw.Color){
	"sessions": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a screen
		w, h := env.Px(7), env.Px(5)
		l.Outline(draw.Rect{X0: x - w, Y0: y - h - env.Px(1), X1: x + w, Y1: y + h - env.Px(1)}, env.Px(1), c)
		l.HLine(x-env.Px(4), x+env.Px(4), y+env.Px(6), env.Px(1), c)
	},
	"threads": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // lines
		for i, w := range [...]float32{14, 14, 9} {
			l.HLine(x-env.Px(7), x-env.Px(7)+env.Px(w), y+env.Px(float32(i*5-5)), env.Px(1), c)
		}
	},
	"elements": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // two boxes and a link
		w, h := env.Px(4), env.Px(3)
		for _, dx := range [...]float32{-7, 3} {
			x0 := x + env.Px(dx)
			l.Outline(draw.Rect{X0: x0, Y0: y - h, X1: x0 + w, Y1: y + h}, env.Px(1), c)
		}
		l.HLine(x-env.Px(3), x+env.Px(3), y, env.Px(1), c)
	},
	"collectors": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a tree
		box := func(dx, dy, w float32) {
			x0, y0 := x+env.Px(dx), y+env.Px(dy)
			l.Rect(draw.Rect{X0: x0, Y0: y0, X1: x0 + env.Px(w), Y1: y0 + env.Px(3)}, c)
		}
		box(-7, -6, 9)
		box(-2, -1, 9)
		box(-2, 4, 6)
	},
	"why": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a question
		r := draw.Rect{X0: x - env.Px(14), Y0: y - env.Px(14), X1: x + env.Px(14), Y1: y + env.Px(14)}
		l.TextIn(draw.Medium, r, draw.Center, "?", c)
	},
	"against": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // bars on both sides of a line
		line := max(1, env.Px(1))
		l.Rect(draw.Rect{X0: x, Y0: y - env.Px(7), X1: x + line, Y1: y + env.Px(7)}, c)
		for i, w := range [...]float32{7, 4, -5} {
			y0 := y + env.Px(float32(i*5-6))
			l.Rect(draw.Rect{X0: min(x, x+env.Px(w)), Y0: y0, X1: max(x, x+env.Px(w)), Y1: y0 + env.Px(3)}, c)
		}
	},
	"details": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a card with lines
		w, h := env.Px(6), env.Px(7)
		l.Outline(draw.Rect{X0: x - w, Y0: y - h, X1: x + w, Y1: y + h}, env.Px(1), c)
		for i := range 3 {
			l.HLine(x-env.Px(3), x+env.Px(3), y+env.Px(float32(i*3-3)), env.Px(1), c)
		}
	},
	"spikes": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // one frame above the others
		for i, h := range [...]float32{3, 4, 13, 4, 3} {
			x0 := x + env.Px(float32(i*3-7))
			l.Rect(draw.Rect{X0: x0, Y0: y + env.Px(6-h), X1: x0 + env.Px(2), Y1: y + env.Px(6)}, c)
		}
	},
	"received": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // an arrow into a tray
		l.Rect(draw.Rect{X0: x - max(1, env.Px(1))/2, Y0: y - env.Px(7), X1: x + max(1, env.Px(1)), Y1: y + env.Px(1)}, c)
		l.Triangle(x-env.Px(4), y-env.Px(1), x+env.Px(4), y-env.Px(1), x, y+env.Px(4), c)
		l.HLine(x-env.Px(7), x+env.Px(7), y+env.Px(6), env.Px(1), c)
	},
}
