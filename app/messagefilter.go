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

// filterMessages opens the list of what messages can be filtered by: levels, categories and threads,
// each with the number of messages, and whatever is typed, as a part of their text. It lies below or
// above a control.
func (n *navigator) filterMessages(by draw.Rect) {
	v := n.ss.View()
	if v.Session() == nil {
		return
	}
	p := &widgets.Palette{Name: "Filter messages", Items: n.messageFilters(v)}
	p.Field.Hint = "Text, level, category or thread"
	p.Empty = []string{"No messages"}
	p.Typed = func(text string) []widgets.PaletteItem {
		f := v.Look().MessageFilter()
		f.Text = text
		return []widgets.PaletteItem{{
			Name: "Only those with “" + text + "” in their text", Run: func() { v.Look().SetMessageFilter(f) },
		}}
	}
	const w, h = 360, 400
	y := by.Y1
	if high := n.ask.Env.Px(h); y+high > n.ask.Desk.Area().Y1 {
		y = by.Y0 - high
	}
	n.ask.AskAt(p, w, h, by.X0, y)
}

// askMessageFilter shows the messages, and the list of what they are filtered by.
func (n *navigator) askMessageFilter() {
	n.show("messages")
	if v := n.ss.View(); v.Session() != nil && v.Session().Contents().Messages {
		a := n.ask.Desk.Area()
		x, y := (a.X0+a.X1)/2, (a.Y0+a.Y1)/2
		n.filterMessages(draw.Rect{X0: x, Y0: y, X1: x, Y1: y})
	}
}

// messageFilters are the switches of a session's filter of messages.
func (n *navigator) messageFilters(v *view.View) (list []widgets.PaletteItem) {
	look, s, th := v.Look(), v.Session(), n.ask.Env.Theme
	counts := s.Messages().Severities()
	all := int64(0)
	for _, c := range counts {
		all += c
	}
	if all == 0 {
		return nil
	}
	// add adds a switch: set is what it does to the filter, on what it is then.
	add := func(it widgets.PaletteItem, count int64, on func(f *view.MessageFilter) bool, set func(f *view.MessageFilter)) {
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
		it.Swatch, _ = subject.ThreadColor(n.ask.Env, id)
		is := func(f *view.MessageFilter) bool { return f.OnlyTrack && f.Track == id }
		add(it, s.Messages().Count(id), is, func(f *view.MessageFilter) { f.OnlyTrack, f.Track = !is(f), id })
	}
	return list
}

// cells adds what can be done with the row of a table that the menu is asked for, and with its cell
// under the mouse.
func (m *thingMenu) cells(c *panel.Cells) {
	n, line := m.n, len(m.Items) > 0
	add := func(label string, run func()) {
		m.add(label, run)
		m.Items[len(m.Items)-1].Line, line = line, false
	}
	said := "“" + format.ClipName(c.Cell) + "”"
	if c.Cell != "" && c.Only != nil {
		add("Only rows with "+said, c.Only)
	}
	if c.All != nil {
		add("All rows again", c.All)
	}
	if c.Cell != "" && c.Name && c.Only == nil {
		add("Find "+said+" in all panels", func() { n.find(c.Cell) })
	}
	if c.Cell != "" {
		add("Copy "+said, func() { n.ask.Copy(c.Cell) })
	}
	if c.Row != "" && c.Row != c.Cell {
		add("Copy the row", func() { n.ask.Copy(c.Row) })
	}
}
