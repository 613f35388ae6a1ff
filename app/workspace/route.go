package workspace

import (
	"slices"

	"framescope/app/input"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Route decides which pane has the mouse: the held one, or the pane it was pressed in, keeps it until
// all buttons are up; otherwise the topmost pane under it. It handles presses in title rows.
func (d *Desk) Route(env *panel.Env, m *input.Mouse) {
	d.hover = nil
	if m.Inside {
		d.hover = d.paneAt(m.X, m.Y)
	}
	if d.hold.some() {
		if m.Buttons[0].Down || m.Buttons[0].Released {
			d.drag(env, m)
		}
		if !m.Buttons[0].Down {
			d.drop(env, m)
		}
	} else if m.AnyPressed() && d.owner == nil {
		d.press(env, m)
	}
	d.turn(env, m)
}

// Dismiss closes menus, dialogs, lists and the sides that lie over the charts when the mouse is pressed
// elsewhere: of dialogs on top of each other the topmost. It comes before anybody else is given the mouse:
// that press does nothing else, unless all that it closes is a list under a field.
func (d *Desk) Dismiss(m *input.Mouse) {
	if !m.AnyPressed() {
		return
	}
	at := d.paneAt(m.X, m.Y)
	some := d.closeSides(at)
	for _, p := range slices.Backward(slices.Clone(d.panes)) {
		if p == at {
			break
		}
		if p.over && !p.part.Contains(m.X, m.Y) {
			some = d.Close(p.id) && !p.bare || some
		}
		if p.size != nil {
			break
		}
	}
	if some {
		m.Swallow()
	}
}

// press handles a press of a button.
func (d *Desk) press(env *panel.Env, m *input.Mouse) {
	p, left := d.hover, m.Buttons[0].Pressed
	if s := d.overSplitter(env, m.X, m.Y); s != nil && left {
		taken := *s
		d.hold = hold{split: &taken, at: s.Along(m.X, m.Y)}
		if s.Side != nil {
			d.hold.width = d.fullWidth(s.Side)
		}
		return
	}
	if p == nil {
		return
	}
	if !p.bare {
		d.raise(p)
	}
	switch {
	case p.side != "":
		if !d.pressSide(env, p, m) {
			d.owner, d.focus = p, p
		}
	case p.titleRow(env).Contains(m.X, m.Y):
		switch {
		case left:
			if !p.over {
				d.focus = p
			}
			d.pressTitle(env, p, m)
		case m.Buttons[1].Pressed && !p.over:
			d.titleMenu(env, p, m.X, m.Y)
		}
	case p.corner(env).Contains(m.X, m.Y):
		if left {
			d.hold = hold{pane: p, corner: true, from: p.floatAt, tab: -1}
		}
	case p.over:
		d.owner = p // gets the keys until it closes: then the previous owner has them again
	default:
		d.owner, d.focus = p, p
	}
}

// pressTitle handles the title row: close box, tabs, tools, and the double click that docks a
// floating pane and folds a docked one. The row also moves the pane.
func (d *Desk) pressTitle(env *panel.Env, p *pane, m *input.Mouse) {
	tab := p.row.tabAt(m.X, m.Y)
	switch {
	case p.row.toolAt(m.X, m.Y) != -1:
		d.pressTool(env, p, p.row.toolAt(m.X, m.Y), m)
		return
	case p.closeBox(env).Contains(m.X, m.Y):
		if p.docked {
			p.float, d.dirty = false, true
		} else {
			d.Close(p.id)
		}
		return
	case m.DoubleClick && p.docked && p.float:
		p.float, d.dirty = false, true
		return
	case m.DoubleClick && !p.over:
		if d.unfolded != p { // else its first click had the intended effect
			d.fold(p)
		}
		return
	}
	if d.unfolded = nil; p.folded || p.small {
		d.fold(p)
		d.unfolded = p
	}
	if tab >= 0 && tab != p.active {
		p.choose(tab)
	}
	if p.fixed || p == d.alone {
		return
	}
	d.hold = hold{pane: p, from: p.rect, tab: -1}
	if tab >= 0 && p.docked && !p.float {
		d.hold.tab = tab
	}
	if p.float {
		d.hold.from = p.floatAt
	}
}

// Update lets every visible panel prepare its picture, the one under the mouse first, because it sets
// the highlight of all others; act receives their actions. The panel under the mouse gets held movement
// keys, unless typing reports that a text field has them.
func (d *Desk) Update(
	env *panel.Env, m *input.Mouse, k *input.Keyboard, dtNs int64, typing bool, act func(panel.Action),
) {
	first := d.owner
	if first == nil {
		first = d.hover
	}
	update := func(p *pane) {
		if p.side != "" {
			d.updateSections(env, p, m, k, dtNs, typing, act)
			return
		}
		rect := p.content(env)
		p.shown = !rect.Empty() && (p.bare || !p.docked || p.float || rect.H() >= env.Px(leastPx))
		if !p.shown {
			return
		}
		if s, ok := p.front().Panel.(panel.Section); ok {
			s.Shift(-1)
		}
		d.inputFor(env, p, rect, m, k, typing)
		d.in.DtNs = dtNs
		if a := p.front().Panel.Update(env, rect, &d.in); a.Kind != panel.ActionNone {
			act(a)
		}
	}
	if first != nil {
		update(first)
	}
	// A panel may open or close panes, so the list is walked by index.
	for i := 0; i < len(d.panes); i++ {
		if p := d.panes[i]; p != first {
			update(p)
		}
	}
	for _, p := range d.panes {
		switch {
		case p.bare || p.rect.Empty():
		case p.side != "":
			p.paintSide(env, d.hover == p, m.X, m.Y)
		default:
			p.paintChrome(env, d.hover == p, m.X, m.Y)
		}
	}
	if !m.Buttons[0].Down && !m.Buttons[1].Down && !m.Buttons[2].Down {
		d.owner = nil
	}
}

// inputFor fills in the mouse and keys in this tick for a panel in rect of a pane.
func (d *Desk) inputFor(env *panel.Env, p *pane, rect draw.Rect, m *input.Mouse, k *input.Keyboard, typing bool) {
	in := &d.in
	*in = panel.Input{X: m.X, Y: m.Y, Shift: k.Shift, Ctrl: k.Ctrl, Alt: k.Alt}
	in.Over = d.hover == p && (d.owner == p || d.owner == nil && !m.AnyDown()) && !d.hold.some() &&
		rect.Contains(m.X, m.Y) && !p.corner(env).Contains(m.X, m.Y)
	if in.Over {
		in.WheelX, in.WheelY = m.WheelX, m.WheelY
	}
	if d.owner == p {
		in.Left, in.Right, in.Middle = m.Buttons[0], m.Buttons[1], m.Buttons[2]
		in.DoubleClick = m.DoubleClick
	}
	if in.Over && !typing && !in.Shift { // with which the keys are others
		in.ZoomIn, in.ZoomOut = k.ZoomIn, k.ZoomOut
		in.PanLeft, in.PanRight = k.PanLeft, k.PanRight
	}
}

// Hovers reports whether the mouse is over a pane.
func (d *Desk) Hovers() bool { return d.hover != nil }

// HitTest returns the target under the mouse in a panel; false: the mouse is over none, or is busy.
func (d *Desk) HitTest(env *panel.Env, m *input.Mouse) (panel.Hit, bool) {
	p := d.hover
	if p == nil || d.Holding() {
		return panel.Hit{}, false
	}
	if p.side != "" {
		if i := p.sectionAt(m.X, m.Y); i >= 0 {
			return p.tabs[i].Panel.HitTest(env, m.X, m.Y), true
		}
		return p.hitSide(env, m.X, m.Y)
	}
	if p.titleRow(env).Contains(m.X, m.Y) {
		return p.hitTitle(m.X, m.Y)
	}
	if !p.content(env).Contains(m.X, m.Y) {
		return panel.Hit{}, false
	}
	return p.front().Panel.HitTest(env, m.X, m.Y), true
}
