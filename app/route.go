package app

import (
	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// routeMouse decides who has the mouse: the pane that it was pressed in keeps it until all buttons are up; otherwise the topmost one under it.
func (g *Game) routeMouse(area draw.Rect) {
	d, m, env := &g.desk, &g.mouse, &g.env
	d.hover = d.at(m.x, m.y)
	if d.hover == nil && g.top.frames.rect.Contains(m.x, m.y) {
		d.hover = g.top.frames
	}
	if !m.inside {
		d.hover = nil
	}
	if m.anyPressed() {
		g.overlay.pressed(g, d.hover)
	}
	switch {
	case d.held != nil:
		d.moveHeld(env, m)
	case d.dragging != nil:
		d.owner = nil
	case d.split != nil:
		d.dragSplitter(env, m)
	case m.anyPressed() && d.owner == nil:
		g.press(env, m)
	}
	ebiten.SetCursorShape(d.cursorFor(env, m))
	if m.back {
		g.View().Back()
	}
	if m.forward {
		g.View().Forward()
	}
}

// press begins whatever the mouse does where a button just went down.
func (g *Game) press(env *panel.Env, m *mouse) {
	d := &g.desk
	p := d.hover
	if p == nil {
		if s := d.overSplitter(env, m.x, m.y); s != nil && m.buttons[0].Pressed {
			copied := *s
			d.split = &copied
			d.splitAt = m.x
			if s.column {
				d.splitAt = m.y
			}
		}
		return
	}
	if p != g.top.frames {
		d.raise(p) // as the widget library does
	}
	if p.folded || p.titleRow(env).Contains(m.x, m.y) && p != g.top.frames {
		if m.buttons[0].Pressed {
			g.pressTitle(p, m)
		}
		return
	}
	if d.inResizeCorner(p, env, m.x, m.y) {
		return
	}
	d.owner, g.focus = p, p
}

// pressTitle handles the title row: tabs, the close box, and the double click that docks a floating pane or folds a docked one.
func (g *Game) pressTitle(p *pane, m *mouse) {
	if p.closeBox(&g.env).Contains(m.x, m.y) {
		g.closePane(p)
		return
	}
	for _, t := range p.tabs {
		if t.page != p.active && t.rect.Contains(m.x, m.y) {
			p.choose(t.page)
			return
		}
	}
	if m.doubleClick && p.docked && p.float {
		p.float = false
		g.desk.dirty = true
		return
	}
	if m.y >= p.rect.Y0+float32(widgetTitle*widgetScale(g.env.Scale)) && p.id != paneMenu {
		g.desk.held, g.desk.heldAt = p, p.rect
		if p.float {
			g.desk.heldAt = p.floatAt
		}
	}
}

// closePane docks a pane of the layout again, and removes one that was opened besides.
func (g *Game) closePane(p *pane) {
	if p.docked {
		p.float = false
		g.desk.dirty = true
		return
	}
	g.desk.remove(p)
}

// inputFor is what one pane's panel sees of mouse and keys in this tick.
func (g *Game) inputFor(p *pane) *panel.Input {
	d, m := &g.desk, &g.mouse
	in := &g.in
	dt := in.DtNs
	*in = panel.Input{X: m.x, Y: m.y, DtNs: dt}
	in.Shift, in.Ctrl, in.Alt = g.keys.shift, g.keys.ctrl, g.keys.alt
	content := p.rect
	if p != g.top.frames {
		content = p.content(&g.env)
	}
	free := d.dragging == nil && d.split == nil
	in.Over = free && d.hover == p && (d.owner == nil || d.owner == p) && content.Contains(m.x, m.y) && !d.inResizeCorner(p, &g.env, m.x, m.y)
	if d.owner == nil && m.anyDown() {
		in.Over = false // the press began elsewhere
	}
	if in.Over {
		in.WheelX, in.WheelY = m.wheelX, m.wheelY
	}
	if d.owner == p {
		in.Left, in.Right, in.Middle = m.buttons[0], m.buttons[1], m.buttons[2]
		in.DoubleClick = m.doubleClick
	}
	if in.Over && !g.typing() {
		in.ZoomIn, in.ZoomOut = g.keys.held(ebiten.KeyW), g.keys.held(ebiten.KeyS)
		in.PanLeft, in.PanRight = g.keys.held(ebiten.KeyA), g.keys.held(ebiten.KeyD)
	}
	return in
}

// updatePanels lets every panel in sight prepare its picture: the one under the mouse first, because it says what all others light up.
func (g *Game) updatePanels() {
	d := &g.desk
	g.env.Kept = g.onDiskToo()
	if g.opt.Deterministic {
		g.env.MemoryOf = func(*model.Session) int64 { return 1 << 20 }
	}
	for _, p := range d.panes {
		p.settle(g.active)
	}
	first := d.owner
	if first == nil {
		first = d.hover
	}
	if first != nil {
		g.updatePane(first)
	}
	if g.top.frames != first {
		g.updatePane(g.top.frames)
	}
	// A panel may open or close panes, so the list is walked by index.
	for i := 0; i < len(d.panes); i++ {
		if p := d.panes[i]; p != first {
			g.updatePane(p)
		}
	}
	for _, p := range d.panes {
		if p.hidden || p.rect.Empty() {
			continue
		}
		hot := d.hover == p
		hotTab := -1
		if hot && p.titleRow(&g.env).Contains(g.mouse.x, g.mouse.y) {
			for _, t := range p.tabs {
				if t.rect.Contains(g.mouse.x, g.mouse.y) {
					hotTab = t.page
				}
			}
		}
		p.paintChrome(&g.env, hot, hot && p.closeBox(&g.env).Contains(g.mouse.x, g.mouse.y), hotTab)
	}
	g.top.paint(g)
	if !g.mouse.buttons[0].Down && !g.mouse.buttons[1].Down && !g.mouse.buttons[2].Down {
		d.owner = nil
	}
}

func (g *Game) updatePane(p *pane) {
	if p.hidden || p.folded || p.rect.Empty() {
		return
	}
	rect := p.rect
	if p != g.top.frames {
		rect = p.content(&g.env)
	}
	if rect.Empty() {
		return
	}
	act := p.front().chart.Update(&g.env, rect, g.inputFor(p))
	if act.Kind != panel.ActionNone {
		g.act(act)
	}
}

// updateTooltip asks the panel under the mouse what lies there.
func (g *Game) updateTooltip(bounds draw.Rect) {
	g.hit, g.hitOf = panel.Hit{}, nil
	p := g.desk.hover
	busy := g.overlay.above(g) || g.mouse.anyDown() || g.desk.dragging != nil || g.desk.split != nil
	var hit *panel.Hit
	if p != nil && !p.hidden && !p.folded && !busy {
		rect := p.rect
		if p != g.top.frames {
			rect = p.content(&g.env)
		}
		if rect.Contains(g.mouse.x, g.mouse.y) {
			g.hit, g.hitOf = p.front().chart.HitTest(&g.env, g.mouse.x, g.mouse.y), p
			hit = &g.hit
		}
	}
	if hit == nil && !busy && g.mouse.inside {
		h, ok := g.top.hitTest(g)
		if !ok {
			h, ok = g.status.hitTest(g)
		}
		if ok {
			g.hit = h
			hit = &g.hit
		}
	}
	if !g.settings.Tooltips {
		hit = nil
	}
	g.tipList = g.tip.Draw(&g.env, hit, g.mouse.x, g.mouse.y, bounds)
}
