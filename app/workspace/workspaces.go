package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"framescope/app/layout"
	"framescope/charts/draw"
)

// space is a workspace: a preset, or one of the user's own.
type space struct {
	name    string
	preset  func() *layout.Node // nil: the user's own
	arr     layout.Arrangement
	changed bool // by the user, or it is the user's own
}

// Load takes over stored workspaces, and shows the first.
func (d *Desk) Load(k layout.Kept) {
	d.spaces = d.spaces[:0]
	for _, p := range layout.Presets() {
		s := &space{name: p.Name, preset: p.Layout, arr: layout.Arrangement{Layout: p.Layout()}}
		if a, ok := k.Workspaces[p.Name]; ok {
			s.arr, s.changed = a.Clone(), true
		}
		d.spaces = append(d.spaces, s)
	}
	for _, name := range slices.Sorted(maps.Keys(k.Workspaces)) {
		if !layout.IsPreset(name) {
			d.spaces = append(d.spaces, &space{name: name, arr: k.Workspaces[name].Clone(), changed: true})
		}
	}
	d.at = 0
	d.build()
}

// Keep returns the workspaces that differ from the presets, and reports whether any ever did.
func (d *Desk) Keep(before map[string]layout.Arrangement) map[string]layout.Arrangement {
	d.store()
	out := map[string]layout.Arrangement{}
	for _, s := range d.spaces {
		if s.changed {
			out[s.name] = s.arr
		}
	}
	if len(out) == 0 && before == nil {
		return nil
	}
	return out
}

// Workspaces returns the names of all workspaces, in the order of their tabs.
func (d *Desk) Workspaces() (names []string) {
	for _, s := range d.spaces {
		names = append(names, s.name)
	}
	return names
}

// Workspace returns the name of the one that is shown.
func (d *Desk) Workspace() string { return d.spaces[d.at].name }

// Use shows a workspace; it does nothing for an unknown name.
func (d *Desk) Use(name string) {
	i := slices.IndexFunc(d.spaces, func(s *space) bool { return s.name == name })
	if i < 0 || i == d.at {
		return
	}
	d.store()
	d.at = i
	d.build()
}

// Reset restores the first arrangement of the shown workspace. Additionally opened panes stay, and so
// does a user's workspace, which has no first arrangement.
func (d *Desk) Reset() {
	s := d.spaces[d.at]
	if s.preset == nil {
		return
	}
	s.arr, s.changed = layout.Arrangement{Layout: s.preset()}, false
	d.build()
}

// Export returns the shown workspace in the form of a file.
func (d *Desk) Export() ([]byte, error) {
	d.store()
	s := d.spaces[d.at]
	data, err := json.MarshalIndent(workspaceFile{Format: workspaceFormat, Name: s.name, Arrangement: s.arr}, "", "\t")
	return append(data, '\n'), err
}

// workspaceFile is a workspace in the form of a file.
type workspaceFile struct {
	Format string `json:"format"`
	Name   string `json:"name"`
	layout.Arrangement
}

const workspaceFormat = "framescope workspace 1"

// MaxFile is how long a file with a workspace may be, in bytes.
const MaxFile = 1 << 18

// UseGiven shows a workspace that came with a session, in the form of a file: one here of its name if it is the same,
// or no preset; else it is added under that name. The error says why it is invalid.
func (d *Desk) UseGiven(data []byte) error {
	var f workspaceFile
	if len(data) > MaxFile || json.Unmarshal(data, &f) != nil || f.Format != workspaceFormat || f.Name == layout.Compare ||
		!f.Sanitize() {
		return errors.New("it is not a workspace")
	}
	for _, name := range []string{f.Name, f.Name + " 2"} {
		if d.Use(name); d.Workspace() != name {
			continue
		}
		if d.store(); !layout.IsPreset(name) || d.spaces[d.at].arr.Equal(f.Arrangement) {
			return nil
		}
	}
	return d.Import(f.Name, data)
}

// Import adds a workspace from file data under a name, as one of the user's own, and shows it; it
// replaces one of the same name, but never a preset. The error says why it is invalid.
func (d *Desk) Import(name string, data []byte) error {
	var f workspaceFile
	if len(data) > MaxFile {
		return fmt.Errorf("it is larger than %d KiB", MaxFile>>10)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("it is not a workspace: %w", err)
	}
	if f.Format != workspaceFormat {
		return fmt.Errorf("it is not a workspace: its format is %.40q", f.Format)
	}
	if !f.Sanitize() {
		return errors.New("its layout is invalid")
	}
	if len(name) > layout.MaxName || name == "" {
		name = "Own"
	}
	if layout.IsPreset(name) {
		name += " 2"
	}
	d.store()
	at := slices.IndexFunc(d.spaces, func(s *space) bool { return s.name == name })
	if at < 0 {
		if len(d.spaces) >= layout.MaxWorkspaces {
			return fmt.Errorf("there are already %d workspaces: delete one first", len(d.spaces))
		}
		at = len(d.spaces)
		d.spaces = append(d.spaces, nil)
	}
	d.spaces[at] = &space{name: name, arr: f.Arrangement, changed: true}
	d.at = at
	d.build()
	return nil
}

// store notes how the panes of the workspace that is shown lie.
func (d *Desk) store() {
	if d.root == nil {
		return
	}
	s := d.spaces[d.at]
	now := d.arrangement()
	if !now.Equal(s.arr) {
		s.changed = true
	}
	s.arr = now
}

// arrangement returns how the docked panes lie.
func (d *Desk) arrangement() layout.Arrangement {
	a := layout.Arrangement{Layout: d.root.Clone(), Floating: slices.Clone(d.floatLater)}
	a.Layout.ForgetHalf()
	for _, p := range d.docked() {
		if p.float && !d.area.Empty() {
			r, w, h := p.floatAt, d.area.W(), d.area.H()
			a.Floating = append(a.Floating, layout.Floating{
				Pane: p.id, X: float64((r.X0 - d.area.X0) / w), Y: float64((r.Y0 - d.area.Y0) / h),
				W: float64(r.W() / w), H: float64(r.H() / h),
			})
		}
		switch {
		case p.side != "":
			if p.folded {
				a.Shut = append(a.Shut, p.side)
			}
			for i, folded := range p.stack.folded {
				if folded {
					a.Folded = append(a.Folded, p.tabs[i].ID)
				}
			}
		case p.folded:
			a.Folded = append(a.Folded, p.id)
		}
		if p.chosen != "" {
			if a.Front == nil {
				a.Front = map[string]string{}
			}
			a.Front[p.id] = p.chosen
		}
	}
	return a
}

// docked returns the panes of the layout in its order.
func (d *Desk) docked() (list []*pane) {
	d.root.Leaves(func(n *layout.Node) {
		if p := d.pane(n.Pane); p != nil && p.docked {
			list = append(list, p)
		}
	})
	return list
}

// build makes the panes of the shown workspace. Additionally opened panes stay.
func (d *Desk) build() {
	a := d.spaces[d.at].arr
	d.root = a.Layout.Clone()
	d.adopt()
	d.spaces[d.at].arr.Layout = d.root.Clone() // for later comparison
	d.floatLater, d.alone, d.dirty = slices.Clone(a.Floating), nil, true
	d.order++
	others := d.panes[:0:0]
	for _, p := range d.panes {
		if !p.docked {
			others = append(others, p)
		}
	}
	for _, ref := range []**pane{&d.owner, &d.hover, &d.focus, &d.hold.pane, &d.unfolded} {
		if *ref != nil && (*ref).docked {
			*ref = nil
		}
	}
	d.hold = hold{}
	d.panes = others
	d.root.Leaves(func(n *layout.Node) {
		p := &pane{id: n.Pane, leaf: n, side: n.Side, docked: true, chosen: a.Front[n.Pane]}
		d.panes = append(d.panes, p)
		for _, id := range n.Tabs {
			if t := d.tab(id); t != nil {
				p.tabs = append(p.tabs, t)
			}
		}
		if n.Side == layout.Left {
			p.stack.pinned = d.pinned
		}
		if n.Side != "" {
			p.folded = slices.Contains(a.Shut, n.Side)
			for _, t := range p.tabs {
				p.stack.folded = append(p.stack.folded, slices.Contains(a.Folded, t.ID))
			}
		} else {
			p.folded = slices.Contains(a.Folded, n.Pane)
		}
		p.chooseTabs(d.has)
	})
	d.sort()
}

// adopt puts panels that the tree does not name beside their homes, and removes unknown ones.
func (d *Desk) adopt() {
	if len(d.tabs) == 0 {
		return
	}
	in := map[string]*layout.Node{}
	var first *layout.Node
	d.root.Leaves(func(n *layout.Node) {
		n.Tabs = slices.DeleteFunc(n.Tabs, func(id string) bool { return d.tab(id) == nil })
		for _, id := range n.Tabs {
			in[id] = n
		}
		if first == nil && n.Side == "" {
			first = n
		}
	})
	for _, t := range d.tabs {
		if in[t.ID] != nil {
			continue
		}
		home := in[t.Home]
		if home == nil || home.Side != "" && !stackable(t) {
			home = first
		}
		home.Tabs = append(home.Tabs, t.ID)
		in[t.ID] = home
	}
	d.root.Prune()
}

// tab returns a panel by its id, or nil.
func (d *Desk) tab(id string) *Tab {
	for _, t := range d.tabs {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// float places the panes that floated when the arrangement was saved: their sizes are shares of the
// window, so its size must be known.
func (d *Desk) float() {
	for _, f := range d.floatLater {
		p := d.pane(f.Pane)
		if p == nil || p.side != "" {
			continue
		}
		p.float = true
		x, y := d.area.X0+float32(f.X)*d.area.W(), d.area.Y0+float32(f.Y)*d.area.H()
		p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + float32(f.W)*d.area.W(), Y1: y + float32(f.H)*d.area.H()}
	}
	d.floatLater = nil
}
