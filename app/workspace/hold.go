package workspace

import (
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
