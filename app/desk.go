package app

import (
	"image"

	"github.com/ebitengine/debugui"
	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// desk arranges the panes in the window. Each pane is a window of the widget library, which moves, resizes, folds and orders them; the desk says where they begin,
// notices what the user did to them, and paints over them.
//
// Where a window of the library begins can be said only when its id is new. So each pane has two ids that take turns: a pane that gets a new place gets the
// other id. A new window comes to lie on top, so all panes are given new ids together, from the bottom up, and never while a button is held,
// because the library would lose the window that it is dragging.
type desk struct {
	serials   uint64
	panes     []*pane // from the bottom up: docked ones, floating ones, dialogs and menus
	root      *node
	area      draw.Rect // where docked panes are laid out
	layout    *tiling
	layoutKey layoutKey

	dragging  *pane // the user moves or resizes it
	held      *pane // its title row was pressed below the library's, which is lower at odd scales: the desk moves it
	heldAt    draw.Rect
	split     *splitter // is being dragged
	splitAt   float32
	owner     *pane // has the mouse until all buttons are up
	hover     *pane // topmost under the mouse
	alone     *pane // fills the whole area, nil none
	dirty     bool  // panes must be given their places anew
	collapsed []*pane
}

type layoutKey struct {
	area  draw.Rect
	scale float32
}

func (d *desk) pane(id string) *pane {
	for _, p := range d.panes {
		if p.id == id {
			return p
		}
	}
	return nil
}

// paneOf returns the pane that holds a panel, and its tab.
func (d *desk) paneOf(panelID string) (*pane, int) {
	for _, p := range d.panes {
		if i := p.find(panelID); i >= 0 {
			return p, i
		}
	}
	return nil, 0
}

// add puts a pane on top.
func (d *desk) add(p *pane) {
	d.serials++
	p.serial = d.serials
	d.panes = append(d.panes, p)
	d.dirty = true
}

// remove takes a pane away.
func (d *desk) remove(p *pane) {
	for i, q := range d.panes {
		if q == p {
			d.panes = append(d.panes[:i:i], d.panes[i+1:]...)
			break
		}
	}
	for _, ref := range []**pane{&d.owner, &d.hover, &d.dragging, &d.held, &d.alone} {
		if *ref == p {
			*ref = nil
		}
	}
}

// raise puts a pane above its like: floating ones above docked ones, dialogs above both.
func (d *desk) raise(p *pane) {
	for i, q := range d.panes {
		if q == p {
			copy(d.panes[i:], d.panes[i+1:])
			d.panes[len(d.panes)-1] = p
			break
		}
	}
	d.sort()
}

func (p *pane) layer() int {
	switch {
	case p.fixed:
		return 2
	case p.float:
		return 1
	}
	return 0
}

// sort keeps the layers apart and the order within each.
func (d *desk) sort() {
	for i := 1; i < len(d.panes); i++ {
		for j := i; j > 0 && d.panes[j].layer() < d.panes[j-1].layer(); j-- {
			d.panes[j], d.panes[j-1] = d.panes[j-1], d.panes[j]
		}
	}
}

// at returns the topmost pane under a point.
func (d *desk) at(x, y float32) *pane {
	for i := len(d.panes) - 1; i >= 0; i-- {
		if p := d.panes[i]; !p.hidden && p.rect.Contains(x, y) {
			return p
		}
	}
	return nil
}

// place lays docked panes out and keeps floating ones reachable.
func (d *desk) place(env *panel.Env, area draw.Rect) {
	key := layoutKey{area, env.Scale}
	if key != d.layoutKey {
		// Floating panes keep their place in proportion when the window or the scale changes.
		if old := d.layoutKey.area; !old.Empty() && !area.Empty() {
			fx, fy := area.W()/old.W(), area.H()/old.H()
			fs := env.Scale / d.layoutKey.scale
			for _, p := range d.panes {
				if p.float && !p.fixed {
					r := p.floatAt
					w, h := r.W()*fs, r.H()*fs
					r.X0, r.Y0 = area.X0+(r.X0-old.X0)*fx, area.Y0+(r.Y0-old.Y0)*fy
					r.X1, r.Y1 = r.X0+w, r.Y0+h
					p.floatAt = r
				}
			}
		}
		d.layoutKey, d.dirty = key, true
	}
	d.area = area
	if a := d.alone; a != nil && (a.float || a.folded) {
		d.alone, d.dirty = nil, true
	}
	if !d.dirty || d.dragging != nil {
		return
	}
	d.root.autoColumns(float64(area.W() / env.Scale))
	d.layout = tile(d.root, area, env.Px(4), titlePx(env), func(id string) cellState {
		p := d.pane(id)
		switch {
		case p == nil || p.float || p.hidden || d.alone != nil && p != d.alone:
			return cellGone
		case p.folded && p != d.alone:
			return cellFolded
		}
		return cellOpen
	})
	for _, p := range d.panes {
		if !p.float {
			p.rect = d.layout.rects[p.id]
			continue
		}
		p.floatAt = keepInside(p.floatAt, area, env)
		p.rect = p.floatAt
		if p.folded {
			p.rect.Y1 = p.rect.Y0 + titlePx(env)
		}
	}
	d.sort()
}

// fill lets a docked pane fill the whole area, and gives the others their places back when it does so already.
func (d *desk) fill(p *pane) {
	switch {
	case d.alone != nil:
		d.alone = nil
	case p != nil && p.docked && !p.float:
		d.alone, p.folded = p, false
	default:
		return
	}
	d.dirty = true
}

// keepInside moves a floating rectangle so that its title row stays within reach, and makes it no larger than the area.
func keepInside(r, area draw.Rect, env *panel.Env) draw.Rect {
	w := min(max(r.W(), env.Px(120)), area.W())
	h := min(max(r.H(), env.Px(60)), area.H())
	x := min(max(r.X0, area.X0), area.X1-w)
	y := min(max(r.Y0, area.Y0), area.Y1-min(h, titlePx(env)))
	x, y = float32(int(x)), float32(int(y))
	return draw.Rect{X0: x, Y0: y, X1: x + float32(int(w)), Y1: y + float32(int(h))}
}

// windows runs all panes as windows of the widget library. It must be called within its Update.
func (d *desk) windows(ctx *debugui.Context, env *panel.Env, m *mouse) {
	scale := widgetScale(env.Scale)
	if d.dirty && d.dragging == nil {
		for _, p := range d.panes {
			p.parity = !p.parity
			p.given = toWidget(p.rect, scale)
			p.reported = p.given
		}
		d.dirty = false
	}
	d.collapsed = d.collapsed[:0]
	for _, p := range d.panes {
		p.called = false
		if p.hidden || p.rect.Empty() {
			continue
		}
		id := p.scope[0]
		if p.parity {
			id = p.scope[1]
		}
		ctx.IDScope(id, func() {
			ctx.Window("", p.given, func(layout debugui.ContainerLayout) {
				p.called = true
				p.reported = layout.Bounds
				d.noticeMove(p, layout.Bounds, env, m)
				// One thin row carries the painting, which covers the whole pane; the rest is a button that keeps the library's resize handle out of a docked
				// pane's content. A floating pane leaves the handle free.
				ctx.SetGridLayout(gridFill, paneRows)
				if !p.float || p.fixed {
					ctx.Button("")
				} else {
					ctx.GridCell(nothing)
				}
				ctx.DrawOnlyWidget(p.paint)
			})
		})
		if !p.called {
			d.collapsed = append(d.collapsed, p)
		}
	}
	if !m.buttons[0].Down {
		d.dropped(env, m)
	}
	for _, p := range d.collapsed {
		// The library's own fold takes the window's painting away, so the desk folds in its place.
		if !p.fixed {
			p.folded = !p.folded
		}
		d.dirty = true
	}
}

// The cells of a pane's window: everything, and a last thin row.
var (
	gridFill = []int{-1}
	paneRows = []int{-1, 1}
)

func nothing(image.Rectangle) {}

// noticeMove sees whether the user moved or resized a pane by the widget library's handles.
func (d *desk) noticeMove(p *pane, bounds image.Rectangle, env *panel.Env, m *mouse) {
	if bounds == p.given || !m.buttons[0].Down {
		return
	}
	if d.dragging == nil {
		// A docked pane comes loose only when it is really moved, and a menu never.
		dx, dy := m.x-m.buttons[0].DownX, m.y-m.buttons[0].DownY
		if p.fixed && p.id != paneDialog || !p.float && abs(dx)+abs(dy) < env.Px(10) {
			return
		}
		d.loosen(p)
	}
	if d.dragging != p {
		return
	}
	r := fromWidget(bounds, widgetScale(env.Scale))
	if p.folded {
		r.Y1 = r.Y0 + p.floatAt.H()
	}
	d.moveTo(p, r, env)
}

// loosen begins the moving or resizing of a pane; a docked one floats from now on.
func (d *desk) loosen(p *pane) {
	d.dragging, d.owner = p, nil
	if !p.float {
		p.float = true
		p.floatAt = p.rect
		p.folded = false
	}
}

// moveTo puts a floating pane elsewhere.
func (d *desk) moveTo(p *pane, r draw.Rect, env *panel.Env) {
	p.floatAt, p.rect = r, r
	if p.folded {
		p.rect.Y1 = p.rect.Y0 + titlePx(env)
	}
}

// moveHeld moves the pane that the desk itself holds by its title row.
func (d *desk) moveHeld(env *panel.Env, m *mouse) {
	p := d.held
	dx, dy := m.x-m.buttons[0].DownX, m.y-m.buttons[0].DownY
	if d.dragging == nil {
		if abs(dx)+abs(dy) < env.Px(10) {
			return
		}
		d.loosen(p)
	}
	r := d.heldAt
	r.X0, r.X1, r.Y0, r.Y1 = r.X0+dx, r.X1+dx, r.Y0+dy, r.Y1+dy
	d.moveTo(p, keepInside(r, d.area, env), env)
}

// dropped ends a drag: a pane dropped on its own cell docks there again.
func (d *desk) dropped(env *panel.Env, m *mouse) {
	d.held = nil
	if p := d.dragging; p != nil {
		if p.docked && d.home(p, env).Contains(m.x, m.y) {
			p.float = false
		}
		d.dragging = nil
		d.dirty = true
		d.sort()
	}
	if d.split != nil {
		d.split = nil
	}
	scale := widgetScale(env.Scale)
	for _, p := range d.panes {
		if want := toWidget(p.rect, scale); !p.hidden && (want != p.given || want != p.reported) {
			d.dirty = true
		}
	}
}

// home is where a pane docks again when it is dropped: its cell, while that is still free, else the row where its title would be.
func (d *desk) home(p *pane, env *panel.Env) draw.Rect {
	if r, ok := d.layout.rects[p.id]; ok {
		return r
	}
	r := tile(d.root, d.area, env.Px(4), titlePx(env), func(id string) cellState {
		if q := d.pane(id); q == nil || q != p && q.float || q.hidden {
			return cellGone
		}
		return cellOpen
	}).rects[p.id]
	r.Y1 = min(r.Y1, r.Y0+1.5*titlePx(env))
	return r
}

// overSplitter returns the splitter under the mouse, if no pane lies over it.
func (d *desk) overSplitter(env *panel.Env, x, y float32) *splitter {
	if d.layout == nil || d.at(x, y) != nil {
		return nil
	}
	slack := env.Px(1)
	for i := range d.layout.splitters {
		r := d.layout.splitters[i].rect
		if r.Inset(-slack).Contains(x, y) {
			return &d.layout.splitters[i]
		}
	}
	return nil
}

// dragSplitter moves the splitter that the mouse holds.
func (d *desk) dragSplitter(env *panel.Env, m *mouse) {
	s := d.split
	at := m.x
	if s.column {
		at = m.y
	}
	if at == d.splitAt {
		return
	}
	s.drag(at-d.splitAt, env.Px(70))
	d.splitAt = at
	d.dirty = true
}

// cursorFor returns the shape of the mouse pointer.
func (d *desk) cursorFor(env *panel.Env, m *mouse) ebiten.CursorShapeType {
	s := d.split
	if s == nil {
		s = d.overSplitter(env, m.x, m.y)
	}
	switch {
	case s != nil && s.column:
		return ebiten.CursorShapeNSResize
	case s != nil:
		return ebiten.CursorShapeEWResize
	case d.hover != nil && d.hover.float && !d.hover.fixed && d.inResizeCorner(d.hover, env, m.x, m.y):
		return ebiten.CursorShapeNWSEResize
	}
	return ebiten.CursorShapeDefault
}

// inResizeCorner tells whether a point lies on the widget library's resize handle of a floating pane.
func (d *desk) inResizeCorner(p *pane, env *panel.Env, x, y float32) bool {
	s := float32(24 * widgetScale(env.Scale))
	return p.float && !p.fixed && !p.folded && x >= p.rect.X1-s && y >= p.rect.Y1-s
}

func toWidget(r draw.Rect, scale int) image.Rectangle {
	return image.Rect(int(r.X0)/scale, int(r.Y0)/scale, int(r.X1)/scale, int(r.Y1)/scale)
}

func fromWidget(r image.Rectangle, scale int) draw.Rect {
	return draw.Rect{X0: float32(r.Min.X * scale), Y0: float32(r.Min.Y * scale), X1: float32(r.Max.X * scale), Y1: float32(r.Max.Y * scale)}
}
