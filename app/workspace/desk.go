// Package workspace arranges panels in the window: panes with tabs, docked in a tree of cells, floating
// above it, or temporarily above all; their order, folding, moving and title rows, and which of them
// has the mouse and the keys. Its input is panels, a Look (panel.Env) and the user's input, its output
// lists to paint. It does not depend on sessions or the program around it. Prompt asks the user
// in panes of it: notices, menus, dialogs, and the clipboard.
package workspace

import (
	"slices"

	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Desk is the workspace of one window. Floating panes lie above docked ones, within each group the last
// pressed on top.
type Desk struct {
	// Menu opens a menu at a point of the window; nil: there are none.
	Menu func(name string, x, y float32, list []Choice)
	// More returns further actions on a panel, for the menu of its title row; nil: none.
	More func(p panel.Panel) []Choice

	tabs   []*Tab // that panes of workspaces may have
	pinned *Tab   // above the sections at the left, nil: none
	spaces []*space
	at     int     // the workspace that is shown
	panes  []*pane // from the bottom up
	order  uint64  // changes with their order
	root   *layout.Node
	window float32   // area of the window, square pixels
	area   draw.Rect // where docked panes are laid out
	scale  float32
	layout *layout.Tiling
	move   paneMove
	dirty  bool // panes must be given their places anew
	alone  *pane
	// unfolded is the pane that the last press in a title row unfolded.
	unfolded *pane

	has        store.Contents
	floatLater []layout.Floating

	owner *pane // has the mouse until all buttons are up
	hover *pane // topmost under the mouse
	focus *pane // keys go to it: last pressed in or called up
	hold  hold
	in    panel.Input
}

// New makes a desk with the preset workspaces, without tabs, and shows the first. bar is above all
// panes, without a title row.
func New(bar *Tab) *Desk {
	d := &Desk{dirty: true}
	d.panes = append(d.panes, &pane{id: bar.ID, tabs: []*Tab{bar}, bare: true})
	d.Load(layout.Kept{})
	return d
}

// Add makes a panel one that workspaces may have.
func (d *Desk) Add(t *Tab) { d.tabs = append(d.tabs, t) }

// Pin puts a panel above the sections at the left. They scroll, it does not.
func (d *Desk) Pin(t *Tab) { d.pinned = t }

// Settle leaves those tabs out that have nothing to show of a session.
func (d *Desk) Settle(has store.Contents) {
	d.has = has
	for _, p := range d.panes {
		if p.chooseTabs(has) {
			d.dirty = true
		}
	}
}

func (d *Desk) pane(id string) *pane {
	for _, p := range d.panes {
		if p.id == id {
			return p
		}
	}
	return nil
}

// raise puts a pane above its like.
func (d *Desk) raise(p *pane) {
	d.order++
	for i, q := range d.panes {
		if q == p {
			copy(d.panes[i:], d.panes[i+1:])
			d.panes[len(d.panes)-1] = p
			break
		}
	}
	d.sort()
}

// sort keeps the layers apart and the order within each.
func (d *Desk) sort() {
	for i := 1; i < len(d.panes); i++ {
		for j := i; j > 0 && d.panes[j].layer() < d.panes[j-1].layer(); j-- {
			d.panes[j], d.panes[j-1] = d.panes[j-1], d.panes[j]
		}
	}
}

// paneAt returns the topmost pane under a point. Those below a dialog are out of reach.
func (d *Desk) paneAt(x, y float32) *pane {
	for _, p := range slices.Backward(d.panes) {
		if p.rect.Contains(x, y) {
			return p
		}
		if p.size != nil {
			return nil
		}
	}
	return nil
}

// Area is where panes lie.
func (d *Desk) Area() draw.Rect { return d.area }

// Place lays the bar and the docked panes out, and keeps floating ones within reach. Where the bar has
// nothing to show of the session, the others get its room.
func (d *Desk) Place(env *panel.Env, bar, area draw.Rect) {
	for _, p := range d.panes {
		if p.bare && !p.over {
			if p.left(0) { // it has nothing to show
				bar, area.Y0 = draw.Rect{}, bar.Y0
			}
			p.rect = bar
		}
	}
	if area != d.area || env.Scale != d.scale {
		d.rescale(area, env.Scale)
	}
	for _, p := range d.panes {
		if p.size != nil {
			d.placeDialog(env, p)
		}
	}
	if d.floatLater != nil {
		d.float()
		d.dirty = true
	}
	if a := d.alone; a != nil && (a.float || a.folded) {
		d.alone, d.dirty = nil, true
	}
	if d.askUseful(env); !d.dirty && !d.move.on {
		return
	}
	d.beginMove(env)
	if d.dirty {
		d.dirty = false
		d.tile(env, area)
	}
	for _, p := range d.panes {
		switch {
		case p.bare:
		case p.float:
			p.small = false
			p.moveTo(p.floatAt, area, env)
		default:
			p.rect = d.layout.Rects[p.id]
			p.small = !p.rect.Empty() && !p.folded && p.side == "" && p.rect.H()-titlePx(env) < env.Px(leastPx)
			d.placeSide(env, p)
		}
	}
	d.stepMove(env)
	d.sort()
}

// leastPx is the least height that a panel is shown in, at scale 1.
const leastPx = 24

// tile lays the docked panes out.
func (d *Desk) tile(env *panel.Env, area draw.Rect) {
	d.window = area.W() * (area.Y1 + env.Px(statusPx))
	sides := float32(0)
	for _, p := range d.panes {
		if p.docked && p.side != "" && d.cell(p.id) != layout.Gone {
			sides += d.sideWidth(p.leaf) + gapPx(env)
		}
	}
	d.root.ShareHalf(d.window, area, gapPx(env), titlePx(env), env.Scale, sides, d.cell)
	d.layout = d.tiled(env, area, d.cell)
}

// tiled lays the docked panes out, whose cells take room as state says.
func (d *Desk) tiled(env *panel.Env, area draw.Rect, state func(string) layout.State) *layout.Tiling {
	return layout.Tile(d.root, area, gapPx(env), titlePx(env), layout.Room{
		State: state, Width: d.sideWidth, Useful: func(id string) float32 { return d.pane(id).useful },
	})
}

// leastUseful is the height that each panel can use at least, at scale 1.
const leastUseful = 160

// askUseful asks the panels in front how much height they can use; while the mouse holds something nothing
// moves below it.
func (d *Desk) askUseful(env *panel.Env) {
	for _, p := range d.panes {
		if !p.docked || p.side != "" || d.owner != nil {
			continue
		}
		px := float32(0)
		if m, ok := p.front().Panel.(panel.Modest); ok {
			px = m.Useful(env)
		}
		if px > 0 {
			px = max(px, env.Px(leastUseful)) + titlePx(env)
		}
		if px != p.useful {
			p.useful, d.dirty = px, true
		}
	}
}

// statusPx is the approximate height of the area below the panes, at scale 1.
const statusPx = 24

// cell says how much room the cell of a docked pane takes.
func (d *Desk) cell(id string) layout.State {
	p := d.pane(id)
	switch {
	case p == nil || p.float || d.alone != nil && p != d.alone || p.empty():
		return layout.Gone
	case p.folded && p != d.alone && p.side == "":
		return layout.Folded
	}
	return layout.Open
}

// rescale takes a new size of the window over: floating panes keep their place in proportion.
func (d *Desk) rescale(area draw.Rect, scale float32) {
	old := d.area
	if !old.Empty() && !area.Empty() {
		fx, fy, fs := area.W()/old.W(), area.H()/old.H(), scale/d.scale
		for _, p := range d.panes {
			if !p.float || p.over {
				continue
			}
			r := p.floatAt
			w, h := r.W()*fs, r.H()*fs
			x, y := area.X0+(r.X0-old.X0)*fx, area.Y0+(r.Y0-old.Y0)*fy
			p.floatAt = draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
		}
	}
	d.area, d.scale, d.dirty, d.move = area, scale, true, paneMove{}
}

// Fill lets the pane that keys go to fill the whole area, and gives the others their places back
// when one does so already.
func (d *Desk) Fill() {
	p := d.hover
	if p == nil || !p.docked {
		p = d.focus
	}
	switch {
	case d.Unfill():
	case p != nil && p.docked && !p.float && p.side == "":
		d.alone, p.folded, d.dirty = p, false, true
	}
}

// Unfill gives the panes their places back when one fills the whole area; false: none does.
func (d *Desk) Unfill() bool {
	if d.alone == nil {
		return false
	}
	d.alone, d.dirty = nil, true
	return true
}

// Paint hands all lists to a painter, from the bottom up.
func (d *Desk) Paint(paint func(*draw.List)) {
	for _, p := range d.panes {
		if p.rect.Empty() {
			continue
		}
		if p.scrim != nil {
			paint(p.scrim)
		}
		if !p.bare {
			paint(p.chrome)
		}
		switch {
		case p.side != "":
			p.paintSections(paint)
		case p.shown:
			paint(p.front().Panel.List())
		}
	}
	if d.hold.mark != nil {
		paint(d.hold.mark)
	}
}

// Order changes whenever panes came, went or changed their order.
func (d *Desk) Order() uint64 { return d.order }

// Each calls f with every tab, in sight or not.
func (d *Desk) Each(f func(*Tab)) {
	for _, t := range d.tabs {
		f(t)
	}
	for _, p := range d.panes {
		if !p.docked {
			for _, t := range p.tabs {
				f(t)
			}
		}
	}
}

// Control is something in a title row that can be clicked.
type Control struct {
	Label string
	Rect  draw.Rect
}

// Controls appends the tabs and the tools of the title row of a tab that is in front.
func (d *Desk) Controls(env *panel.Env, id string, tabs, tools []Control) ([]Control, []Control) {
	for _, p := range d.panes {
		if p.bare || p.side != "" || p.rect.Empty() || p.front().ID != id {
			continue
		}
		for _, n := range p.row.names {
			tabs = append(tabs, Control{p.label(env, p.tabs[n.tab]), n.rect})
		}
		for _, t := range p.row.tools {
			tools = append(tools, Control{p.tools[t.tool].Label, t.rect})
		}
		if !p.row.more.Empty() {
			tools = append(tools, Control{"…", p.row.more})
		}
	}
	return tabs, tools
}

// EachInSight calls f with the tabs that are seen and their rectangles with the rows that name them.
func (d *Desk) EachInSight(f func(*Tab, draw.Rect)) {
	for _, p := range d.panes {
		switch {
		case p.rect.Empty():
		case p.side != "":
			p.eachSection(f)
		case !p.folded:
			f(p.front(), p.rect)
		}
	}
}

// dialogPlace is what a dialog is placed by.
type dialogPlace struct {
	area        draw.Rect
	w, h, scale float32
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
	panel.ListFor(&p.scrim, env)
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
