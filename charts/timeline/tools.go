package timeline

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// The tools of the timeline.
const (
	toolTracks = iota
	toolCounters
	toolFlows
	toolFit
)

// OrderName is an order of tracks and its name.
type OrderName struct {
	Order view.TrackOrder
	Name  string
}

// Orders returns the orders of tracks as they are called in menus.
func Orders() []OrderName { return orders[:] }

var orders = [...]OrderName{
	{view.TracksAsSent, "Sorted as sent"}, {view.TracksByName, "Sorted by name"},
	{view.TracksByBusy, "Sorted by busy time"}, {view.TracksByHand, "Sorted by hand"},
}

// GroupingName is a way to group tracks and its name.
type GroupingName struct {
	By   view.TrackGrouping
	Name string
}

// Groupings returns the ways to group tracks as they are called in menus.
func Groupings() []GroupingName { return groupings[:] }

var groupings = [...]GroupingName{
	{view.TracksAlone, "Not grouped"}, {view.TracksByKind, "Grouped by kind"},
	{view.TracksByProcess, "Grouped by process"}, {view.TracksByPool, "Grouped by name"},
}

// Names of the commands that hide tracks, in menus.
const (
	HideIdle   = "Hide idle tracks"
	ShowIdle   = "Show idle tracks"
	ShowTracks = "Show all tracks"
)

// trackOptions are both as one list, and behind them the commands that hide tracks.
var trackOptions = func() (names []string) {
	for _, o := range Orders() {
		names = append(names, o.Name)
	}
	for _, g := range Groupings() {
		names = append(names, g.Name)
	}
	return append(names, HideIdle, ShowTracks)
}()

// tools are those of the timeline, and whether the session has counters, checked once a second
// until it has.
type tools struct {
	panel.Toolbox
	of       *store.Session
	counters bool
	nextNs   int64
	hideIdle bool // chosen: the window does it, and shows the result
}

func (t *tools) hasCounters(env *panel.Env) bool {
	if s := env.View.Session(); s != t.of || !t.counters && env.NowNs >= t.nextNs {
		t.of, t.counters, t.nextNs = s, s.Contents().Levels, env.NowNs+1e9
	}
	return t.counters
}

// Tools implements panel.Tooled.
func (t *Timeline) Tools(env *panel.Env) []panel.Tool {
	b, v := &t.tools, env.View
	b.Begin()
	if v.Session() == nil || t.pane.Empty() {
		return b.All()
	}
	b.Choice(toolTracks, -1, trackOptions, "Tracks",
		"How tracks are sorted and grouped, and whether idle ones are shown; drag a name to move one, its lower edge "+
			"for more or fewer rows")
	for i, o := range Orders() {
		b.Mark(i, v.Look().TrackOrder() == o.Order)
	}
	for i, g := range Groupings() {
		b.Mark(len(Orders())+i, v.Look().TrackGrouping() == g.By)
	}
	b.Mark(len(trackOptions)-2, v.Look().HidesIdle())
	if b.hasCounters(env) {
		b.Toggle(toolCounters, v.Look().ShowCounters(), "Counters", "The counters of a thread, below its spans")
	}
	if v.Session().Flows().Any() {
		b.Toggle(toolFlows, v.Look().ShowFlows(), "Flows", "All flow arrows, not only those of the selected span")
	}
	b.Action(toolFit, "Fit", "Show the whole session (0)")
	return b.All()
}

// Use implements panel.Tooled.
func (t *Timeline) Use(env *panel.Env, id, option int) {
	v := env.View
	switch id {
	case toolTracks:
		switch orders, groups := Orders(), Groupings(); {
		case option < len(orders):
			v.Look().SetTrackOrder(orders[option].Order)
		case option < len(orders)+len(groups):
			v.Look().SetTrackGrouping(groups[option-len(orders)].By)
		case option == len(trackOptions)-2:
			t.tools.hideIdle = true
		default:
			v.Look().ShowAllTracks()
		}
	case toolCounters:
		v.Look().SetShowCounters(!v.Look().ShowCounters())
	case toolFlows:
		v.Look().SetShowFlows(!v.Look().ShowFlows())
	case toolFit:
		v.Steer().FitAll()
	}
}
