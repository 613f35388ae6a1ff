// This file defines the switches that filter messages: levels, categories, threads.

package app

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/messages"
	"framescope/widgets"
)

// MessageFilter returns the items of a session's filter of messages: levels, categories and threads,
// each with the number of messages.
func MessageFilter(env *panel.Env, v *view.View) (list []widgets.PaletteItem) {
	look, s, th := v.Look(), v.Session(), env.Theme
	counts := s.Messages().Severities()
	all := int64(0)
	for _, c := range counts {
		all += c
	}
	if all == 0 {
		return nil
	}
	// add adds a switch: set changes the filter from its state at that time.
	add := func(it widgets.PaletteItem, count int64, on func(f *view.MessageFilter) bool,
		set func(f *view.MessageFilter)) {
		it.Key, it.Keep = string(format.AppendCount(nil, count)), true
		it.On = func() bool { f := look.MessageFilter(); return on(&f) }
		it.Run = func() { f := look.MessageFilter(); set(&f); look.SetMessageFilter(f) }
		list = append(list, it)
	}
	add(widgets.PaletteItem{Group: "Messages", Name: "All"}, all, (*view.MessageFilter).All,
		func(f *view.MessageFilter) { *f = view.MessageFilter{} })
	for i := len(counts) - 1; i >= 0; i-- {
		level := model.SeverityTrace + model.Severity(i)
		if counts[i] == 0 {
			continue
		}
		it := widgets.PaletteItem{
			Group: "Level", Name: subject.SeverityName(level), Note: "and above", Swatch: subject.SeverityColor(th, level),
		}
		is := func(f *view.MessageFilter) bool { return f.HasLeast && f.Least == level }
		add(it, counts[i], is, func(f *view.MessageFilter) { f.HasLeast, f.Least = !is(f), level })
	}
	categories := s.Messages().Categories(nil)
	without := all
	for _, c := range categories {
		without -= c.Count
	}
	slices.SortStableFunc(categories, func(a, b messages.Category) int { return cmp.Compare(b.Count, a.Count) })
	if without > 0 && len(categories) > 0 {
		categories = append(categories, messages.Category{Count: without})
	}
	for _, c := range categories {
		it := widgets.PaletteItem{Group: "Category", Name: cmp.Or(c.Name, "without a category")}
		is := func(f *view.MessageFilter) bool { return slices.Contains(f.Categories, c.Name) }
		add(it, c.Count, is, func(f *view.MessageFilter) { *f = f.ToggleCategory(c.Name) })
	}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil || s.Messages().Count(id) == 0 {
			continue
		}
		it := widgets.PaletteItem{Group: "Thread", Name: t.Title()}
		it.Swatch, _ = subject.ThreadColor(env, id)
		is := func(f *view.MessageFilter) bool { return f.OnlyTrack && f.Track == id }
		add(it, s.Messages().Count(id), is, func(f *view.MessageFilter) { f.OnlyTrack, f.Track = !is(f), id })
	}
	return list
}

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
