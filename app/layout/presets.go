package layout

import (
	"slices"

	"framescope/model/store"
)

// Preset is a workspace that the program brings along: which panels lie where.
type Preset struct {
	Name   string
	Of     store.Nature // sessions that it is made for: the first preset of each is their default
	Layout func() *Node
}

// Presets returns the workspaces of a first start, in the order of their tabs.
func Presets() []Preset {
	return []Preset{
		{Name: "Game", Of: store.Program, Layout: gameLayout},
		{Name: "Pipeline", Of: store.Pipeline, Layout: pipelineLayout},
		{Name: "Samples", Of: store.Samples, Layout: samplesLayout},
		{Name: "Profile", Of: store.Profile, Layout: profileLayout},
		{Name: Compare, Layout: compareLayout},
	}
}

// For returns the name of the preset for sessions of a nature.
func For(n store.Nature) string {
	all := Presets()
	return all[max(slices.IndexFunc(all, func(p Preset) bool { return p.Of == n }), 0)].Name
}

// Compare is the workspace for comparisons. Its tab is there during one.
const Compare = "Compare"

// The names of the panes of presets.
const (
	PaneRail      = "rail"
	PaneInspector = "inspector"
	PaneMain      = "main"
	PaneUpper     = "upper"
	PaneLeft      = "lower left"
	PaneRight     = "lower right"
)

func leaf(pane string, tabs ...string) *Node { return &Node{Pane: pane, Tabs: tabs} }

// beside puts the sections of lists and of the selection beside charts.
func beside(charts *Node) *Node {
	return besideOf(charts, "sessions", "threads", "elements", "collectors")
}

// besideOf is beside with some lists.
func besideOf(charts *Node, lists ...string) *Node {
	return &Node{Children: []*Node{
		{Pane: PaneRail, Side: Left, Tabs: lists},
		charts,
		{Pane: PaneInspector, Side: Right, Tabs: []string{"why", "against", "details", "spikes", "bookmarks", "received"}},
	}}
}

func gameLayout() *Node {
	lower := &Node{Weights: []float64{0.5, 0.5}, Children: []*Node{
		leaf(PaneLeft, "flame", "calltree", "piano", "locks", "processors", "topology", "leaks"),
		leaf(PaneRight, "strip", "statistics", "messages", "calls", "series"),
	}}
	return beside(&Node{Column: true, Half: true, Fit: true, Children: []*Node{leaf(PaneMain, "timeline"), lower}})
}

func pipelineLayout() *Node {
	lower := &Node{Weights: []float64{0.5, 0.5}, Children: []*Node{
		leaf(PaneLeft, "waterfall", "leaks", "flame", "calltree", "piano", "locks", "processors"),
		leaf(PaneRight, "series", "messages", "statistics", "calls", "strip"),
	}}
	return beside(&Node{Column: true, Fit: true, Weights: []float64{0.5, 0.5}, Children: []*Node{
		leaf(PaneMain, "topology", "timeline"), lower,
	}})
}

// profileLayout is for sums without times: the largest ones, from above and as a tree.
func profileLayout() *Node {
	return beside(&Node{Column: true, Fit: true, Weights: []float64{0.6, 0.4}, Children: []*Node{
		leaf(PaneMain, "flame", "timeline"), leaf(PaneLeft, "calltree", "strip", "statistics", "calls", "messages"),
	}})
}

func samplesLayout() *Node {
	lower := &Node{Weights: []float64{0.58, 0.42}, Children: []*Node{
		leaf(PaneLeft, "flame", "piano", "processors", "topology", "leaks"),
		leaf(PaneRight, "calltree", "calls", "statistics", "series", "strip"),
	}}
	charts := &Node{Column: true, Fit: true, Weights: []float64{0.25, 0.45, 0.3}, Children: []*Node{
		leaf(PaneUpper, "threads", "locks", "messages"), leaf(PaneMain, "timeline"), lower,
	}}
	return besideOf(charts, "sessions", "elements", "collectors")
}

func compareLayout() *Node {
	upper := &Node{Weights: []float64{0.5, 0.5}, Children: []*Node{
		leaf(PaneLeft, "diffflame", "flame", "calltree"), leaf(PaneRight, "differences", "strip", "statistics"),
	}}
	return beside(&Node{Column: true, Fit: true, Weights: []float64{0.55, 0.45}, Children: []*Node{
		upper, leaf(PaneMain, "timelines", "timeline"),
	}})
}
