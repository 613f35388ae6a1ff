package app

import (
	"slices"
	"strconv"

	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/store"
	"framescope/widgets"
)

// finder is the search field and what it finds.
type finder struct {
	ss    *sessions.Sessions
	ask   *prompt.Prompt
	show  func(panelID string)
	field widgets.TextField
	rect  draw.Rect // of the field; empty where the tool bar has no room for it
	last  searchKey
	found []model.CollectorID
	hits  string // how many, in words
}

type searchKey struct {
	text    string
	session *store.Session
	defs    uint64
}

// focus gives the keyboard to the field, or takes it away.
func (f *finder) focus(on bool) {
	if on == f.field.Focused() {
		return
	}
	if f.field.Focus(on); on {
		f.show("collectors")
	}
}

// open gives the keyboard to the field; where there is none a list is there to choose from.
func (f *finder) open() {
	if !f.rect.Empty() {
		f.focus(true)
		return
	}
	v := f.ss.View()
	if v.Session() == nil {
		return
	}
	p := &widgets.Palette{Name: "Find a collector"}
	for id := model.CollectorID(1); int(id) < v.Session().Collectors().Len(); id++ {
		if c := v.Session().Collector(id); c != nil && (c.HasTime || c.HasLevel) {
			p.Items = append(p.Items, widgets.PaletteItem{Name: c.FullName, Run: func() { v.FindCollector(id) }})
		}
	}
	f.ask.Ask(p, 420, 340)
}

// clear empties the field; false: it was empty.
func (f *finder) clear() bool {
	some := f.field.Text() != ""
	f.field.SetText("")
	return some
}

// keys gives what was struck to the field; false: it does not have the keyboard.
func (f *finder) keys(k *input.Keyboard) bool {
	switch {
	case !f.field.Focused():
		return false
	case k.Struck("esc"):
		f.clear()
		f.field.Focus(false)
	case k.Struck("enter"):
		f.next(k.Shift)
	default:
		f.field.Update(int(f.ask.Mouse.X), int(f.ask.Mouse.Y))
	}
	return true
}

// update hands the text to all panels that it narrows down, and counts the collectors that it
// finds, when either changed.
func (f *finder) update() {
	text, s := f.field.Text(), f.ss.View().Session()
	key := searchKey{text: text, session: s}
	if s != nil {
		key.defs = s.DefsRevision()
	}
	if key == f.last {
		return
	}
	f.last = key
	f.ask.Desk.Each(func(t *workspace.Tab) {
		if c, ok := t.Panel.(panel.Filterer); ok {
			c.SetFilter(text)
		}
	})
	if v := f.ss.View(); v.Session() != nil {
		m := v.Look().MessageFilter()
		m.Text = text
		v.Look().SetMessageFilter(m)
	}
	f.found = tables.Matches(s, text, f.found[:0])
	f.hits = strconv.Itoa(len(f.found)) + " found"
}

// next goes to the next collector that was found: to its next occurrence on any thread, if it has
// one.
func (f *finder) next(back bool) {
	if len(f.found) == 0 {
		return
	}
	v := f.ss.View()
	at := slices.Index(f.found, v.Chosen())
	switch {
	case !back:
		at = (at + 1) % len(f.found)
	case at > 0:
		at--
	default:
		at = len(f.found) - 1
	}
	v.FindCollector(f.found[at])
}
