package workspace

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Tab is one panel of a pane.
type Tab struct {
	// ID is its name for settings and commands, Name what stands on it, Sampled what stands there for
	// sessions whose stacks are sampled; empty: Name.
	ID, Name, Sampled string
	Tip               string // what it shows, and its key
	Bare              bool   // it has no title row, where it lies above all
	Panel             panel.Panel
	// Shows tells whether a session has something for it; nil: always. Rank says how well it fits: of
	// the tabs of a pane the first with the highest is in front until the user chooses; nil: 0.
	Shows func(store.Contents) bool
	Rank  func(store.Contents) int
}

// pane is a piece of the desk with a title row and one or more tabs: docked in a cell of the layout,
// floating above, or for a while above all.
type pane struct {
	id     string
	tabs   []*Tab
	active int                // the tab in front, see settle
	out    []bool             // tabs that have nothing to show
	kind   string             // of session, that settle was told
	runs   bool               // its stacks are sampled
	chosen map[string]TabName // the tab that the user chose, by kind of session

	docked bool // has a cell in the layout, where it goes back to
	float  bool // has a place of its own
	folded bool // shows its title row only
	over   bool // a menu or dialog: no fold button, no resizing, closed by a press elsewhere
	fixed  bool // is not moved either
	bare   bool // has no title row
	fresh  bool // was opened by what happens now, so that this does not close it
	closed func()

	rect    draw.Rect // where it is now, physical pixels of the window; title row included
	floatAt draw.Rect // where it floats

	chrome  *draw.List
	painted chromeKey
	title   titleContent
	row     titleParts
	tools   []panel.Tool // of the tab in front
}

// front returns the tab in front.
func (p *pane) front() *Tab { return p.tabs[min(p.active, len(p.tabs)-1)] }

// name returns what stands on a tab.
func (p *pane) name(t *Tab) string {
	if p.runs && t.Sampled != "" {
		return t.Sampled
	}
	return t.Name
}

// find returns the index of a tab, -1 if the pane has none of that id.
func (p *pane) find(id string) int {
	for i, t := range p.tabs {
		if t.ID == id {
			return i
		}
	}
	return -1
}

// layer keeps what floats above what is docked, and menus and dialogs above both.
func (p *pane) layer() int {
	switch {
	case p.over:
		return 2
	case p.float:
		return 1
	}
	return 0
}

// settle chooses the tab in front for a session: the one that the user chose for sessions of this
// kind, else the one that fits best. Tabs that have nothing to show are left out.
func (p *pane) settle(kind string, has store.Contents) {
	p.kind, p.runs = kind, has.Sampled
	if len(p.out) != len(p.tabs) {
		p.out = make([]bool, len(p.tabs))
	}
	best, rank := -1, 0
	for i, t := range p.tabs {
		p.out[i] = t.Shows != nil && !t.Shows(has)
		if p.out[i] {
			continue
		}
		r := 0
		if t.Rank != nil {
			r = t.Rank(has)
		}
		if best < 0 || r > rank {
			best, rank = i, r
		}
	}
	if id, chosen := p.chosen[kind]; chosen {
		if i := p.find(string(id)); i >= 0 && !p.out[i] {
			best = i
		}
	}
	p.active = max(best, 0)
}

// choose brings a tab to the front, for all sessions of the kind that is shown.
func (p *pane) choose(tab int) {
	p.remember(p.kind, TabName(p.tabs[tab].ID))
	p.active = tab
}

func (p *pane) remember(kind string, tab TabName) {
	if p.chosen == nil {
		p.chosen = map[string]TabName{}
	}
	p.chosen[kind] = tab
}

// content is the part of the pane that its panel fills; empty while it is folded.
func (p *pane) content(env *panel.Env) draw.Rect {
	r := p.rect
	switch {
	case p.bare:
		return r
	case p.folded:
		return draw.Rect{}
	}
	r.Y0 = min(r.Y0+titlePx(env), r.Y1)
	return r
}

// titleRow is the row that names the panel and moves the pane.
func (p *pane) titleRow(env *panel.Env) draw.Rect {
	r := p.rect
	r.Y1 = min(r.Y1, r.Y0+titlePx(env))
	if p.bare {
		r.Y1 = r.Y0
	}
	return r
}

// closeBox is where a floating pane is closed or docked again; empty for docked ones.
func (p *pane) closeBox(env *panel.Env) draw.Rect {
	if !p.float {
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
