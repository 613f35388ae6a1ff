package workspace

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Shown is the result of Show.
type Shown uint8

// The outcomes of Show.
const (
	ShownNow  Shown = iota
	ShownNot        // the session that was settled for has nothing for it
	ShownNone       // there is no such tab
)

// Show brings a tab to the front, its pane unfolded.
func (d *Desk) Show(id string) (Shown, *Tab) {
	for _, p := range d.panes {
		tab := p.find(id)
		if tab < 0 {
			continue
		}
		if p.left(tab) {
			return ShownNot, p.tabs[tab]
		}
		if p.side != "" {
			d.openSection(p, tab)
			d.focus = p
			return ShownNow, p.tabs[tab]
		}
		if !p.over && !p.bare {
			p.choose(tab)
		}
		if p.folded || p.small {
			d.fold(p)
		}
		d.raise(p)
		if d.alone != nil && d.alone != p && p.docked && !p.float {
			d.alone = p
		}
		d.focus, d.dirty = p, true
		return ShownNow, p.tabs[tab]
	}
	return ShownNone, nil
}

// Open puts a panel into a floating pane of its own, on top, and makes it the one that keys go to.
// The pane is closed by its cross.
func (d *Desk) Open(env *panel.Env, t *Tab, rect draw.Rect) {
	p := &pane{id: t.ID, tabs: []*Tab{t}, float: true}
	p.moveTo(rect, d.area, env)
	d.panes = append(d.panes, p)
	d.focus = p
	d.raise(p)
}

// OpenOver puts a panel above all, until the mouse is pressed elsewhere. Movable ones can be moved by
// their title rows. closed is called when it is gone, for any reason.
func (d *Desk) OpenOver(t *Tab, rect draw.Rect, movable bool, closed func()) {
	d.Close(t.ID)
	r := draw.Rect{X0: float32(int(rect.X0)), Y0: float32(int(rect.Y0)), X1: float32(int(rect.X1)),
		Y1: float32(int(rect.Y1))}
	p := &pane{id: t.ID, tabs: []*Tab{t}, float: true, over: true, fixed: !movable, bare: t.Bare, closed: closed}
	p.floatAt, p.rect = r, r
	d.panes = append(d.panes, p)
	d.raise(p)
}

// Resize moves a panel that lies above all. part is a part of the window that belongs to it.
func (d *Desk) Resize(id string, rect, part draw.Rect) {
	p := d.pane(id)
	if p != nil && p.over {
		p.part = part
	}
	if p != nil && p.over && p.rect != rect {
		p.floatAt, p.rect = rect, rect
		d.order++
	}
}

// OverSize is the size of a panel above all, with its title row, in physical pixels.
func OverSize(env *panel.Env, w, h float32) (float32, float32) { return w, h + titlePx(env) + 2 }

// Find returns the tab of an id, in sight or not, or nil.
func (d *Desk) Find(id string) *Tab {
	for _, p := range d.panes {
		if i := p.find(id); i >= 0 {
			return p.tabs[i]
		}
	}
	return nil
}

// Close removes an opened pane; false: there is none.
func (d *Desk) Close(id string) bool {
	p := d.pane(id)
	if p == nil || p.docked || p.bare && !p.over {
		return false
	}
	d.order++
	d.panes = slices.DeleteFunc(slices.Clone(d.panes), func(q *pane) bool { return q == p })
	for _, ref := range []**pane{&d.owner, &d.hover, &d.focus, &d.hold.pane, &d.unfolded} {
		if *ref == p {
			*ref = nil
		}
	}
	if p.closed != nil {
		p.closed()
	}
	return true
}

// KeyPanel is the panel that keys go to: under the mouse, else the one pressed in or called up
// last; nil: none.
func (d *Desk) KeyPanel() panel.Panel {
	switch t := d.Dialog(); {
	case t != nil:
		return t.Panel
	case d.hover != nil && d.hover.side != "":
		if i := d.hover.stack.under; i >= 0 && i < len(d.hover.tabs) {
			return d.hover.tabs[i].Panel
		}
	case d.hover != nil:
		return d.hover.front().Panel
	case d.focus != nil:
		return d.focus.front().Panel
	}
	return nil
}

// Focused returns the tab that was pressed in or called up last, nil if none was or it is folded.
func (d *Desk) Focused() *Tab {
	if t := d.Dialog(); t != nil {
		return t
	}
	if d.focus == nil || d.focus.folded || d.focus.side != "" && d.focus.stack.folds(d.focus.active) {
		return nil
	}
	return d.focus.front()
}
