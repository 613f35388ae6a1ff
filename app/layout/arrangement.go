package layout

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Arrangement is how the panels of a workspace lie.
type Arrangement struct {
	Layout   *Node             `json:"layout"`
	Floating []Floating        `json:"floating,omitempty"`
	Folded   []string          `json:"folded,omitempty"` // panes, and panels that are sections
	Shut     []string          `json:"shut,omitempty"`   // sides
	Front    map[string]string `json:"front,omitempty"`  // the panel in front, by pane
}

// Floating is the place of a pane that floats, as shares of the window.
type Floating struct {
	Pane       string
	X, Y, W, H float64
}

// Kept is the stored form of workspaces.
type Kept struct {
	// Workspaces are the changed and added ones, by name; nil: none.
	Workspaces map[string]Arrangement
	// Workspace is the one that the user chose last, by kind of session.
	Workspace map[string]string `json:",omitempty"`
}

// The bounds of values in a file.
const (
	maxDepth      = 8
	maxNodes      = 200
	maxTabs       = 100
	MaxWorkspaces = 24
	MaxName       = 40
)

// Sanitize drops invalid parts: a settings file is not trusted. An invalid workspace becomes the preset
// again, or, if it is the user's own, is dropped.
func (k *Kept) Sanitize() {
	for was, name := range renamed {
		if a, ok := k.Workspaces[was]; ok && !has(k.Workspaces, name) {
			k.Workspaces[name] = a
			delete(k.Workspaces, was)
		}
		for kind, of := range k.Workspace {
			if of == was {
				k.Workspace[kind] = name
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.Workspaces)) {
		a := k.Workspaces[name]
		if name == "" || len(name) > MaxName || len(k.Workspaces) > MaxWorkspaces && !IsPreset(name) || !a.Sanitize() {
			delete(k.Workspaces, name)
			continue
		}
		k.Workspaces[name] = a
	}
	for kind, name := range k.Workspace {
		if len(kind) > MaxName || len(name) > MaxName || len(k.Workspace) > MaxWorkspaces {
			delete(k.Workspace, kind)
		}
	}
}

// renamed are presets that had another name.
var renamed = map[string]string{"Java": "Samples"}

func has(m map[string]Arrangement, name string) bool {
	_, ok := m[name]
	return ok
}

func IsPreset(name string) bool {
	return slices.ContainsFunc(Presets(), func(p Preset) bool { return p.Name == name })
}

// Sanitize drops invalid places; false: the layout itself is invalid.
func (a *Arrangement) Sanitize() bool {
	if a.Layout == nil || !a.Layout.valid() {
		return false
	}
	odd := func(f Floating) bool {
		return slices.ContainsFunc([]float64{f.X, f.Y, f.W, f.H}, func(v float64) bool { return !(v >= -1 && v <= 2) })
	}
	if len(a.Floating) > maxNodes || slices.ContainsFunc(a.Floating, odd) {
		a.Floating = nil
	}
	if len(a.Folded) > maxTabs || len(a.Shut) > 2 || len(a.Front) > maxTabs {
		a.Folded, a.Shut, a.Front = nil, nil, nil
	}
	return true
}

// valid reports whether a tree names each pane and each panel at most once, has at most one pane on
// each side and at least one between them, and sane weights.
func (n *Node) valid() bool {
	seen := map[string]bool{}
	nodes, tabs, charts := 0, 0, 0
	once := func(key string) bool {
		had := seen[key]
		seen[key] = true
		return !had
	}
	var walk func(n *Node, depth int) bool
	walk = func(n *Node, depth int) bool {
		nodes++
		if n == nil || depth > maxDepth || nodes > maxNodes || (n.Pane != "") == (len(n.Children) > 0) {
			return false
		}
		for _, w := range n.Weights {
			if !(w > 0 && w < 1e6) {
				return false
			}
		}
		if !(n.Size >= 0 && n.Size <= mostSide) || len(n.Weights) > len(n.Children) {
			return false
		}
		if n.Pane != "" {
			tabs += len(n.Tabs)
			if !once("pane "+n.Pane) || len(n.Tabs) == 0 || tabs > maxTabs || len(n.Pane) > MaxName {
				return false
			}
			switch n.Side {
			case "":
				charts++
			case Left, Right:
				if !once("side " + n.Side) {
					return false
				}
			default:
				return false
			}
			for _, t := range n.Tabs {
				if !once("tab " + t) {
					return false
				}
			}
		}
		for _, c := range n.Children {
			if !walk(c, depth+1) {
				return false
			}
		}
		return true
	}
	return walk(n, 0) && charts > 0
}

// Clone returns a copy that shares nothing.
func (a Arrangement) Clone() Arrangement {
	a.Layout = a.Layout.Clone()
	a.Floating, a.Folded, a.Shut = slices.Clone(a.Floating), slices.Clone(a.Folded), slices.Clone(a.Shut)
	a.Front = maps.Clone(a.Front)
	return a
}

// Equal reports whether two arrangements are the same in a file.
func (a Arrangement) Equal(b Arrangement) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// ForgetHalf forgets weights that follow from the size of the window.
func (n *Node) ForgetHalf() {
	if n.Half {
		n.Weights = nil
	}
	for _, c := range n.Children {
		c.ForgetHalf()
	}
}
