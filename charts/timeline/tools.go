package timeline

import (
	"framescope/charts/panel"
	"framescope/charts/view"
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

// counterChoices are the choices of counters and their names.
var counterChoices = [...]view.CounterChoice{
	view.CountersFit, view.CountersChanging, view.CountersAll, view.CountersNone,
}

var counterOptions = []string{"Counters: as many as fit", "Counters that change", "All counters", "No counters"}

// tools are those of the timeline.
type tools struct {
	panel.Toolbox
	hideIdle bool // chosen: the window does it, and shows the result
}

// Tools implements panel.Tooled.
func (t *Timeline) Tools(env *panel.Env) []panel.Tool {
	b, v := &t.tools, env.View
	b.Begin()
	if t.pane.Empty() {
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
	if n, _ := v.Look().Counters(); n > 0 {
		b.Choice(toolCounters, -1, counterOptions, "Counters",
			"Which counters have a row below the threads; those that change most come first")
		for i, c := range counterChoices {
			b.Mark(i, v.Look().CounterChoice() == c)
		}
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
		v.Look().ChooseCounters(counterChoices[option])
	case toolFlows:
		v.Look().SetShowFlows(!v.Look().ShowFlows())
	case toolFit:
		v.Steer().FitAll()
	}
}
