package app

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/piano"
	"framescope/charts/registry"
	"framescope/charts/strip"
	"framescope/model"
	"framescope/widgets"
)

// defs returns the panels of the workspace: those of the registry, and those that need the program.
func (g *Game) defs() []panel.Def {
	return append(registry.All(),
		panel.Def{ID: "sessions", Title: "Sessions", Home: paneSessions, Help: "the sessions, their length and what they lost",
			New: func() panel.Panel { return &widgets.Sessions{Program: g} }},
		panel.Def{ID: "details", Title: "Details", Home: paneDetails, Help: "what is known of the chosen thing",
			New: func() panel.Panel { return &widgets.Details{} }},
	)
}

// makePanes makes the panels and arranges them as the settings say.
func (g *Game) makePanes() {
	d := &g.desk
	for _, id := range dockedPanes() {
		p := newPane(id)
		p.docked = true
		p.paint = g.painter(p)
		d.add(p)
	}
	g.panels = map[string]panel.Panel{}
	for _, def := range g.defs() {
		if p := d.pane(def.Home); p != nil {
			g.panels[def.ID] = def.New()
			p.panels = append(p.panels, g.newPage(def, g.panels[def.ID]))
		}
	}
	for _, c := range g.panels {
		if a, ok := c.(panel.Acquainted); ok {
			a.Meet(func(id string) panel.Panel { return g.panels[id] })
		}
	}
	g.top.frames = newPane("frames", &page{id: "frames", tab: "Frames", chart: &overview.History{}})
	g.top.drawIt = func(*ebiten.Image) {
		g.submit(g.screen, g.top.list)
		g.submit(g.screen, g.top.frames.front().chart.List())
	}
	g.arrange()
}

// newPage returns the tab of a panel.
func (g *Game) newPage(d panel.Def, c panel.Panel) *page {
	p := &page{id: d.ID, tab: d.Title, chart: &guarded{Panel: c, g: g, id: d.ID}}
	if d.Tab != nil {
		p.shows = func(s *model.Session) bool { return d.Tab(g.contentsOf(s)) }
	}
	if d.Rank != nil {
		p.rank = func(s *model.Session) int { return d.Rank(g.contentsOf(s)) }
	}
	return p
}

// painter returns what the widget library calls when it comes to a pane's place in the order of windows.
func (g *Game) painter(p *pane) func(*ebiten.Image) {
	return func(*ebiten.Image) { p.drawOn(g, g.screen) }
}

// arrange applies the settings' arrangement to the panes.
func (g *Game) arrange() {
	s, d := &g.settings, &g.desk
	d.root = s.Layout
	for _, p := range d.panes {
		if !p.docked {
			continue
		}
		p.float, p.folded = false, false
		p.chosen = nil
		for key, tab := range s.Tabs {
			if id, kind, _ := strings.Cut(key, "/"); id == p.id {
				if p.chosen == nil {
					p.chosen = map[string]tabName{}
				}
				p.chosen[kind] = tab.of(p.id)
			}
		}
		p.settle(g.active)
	}
	for _, id := range s.Folded {
		if p := d.pane(id); p != nil {
			p.folded = true
		}
	}
	g.floatLater = s.Floating
	d.dirty = true
}

// applyFloating places the panes that floated when the settings were kept; they are shares of the window, so its size must be known.
func (g *Game) applyFloating(area draw.Rect) {
	for _, f := range g.floatLater {
		p := g.desk.pane(f.Pane)
		if p == nil {
			continue
		}
		p.float = true
		x, y := area.X0+float32(f.X)*area.W(), area.Y0+float32(f.Y)*area.H()
		p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + float32(f.W)*area.W(), Y1: y + float32(f.H)*area.H()}
	}
	g.floatLater = nil
	g.desk.dirty = true
}

// rememberArrangement writes the panes' places into the settings.
func (g *Game) rememberArrangement() {
	s, d := &g.settings, &g.desk
	s.Layout = d.root
	s.Floating, s.Folded, s.Tabs = nil, nil, nil
	for _, p := range d.panes {
		if !p.docked {
			continue
		}
		if p.float && !d.area.Empty() {
			r, a := p.floatAt, d.area
			s.Floating = append(s.Floating, floating{p.id, float64((r.X0 - a.X0) / a.W()), float64((r.Y0 - a.Y0) / a.H()), float64(r.W() / a.W()), float64(r.H() / a.H())})
		}
		if p.folded {
			s.Folded = append(s.Folded, p.id)
		}
		for kind, tab := range p.chosen {
			if s.Tabs == nil {
				s.Tabs = map[string]tabName{}
			}
			s.Tabs[tabKey(p.id, kind)] = tab
		}
	}
}

// fillWindow lets the pane under the mouse, or the one last pressed in, fill the window; again brings the others back.
func (g *Game) fillWindow() {
	p := g.desk.hover
	if p == nil || !p.docked {
		p = g.focus
	}
	g.desk.fill(p)
}

// resetLayout brings the arrangement of a first start back. Charts that the user opened stay open.
func (g *Game) resetLayout() {
	g.desk.alone = nil
	g.settings.Layout, g.settings.Floating, g.settings.Folded, g.settings.Tabs = defaultLayout(), nil, nil, nil
	g.arrange()
}

// openChart puts a chart into a floating pane of its own.
func (g *Game) openChart(kind string, c panel.Panel) {
	g.opened++
	id := kind + "#" + strconv.Itoa(g.opened)
	p := newPane(id, &page{id: id, tab: kind, chart: &guarded{Panel: c, g: g, id: id}})
	p.extra, p.float = true, true
	p.paint = g.painter(p)
	a, env := g.desk.area, &g.env
	step := env.Px(26) * float32((g.opened-1)%8)
	w, h := min(env.Px(560), a.W()*0.7), min(env.Px(340), a.H()*0.7)
	x, y := a.X0+(a.W()-w)/3+step, a.Y0+(a.H()-h)/4+step
	p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	p.rect = keepInside(p.floatAt, a, env)
	g.desk.add(p)
}

// act does what a chart asks for.
func (g *Game) act(a panel.Action) {
	switch a.Kind {
	case panel.ActionMenu:
		g.overlay.openMenu(g, a)
	case panel.ActionOpenStrip:
		g.openChart("Strip chart", strip.New(a.Track, a.Collector, false))
	case panel.ActionOpenLevels:
		g.openChart("Level chart", strip.New(a.Track, a.Collector, true))
	case panel.ActionOpenFlame:
		f := flame.New(a.Collector)
		f.Track, f.AllTracks = a.Track, a.Track == model.NoTrack
		g.openChart("Flame graph", f)
	case panel.ActionOpenPiano:
		g.openChart("Piano roll", piano.New(a.Track))
	}
}

// showPanel brings a panel to the front: its tab, its pane unfolded.
func (g *Game) showPanel(id string) {
	p, tab := g.desk.paneOf(id)
	if p == nil {
		return
	}
	p.settle(g.active)
	if p.hiddenTabs[tab] {
		g.notice.add("This session has nothing for the panel “"+p.panels[tab].tab+"”.", false)
		return
	}
	p.choose(tab)
	if p.folded {
		p.folded = false
		g.desk.dirty = true
	}
	if p.float {
		g.desk.raise(p)
		g.desk.dirty = true
	}
	if d := &g.desk; d.alone != nil && d.alone != p && p.docked && !p.float {
		d.alone, d.dirty = p, true
	}
	g.focus = p
}

// guarded shows what to do while there is nothing to show, in the place of the chart.
type guarded struct {
	panel.Panel
	g     *Game
	id    string
	empty widgets.Empty
	blank bool
}

// Update implements panel.Panel.
func (c *guarded) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.blank = c.id == "timeline" && (env.View.Session() == nil || env.View.Session().NumTracks() == 0 && !c.g.contentsOf(env.View.Session()).Any())
	if c.blank {
		state := widgets.EmptyState{Demo: c.g.opt.Demo}
		if s := env.View.Session(); s != nil {
			state.Session = c.g.titleOf(s)
			if e, ok := c.g.hub.EntryOf(s); ok && state.Session == "" {
				state.Session = filepath.Base(e.Feed.Name())
			}
			state.Problem, state.Loading = c.g.problemOf(s), c.g.loading(s)
			_, state.Ended = s.Ended()
		}
		c.g.emptyState(env.View.Session(), &state)
		c.empty.Update(env, rect, in, c.g, state, c.g.offers())
		return panel.Action{}
	}
	return c.Panel.Update(env, rect, in)
}

// List implements panel.Panel.
func (c *guarded) List() *draw.List {
	if c.blank {
		return c.empty.List()
	}
	return c.Panel.List()
}

// HitTest implements panel.Panel.
func (c *guarded) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if c.blank {
		return panel.Hit{Collector: model.NoCollector, Track: model.NoTrack, Frame: -1}
	}
	return c.Panel.HitTest(env, pxX, pxY)
}

// Title implements panel.Panel.
func (c *guarded) Title(env *panel.Env) string {
	if s := env.View.Session(); c.id == "strip" && s != nil && s.NumCollectors() == 0 {
		return "Strip chart" // of nothing yet
	}
	return c.Panel.Title(env)
}

// Mode implements panel.Panel.
func (c *guarded) Mode(env *panel.Env) string {
	if c.blank {
		return ""
	}
	return c.Panel.Mode(env)
}
