package workspace

import (
	"slices"

	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// drop is where a tab that is dragged would go.
type drop struct {
	pane *pane // nil: nowhere, it stays
	at   int   // its place among the tabs, if it becomes one of that pane
	edge edge
}

// edge is the part of a pane where something is dropped: among its tabs, or beside it.
type edge uint8

const (
	edgeNone edge = iota
	edgeLeft
	edgeRight
	edgeTop
	edgeBottom
)

// aim finds where a dragged tab would go at a point, and shows it.
func (d *Desk) aim(env *panel.Env, x, y float32) {
	h := &d.hold
	h.drop = d.dropAt(env, x, y)
	if h.mark == nil || h.mark.Atlas() != env.Atlas {
		h.mark = draw.NewList(env.Atlas)
	}
	h.mark.Reset(d.area)
	p := h.drop.pane
	if p == nil {
		return
	}
	r := p.rect
	switch h.drop.edge {
	case edgeLeft:
		r.X1 = (r.X0 + r.X1) / 2
	case edgeRight:
		r.X0 = (r.X0 + r.X1) / 2
	case edgeTop:
		r.Y1 = (r.Y0 + r.Y1) / 2
	case edgeBottom:
		r.Y0 = (r.Y0 + r.Y1) / 2
	}
	c := draw.Color(env.Theme.Accent)
	h.mark.Rect(r, c.WithAlpha(40))
	h.mark.Outline(r, env.Px(2), c)
}

// dropAt returns where a tab goes that is dropped at a point: onto a title row or the middle of a pane
// among its tabs, near an edge into a pane of its own there.
func (d *Desk) dropAt(env *panel.Env, x, y float32) drop {
	p, from := d.paneAt(x, y), d.hold.pane
	t := from.tabs[d.hold.tab]
	switch {
	case p == nil || !p.docked || p.float:
		return drop{}
	case p.side != "":
		if !stackable(t) {
			return drop{}
		}
		at := len(p.tabs)
		for i := range p.stack.places {
			if s := &p.stack.places[i]; s.shown && y < s.head.Y0+(s.body.Y1-s.head.Y0)/2 {
				at = min(at, i)
			}
		}
		return drop{pane: p, at: at}
	case p.titleRow(env).Contains(x, y):
		at := len(p.tabs)
		for _, n := range slices.Backward(p.row.names) {
			if x < (n.rect.X0+n.rect.X1)/2 {
				at = n.tab
			}
		}
		return drop{pane: p, at: at}
	}
	r := p.rect
	fx, fy := (x-r.X0)/r.W(), (y-r.Y0)/r.H()
	e, near := edgeNone, float32(0.25)
	for _, k := range [...]struct {
		e    edge
		away float32
	}{{edgeLeft, fx}, {edgeRight, 1 - fx}, {edgeTop, fy}, {edgeBottom, 1 - fy}} {
		if k.away < near {
			e, near = k.e, k.away
		}
	}
	if p == from && (e == edgeNone || len(p.tabs) == 1) {
		return drop{}
	}
	return drop{pane: p, at: len(p.tabs), edge: e}
}

// dropTab moves a tab to where it was dropped.
func (d *Desk) dropTab(from *pane, tab int, to drop) {
	if to.pane == nil {
		return
	}
	id := from.tabs[tab].ID
	d.store()
	root := d.root
	src, dst := root.Leaf(from.id), root.Leaf(to.pane.id)
	if src == nil || dst == nil {
		return
	}
	// Places count the tabs of the pane, which equal those of the cell.
	cut := slices.Index(src.Tabs, id)
	src.Tabs = slices.Delete(src.Tabs, cut, cut+1)
	if to.edge == edgeNone {
		at := to.at
		if src == dst && cut < at {
			at--
		}
		dst.Tabs = slices.Insert(dst.Tabs, min(at, len(dst.Tabs)), id)
	} else {
		splitCell(dst, root.FreeName(), id, to.edge)
	}
	root.Prune()
	s := d.spaces[d.at]
	front := s.arr.Front
	s.arr = d.arrangement()
	s.arr.Layout, s.changed = root.Clone(), true
	if s.arr.Front == nil {
		s.arr.Front = map[string]string{}
	}
	for pane, tab := range front {
		s.arr.Front[pane] = tab
	}
	root.Leaves(func(n *layout.Node) {
		if n.Side == "" && slices.Contains(n.Tabs, id) {
			s.arr.Front[n.Pane] = id
		}
	})
	d.build()
}

// splitCell makes the cell of a pane a row or column of two: itself, and one with another tab.
func splitCell(n *layout.Node, name, tab string, e edge) {
	old := *n
	fresh := &layout.Node{Pane: name, Tabs: []string{tab}}
	*n = layout.Node{Column: e == edgeTop || e == edgeBottom, Weights: []float64{1, 1}, Children: []*layout.Node{&old, fresh}}
	if e == edgeLeft || e == edgeTop {
		n.Children[0], n.Children[1] = fresh, &old
	}
}
