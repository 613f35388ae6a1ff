package app

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/leaks"
	"framescope/charts/locks"
	"framescope/charts/messages"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/piano"
	"framescope/charts/series"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/timeline"
	"framescope/charts/topology"
	"framescope/model"
	"framescope/widgets"
)

// workspace holds the panels that others refer to.
type workspace struct {
	flame    *flame.Graph
	strip    *strip.Chart
	details  *widgets.Details
	callTree *calls.Tree
	series   *series.Chart
	counters *series.Table
}

// makePanes creates the default panels and arranges them as the settings say.
func (g *Game) makePanes() {
	w := &g.work
	w.flame = flame.New(model.NoCollector)
	w.strip = strip.New(model.NoTrack, 0, false)
	w.details = &widgets.Details{}

	d := &g.desk
	add := func(id string, panels ...*page) {
		p := newPane(id, panels...)
		p.docked = true
		d.add(p)
	}
	one := func(id, tab string, c panel.Panel) *page {
		return &page{id: id, tab: tab, chart: &guarded{Panel: c, g: g, id: id}}
	}
	// when gives a panel that is left out where a session has nothing for it, and says how well it fits one that has.
	when := func(p *page, has func(model.Contents) bool, rank func(*model.Session) int) *page {
		p.shows = func(s *model.Session) bool { return has(g.contentsOf(s)) }
		p.rank = rank
		return p
	}
	frameless := func(rank int) func(*model.Session) int {
		return func(s *model.Session) int {
			if g.contentsOf(s).Frameless() {
				return rank
			}
			return -1
		}
	}
	last := func(*model.Session) int { return -1 }
	w.series, w.counters = series.NewChart(), series.NewTable()
	w.series.Order = series.OrderMean // what takes most is looked for
	w.counters.Chart = w.series
	w.callTree = calls.NewTree()
	lockTable, _ := locks.NewLockPanel()
	hasObjects := func(c model.Contents) bool { return c.Objects }
	hasLocks := func(c model.Contents) bool { return c.Locks }
	series := func(c model.Contents) bool { return c.Series }
	hasMessages := func(c model.Contents) bool { return c.Messages }
	// By frames: the piano roll always, the strip chart but for sessions where series tell more.
	framed := func(c model.Contents) bool { return !c.Frameless() }
	strips := func(c model.Contents) bool { return !c.Frameless() || !c.Series }
	processors := func(c model.Contents) bool { return c.Processors }
	leaked := func(c model.Contents) bool { return c.Resources }

	add(paneSessions, one("sessions", "Sessions", &widgets.Sessions{Program: g}))
	add(paneThreads, one("threads", "Threads", tables.NewThreadPanel()))
	add(paneCollectors, one("collectors", "Collectors", tables.NewCollectorPanel()))
	add(paneTimeline, one("timeline", "Timeline", &timeline.Timeline{}),
		when(one("dashboard", "Dashboard", tables.NewDashboardPanel()), model.Contents.Frameless, last))
	add(paneFlame, one("flame", "Flame graph", w.flame), when(one("piano", "Piano roll", piano.New(model.NoTrack)), framed, last),
		one("calltree", "Call tree", w.callTree),
		when(one("topology", "Topology", topology.New()), hasObjects, frameless(3)),
		when(one("locks", "Locks", &timeline.LockChart{}), hasLocks, last),
		when(one("processors", "Processors", &timeline.ProcessorChart{}), processors, last),
		when(one("leaks", "Leaks", leaks.New()), leaked, frameless(2)))
	add(paneStrip, when(one("strip", "Strip chart", w.strip), strips, nil), one("statistics", "Statistics", tables.NewStatisticsPanel()),
		one("calls", "Calls", calls.NewSlow()),
		when(one("series", "Series", w.series), series, frameless(3)),
		when(one("counters", "Table", &tables.Panel{Table: table.New("Table of series", w.counters)}), series, last),
		when(one("messages", "Messages", messages.New()), hasMessages, frameless(2)),
		when(one("contention", "Contention", lockTable), hasLocks, last))
	add(paneDetails, one("details", "Details", w.details))
	var memory func(*model.Session) int64
	if g.opt.Deterministic {
		memory = func(*model.Session) int64 { return 1 << 20 }
	}
	add(paneReceived, one("received", "Received", tables.NewReceivedPanel(memory)))
	add(paneSpikes, one("spikes", "Spikes", tables.NewSpikePanel()))
	for _, p := range d.panes {
		p.paint = g.painter(p)
	}
	g.top.frames = newPane("frames", one("frames", "Frames", &overview.History{}))
	g.top.drawIt = func(*ebiten.Image) {
		g.submit(g.screen, g.top.list)
		g.submit(g.screen, g.top.frames.front().chart.List())
	}
	g.arrange()
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
			if id, kind, _ := strings.Cut(key, "/"); id == p.id && tab >= 0 && tab < len(p.panels) {
				if p.chosen == nil {
					p.chosen = map[string]int{}
				}
				p.chosen[kind] = tab
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
				s.Tabs = map[string]int{}
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
