package app

import (
	"fmt"
	"strings"

	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

const (
	paneMenu   = "menu"
	paneDialog = "dialog"
)

// prompt is how the program talks to the user: notices, menus and dialogs.
type prompt struct {
	env     *panel.Env
	mouse   *input.Mouse
	desk    *workspace.Desk
	notices notices
	dialog  *widgets.Palette // that is open; nil: none
	later   func(func())     // runs something on the game loop
}

// tell shows a line to the user for a while.
func (p *prompt) tell(format string, args ...any) { p.notices.add(fmt.Sprintf(format, args...), false) }

// warn is tell for what went wrong; it stays longer.
func (p *prompt) warn(err error) { p.notices.add(strings.TrimSpace(err.Error()), true) }

// closeMenu takes the menu away; false when there was none.
func (p *prompt) closeMenu() bool { return p.desk.Close(paneMenu) }

// menu opens a menu at a point, inside the window.
func (p *prompt) menu(m *widgets.Menu, x, y float32) {
	m.Close = func() { p.closeMenu() }
	mw, mh := m.Size(p.env)
	w, h := workspace.OverSize(p.env, mw, mh)
	a := p.desk.Area()
	x, y = max(a.X0, min(x, a.X1-w)), max(a.Y0, min(y, a.Y1-h))
	rect := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	p.desk.OpenOver(&workspace.Tab{ID: paneMenu, Panel: m}, rect, false, nil)
}

// middle asks something by a menu in the middle of the window.
func (p *prompt) middle(m *widgets.Menu) {
	a := p.desk.Area()
	w, h := m.Size(p.env)
	p.menu(m, (a.X0+a.X1-w)/2, (a.Y0+a.Y1-h)/2)
}

// question opens a dialog with a text field, of a size in pixels at scale 1.
func (p *prompt) question(q *widgets.Palette, w, h float32) {
	p.closeMenu()
	q.Close = func() { p.desk.Close(paneDialog) }
	a := p.desk.Area()
	w, h = min(p.env.Px(w), a.W()), min(p.env.Px(h), a.H())
	x, y := (a.X0+a.X1-w)/2, a.Y0+(a.H()-h)/4
	rect := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	p.desk.OpenOver(&workspace.Tab{ID: paneDialog, Panel: q}, rect, true, func() {
		q.Field.Focus(false)
		p.dialog = nil
	})
	q.Field.Focus(true)
	p.dialog = q
}

// openMenu returns the menu or the question that lies above everything, nil if there is none.
func (p *prompt) openMenu() *widgets.Menu {
	if t := p.desk.Find(paneMenu); t != nil {
		return t.Panel.(*widgets.Menu)
	}
	return nil
}

// menuKeys gives a key to the open menu; true: it was its.
func (p *prompt) menuKeys(c input.Chord) bool {
	m := p.openMenu()
	if m == nil {
		return false
	}
	if c.Ctrl || c.Alt {
		return m.Question()
	}
	return m.Key(c.Key)
}

// keys gives what was struck to the question or the dialog that is open; false: there is none.
func (p *prompt) keys(k *input.Keyboard) bool {
	if m := p.openMenu(); m != nil && m.Question() {
		for _, c := range k.Chords {
			if p.menuKeys(c); p.openMenu() != m {
				break // the rest of what was struck is not meant for what is below it
			}
		}
		return true
	}
	q := p.dialog
	switch {
	case q == nil:
		return false
	case k.Struck("esc"):
		q.Close()
	case k.Struck("enter"):
		q.Enter()
	case k.Struck("down"):
		q.Move(1)
	case k.Struck("up"):
		q.Move(-1)
	default:
		q.Field.Update(int(p.mouse.X), int(p.mouse.Y))
	}
	return true
}

// open tells whether a menu or a dialog lies over the panes.
func (p *prompt) open() bool { return p.dialog != nil || p.openMenu() != nil }
