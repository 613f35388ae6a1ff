package app

import (
	"cmp"

	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/widgets"
)

// The heads of the palette.
const (
	headNames, headThreads              = "Names", "Threads"
	headSettings, headSessions          = "Settings", "Sessions"
	headFiles, headTyped, headBookmarks = "Recordings", "Go to", "Bookmarks"
)

// focus gives the keyboard to the field, or takes it away.
func (f *finder) focus(on bool) {
	switch {
	case on == f.field.Focused():
	case on:
		f.list(&f.field, true)
	default:
		f.ask.Dialog().Close()
	}
}

// point passes the mouse to the field: a press in it also gives it the keyboard.
func (f *finder) point(in *panel.Input) {
	field := f.shown()
	switch pressed := in.Left.Pressed && f.rect.Contains(in.X, in.Y); {
	case pressed && !field.Focused():
		f.focus(true)
	default:
		field.Point(in)
	}
}

// open gives the keyboard to the field, or without one opens a dialog.
func (f *finder) open() { f.focus(true) }

// commands opens the list of all that can be done, in the place of the field.
func (f *finder) commands() {
	f.command.SetText("")
	f.list(&f.command, false)
}

// list opens the search list: under a field of the tool bar if there is one, else as a dialog. names
// selects names instead of commands.
func (f *finder) list(field *widgets.TextField, names bool) {
	p := &widgets.Palette{Items: f.itemsOf(names), Typed: f.itemsOfText}
	if !names {
		p.Behind = []string{headNames, headThreads, headFiles}
	}
	if names {
		f.meant(p.Items)
		p.Nothing = f.noHit
		p.Typed = func(text string) []widgets.PaletteItem {
			return append(f.hitItems(text), f.meant(f.itemsOfText(text))...)
		}
	}
	if f.rect.Empty() {
		p.Name, p.Does = "Find", "Go"
		p.Field.Hint = field.Hint
		f.ask.Ask(p, 440)
		return
	}
	f.palette = p
	p.Outer = field
	f.ask.AskUnder(p, f.place(), func() { f.palette = nil })
}

// noHit explains an empty result: no such call, or no such name.
func (f *finder) noHit() string {
	switch {
	case !f.expr.OfCalls():
		return "No match"
	case !f.calls.Done():
		return "Looking through the " + subject.CallWordsIn(f.ss.View().Session()).Many + "…"
	}
	return "Nothing was found: no " + subject.CallWordsIn(f.ss.View().Session()).One + " matches all of it"
}

// meant makes the field stand for a chosen item alone: only a chosen name is lit, and for other items
// nothing is.
func (f *finder) meant(items []widgets.PaletteItem) []widgets.PaletteItem {
	for i := range items {
		run, means := items[i].Run, items[i].Means
		items[i].Run = func() {
			f.field.SetText(means)
			run()
		}
	}
	return items
}

// shown is the field that the tool bar shows.
func (f *finder) shown() *widgets.TextField {
	if f.palette != nil {
		return f.palette.Outer
	}
	return &f.field
}

// search is its state for the tool bar.
func (f *finder) search() Search {
	s := Search{Field: f.shown(), Note: "/"}
	s.Field.Hint = f.hint()
	if s.Field == &f.field && s.Field.Text() != "" {
		s.Note = cmp.Or(f.walk.words, f.countText)
	}
	return s
}

// hint describes the searchable things, in as many words as there is room for.
func (f *finder) hint() string {
	const all, short = "Find a collector, frame, thread or command", "Find a collector"
	if env := f.ask.Env; env.Atlas.Measure(draw.Regular, all) > f.rect.W()-env.Px(40) {
		return short
	}
	return all
}

// place is where the list lies.
func (f *finder) place() draw.Rect {
	env, a := f.ask.Env, f.ask.Desk.Area()
	w := min(max(f.rect.W(), env.Px(420)), a.W())
	x := max(a.X0, min(f.rect.X0, a.X1-w))
	y := f.rect.Y1 + env.Px(2)
	h := min(f.palette.Height(env, w), max(env.Px(60), (a.Y1-y)*0.75))
	return draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + float32(int(h))}
}

// hitItems is the way through the names that were found.
func (f *finder) hitItems(text string) []widgets.PaletteItem {
	f.update()
	if f.parseError != "" {
		return []widgets.PaletteItem{{Name: f.parseError, Note: "the search is unchanged", Group: "Search", Keep: true,
			Run: func() {}}}
	}
	if len(f.found) == 0 || text == "" {
		return nil
	}
	return append([]widgets.PaletteItem{{
		Name: "Next hit", Key: "Enter", Group: "Search", Keep: true,
		Says: func() string {
			if f.walk.words != "" {
				return f.walk.words + ": " + f.countText
			}
			return f.countText + ", lit in all panels"
		},
		Run: func() { f.next(false) }, Back: func() { f.next(true) },
	}}, f.longestItems()...)
}

// longestListed is how many of the found calls the list under the field has.
const longestListed = 8

// longestItems are the longest of the found calls, each with its thread, its begin and its length.
func (f *finder) longestItems() (items []widgets.PaletteItem) {
	if !f.expr.OfCalls() {
		return nil
	}
	v := f.ss.View()
	s, words := v.Session(), subject.CallWordsIn(v.Session())
	n, _ := f.calls.Count()
	head := string(format.AppendPlural(nil, n, words.One, words.Many)) + ", the longest first"
	for _, c := range f.calls.Longest(longestListed) {
		note := append([]byte(subject.ThreadName(s, c.Ref.Track)), ", "...)
		items = append(items, widgets.PaletteItem{
			Name: subject.NameApart(s, c.Collector), Swatch: f.ask.Env.Palette().Fill(c.Collector), Group: head,
			Note: string(format.AppendClock(note, c.Begin, 1e3)), Key: string(format.AppendDuration(nil, c.Ns)),
			Run: func() {
				if b, ok := s.Spans().ByRef(c.Ref); ok { // else it left memory
					v.SelectSpan(b)
				}
			},
		})
	}
	return items
}

// nameKeys passes the keys to the field above the lists; false: it does not have the keyboard.
func (f *finder) nameKeys(k *input.Keyboard) bool {
	names := &f.names.Field
	if !names.Focused() {
		return false
	}
	if names.Type(int(f.ask.Mouse.X), int(f.ask.Mouse.Y), workspace.Strokes(k), f.ask.Clipboard()) {
		return true
	}
	switch {
	case k.Struck("esc"):
		names.SetText("")
		names.Focus(false)
	case k.Struck("enter"):
		names.Focus(false)
	}
	return true
}

// update refreshes the results for the text and for new data.
func (f *finder) update() {
	if f.palette != nil {
		if f.rect.Empty() { // the tool bar has no room for it any more
			f.palette.Close()
		} else {
			f.ask.Fit(f.place(), f.rect)
		}
	}
	s := f.ss.View().Session()
	f.parse(f.field.Text(), s)
	key := searchKey{expr: f.expr, names: f.names.Field.Text(), session: s, defs: s.DefsRevision()}
	if key != f.lastKey {
		f.narrow(key)
	}
	f.goOn(s)
	f.follow()
}
