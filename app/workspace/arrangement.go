package workspace

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/registry"
)

// The panes of a first start that no panel of the registry has for its home.
const (
	PaneSessions = "sessions"
	PaneDetails  = "details"
)

// Arrangement is what settings keep of the panes, and how their file names it.
type Arrangement struct {
	Layout   *Node              `json:",omitempty"`
	Floating []Floating         `json:",omitempty"`
	Folded   []string           `json:",omitempty"`
	Tabs     map[string]TabName `json:",omitempty"` // the tabs that were chosen, see tabKey
}

// Floating is the place of a pane that floats, as shares of the window.
type Floating struct {
	Pane       string
	X, Y, W, H float64
}

// TabName is the id of a tab, as settings keep it.
type TabName string

// DefaultArrangement is that of a first start.
func DefaultArrangement() Arrangement { return Arrangement{Layout: defaultLayout()} }

func defaultLayout() *Node {
	column := func(weights []float64, panes ...string) *Node {
		n := &Node{Column: true, Weights: weights}
		for _, p := range panes {
			n.Children = append(n.Children, &Node{Pane: p})
		}
		return n
	}
	lower := column([]float64{0.53, 0.47}, registry.PaneFlame, registry.PaneStrip)
	lower.Column = false
	middle := column([]float64{0.48, 0.52}, registry.PaneTimeline)
	middle.Children = append(middle.Children, lower)
	return &Node{
		Auto:    true,
		Weights: []float64{0.188, 0.622, 0.19},
		Children: []*Node{
			column([]float64{0.20, 0.22, 0.58}, PaneSessions, registry.PaneThreads, registry.PaneCollectors),
			middle,
			column([]float64{0.46, 0.27, 0.27}, PaneDetails, registry.PaneReceived, registry.PaneSpikes),
		},
	}
}

// Sanitize replaces an arrangement that does not name each pane once by the default, and leaves
// places out that make no sense: a settings file is not trusted.
func (a *Arrangement) Sanitize() {
	all := defaultLayout().panes(nil)
	if a.Layout == nil || !a.Layout.valid(all) {
		a.Layout, a.Floating = defaultLayout(), nil
	}
	odd := func(f Floating) bool {
		return slices.ContainsFunc([]float64{f.X, f.Y, f.W, f.H}, func(v float64) bool { return !(v >= -1 && v <= 2) })
	}
	if len(a.Floating) > len(all) || slices.ContainsFunc(a.Floating, odd) {
		a.Floating = nil
	}
}

// Arrange gives the docked panes the places and tabs of an arrangement. What was opened besides
// stays.
func (d *Desk) Arrange(a Arrangement) {
	d.root, d.alone, d.floatLater = a.Layout, nil, a.Floating
	for _, p := range d.panes {
		if !p.docked {
			continue
		}
		p.float, p.chosen = false, nil
		p.folded = slices.Contains(a.Folded, p.id)
		for key, tab := range a.Tabs {
			if id, kind, _ := strings.Cut(key, "/"); id == p.id {
				p.remember(kind, tab.of(p.id))
			}
		}
		p.settle(d.kind, d.has)
	}
	d.dirty = true
}

// Arrangement returns the places of the docked panes and their chosen tabs.
func (d *Desk) Arrangement() Arrangement {
	a := Arrangement{Layout: d.root, Floating: slices.Clone(d.floatLater)}
	for _, p := range d.panes {
		if !p.docked {
			continue
		}
		if p.float && !d.area.Empty() {
			r, w, h := p.floatAt, d.area.W(), d.area.H()
			a.Floating = append(a.Floating, Floating{
				Pane: p.id, X: float64((r.X0 - d.area.X0) / w), Y: float64((r.Y0 - d.area.Y0) / h),
				W: float64(r.W() / w), H: float64(r.H() / h),
			})
		}
		if p.folded {
			a.Folded = append(a.Folded, p.id)
		}
		for kind, tab := range p.chosen {
			if a.Tabs == nil {
				a.Tabs = map[string]TabName{}
			}
			a.Tabs[tabKey(p.id, kind)] = tab
		}
	}
	return a
}

// float places the panes that floated when the arrangement was kept: they are shares of the window,
// whose size must be known.
func (d *Desk) float() {
	for _, f := range d.floatLater {
		p := d.pane(f.Pane)
		if p == nil {
			continue
		}
		p.float = true
		x, y := d.area.X0+float32(f.X)*d.area.W(), d.area.Y0+float32(f.Y)*d.area.H()
		p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + float32(f.W)*d.area.W(), Y1: y + float32(f.H)*d.area.H()}
	}
	d.floatLater = nil
}

// tabKey is the name under which the settings keep the chosen tab of a pane for a kind of session.
func tabKey(pane, kind string) string {
	if kind == "" {
		return pane
	}
	return pane + "/" + kind
}

// earlierTabs are the tabs of the panes when settings kept their places.
var earlierTabs = map[string][]TabName{
	registry.PaneTimeline: {"timeline", "dashboard"},
	registry.PaneFlame:    {"flame", "piano", "calltree", "topology", "locks", "processors", "leaks"},
	registry.PaneStrip:    {"strip", "statistics", "calls", "series", "counters", "messages", "contention"},
}

// UnmarshalJSON reads the name, or the place that earlier settings have.
func (t *TabName) UnmarshalJSON(data []byte) error {
	var place int
	if json.Unmarshal(data, &place) == nil {
		*t = TabName(strconv.Itoa(place))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// of returns the tab's name in a pane.
func (t TabName) of(pane string) TabName {
	tabs := earlierTabs[pane]
	if i, err := strconv.Atoi(string(t)); err == nil && i >= 0 && i < len(tabs) {
		return tabs[i]
	}
	return t
}
