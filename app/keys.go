package app

// typing tells whether a text field has the keyboard.
func (g *Game) typing() bool {
	return g.help.open || g.find.names.Field.Focused() || g.ask.Dialog() != nil
}

// handleKeys gives what was struck to the help, a question, a text field, the menu, the panel that
// was pressed in last, or the commands.
func (g *Game) handleKeys() {
	if g.help.open {
		g.helpKeys()
		return
	}
	if g.ask.Keys(&g.keys) || g.find.nameKeys(&g.keys) {
		return
	}
	for _, c := range g.keys.Chords {
		if !g.ask.MenuKey(c) && !g.nav.panelKeys(c) {
			g.commands.Strike(c)
		}
		if g.typing() {
			return // the rest of what was struck is not meant for the field
		}
	}
}

// escape closes the top-most transient: menu, dialog, notice, a list that was opened, search, selection,
// in that order.
func (g *Game) escape() {
	switch {
	case g.ask.CloseMenu():
	case g.ask.Notices.Dismiss():
	case g.desk.ClosePassing():
	case g.desk.CloseSides():
	case g.find.clear():
	case g.desk.Unfill():
	default:
		g.View().Unselect()
	}
}
