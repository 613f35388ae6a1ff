package app

import (
	"framescope/app/input"
	"framescope/charts/panel"
)

// act runs a chart's request.
func (n *navigator) act(a panel.Action) {
	switch a.Kind {
	case panel.ActionMenu:
		n.openMenu(a)
	case panel.ActionGoToMark, panel.ActionRemoveMark, panel.ActionNote:
		n.places.Act(a)
	case panel.ActionClearSearch:
		n.unfind()
	case panel.ActionShow:
		n.showSession(a.Session)
	case panel.ActionHideIdle:
		n.hideIdle()
	case panel.ActionFind:
		n.search(a.Text)
	case panel.ActionFilterMessages:
		n.filterMessages(a.Hit.Rect)
	default:
		n.openNew(a.Kind, a.Track, a.Collector)
	}
}

// panelKeys gives a key to the panel that was pressed in last; true: it was its.
func (n *navigator) panelKeys(c input.Chord) bool {
	t := n.ask.Desk.Focused()
	if t == nil || c.Ctrl || c.Alt || c.Shift {
		return false
	}
	p, ok := t.Panel.(panel.Keyed)
	if !ok {
		return false
	}
	act, taken := p.Key(n.ask.Env, c.Key)
	n.act(act)
	return taken
}
