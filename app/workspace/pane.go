package workspace

import (
	"cmp"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Tab is one panel of a pane.
type Tab struct {
	// ID is its name for settings and commands, Name its title, and Called that for a session; nil, or empty: Name.
	ID, Name string
	Called   func(store.Contents) string
	Tip      string // its content, and its key
	// Foot is how much of it stays in sight at the foot of a side, with its head, at scale 1.
	Foot  float32
	Bare  bool // it has no title row, where it lies above all, and no head, where it is a section
	Panel panel.Panel
	// Home is a panel beside which it lies in workspaces that do not name it.
	Home string
	// Titled: where it is a section its head has the panel's title, not the name.
	Titled bool
	// Icon draws its symbol where sections are icons, in the middle of a square; nil: the first letter
	// of its name.
	Icon func(l *draw.List, env *panel.Env, x, y float32, c draw.Color)
	// Shows reports whether a session has something for it; nil: always.
	Shows func(store.Contents) bool

	paced panel.Paced[string] // the text beside its name
}

// pane is a piece of the desk with a title row and one or more tabs, or with sections beside the
// charts: docked in a cell of the layout, floating above, or for a while above all.
type pane struct {
	id     string
	tabs   []*Tab
	active int            // the tab in front, see settle; of sections the one pressed in last
	out    []bool         // tabs that have nothing to show
	has    store.Contents // of the session
	chosen string         // id of the tab that the user chose

	leaf   *layout.Node // of the layout, nil: it is not docked
	side   string       // its tabs are sections
	docked bool         // has a cell in the layout, where it goes back to
	float  bool         // has a place of its own
	folded bool         // shows its title row only; of a side: the user has shut it
	small  bool         // there is room for the title row only
	shown  bool         // its panel is shown, even while it is being folded
	over   bool         // a menu or dialog: no fold button, no resizing, closed by a press elsewhere
	fixed  bool         // is not moved either
	bare   bool         // has no title row
	closed func()
	// size is that of a dialog, and sized what it was placed by; nil: it is none. The window below a
	// dialog is dimmed, and has no mouse.
	size   func(env *panel.Env) (w, h float32)
	sized  dialogPlace
	useful float32   // height that it can use, 0: any
	part   draw.Rect // part of the window that belongs to it: a press there does not close it

	from    draw.Rect // where it was when the panes began to move
	rect    draw.Rect // where it is now, physical pixels of the window; title row included
	floatAt draw.Rect // where it floats

	scrim   *draw.List // of a dialog: dims what lies below
	chrome  *draw.List
	painted chromeKey
	title   titleContent
	row     titleParts
	tools   []panel.Tool // of the tab in front
	stack   stack
}

// front returns the tab in front.
func (p *pane) front() *Tab { return p.tabs[min(p.active, len(p.tabs)-1)] }

// empty reports whether none of its tabs has anything to show.
func (p *pane) empty() bool {
	for i := range p.tabs {
		if !p.left(i) {
			return false
		}
	}
	return true
}

// name returns the text on a tab.
func (p *pane) name(t *Tab) string { return t.NameFor(p.has) }

// NameFor returns the title for a session.
func (t *Tab) NameFor(has store.Contents) string {
	if t.Called != nil {
		return cmp.Or(t.Called(has), t.Name)
	}
	return t.Name
}

// find returns the index of a tab, -1: none.
func (p *pane) find(id string) int {
	for i, t := range p.tabs {
		if t.ID == id {
			return i
		}
	}
	return -1
}

// layer orders floating panes above docked ones, and menus and dialogs above both.
func (p *pane) layer() int {
	switch {
	case p.over:
		return 2
	case p.float, p.stack.open:
		return 1
	}
	return 0
}

// chooseTabs leaves the tabs out that have nothing to show, and chooses the one in front: the one that
// the user chose, else the first. It reports whether others are left out than before.
func (p *pane) chooseTabs(has store.Contents) (changed bool) {
	p.has = has
	if len(p.out) != len(p.tabs) {
		p.out, changed = make([]bool, len(p.tabs)), true
	}
	best := -1
	for i, t := range p.tabs {
		out := t.Shows != nil && !t.Shows(has)
		changed = changed || out != p.out[i]
		if p.out[i] = out; !out && (best < 0 || t.ID == p.chosen) {
			best = i
		}
	}
	if p.side == "" {
		p.active = max(best, 0)
	}
	return changed
}

// choose brings a tab to the front, for all sessions that have something for it.
func (p *pane) choose(tab int) { p.chosen, p.active = p.tabs[tab].ID, tab }

// content is the part of the pane that its panel fills; where it has its title row only, none.
func (p *pane) content(env *panel.Env) draw.Rect {
	r := p.rect
	switch {
	case p.bare, p.side != "":
		return r
	case p.folded && p.float:
		return draw.Rect{}
	}
	r.Y0 = min(r.Y0+titlePx(env), r.Y1)
	return r
}

// titleRow is the row that names the panel and moves the pane.
func (p *pane) titleRow(env *panel.Env) draw.Rect {
	r := p.rect
	r.Y1 = min(r.Y1, r.Y0+titlePx(env))
	if p.bare || p.side != "" {
		r.Y1 = r.Y0
	}
	return r
}

// closeBox is where a floating pane is closed or docked again; empty for docked ones and menus.
func (p *pane) closeBox(env *panel.Env) draw.Rect {
	if !p.float || p.fixed {
		return draw.Rect{}
	}
	r := p.titleRow(env)
	r.X0 = r.X1 - env.Px(22)
	return r
}

// corner is where a floating pane is made larger or smaller.
func (p *pane) corner(env *panel.Env) draw.Rect {
	if !p.float || p.over || p.folded {
		return draw.Rect{}
	}
	r := p.rect
	r.X0, r.Y0 = r.X1-env.Px(16), r.Y1-env.Px(16)
	return r
}

// moveTo puts a floating pane elsewhere, within reach.
func (p *pane) moveTo(r, area draw.Rect, env *panel.Env) {
	p.floatAt = keepInside(r, area, env)
	p.rect = p.floatAt
	if p.folded {
		p.rect.Y1 = p.rect.Y0 + titlePx(env)
	}
}

// keepInside moves a floating rectangle so that its title row stays within reach, and makes it no
// larger than the area.
func keepInside(r, area draw.Rect, env *panel.Env) draw.Rect {
	w := min(max(r.W(), env.Px(120)), area.W())
	h := min(max(r.H(), env.Px(60)), area.H())
	x := min(max(r.X0, area.X0), area.X1-w)
	y := min(max(r.Y0, area.Y0), area.Y1-min(h, titlePx(env)))
	x, y = float32(int(x)), float32(int(y))
	return draw.Rect{X0: x, Y0: y, X1: x + float32(int(w)), Y1: y + float32(int(h))}
}

// still keeps the section under the mouse in place while sections above it change their height: a press
// in a list, with details above it, must not move that list.
type still struct {
	tab   *Tab    // the tab of the section under the mouse, nil: none
	y     float32 // where it begins in the window
	foot  bool    // it lay at the foot
	from  float32 // how far was scrolled then
	at    float32 // how far must be scrolled to keep it there, beyond the ends if need be
	holds bool
}

// reach widens the scroll range of sections to include the held place.
func (k *still) reach(lo, hi float32) (float32, float32) {
	if k.holds {
		return min(lo, k.at), max(hi, k.at)
	}
	return lo, hi
}

// keepStill scrolls so that the section under the mouse stays where it was in the last tick; it reports
// whether it scrolled. Scrolling by others does move it.
func (p *pane) keepStill(over, scrolled bool) bool {
	k := &p.stack.still
	if !over || scrolled || k.tab == nil {
		again := k.holds
		*k = still{}
		return again
	}
	for i, t := range p.tabs {
		if place := &p.stack.places[i]; t == k.tab && place.shown {
			if moved := place.head.Y0 - k.y; moved != 0 {
				if p.stack.scroll += moved; !k.foot {
					p.stack.scroll += place.lift
				}
				k.at, k.holds = p.stack.scroll, true
				return true
			}
		}
	}
	return false
}

// watch notes which section the mouse is over now.
func (p *pane) watch(m *input.Mouse, over bool) {
	k := &p.stack.still
	i := p.headAt(m.X, m.Y)
	if i < 0 {
		i = p.sectionAt(m.X, m.Y)
	}
	if k.tab = nil; over && i >= 0 {
		place := &p.stack.places[i]
		k.tab, k.y, k.foot, k.from = p.tabs[i], place.head.Y0, place.lift > 0, p.stack.scroll
	}
}
