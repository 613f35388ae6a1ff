package workspace

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Earlier is what settings kept when there was one arrangement for all sessions. It becomes that of
// the first workspace.
type Earlier struct {
	Layout   *earlierNode              `json:",omitempty"`
	Floating []Floating                `json:",omitempty"`
	Folded   []string                  `json:",omitempty"`
	Tabs     map[string]earlierTabName `json:",omitempty"` // the tab that was chosen, by pane or pane/kind of session
}

// earlierNode is a cell of that arrangement. Auto: its columns had never been dragged.
type earlierNode struct {
	Column   bool           `json:"column,omitempty"`
	Weights  []float64      `json:"weights,omitempty"`
	Children []*earlierNode `json:"children,omitempty"`
	Pane     string         `json:"pane,omitempty"`
	Auto     bool           `json:"auto,omitempty"`
}

// earlierTabs are the tabs that the panes of that arrangement had, in their order.
var earlierTabs = map[string][]string{
	"sessions": {"sessions"}, "threads": {"threads"}, "collectors": {"collectors"},
	"timeline": {"timeline", "dashboard"},
	"flame":    {"flame", "piano", "calltree", "topology", "locks", "processors", "leaks"},
	"strip":    {"strip", "statistics", "calls", "series", "counters", "messages", "contention"},
	"details":  {"details"}, "received": {"received"}, "spikes": {"spikes"},
}

// earlierWeights are those of a first start, of its columns from the left.
var earlierWeights = [][]float64{{0.20, 0.22, 0.58}, {0.48, 0.52}, {0.46, 0.27, 0.27}}

// MoveInto makes an earlier arrangement the one of the first workspace, if there are none yet, and
// if it is another than that of a first start and makes sense. Nothing is left of it.
func (e *Earlier) MoveInto(k *Kept) {
	was := *e
	*e = Earlier{}
	if k.Workspaces != nil || was.Layout == nil || was.untouched() {
		return
	}
	a := Arrangement{Layout: was.Layout.node(0), Floating: was.Floating, Folded: was.Folded, Front: map[string]string{}}
	if !a.sanitize() || len(was.Layout.panes(nil)) != len(earlierTabs) {
		return
	}
	for pane, tab := range was.Tabs {
		if tabs := earlierTabs[pane]; tabs != nil {
			a.Front[pane] = tab.of(tabs)
		}
	}
	k.Workspaces = map[string]Arrangement{Presets()[0].Name: a}
}

// untouched tells whether it is the arrangement of a first start.
func (e *Earlier) untouched() bool {
	n := e.Layout
	if !n.Auto || len(n.Children) != len(earlierWeights) || len(e.Floating)+len(e.Folded) > 0 {
		return false
	}
	for i, c := range n.Children {
		if c == nil || !slices.Equal(c.Weights, earlierWeights[i]) {
			return false
		}
	}
	return true
}

// node returns the cell as it is now; too deep ones are left out, which makes the tree invalid.
func (n *earlierNode) node(depth int) *Node {
	if n == nil || depth > maxDepth {
		return nil
	}
	out := &Node{Column: n.Column, Weights: n.Weights, Pane: n.Pane, Tabs: slices.Clone(earlierTabs[n.Pane])}
	if n.Pane == "details" {
		out.Tabs = []string{"why", "details"}
	}
	for _, c := range n.Children {
		out.Children = append(out.Children, c.node(depth+1))
	}
	return out
}

// panes appends the panes of the tree.
func (n *earlierNode) panes(to []string) []string {
	if n == nil {
		return to
	}
	if n.Pane != "" {
		return append(to, n.Pane)
	}
	for _, c := range n.Children {
		to = c.panes(to)
	}
	return to
}

// earlierTabName is the id of a tab, or its place in still earlier settings.
type earlierTabName string

// UnmarshalJSON reads the name or the place.
func (t *earlierTabName) UnmarshalJSON(data []byte) error {
	var place int
	if json.Unmarshal(data, &place) == nil {
		*t = earlierTabName(strconv.Itoa(place))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// of returns the tab's id.
func (t earlierTabName) of(tabs []string) string {
	if i, err := strconv.Atoi(string(t)); err == nil && i >= 0 && i < len(tabs) {
		return tabs[i]
	}
	return string(t)
}
