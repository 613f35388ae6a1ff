package app

import (
	"framescope/charts/draw"
	"framescope/widgets"
)

// filterMessages opens the list of message filters: levels, categories and threads, each with the
// number of messages, and any typed text, as a part of theirs. It lies below or above a control.
func (n *navigator) filterMessages(by draw.Rect) {
	v := n.ss.View()
	if v.None() {
		return
	}
	p := &widgets.Palette{Name: "Filter messages", Items: MessageFilter(n.ask.Env, v)}
	p.Field.Hint = "Text, level, category or thread"
	p.Empty = []string{"No messages"}
	p.Typed = func(text string) []widgets.PaletteItem {
		f := v.Look().MessageFilter()
		f.Text = text
		return []widgets.PaletteItem{{
			Name: "Only messages with “" + text + "” in their text", Run: func() { v.Look().SetMessageFilter(f) },
		}}
	}
	const w, h = 360, 400
	y := by.Y1
	if high := n.ask.Env.Px(h); y+high > n.ask.Desk.Area().Y1 {
		y = by.Y0 - high
	}
	n.ask.AskAt(p, w, h, by.X0, y)
}

// askMessageFilter shows the messages, and the list of their filters.
func (n *navigator) askMessageFilter() {
	n.show("messages")
	if v := n.ss.View(); !v.None() && v.Session().Contents().Messages {
		a := n.ask.Desk.Area()
		x, y := (a.X0+a.X1)/2, (a.Y0+a.Y1)/2
		n.filterMessages(draw.Rect{X0: x, Y0: y, X1: x, Y1: y})
	}
}
