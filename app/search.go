package app

import (
	"cmp"
	"slices"

	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/store"
	"framescope/widgets"
)

// namedLists are the lists that the field above them narrows down.
var namedLists = [...]string{"threads", "elements", "packages", "collectors"}

// finder is the search field and its results.
type finder struct {
	ss    *sessions.Sessions
	ask   *prompt.Prompt
	field widgets.TextField
	names widgets.Filter // of the lists at the left
	rect  draw.Rect      // of the field; empty where the tool bar has no room for it
	// command is the field for a search of commands; palette is the list under the field, nil while it
	// is closed.
	command widgets.TextField
	palette *widgets.Palette
	// things returns the items to search, and typed further items for a text.
	things   func(names bool) []widgets.PaletteItem
	typed    func(text string) []widgets.PaletteItem
	last     searchKey
	narrowed string // to which messages are narrowed down
	found    []model.CollectorID
	words    string // how many, in words
	// expr is the parsed text, or the last valid one if wrong has an error. calls are its hits: the
	// shown ones for a search of calls, else the calls of the found names, for their count.
	expr    *find.Expr
	wrong   string
	calls   find.Hits
	changes uint64 // of calls that are shown
	walk    hitWalk
	went    view.Choice // to which hit the way led last
}

// searchWork is the number of spans that a search examines in a tick.
const searchWork = 150_000

type searchKey struct {
	expr    *find.Expr
	names   string
	session *store.Session
	defs    uint64
}

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
	p := &widgets.Palette{Items: f.things(names), Typed: f.typed}
	if !names {
		p.Behind = []string{headNames, headThreads}
	}
	if names {
		f.meant(p.Items)
		p.Nothing = f.noHit
		p.Typed = func(text string) []widgets.PaletteItem { return append(f.hitItems(text), f.meant(f.typed(text))...) }
	}
	if f.rect.Empty() {
		p.Name = "Find"
		p.Field.Hint = field.Hint
		f.ask.Ask(p, 440, 380)
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
		return "Nothing is called so"
	case !f.calls.Done():
		return "Looking through the " + subject.CallWordsIn(f.ss.View().Session()).Many + "…"
	}
	return "Nothing is found: no " + subject.CallWordsIn(f.ss.View().Session()).One + " is as all of that asks"
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
		s.Note = cmp.Or(f.walk.words, f.words)
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
	h := min(f.palette.Height(env), max(env.Px(60), (a.Y1-y)*0.75))
	return draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + float32(int(h))}
}

// hitItems is the way through the names that were found.
func (f *finder) hitItems(text string) []widgets.PaletteItem {
	f.update()
	if f.wrong != "" {
		return []widgets.PaletteItem{{Name: f.wrong, Note: "nothing new is looked for", Group: "Search", Keep: true, Run: func() {}}}
	}
	if len(f.found) == 0 || text == "" {
		return nil
	}
	return []widgets.PaletteItem{{
		Name: "Next hit", Key: "Enter", Group: "Search", Keep: true,
		Says: func() string {
			if f.walk.words != "" {
				return f.walk.words + ": " + f.words
			}
			return f.words + ", lit in all panels"
		},
		Run: func() { f.next(false) }, Back: func() { f.next(true) },
	}}
}

// lookFor looks for a name.
func (f *finder) lookFor(name string) { f.field.SetText(find.Quote(name)) }

// clear empties the fields; false: they were empty.
func (f *finder) clear() bool {
	some := f.field.Text() != "" || f.names.Field.Text() != ""
	f.field.SetText("")
	f.names.Field.SetText("")
	return some
}

// nameKeys passes the keys to the field above the lists; false: it does not have the keyboard.
func (f *finder) nameKeys(k *input.Keyboard) bool {
	names := &f.names.Field
	if !names.Focused() {
		return false
	}
	if names.Type(int(f.ask.Mouse.X), int(f.ask.Mouse.Y), prompt.Strokes(k), f.ask.Clipboard()) {
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
	key := searchKey{expr: f.expr, names: f.names.Field.Text(), session: s}
	if s != nil {
		key.defs = s.DefsRevision()
	}
	if key != f.last {
		f.narrow(key)
	}
	f.goOn(s)
	f.follow()
}

// parse parses the text. With an error it keeps the last expression, unless names contain exactly that
// text.
func (f *finder) parse(text string, s *store.Session) {
	if f.expr != nil && f.wrong == "" && f.expr.Text() == text {
		return
	}
	f.wrong = ""
	e, err := find.Parse(text)
	if err != nil {
		if e = find.Plain(text); len(tables.Matches(s, e, nil)) == 0 {
			if f.wrong = err.Error(); f.expr == nil {
				f.expr = new(find.Expr)
			}
			return
		}
	}
	f.expr = e
}

// narrow passes the search words to all panels that filter by them, and finds the collectors.
func (f *finder) narrow(key searchKey) {
	was := f.last
	f.last = key
	words := f.expr.Words()
	f.ask.Desk.Each(func(t *workspace.Tab) {
		if c, ok := t.Panel.(panel.Filterer); ok {
			if key.names != "" && slices.Contains(namedLists[:], t.ID) {
				c.SetFilter(key.names)
			} else {
				c.SetFilter(words)
			}
		}
	})
	s, v := key.session, f.ss.View()
	if s != nil && (words != f.narrowed || s != was.session && words != "") {
		f.narrowed = words
		m := v.Look().MessageFilter()
		m.Text = words
		v.Look().SetMessageFilter(m)
	}
	if key.expr != was.expr || s != was.session {
		if f.calls.Search(nil, nil); !f.expr.Empty() {
			f.calls.Search(s, f.expr)
		}
		f.changes = f.calls.Changes()
	}
	if f.expr.OfCalls() {
		return
	}
	f.found = tables.Matches(s, f.expr, f.found[:0])
	if s != nil {
		v.Look().SetFound(!f.expr.Empty(), f.found)
	}
	f.say(s)
}

// say describes the result: the calls for a search of calls, else names, and the count of their calls
// so far.
func (f *finder) say(s *store.Session) {
	words := subject.CallWordsIn(s)
	n, _ := f.calls.Count()
	var b []byte
	if f.expr.OfCalls() {
		b = append(format.AppendPlural(b, n, words.One, words.Many), " found"...)
	} else {
		b = append(format.AppendPlural(b, int64(len(f.found)), "name", "names"), " found"...)
		if len(f.found) > 0 && f.calls.Expr() != nil {
			b = format.AppendPlural(append(b, ", "...), n, words.One, words.Many)
		}
	}
	if !f.calls.Done() {
		b = append(b, " …"...)
	}
	f.words = string(b)
}

// goOn searches calls for a while, and shows the changes.
func (f *finder) goOn(s *store.Session) {
	f.calls.Step(searchWork, f.ask.Env.NowNs)
	if f.calls.Changes() == f.changes || f.calls.Expr() == nil {
		return
	}
	if f.changes = f.calls.Changes(); f.expr.OfCalls() {
		f.found = f.calls.Collectors(f.found[:0])
		f.ss.View().Look().SetFoundCalls(&f.calls)
	} else if f.calls.Done() {
		f.ss.View().Look().SetFoundNames(&f.calls)
	}
	f.say(s)
}
