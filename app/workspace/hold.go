package workspace

import (
	"slices"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// hold is the held object: a pane by its title row or its corner, or a splitter.
type hold struct {
	pane   *pane
	corner bool
	from   draw.Rect // the pane when it was taken
	moved  bool
	split  *layout.Splitter
	at     float32 // where the splitter was last
	width  float32 // of the side that it belongs to, when it was taken
	tab    int     // that is moved to another pane, -1 none
	drop   drop
	mark   *draw.List // shows where that would be
}

func (h *hold) some() bool { return h.pane != nil || h.split != nil }

// Holding reports whether the mouse moves or resizes something of the desk.
func (d *Desk) Holding() bool { return d.hold.split != nil || d.hold.pane != nil && d.hold.moved }

// How far a pane is pulled until it moves, at scale 1: a docked one comes loose only when that is
// meant.
const (
	pullDocked = 10
	pullFloat  = 3
)

// drag moves the held pane or split.
func (d *Desk) drag(env *panel.Env, m *input.Mouse) {
	h := &d.hold
	if s := h.split; s != nil {
		if at := s.Along(m.X, m.Y); at != h.at {
			s.Drag(at-h.at, env.Px(70), env.Scale, h.width)
			if s.Side != nil {
				h.width = d.fullWidth(s.Side)
			}
			h.at, d.dirty = at, true
		}
		return
	}
	p, dx, dy := h.pane, m.X-m.Buttons[0].DownX, m.Y-m.Buttons[0].DownY
	if !h.moved {
		pull := env.Px(format.Pick[float32](!p.float, pullDocked, pullFloat))
		if max(dx, -dx)+max(dy, -dy) < pull {
			return
		}
		h.moved = true
		if h.tab < 0 && !p.float {
			p.float, p.folded, d.dirty = true, false, true
			d.raise(p)
		}
	}
	if h.tab >= 0 {
		d.aim(env, m.X, m.Y)
		return
	}
	r := h.from
	r.X1, r.Y1 = r.X1+dx, r.Y1+dy
	if h.corner {
		r.X1, r.Y1 = min(r.X1, d.area.X1), min(r.Y1, d.area.Y1)
	} else {
		r.X0, r.Y0 = r.X0+dx, r.Y0+dy
	}
	p.moveTo(r, d.area, env)
}

// drop ends a drag: a pane moved onto its own cell docks there again.
func (d *Desk) drop(env *panel.Env, m *input.Mouse) {
	h := d.hold
	d.hold = hold{}
	if h.moved && h.tab >= 0 {
		d.dropTab(h.pane, h.tab, h.drop)
		return
	}
	if p := h.pane; p != nil && h.moved && !h.corner && p.docked && d.home(p, env).Contains(m.X, m.Y) {
		p.float, d.dirty = false, true
	}
}

// home is where a pane docks again when it is dropped: the row where its title would be.
func (d *Desk) home(p *pane, env *panel.Env) draw.Rect {
	r := d.tiled(env, d.area, func(id string) layout.State {
		if id == p.id {
			return layout.Open
		}
		return d.cell(id)
	}).Rects[p.id]
	r.Y1 = min(r.Y1, r.Y0+1.5*titlePx(env))
	return r
}

// gapPx is the ground between panes.
func gapPx(env *panel.Env) float32 { return env.Px(1) }

// overSplitter returns the splitter under the mouse, which reaches a little into the panes beside
// it, if none that floats lies over it.
func (d *Desk) overSplitter(env *panel.Env, x, y float32) *layout.Splitter {
	if p := d.paneAt(x, y); d.layout == nil || p != nil && p.layer() > 0 {
		return nil
	}
	for i := range d.layout.Splitters {
		if s := &d.layout.Splitters[i]; s.Rect.Inset(-env.Px(2)).Contains(x, y) {
			return s
		}
	}
	return nil
}

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
	panel.ListFor(&h.mark, env)
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
	*n = layout.Node{Column: e == edgeTop || e == edgeBottom, Weights: []float64{1, 1}, Children: []*layout.Node{&old,
		fresh}}
	if e == edgeLeft || e == edgeTop {
		n.Children[0], n.Children[1] = fresh, &old
	}
}
