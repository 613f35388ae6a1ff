package app

import (
	"strings"

	"framescope/app/layout"
	"framescope/app/query"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"framescope/widgets"
	"framescope/widgets/details"
)

// defs returns the panels of the workspace: those of the registry, for one session and for comparisons,
// and those that need the program.
func defs(ss *sessions.Sessions) []panel.Def {
	list := append(append(registry.All(), registry.Compared()...),
		panel.Def{ID: "budgets", Title: "Budgets", Home: "strip",
			Help: "the limits of the budget file, and what exceeds them",
			New:  func() panel.Panel { return tables.NewBudgets() }},
		panel.Def{ID: "sessions", Title: "Sessions", Home: "threads",
			Help: "the sessions, their length and what they lost",
			New:  func() panel.Panel { return &widgets.Sessions{Program: ss} }},
		panel.Def{ID: "bookmarks", Title: "Bookmarks", Home: "spikes",
			Help: "the bookmarks of the session, with their notes",
			New:  func() panel.Panel { return tables.NewBookmarkPanel() }},
		panel.Def{ID: "why", Title: "Selected", Home: "details",
			Help: "the selection, its length, and its difference from usual",
			New:  func() panel.Panel { return &details.Why{} }},
		panel.Def{ID: "details", Title: "Details", Home: "spikes",
			Help: "details of the selection", New: func() panel.Panel { return &details.Panel{} }},
	)
	if query.Offered {
		list = append(list, panel.Def{ID: queryID, Title: "Query", Command: "Query the session in SQL", Key: "Q",
			Home: "strip",
			Help: "asks the session in SQL", New: func() panel.Panel { return NewConsole() }})
	}
	return list
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
		show := shows(ss, cmp, limits, &d)
		if q, ok := c.(*Console); ok {
			show = func(store.Contents) bool { return q.Shows() }
		}
		desk.Add(&workspace.Tab{
			ID: d.ID, Name: d.Title, Called: d.Called, Tip: tipOf(&d), Panel: c, Home: d.Home,
			Shows:  show,
			Titled: d.ID == "details", Bare: d.ID == "why", Icon: workspace.Icons[d.ID],
			Foot: format.Pick[float32](d.ID == "spikes", spikesFoot, 0),
		})
	}
	for _, c := range panels {
		if a, ok := c.(panel.Acquainted); ok {
			a.Meet(func(id string) panel.Panel { return panels[id] })
		}
	}
	return panels
}

// spikesFoot is how much of the spikes stays in sight in a low window, at scale 1: the head, and four causes.
const spikesFoot = 28 + 4*38

// shows returns a function that reports whether a panel has content for a session: without it takes no
// room. The empty timeline shows instructions, and the list of sessions is there from the first one on.
func shows(ss *sessions.Sessions, cmp *Sides, limits *Book, d *panel.Def) func(store.Contents) bool {
	has, tab := d.Has, d.Tab
	switch d.ID {
	case "timeline":
		return timed
	case "sessions":
		return func(store.Contents) bool { return ss.ListsSome() }
	case "timelines":
		return func(store.Contents) bool {
			return (cmp.State.Any() || cmp.Desk.Workspace() == layout.Compare) && !cmp.State.Timeless()
		}
	case "diffflame", "differences":
		return func(store.Contents) bool { return cmp.State.Any() || cmp.Desk.Workspace() == layout.Compare }
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

// inspected is the subject of the inspector.
type inspected struct {
	session *store.Session
	choice  view.Choice
}

// like reports whether it is of the same kind: a user stepping through frames, calls or elements, or
// comparing collectors, keeps the reading position.
func (a *inspected) like(b *inspected) bool {
	x, y := &a.choice, &b.choice
	return a.session == b.session && x.HasSpan == y.HasSpan && x.Thing.Like(y.Thing) &&
		(x.Collector == model.NoCollector) == (y.Collector == model.NoCollector)
}
