// File prompt.go handles the program's dialogue with the user: notices, menus, questions, dialogs, and
// the clipboard. It depends on the workspace, which holds the menus, and on the keys. Callers define
// the questions.

package workspace

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
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

// Notify shows a line to the user for a while.
func (p *Prompt) Notify(format string, args ...any) {
	p.Notices.add(Notice{Text: fmt.Sprintf(format, args...)})
}

// Offer shows a line that a click runs.
func (p *Prompt) Offer(run func(), format string, args ...any) {
	p.Notices.add(Notice{Text: fmt.Sprintf(format, args...), Run: run})
}

// ReplaceNotice shows the new state of something: it replaces earlier notices that begin with the same words.
func (p *Prompt) ReplaceNotice(words, format string, args ...any) {
	p.Notices.Drop(words)
	p.Notices.add(Notice{Text: words + fmt.Sprintf(format, args...)})
}

// NotifyUntilSeen shows a line until the user takes it away, or it is dropped by the words that it begins with.
// It replaces earlier notices that begin with the same.
func (p *Prompt) NotifyUntilSeen(words, format string, args ...any) {
	p.Notices.Drop(words)
	p.Notices.add(Notice{Text: words + fmt.Sprintf(format, args...), Stays: true})
}

// WarnUntilSeen is NotifyUntilSeen for something that went wrong.
func (p *Prompt) WarnUntilSeen(words, format string, args ...any) {
	p.Notices.Drop(words)
	p.Notices.add(Notice{Text: words + fmt.Sprintf(format, args...), Stays: true, Problem: true})
}

// Warn shows an error, if it is one, for longer than other notices.
func (p *Prompt) Warn(err error) {
	if err != nil {
		p.Notices.add(Notice{Text: strings.TrimSpace(err.Error()), Problem: true})
	}
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

// Confirm asks whether to do something that cannot be undone; stay is the answer that does nothing.
func (p *Prompt) Confirm(question, yes string, do func(), stay string) {
	p.Choose(&widgets.Menu{Name: question, Items: []widgets.MenuItem{
		{Label: yes, Run: do}, {Label: stay, Key: "Esc", Safe: true, Run: func() {}},
	}})
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
			p.ReplaceNotice("Copied: ", "%s", text)
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

// Notices are messages to the user, each shown for some seconds or until it was seen, over the status line, where
// they cover no chart: side by side from the figures at its end, the newest first, as long as the line's left part
// stays free. The others come when there is room. One that is longer than the window is wide has lines above.
type Notices struct {
	items []Notice
	list  *draw.List
}

// Notice is one of them.
type Notice struct {
	Text    string
	Problem bool   // something went wrong
	Stays   bool   // until it is clicked, dismissed or dropped
	Run     func() // of a click; nil: that only takes it away
	untilNs int64
	// lines are the text as it fits into a width of pxWidth; one line unless it is longer than the
	// window is wide.
	lines   []string
	pxWidth float32
	rect    draw.Rect // as drawn
}

const (
	noticeNs  = 5_000_000_000
	problemNs = 15_000_000_000
	// Each letter of a notice adds to its time.
	noticeLetterNs = 60_000_000
	maxNotice      = 5
	// A notice wider than the window is split into lines of about noticeWide px, at most noticeLines.
	noticeWide  = 760
	noticeLines = 6
	noticeHigh  = 22  // one of a line, as the status line
	noticeShare = 0.4 // of the window's width stays free of several beside each other
)

// Shown returns the notices, the newest last.
func (n *Notices) Shown() []Notice { return n.items }

// List returns the draw list, nil before the first Update.
func (n *Notices) List() *draw.List { return n.list }

func (n *Notices) add(it Notice) {
	// A repeated notice becomes the newest.
	n.items = slices.DeleteFunc(n.items, func(old Notice) bool { return old.Text == it.Text })
	n.items = append(n.items, it)
	if len(n.items) > maxNotice {
		n.items = n.items[1:]
	}
}

// Drop takes those away that begin with some words, because they are no longer true.
func (n *Notices) Drop(words string) {
	n.items = slices.DeleteFunc(n.items, func(it Notice) bool { return strings.HasPrefix(it.Text, words) })
}

// Dismiss takes the newest one away; false when there was none.
func (n *Notices) Dismiss() bool {
	if len(n.items) == 0 {
		return false
	}
	n.items = n.items[:len(n.items)-1]
	return true
}

// Update removes expired notices and fills the list; called once a tick. They lie at the lower right of area.
func (n *Notices) Update(env *panel.Env, area draw.Rect) {
	kept := n.items[:0]
	for _, it := range n.items {
		if it.Stays || it.untilNs == 0 || env.NowNs < it.untilNs {
			kept = append(kept, it)
		}
	}
	n.items = kept
	panel.ListFor(&n.list, env)
	l, t := n.list, env.Theme
	if len(n.items) == 0 && l.Quads() == 0 {
		return
	}
	l.Reset(area)
	row := draw.Rect{X0: area.X1, X1: area.X1, Y0: area.Y1, Y1: area.Y1} // that is being filled, from the right
	for i := range slices.Backward(n.items) {
		it := &n.items[i]
		w, h := it.size(env, area)
		if it.rect = (draw.Rect{}); row.W() > 0 && row.X0-w < area.X0+area.W()*noticeShare {
			row.X0 = area.X0 // nor is there room for older ones
			continue
		}
		it.rect = draw.Rect{X0: row.X0 - w, Y0: row.Y1 - h, X1: row.X0, Y1: row.Y1}
		row.X0 = it.rect.X0
		if it.untilNs == 0 {
			it.untilNs = env.NowNs + format.Pick[int64](it.Problem, problemNs, noticeNs) + noticeLetterNs*int64(len(it.Text))
		}
		it.draw(l, env, t)
	}
	l.Filled()
}

// size returns how large a notice is, its text in lines.
func (n *Notice) size(env *panel.Env, area draw.Rect) (w, h float32) {
	n.wrap(env, area.W()-env.Px(68))
	for _, line := range n.lines {
		w = max(w, env.Atlas.Measure(draw.Regular, line))
	}
	w = min(w+env.Px(28), area.W()-env.Px(40))
	return float32(int(w)), float32(int(env.Px(noticeHigh))) + lineHigh(env)*float32(len(n.lines)-1)
}

func lineHigh(env *panel.Env) float32 { return float32(int(env.Px(18))) }

func (n *Notice) draw(l *draw.List, env *panel.Env, t *assets.Theme) {
	r, bar := n.rect, format.Pick(n.Problem, t.Bad, t.Accent)
	l.Rect(r, draw.Color(t.Tooltip))
	l.Outline(r, 1, draw.Color(t.TooltipBorder))
	l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(3), Y1: r.Y1}, draw.Color(bar))
	row := draw.Rect{X0: r.X0 + env.Px(14), Y0: r.Y0, X1: r.X1 - env.Px(10), Y1: r.Y0 + env.Px(noticeHigh)}
	for _, line := range n.lines {
		l.TextIn(draw.Regular, row, draw.Left, line, draw.Color(t.Text))
		row.Y0, row.Y1 = row.Y0+lineHigh(env), row.Y1+lineHigh(env)
	}
}

// Press removes the notice at a point and does what it offers; false: there is none.
func (n *Notices) Press(x, y float32) bool {
	i := slices.IndexFunc(n.items, func(it Notice) bool { return it.rect.Contains(x, y) })
	if i >= 0 {
		run := n.items[i].Run
		n.items = slices.Delete(n.items, i, i+1)
		if run != nil {
			run()
		}
	}
	return i >= 0
}

// wrap divides the text into lines when it does not fit into a width.
func (n *Notice) wrap(env *panel.Env, pxWidth float32) {
	if n.pxWidth == pxWidth && n.lines != nil {
		return
	}
	n.pxWidth, n.lines = pxWidth, n.lines[:0]
	words := strings.Fields(n.Text)
	line := strings.Join(words, " ")
	if env.Atlas.Measure(draw.Regular, line) <= pxWidth || len(words) == 0 {
		n.lines = append(n.lines, line)
		return
	}
	most := min(pxWidth, env.Px(noticeWide))
	line = ""
	for i, word := range words {
		longer := format.Pick(line != "", line+" "+word, word)
		if line != "" && env.Atlas.Measure(draw.Regular, longer) > most {
			if len(n.lines) == noticeLines-1 { // the rest on the last line, cut
				n.lines = append(n.lines, line+" "+strings.Join(words[i:], " "))
				return
			}
			n.lines = append(n.lines, line)
			longer = word
		}
		line = longer
	}
	n.lines = append(n.lines, line)
}
