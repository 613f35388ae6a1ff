package app

import (
	"reflect"
	"strconv"
	"strings"

	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/strip"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/store"
	"framescope/widgets"
	"framescope/widgets/details"
)

// defs returns the panels of the workspace: those of the registry, for one session and for comparisons,
// and those that need the program.
func defs(ss *sessions.Sessions) []panel.Def {
	return append(append(registry.All(), registry.Compared()...),
		panel.Def{ID: "budgets", Title: "Budgets", Home: "strip",
			Help: "what something may take at most by a file of budgets, and whether it does",
			New:  func() panel.Panel { return tables.NewBudgets() }},
		panel.Def{ID: "sessions", Title: "Sessions", Home: "threads",
			Help: "the sessions, their length and what they lost",
			New:  func() panel.Panel { return &widgets.Sessions{Program: ss} }},
		panel.Def{ID: "bookmarks", Title: "Bookmarks", Home: "spikes",
			Help: "the bookmarks of the session, with their notes",
			New:  func() panel.Panel { return tables.New() }},
		panel.Def{ID: "why", Title: "Selected", Home: "details",
			Help: "the selection, its length, and how far that is from usual",
			New:  func() panel.Panel { return &details.Why{} }},
		panel.Def{ID: "details", Title: "Details", Home: "spikes",
			Help: "details of the selection", New: func() panel.Panel { return &details.Panel{} }},
	)
}

// newDesk makes the workspace, without its panels.
func newDesk(filter *widgets.Filter) *workspace.Desk {
	d := workspace.New(&workspace.Tab{ID: "frames", Name: "Frames", Panel: &overview.History{}, Shows: timed})
	d.Pin(&workspace.Tab{ID: "filter", Panel: filter})
	return d
}

// addPanels makes the panels of a workspace.
func addPanels(desk *workspace.Desk, ss *sessions.Sessions, cmp *Sides, limits *Book) map[string]panel.Panel {
	panels := map[string]panel.Panel{}
	for _, d := range defs(ss) {
		if d.Home == "" {
			continue
		}
		c := d.New()
		panels[d.ID] = c
		if d.ID == "timeline" {
			c = ss.Welcome(c)
		}
		desk.Add(&workspace.Tab{
			ID: d.ID, Name: d.Title, Sampled: d.Sampled, Tip: tipOf(&d), Panel: c, Home: d.Home,
			Shows:  shows(ss, cmp, limits, &d),
			Titled: d.ID == "details", Bare: d.ID == "why", Icon: workspace.Icons[d.ID],
		})
	}
	for _, c := range panels {
		if a, ok := c.(panel.Acquainted); ok {
			a.Meet(func(id string) panel.Panel { return panels[id] })
		}
	}
	return panels
}

// shows returns a function that reports whether a panel has content for a session: without it takes no
// room. The empty timeline shows instructions, and the list of sessions is there from the first one on.
func shows(ss *sessions.Sessions, cmp *Sides, limits *Book, d *panel.Def) func(store.Contents) bool {
	has, tab := d.Has, d.Tab
	switch d.ID {
	case "timeline":
		return timed
	case "sessions":
		return func(store.Contents) bool { return ss.ListsSome() }
	case "frametimes", "timelines":
		return func(store.Contents) bool {
			return (cmp.State.Any() || cmp.Desk.Workspace() == workspace.Compare) && !cmp.State.Timeless()
		}
	case "diffflame", "differences":
		return func(store.Contents) bool { return cmp.State.Any() || cmp.Desk.Workspace() == workspace.Compare }
	case "budgets":
		return func(store.Contents) bool { return limits.Shows() }
	case "bookmarks":
		return func(store.Contents) bool { return ss.View().Marks().Len() > 0 }
	case "why", "details", "received":
		return store.Contents.Any
	}
	return func(c store.Contents) bool { return (has == nil || has(c)) && (tab == nil || tab(c)) }
}

// timed reports whether anything has a place in time, in a session or in one that is yet to come.
func timed(c store.Contents) bool { return !c.Timeless }

// tipOf is the tooltip of a panel's tab.
func tipOf(d *panel.Def) string {
	tip := d.Help
	if tip != "" {
		tip = strings.ToUpper(tip[:1]) + tip[1:]
	}
	if d.Key != "" {
		tip += " (" + d.Key + ")"
	}
	return tip
}

// openChart puts a chart into a floating pane of its own, each a little beside the one before.
func (n *navigator) openChart(kind string, c panel.Panel) {
	n.opened++
	env := n.ask.Env
	step := env.Px(26) * float32((n.opened-1)%8)
	a := n.ask.Desk.Area()
	w, h := min(env.Px(560), a.W()*0.7), min(env.Px(340), a.H()*0.7)
	x, y := a.X0+(a.W()-w)/3+step, a.Y0+(a.H()-h)/4+step
	id := kind + "#" + strconv.Itoa(n.opened)
	n.ask.Desk.Open(env, &workspace.Tab{ID: id, Name: kind, Panel: c}, draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h})
}

// framed reports whether a thread goes by frames: charts frame by frame show nothing of others.
func (n *navigator) framed(id model.TrackID) bool {
	s := n.ss.View().Session()
	if s == nil {
		return false
	}
	if id == model.NoTrack {
		id = n.ss.View().Track()
	}
	t := s.Track(id)
	return t != nil && t.NumFrames() > 0
}

// act runs a chart's request.
func (n *navigator) act(a panel.Action) {
	if (a.Kind == panel.ActionOpenStrip || a.Kind == panel.ActionOpenLevels) && !n.framed(a.Track) {
		n.ask.Tell("A chart frame by frame needs frames; this thread has none.")
		return
	}
	switch a.Kind {
	case panel.ActionMenu:
		n.openMenu(a)
	case panel.ActionGoToMark, panel.ActionRemoveMark, panel.ActionNote:
		n.places.Act(a)
	case panel.ActionClearSearch:
		n.unfind()
	case panel.ActionShow:
		n.showSession(a.Session)
	case panel.ActionHideIdle:
		n.hideIdle()
	case panel.ActionFind:
		n.search(a.Text)
	case panel.ActionFilterMessages:
		n.filterMessages(a.Hit.Rect)
	case panel.ActionOpenStrip:
		n.openChart("Strip chart", strip.New(a.Track, a.Collector, false))
	case panel.ActionOpenLevels:
		n.openChart("Level chart", strip.New(a.Track, a.Collector, true))
	case panel.ActionOpenFlame:
		f := flame.New(a.Collector)
		f.Track, f.AllTracks = a.Track, a.Track == model.NoTrack
		n.openChart("Flame graph", f)
	case panel.ActionOpenPiano:
		n.openChart("Piano roll", strip.NewPiano(a.Track))
	}
}

// show brings a panel to the front: its tab, its pane unfolded.
func (n *navigator) show(id string) {
	if came, tab := n.ask.Desk.Show(id); came == workspace.ShownNot {
		n.ask.Tell("This session has nothing for the panel “%s”.", tab.Name)
	}
}

// panelFor returns the panel that a command is about: one of its kind under the mouse, else the one
// of the workspace.
func (n *navigator) panelFor(id string) panel.Panel {
	home := n.panels[id]
	if c := n.ask.Desk.KeyPanel(); reflect.TypeOf(c) == reflect.TypeOf(home) {
		return c
	}
	return home
}
