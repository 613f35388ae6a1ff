package app

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/measure"
	"framescope/widgets"
)

// things are the items to search: names first in a search for names, else commands.
func (g *Game) things(names bool) []widgets.PaletteItem {
	does := append(commandThings(g.commands), g.settingThings()...)
	named := slices.Concat(g.collectorThings(), g.threadThings(), g.nav.places.Things(headBookmarks))
	rest := append(g.sessionThings(), g.fileThings()...)
	var all []widgets.PaletteItem
	if names {
		all = append(append(named, does...), rest...)
	} else {
		all = append(append(does, named...), rest...)
	}
	for i := range all {
		g.chosen.follow(&all[i])
	}
	return sorted(all)
}

// commandThings are the commands, found by their names, under the heads of the table of keys.
func commandThings(t *input.Table) (items []widgets.PaletteItem) {
	for _, c := range t.All() {
		if c.Shy {
			continue
		}
		it := widgets.PaletteItem{Name: c.Name, Key: t.Key(c.ID), Group: c.Group, Note: c.Does, Run: c.Run}
		it.Also = strings.Join([]string{input.Also(c.Name), c.Words, c.Does, c.Group}, " ")
		if c.Now != nil {
			it.Name, it.Also, it.Same = c.Now(), c.Name+" "+it.Also, c.Name
		}
		items = append(items, it)
	}
	return items
}

// sorted puts the items of a group beside each other, the groups in the order of their first ones.
func sorted(items []widgets.PaletteItem) (out []widgets.PaletteItem) {
	at, groups := map[string]int{}, [][]int{}
	for i := range items {
		k, ok := at[items[i].Group]
		if !ok {
			k = len(groups)
			at[items[i].Group] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	out = make([]widgets.PaletteItem, 0, len(items))
	for _, group := range groups {
		for _, i := range group {
			out = append(out, items[i])
		}
	}
	return out
}

// settingThings are the settings with each of their values.
func (g *Game) settingThings() (items []widgets.PaletteItem) {
	for _, s := range g.settingsPage().all() {
		for _, v := range s.Values {
			name := s.Name + ": " + v.Label
			it := widgets.PaletteItem{Name: name, Key: v.Key, Group: headSettings, Run: v.Run}
			it.Also = "settings " + input.Also(name)
			if v.On {
				it.Note = "on"
			}
			items = append(items, it)
		}
	}
	return items
}

// collectorThings are the collectors of the shown session; each leads to its next occurrence on any
// thread.
func (g *Game) collectorThings() (items []widgets.PaletteItem) {
	v := g.View()
	if v.None() {
		return nil
	}
	s, palette := v.Session(), v.Palette(&g.stage.theme)
	for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
		c := s.Collector(id)
		if c == nil || !c.HasTime && !c.HasLevel || c.Name == "" {
			continue
		}
		items = append(items, widgets.PaletteItem{
			Name: c.Name, Note: parents(c), Also: c.FullName, Group: headNames,
			Swatch: palette.Fill(id), Means: find.Exactly(c.FullName), Run: func() { v.FindCollector(id) },
		})
	}
	return items
}

// parents returns the parents of a collector: "Draw › Opaque".
func parents(c *model.Collector) string {
	above, ok := strings.CutSuffix(c.FullName, ":"+c.Name)
	if !ok {
		return ""
	}
	return strings.ReplaceAll(above, ":", " › ")
}

// threadThings are the threads of the shown session; a choice shows the thread in all panels.
func (g *Game) threadThings() (items []widgets.PaletteItem) {
	v := g.View()
	if v.None() {
		return nil
	}
	for id := range model.TrackID(v.Session().NumTracks()) {
		t := v.Session().Track(id)
		if t == nil {
			continue
		}
		it := widgets.PaletteItem{Name: t.Title(), Note: "thread", Group: headThreads, Run: func() {
			v.Look().SetTrackHidden(id, false)
			v.SetTrack(id)
		}}
		if v.Look().TrackHidden(id) {
			it.Note = "thread, hidden"
		}
		items = append(items, it)
	}
	return items
}

// sessionThings are the sessions in the window; each becomes the one that is shown.
func (g *Game) sessionThings() (items []widgets.PaletteItem) {
	for _, row := range g.ss.Sessions() {
		s := row.Session
		it := widgets.PaletteItem{Name: cmp.Or(row.Title, row.Name), Note: "ended", Group: headSessions,
			Run: func() { g.ss.Select(s) }}
		switch {
		case row.Live:
			it.Note = "live"
		case s.Info().File:
			it.Note = "recording"
		}
		if row.Active {
			it.Note += ", shown"
		}
		items = append(items, it)
	}
	return items
}

// fileThings are the recordings that were opened last.
func (g *Game) fileThings() (items []widgets.PaletteItem) {
	for _, path := range g.settings.Recent {
		items = append(items, widgets.PaletteItem{
			Name: filepath.Base(path), Note: filepath.Dir(path), Also: path, Group: headFiles,
			Run: func() { g.ss.OpenFile(path) },
		})
	}
	return items
}

// typed interprets a text: as the number of a frame ("5431", "#5431"), a time ("1:23.4", "3.5 s").
func (n *navigator) typed(text string) (items []widgets.PaletteItem) {
	v := n.ss.View()
	plain := sessions.PlainNumber(text)
	if v.None() || plain == "" {
		return nil
	}
	add := func(name, note string) {
		items = append(items, widgets.PaletteItem{Name: name, Note: note, Key: "Enter", Group: headTyped, Run: func() {
			if complaint := n.gotoFrame(plain); complaint != "" {
				n.ask.Notify("%s", complaint)
			}
		}})
	}
	if a, b, ok := sessions.CutRange(plain); ok {
		if name, ok := sessions.RangeName(v, a, b); ok {
			add("Select "+name, "")
		}
		return items
	}
	number, err := measure.ParseCount(plain)
	if t := v.Shown(); err == nil && t != nil && t.NumFrames() > 0 {
		note := "not received"
		if i, ok := t.FrameByNumber(number); ok {
			f := t.Frame(i)
			note = string(format.AppendDuration(nil, f.End-f.Begin))
		}
		add(string(subject.AppendFrameName(nil, v.Session(), t.Def.ID, number)), note)
		return items
	}
	seconds, err := sessions.ParseTime(plain)
	if err != nil {
		return nil
	}
	note := ""
	if b, e, ok := v.Session().Bounds(); ok && (seconds*1e9 < float64(b) || seconds*1e9 > float64(e)) {
		note = "outside of the session"
	}
	add("Time "+string(format.AppendClock(nil, int64(seconds*1e9), 1e6)), note)
	return items
}
