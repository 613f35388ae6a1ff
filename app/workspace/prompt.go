// File prompt.go handles the program's dialogue with the user: notices, menus, questions, dialogs, and
// the clipboard. It depends on the workspace, which holds the menus, and on the keys. Callers define
// the questions.

package workspace

import (
	"fmt"
	"os"
	"strings"

	"framescope/app/input"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

const (
	paneMenu   = "menu"
	paneDialog = "dialog"
)

// Prompt is the window's notices and questions. The goroutine of the game loop calls its methods.
type Prompt struct {
	Env     *panel.Env
	Mouse   *input.Mouse
	Desk    *Desk
	Notices Notices
	Later   func(func())     // runs something on the game loop; any goroutine may call it
	dialog  *widgets.Palette // that is open; nil: none
	x, y    float32          // position requested for the menu
	scale   float32          // at which it was made
	copied  string           // last, by this program
}

// Tell shows a line to the user for a while.
func (p *Prompt) Tell(format string, args ...any) {
	p.Notices.add(Notice{Text: fmt.Sprintf(format, args...)})
}

// Offer shows a line that a click runs.
func (p *Prompt) Offer(run func(), format string, args ...any) {
	p.Notices.add(Notice{Text: fmt.Sprintf(format, args...), Run: run})
}

// TellNow shows the new state of something: it replaces earlier notices that begin with the same words.
func (p *Prompt) TellNow(words, format string, args ...any) {
	p.Notices.Drop(words)
	p.Notices.add(Notice{Text: words + fmt.Sprintf(format, args...)})
}

// TellUntilSeen shows a line until the user takes it away, or it is dropped by the words that it begins with.
// It replaces earlier notices that begin with the same.
func (p *Prompt) TellUntilSeen(words, format string, args ...any) {
	p.Notices.Drop(words)
	p.Notices.add(Notice{Text: words + fmt.Sprintf(format, args...), Stays: true})
}

// Warn shows an error, for longer than other notices.
func (p *Prompt) Warn(err error) {
	p.Notices.add(Notice{Text: strings.TrimSpace(err.Error()), Problem: true})
}

// CloseMenu closes the menu; false: there was none.
func (p *Prompt) CloseMenu() bool { return p.Desk.Close(paneMenu) }

// OpenMenu opens a menu at a point, inside the window.
func (p *Prompt) OpenMenu(m *widgets.Menu, x, y float32) {
	m.Close = func() { p.CloseMenu() }
	p.x, p.y, p.scale = x, y, p.Env.Scale
	p.Desk.OpenOver(&Tab{ID: paneMenu, Panel: m}, p.menuRect(m), false, nil)
}

// menuRect is the place of a menu: at the requested point, inside the window.
func (p *Prompt) menuRect(m *widgets.Menu) draw.Rect {
	mw, mh := m.Size(p.Env)
	w, h := OverSize(p.Env, mw, mh)
	a := p.Desk.Area()
	w, h = float32(int(min(w, a.W()))), float32(int(min(h, a.H()))) // of more it scrolls
	x, y := float32(int(max(a.X0, min(p.x, a.X1-w)))), float32(int(max(a.Y0, min(p.y, a.Y1-h))))
	return draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
}

// FitMenu places the open menu again, as the scale, the window or its text may have changed: once a
// tick.
func (p *Prompt) FitMenu() {
	m := p.Menu()
	if m == nil || m.Question() { // it is a dialog
		return
	}
	if p.scale != p.Env.Scale {
		if p.scale = p.Env.Scale; m.Rebuild != nil {
			m.Items = m.Rebuild()
		}
	}
	p.Desk.Resize(paneMenu, p.menuRect(m), draw.Rect{})
}

// Choose asks something by a menu in the middle of the window: a dialog of answers.
func (p *Prompt) Choose(m *widgets.Menu) {
	p.CloseMenu()
	m.Close = func() { p.CloseMenu() }
	p.Desk.OpenDialog(p.Env, &Tab{ID: paneMenu, Panel: m}, func(env *panel.Env) (w, h float32) {
		w, h = m.Size(env)
		return OverSize(env, w, h)
	}, nil)
}

// listWidth and listHeight are the size of a dialog with a table, at scale 1.
const listWidth, listHeight = 960, 420

// Open opens a table as a dialog, unless it is open.
func (p *Prompt) Open(t *Tab) {
	if p.Desk.Find(t.ID) != nil {
		return
	}
	p.CloseMenu()
	p.Desk.OpenDialog(p.Env, t, func(env *panel.Env) (w, h float32) { return env.Px(listWidth), env.Px(listHeight) }, nil)
}

// Ask opens a dialog with a text field, of a width in pixels at scale 1, as high as its lines.
func (p *Prompt) Ask(q *widgets.Palette, w float32) {
	if q.Does == "" {
		q.Does = "OK"
	}
	p.CloseMenu()
	q.Close = func() { p.Desk.Close(paneDialog) }
	p.Desk.OpenDialog(p.Env, &Tab{ID: paneDialog, Panel: q}, func(env *panel.Env) (float32, float32) {
		w := min(env.Px(w), p.Desk.Area().W())
		return OverSize(env, w, q.Height(env, w))
	}, func() { p.left(q) })
	p.use(q)
}

// AskLine opens a dialog with a text field: a name, and a hint at what to type. take returns what is wrong with it.
func (p *Prompt) AskLine(name, hint string, take func(text string) (complaint string)) {
	q := &widgets.Palette{Name: name, Does: "Set"}
	q.Field.Hint = hint
	q.Answer = func(text string) string { return take(strings.TrimSpace(text)) }
	p.Ask(q, 420)
}

// use gives the keyboard to a list with a field, left takes it away.
func (p *Prompt) use(q *widgets.Palette) {
	q.Text().Focus(true)
	p.dialog = q
}

func (p *Prompt) left(q *widgets.Palette) {
	q.Text().Focus(false)
	p.dialog = nil
}

// AskAt opens a list with a text field with its corner at a point, as far as it has room there, of a size
// in pixels at scale 1.
func (p *Prompt) AskAt(q *widgets.Palette, w, h, x, y float32) {
	p.CloseMenu()
	q.Close = func() { p.Desk.Close(paneDialog) }
	a := p.Desk.Area()
	w, h = min(p.Env.Px(w), a.W()), min(p.Env.Px(h), a.H())
	x, y = max(a.X0, min(x, a.X1-w)), max(a.Y0, min(y, a.Y1-h))
	rect := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	p.Desk.OpenOver(&Tab{ID: paneDialog, Panel: q}, rect, true, func() { p.left(q) })
	p.use(q)
}

// AskUnder opens a list under a text field of the window. closed is called when it is gone, for any
// reason.
func (p *Prompt) AskUnder(q *widgets.Palette, rect draw.Rect, closed func()) {
	p.CloseMenu()
	q.Close = func() { p.Desk.Close(paneDialog) }
	p.Desk.OpenOver(&Tab{ID: paneDialog, Panel: q, Bare: true}, rect, false, func() {
		p.left(q)
		closed()
	})
	p.use(q)
}

// Fit gives the open list under a field another place; field is where that is.
func (p *Prompt) Fit(rect, field draw.Rect) { p.Desk.Resize(paneDialog, rect, field) }

// Menu returns the menu or the question above everything, or nil.
func (p *Prompt) Menu() *widgets.Menu {
	if t := p.Desk.Find(paneMenu); t != nil {
		return t.Panel.(*widgets.Menu)
	}
	return nil
}

// MenuKey passes a key to the open menu and reports whether it was handled.
func (p *Prompt) MenuKey(c input.Chord) bool {
	m := p.Menu()
	if m == nil {
		return false
	}
	if c.Ctrl || c.Alt {
		return m.Question()
	}
	return m.Key(c.Key)
}

// Keys passes the keys to the open question or dialog; false: there is none.
func (p *Prompt) Keys(k *input.Keyboard) bool {
	if m := p.Menu(); m != nil && m.Question() {
		for _, c := range k.Chords {
			if p.MenuKey(c); p.Menu() != m {
				break // the other keys are not meant for the menu below
			}
		}
		return true
	}
	q := p.dialog
	if q == nil {
		return false
	}
	// Text of the same tick came before Enter: it belongs to the answer.
	if q.Text().Type(int(p.Mouse.X), int(p.Mouse.Y), Strokes(k), p.Clipboard()) {
		return true
	}
	switch {
	case k.Struck("esc"):
		q.Close()
	case k.Struck("enter") && k.Shift:
		q.Back()
	case k.Struck("enter"):
		q.Enter()
	case k.Struck("down"):
		q.Move(1)
	case k.Struck("up"):
		q.Move(-1)
	case k.Struck("tab"):
		q.Turn()
	}
	return true
}

// Dialog returns the open dialog with a text field, or nil.
func (p *Prompt) Dialog() *widgets.Palette { return p.dialog }

// Covers reports whether a menu or a dialog lies over the panes.
func (p *Prompt) Covers() bool { return p.Desk.Dialog() != nil || p.dialog != nil || p.Menu() != nil }

// Copy puts text on the clipboard. Ebitengine has no clipboard, so Copy runs the system's own program.
// Without one, it says which to install, and writes the text to standard error, where the user can copy
// it by hand.
func (p *Prompt) Copy(text string) {
	p.copied = text
	go func() {
		err := clipboard(text)
		p.Later(func() {
			if err != nil {
				fmt.Fprintln(os.Stderr, text)
				p.Warn(fmt.Errorf("%w; the text was printed to standard error instead", err))
				return
			}
			p.TellNow("Copied: ", "%s", text)
		})
	}()
}

// Clipboard is the clipboard as text fields have it.
func (p *Prompt) Clipboard() widgets.Clipboard { return (*board)(p) }

type board Prompt

// Put implements widgets.Clipboard.
func (b *board) Put(text string) { (*Prompt)(b).Copy(text) }

// Get implements widgets.Clipboard. If the system's clipboard is unreadable, it returns the text copied
// here last.
func (b *board) Get(to func(text string)) {
	p := (*Prompt)(b)
	go func() {
		text, ok := pasted()
		p.Later(func() {
			if !ok {
				text = p.copied
			}
			to(text)
		})
	}()
}

// Strokes are the keys of a tick as text fields take them.
func Strokes(k *input.Keyboard) (keys []widgets.Stroke) {
	for _, c := range k.Chords {
		keys = append(keys, widgets.Stroke{Ctrl: c.Ctrl, Shift: c.Shift, Alt: c.Alt, Key: c.Key})
	}
	return keys
}
