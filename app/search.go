package app

import (
	"slices"

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
var namedLists = [...]string{"threads", "elements", "collectors"}

// finder is the search field and its results.
type finder struct {
	ss    *sessions.Sessions
	ask   *workspace.Prompt
	field widgets.TextField
	names widgets.Filter // of the lists at the left
	rect  draw.Rect      // of the field; empty where the tool bar has no room for it
	// command is the field for a search of commands; palette is the list under the field, nil while it
	// is closed.
	command widgets.TextField
	palette *widgets.Palette
	// itemsOf returns the items to search, and itemsOfText further items for a text.
	itemsOf      func(names bool) []widgets.PaletteItem
	itemsOfText  func(text string) []widgets.PaletteItem
	lastKey      searchKey
	narrowedText string // to which messages are narrowed down
	found        []model.CollectorID
	countText    string // how many, in words
	// expr is the parsed text, or the last valid one if wrong has an error. calls are its hits: the
	// shown ones for a search of calls, else the calls of the found names, for their count.
	expr          *find.Expr
	parseError    string
	calls         find.Hits
	given         *find.Hits // that are lit while nothing is looked for; nil: none
	callsRevision uint64     // of calls that are shown
	walk          hitWalk
	lastHit       view.Choice // to which hit the way led last
}

// searchWork is the number of spans that a search examines in a tick.
const searchWork = 150_000

type searchKey struct {
	expr    *find.Expr
	names   string
	session *store.Session
	defs    uint64
}

// searchName looks for a name.
func (f *finder) searchName(name string) { f.field.SetText(find.Quote(name)) }

// light lights spans that are known in all panels, until something is looked for; nil: none.
func (f *finder) light(hits *find.Hits) {
	if hits != nil {
		f.field.SetText("")
	}
	if f.given != nil || hits != nil {
		f.given, f.lastKey = hits, searchKey{}
	}
}

// clear empties the fields; false: they were empty.
func (f *finder) clear() bool {
	some := f.field.Text() != "" || f.names.Field.Text() != "" || f.given != nil
	f.light(nil)
	f.field.SetText("")
	f.names.Field.SetText("")
	return some
}

// parse parses the text. With an error it keeps the last expression, unless names contain exactly that
// text.
func (f *finder) parse(text string, s *store.Session) {
	if f.expr != nil && f.parseError == "" && f.expr.Text() == text {
		return
	}
	f.parseError = ""
	e, err := find.Parse(text)
	if err != nil {
		if e = find.Plain(text); len(tables.Matches(s, e, nil)) == 0 {
			if f.parseError = err.Error(); f.expr == nil {
				f.expr = new(find.Expr)
			}
			return
		}
	}
	f.expr = e
}

// narrow passes the search words to all panels that filter by them, and finds the collectors.
func (f *finder) narrow(key searchKey) {
	was := f.lastKey
	f.lastKey = key
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
	if words != f.narrowedText || s != was.session && words != "" {
		f.narrowedText = words
		m := v.Look().MessageFilter()
		m.Text = words
		v.Look().SetMessageFilter(m)
	}
	if key.expr != was.expr || s != was.session {
		if f.calls.Search(nil, nil); !f.expr.Empty() {
			f.calls.Search(s, f.expr)
		}
		f.callsRevision = f.calls.Changes()
	}
	if f.expr.OfCalls() {
		return
	}
	f.found = tables.Matches(s, f.expr, f.found[:0])
	if f.given != nil && f.expr.Empty() && f.given.Of(s) {
		v.Look().SetFoundCalls(f.given)
	} else {
		f.given = nil
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
	f.countText = string(b)
}

// goOn searches calls for a while, and shows the changes.
func (f *finder) goOn(s *store.Session) {
	f.calls.Step(searchWork, f.ask.Env.NowNs)
	if f.calls.Changes() == f.callsRevision || f.calls.Expr() == nil {
		return
	}
	if f.callsRevision = f.calls.Changes(); f.palette != nil {
		f.palette.Refresh()
	}
	if f.expr.OfCalls() {
		f.found = f.calls.Collectors(f.found[:0])
		f.ss.View().Look().SetFoundCalls(&f.calls)
	} else if f.calls.Done() {
		f.ss.View().Look().SetFoundNames(&f.calls)
	}
	f.say(s)
}

// hitWalk is the selected hit of the search, or else the selected spike.
type hitWalk struct {
	of    walkOf
	words string // of a hit, such as "3 of 399"; empty: none is selected
	all   string // of a hit or a spike, with the word for it
}

// walkOf is the input of the words.
type walkOf struct {
	choice        view.Choice
	n, of         int64
	spike, spikes int
}
