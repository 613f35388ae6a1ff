package workspace

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// dialogPlace is what a dialog is placed by.
type dialogPlace struct {
	area  draw.Rect
	w, h  float32
	scale float32
}

// scrim dims the window below a dialog.
var scrim = draw.Color{A: 120}

// OpenDialog puts a panel above all, in the middle of the window, of a size with its title row: the window
// below is dimmed, and has neither mouse nor keys until it is closed. closed is called then, for any reason.
func (d *Desk) OpenDialog(env *panel.Env, t *Tab, size func(env *panel.Env) (w, h float32), closed func()) {
	d.OpenOver(t, draw.Rect{}, true, closed)
	p := d.panes[len(d.panes)-1]
	p.size = size
	d.placeDialog(env, p)
}

// placeDialog gives a dialog its place when its size, the window or the scale has changed. The user may
// move it from there.
func (d *Desk) placeDialog(env *panel.Env, p *pane) {
	w, h := p.size(env)
	a := d.area
	now := dialogPlace{a, min(panel.Snap(w), a.W()), min(panel.Snap(h), a.H()), env.Scale}
	if now == p.sized {
		return
	}
	p.sized = now
	x, y := panel.Snap((a.X0+a.X1-now.w)/2), panel.Snap(a.Y0+(a.H()-now.h)/4)
	p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + now.w, Y1: y + now.h}
	p.rect = p.floatAt
	d.order++
	if p.scrim == nil || p.scrim.Atlas() != env.Atlas {
		p.scrim = draw.NewList(env.Atlas)
	}
	all := draw.Rect{X1: a.X1, Y1: a.Y1}
	p.scrim.Reset(all)
	p.scrim.Rect(all, scrim)
	p.scrim.Filled()
}

// Dialog returns the topmost dialog, nil if none is open.
func (d *Desk) Dialog() *Tab {
	for _, p := range slices.Backward(d.panes) {
		if p.size != nil {
			return p.front()
		}
	}
	return nil
}

// CloseDialog closes the topmost dialog; false: none is open.
func (d *Desk) CloseDialog() bool {
	t := d.Dialog()
	return t != nil && d.Close(t.ID)
}
