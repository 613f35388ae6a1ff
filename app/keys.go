package app

import (
	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/widgets"
)

// typing reports whether a text field has the keyboard.
func (g *Game) typing() bool { return g.typedInto() != nil }

// typedInto is the text field that has the keyboard, nil: none has.
func (g *Game) typedInto() *widgets.TextField {
	switch q := g.ask.Dialog(); {
	case g.help.open:
		return &g.help.Field
	case q != nil:
		return q.Text()
	case g.find.names.Field.Focused():
		return &g.find.names.Field
	case g.console.Field.Focused():
		return &g.console.Field
	}
	return nil
}

// handleKeys passes the keys to the help, a question, a text field, the menu, the panel pressed last,
// or the commands. Keys after the one that opened a field go to the field.
func (g *Game) handleKeys() {
	if g.fieldKeys() {
		return
	}
	for i, c := range g.keys.Chords {
		if !g.ask.MenuKey(c) && !g.nav.panelKeys(c) && !g.heldBack(c) {
			g.commands.Strike(c)
		}
		if f := g.typedInto(); f != nil {
			f.Begin(g.keys.After(i))
			g.fieldKeys()
			return
		}
	}
}

// heldBack reports whether a key is not for the commands, as these act on the window below a dialog.
func (g *Game) heldBack(c input.Chord) bool {
	return g.desk.Dialog() != nil && !c.Ctrl && !c.Alt && c.Key != "esc"
}

// fieldKeys passes the keys to the holder of the keyboard; false: there is none.
func (g *Game) fieldKeys() bool {
	if g.help.open {
		g.helpKeys()
		return true
	}
	return g.ask.Keys(&g.keys) || g.find.nameKeys(&g.keys) || g.console.keys(&g.keys)
}

// escape closes the top-most transient: menu, dialog, notice, search, selection, in that
// order.
func (g *Game) escape() {
	switch {
	case g.ask.CloseMenu():
	case g.desk.CloseDialog():
	case g.ask.Notices.Dismiss():
	case g.desk.CloseSides():
	case g.find.clear():
	case g.desk.Unfill():
	default:
		g.View().Unselect()
	}
}

// openHelp covers the window with the keys. Text typed from then on is a search.
func (g *Game) openHelp() {
	g.help.open = true
	g.help.setKeys(g.commands)
	g.find.names.Field.Focus(false)
	g.console.Field.Focus(false)
	g.help.Field.Focus(true)
}

// helpKeys takes the typing of a tick; a key that closes the help has no other effect.
func (g *Game) helpKeys() {
	h := &g.help
	env := &g.stage.env
	for _, c := range g.keys.Chords {
		switch c.Key {
		case "down":
			h.By(env, 1)
		case "up":
			h.By(env, -1)
		case "pgdn":
			h.By(env, 10)
		case "pgup":
			h.By(env, -10)
		}
		if c.Key == "esc" || c.Key == "f1" || c.Key == "?" {
			h.close()
			return
		}
	}
	h.Type(workspace.Strokes(&g.keys), g.ask.Clipboard())
}
