package app

import (
	"path/filepath"
	"strconv"

	"framescope/app/workspace"
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
		panel.Def{ID: "sessions", Title: "Sessions", Home: workspace.PaneSessions,
			Help: "the sessions, their length and what they lost",
			New:  func() panel.Panel { return &widgets.Sessions{Program: g} }},
		panel.Def{ID: "details", Title: "Details", Home: workspace.PaneDetails,
			Help: "what is known of the chosen thing", New: func() panel.Panel { return &widgets.Details{} }},
	)
}

// makePanels makes the panels of the workspace.
func (g *Game) makePanels() {
	g.desk = workspace.New(&workspace.Tab{ID: "frames", Name: "Frames", Panel: &overview.History{}})
	g.panels = map[string]panel.Panel{}
	for _, d := range g.defs() {
		if d.Home == "" {
			continue
		}
		c := d.New()
		g.panels[d.ID] = c
		if d.ID == "timeline" {
			c = &welcome{Panel: c, g: g}
		}
		g.desk.Add(d.Home, &workspace.Tab{ID: d.ID, Name: d.Title, Panel: c, Shows: d.Tab, Rank: d.Rank})
	}
	for _, c := range g.panels {
		if a, ok := c.(panel.Acquainted); ok {
			a.Meet(func(id string) panel.Panel { return g.panels[id] })
		}
	}
	g.desk.Arrange(g.settings.Arrangement)
}

// resetLayout brings the arrangement of a first start back. Charts that the user opened stay open.
func (g *Game) resetLayout() { g.desk.Arrange(workspace.DefaultArrangement()) }

// openChart puts a chart into a floating pane of its own, each a little beside the one before.
func (g *Game) openChart(kind string, c panel.Panel) {
	g.opened++
	step := g.env.Px(26) * float32((g.opened-1)%8)
	a := g.desk.Area()
	w, h := min(g.env.Px(560), a.W()*0.7), min(g.env.Px(340), a.H()*0.7)
	x, y := a.X0+(a.W()-w)/3+step, a.Y0+(a.H()-h)/4+step
	id := kind + "#" + strconv.Itoa(g.opened)
	g.desk.Open(&g.env, &workspace.Tab{ID: id, Name: kind, Panel: c}, draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h})
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
	if came, tab := g.desk.Show(id); came == workspace.ShownNot {
		g.tell("This session has nothing for the panel “%s”.", tab.Name)
	}
}

// welcome says what to do while there is nothing to show, in the place of the timeline.
type welcome struct {
	panel.Panel
	g     *Game
	empty widgets.Empty
	blank bool
}

// Update implements panel.Panel.
func (c *welcome) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	s := env.View.Session()
	c.blank = s == nil || s.NumTracks() == 0 && !c.g.has.now(s).Any()
	if !c.blank {
		return c.Panel.Update(env, rect, in)
	}
	state := widgets.EmptyState{Demo: c.g.opt.Demo}
	if s != nil {
		state.Session = c.g.titleOf(s)
		if e, ok := c.g.hub.EntryOf(s); ok && state.Session == "" {
			state.Session = filepath.Base(e.Feed.Name())
		}
		state.Problem, state.Loading = c.g.problemOf(s), c.g.loading(s)
		_, state.Ended = s.Ended()
	}
	c.g.emptyState(s, &state)
	c.empty.Update(env, rect, in, c.g, state, c.g.offers())
	return panel.Action{}
}

// List implements panel.Panel.
func (c *welcome) List() *draw.List {
	if c.blank {
		return c.empty.List()
	}
	return c.Panel.List()
}

// HitTest implements panel.Panel.
func (c *welcome) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if c.blank {
		return panel.NoHit()
	}
	return c.Panel.HitTest(env, pxX, pxY)
}

// Mode implements panel.Panel.
func (c *welcome) Mode(env *panel.Env) string {
	if c.blank {
		return ""
	}
	return c.Panel.Mode(env)
}
