package app

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"framescope/app/convert"
	"framescope/app/query"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// Bounds of a query in the window, and of the part of a tick in which it may read the session.
const (
	consoleRows  = 10_000
	consoleTime  = 2 * time.Minute
	consoleWork  = 50_000 // rows a tick
	consoleSlice = 4 * time.Millisecond

	consolePatience = 100 * time.Microsecond
)

// record is a row of a result.
type record []any

// asking is a query that a goroutine of its own runs. It reads the session only while step is called.
type asking struct {
	of     *store.Session
	turns  *query.Turns
	cancel context.CancelFunc
	db     atomic.Pointer[query.DB]
	done   chan answer
	read   int // rows in the turns so far
}

// answer is what became of a query.
type answer struct {
	result *query.Result
	err    error
}

// ask begins a query about a session.
func ask(s *store.Session, text string) (*asking, error) {
	part, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := &asking{of: s, turns: query.NewTurns(consolePatience), cancel: cancel, done: make(chan answer, 1)}
	go func() {
		defer cancel()
		a.done <- a.run(ctx, part, text)
	}()
	return a, nil
}

func (a *asking) run(ctx context.Context, part *convert.Part, text string) answer {
	db, err := query.OpenIn(a.turns, query.Source{Part: part})
	if err != nil {
		return answer{err: err}
	}
	defer db.Close()
	a.db.Store(db)
	result, err := db.Query(ctx, text, query.Limits{Time: consoleTime, Rows: consoleRows})
	return answer{result, err}
}

// rows is how many rows of tables the query has read.
func (a *asking) rows() int64 {
	if db := a.db.Load(); db != nil {
		return db.Read()
	}
	return 0
}

// step lets the query read for a part of a tick. It returns the answer once there is one; where nothing is paced it
// waits for that.
func (a *asking) step(paced bool) (out answer, ended bool) {
	for {
		a.read += a.turns.Give(consoleWork, time.Now().Add(consoleSlice))
		select {
		case out = <-a.done:
			return out, true
		default:
		}
		if paced {
			return answer{}, false
		}
	}
}

// found are the columns of a result that say where its rows are in the session; -1: there is none.
type found struct {
	begin, duration, name, thread, id int
	tracks                            map[any]model.TrackID // by number and by name
}

// findColumns looks for the columns that say where rows are.
func findColumns(s *store.Session, columns []string) found {
	at := func(names ...string) int {
		return slices.IndexFunc(columns, func(name string) bool { return slices.Contains(names, name) })
	}
	f := found{at("begin_ns", "time_ns"), at("duration_ns"), at("name"), at("thread"), at("thread_id"),
		map[any]model.TrackID{}}
	var numbers store.ThreadNumbers
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		f.tracks[numbers.Of(s, id)] = id
		if _, taken := f.tracks[t.Title()]; !taken {
			f.tracks[t.Title()] = id
		}
	}
	return f
}

// whole returns a whole number of a row.
func whole(row record, k int) (n int64, ok bool) {
	if k < 0 {
		return 0, false
	}
	switch v := row[k].(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), math.Abs(v) < model.MaxTime
	}
	return 0, false
}

// track returns the thread of a row, NoTrack where it names none.
func (f *found) track(row record) model.TrackID {
	for _, k := range []int{f.id, f.thread} {
		if k < 0 {
			continue
		}
		if id, ok := f.tracks[row[k]]; ok {
			return id
		}
	}
	return model.NoTrack
}

// span returns the span of a row: that of its thread with its name, if it has one, its begin and its duration; else
// that with its name of which it is a part, as the rests of calls are.
func (f *found) span(s *store.Session, row record) (b spans.Bar, ok bool) {
	t := s.Track(f.track(row))
	begin, timed := whole(row, f.begin)
	if !timed || t == nil || f.name < 0 && f.duration < 0 {
		return b, false
	}
	ns, long := whole(row, f.duration)
	var within spans.Bar
	for lane := range t.Lanes() {
		b, ok = s.Spans().At(t.Def.ID, lane, begin, 0)
		switch {
		case !ok || !f.named(s, row, &b):
		case b.Begin == begin && (!long || b.End == begin+ns):
			return b, true
		case long && f.name >= 0 && b.Begin < begin && begin+ns <= b.End:
			within = b
		}
	}
	return within, within.Count > 0
}

// named reports whether a span has the name of a row, if that has one.
func (f *found) named(s *store.Session, row record, b *spans.Bar) bool {
	if f.name < 0 {
		return true
	}
	c := s.Collector(b.Collector)
	return c != nil && row[f.name] == any(c.FullName)
}

// goTo selects the span of a row, else its frame, else its time range, else its time.
func (f *found) goTo(v *view.View, row record) {
	begin, timed := whole(row, f.begin)
	if !timed {
		return
	}
	if b, ok := f.span(v.Session(), row); ok && f.name >= 0 {
		v.SelectSpan(b)
		return
	}
	v.SetTrack(f.track(row))
	ns, _ := whole(row, f.duration)
	frame := -1
	if t := v.Shown(); t != nil {
		frame = framedAt(t, begin, ns)
	}
	switch {
	case frame >= 0:
		v.GoToFrame(frame)
	case ns > 0:
		v.SelectRange(begin, begin+ns)
		v.Steer().Reveal(begin)
	default:
		v.SetPlayhead(begin)
	}
}

// framedAt returns the index of the frame of a thread that begins at a time and takes so long, -1 for none.
func framedAt(t *store.Track, begin, ns int64) int {
	i := t.FrameCovering(begin)
	return format.Pick(i < 0 || t.Frame(i).Begin != begin || t.Frame(i).End != begin+ns, -1, i)
}

// completions are the names of tables and columns that may stand in the place of the last word of a text: columns
// of the tables that it names, or of all tables.
func completions(text string) (word string, names []string) {
	word = text[strings.LastIndexFunc(text, func(r rune) bool { return !isWord(r) })+1:]
	if word == "" {
		return "", nil
	}
	named := strings.FieldsFunc(strings.ToLower(text[:len(text)-len(word)]), func(r rune) bool { return !isWord(r) })
	ids := convert.TableIDs()
	some := slices.ContainsFunc(named, func(s string) bool { return slices.Contains(ids, s) })
	add := func(name string) {
		if len(name) > len(word) && strings.HasPrefix(name, strings.ToLower(word)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, t := range convert.AllTables {
		add(t.ID)
	}
	for _, t := range convert.AllTables {
		if !some || slices.Contains(named, t.ID) {
			for _, c := range t.Columns {
				add(c.Name)
			}
		}
	}
	return word, names
}

func isWord(r rune) bool { return r == '_' || r >= '0' && r <= '9' || r|' ' >= 'a' && r|' ' <= 'z' }

// answered is the last result as the rows of a table.
type answered struct {
	of       *store.Session
	result   query.Result
	rows     []record
	columns  []table.Column[record]
	found    found
	chosen   *record
	revision uint64
}

// blank is the columns without a result: a table has one.
var blank = []table.Column[record]{{ID: "none", Fixed: true}}

// set takes another result; its session may be nil: there is none.
func (a *answered) set(s *store.Session, r *query.Result) {
	a.of, a.result, a.columns, a.chosen = s, *r, blank, nil
	a.revision++
	a.rows = make([]record, len(r.Rows))
	for i, row := range r.Rows {
		a.rows[i] = row
	}
	if s == nil || len(r.Columns) == 0 {
		return
	}
	a.found = findColumns(s, r.Columns)
	a.columns = nil
	for k, name := range r.Columns {
		id := name
		if slices.Contains(r.Columns[:k], name) {
			id = fmt.Sprintf("%s_%d", name, k+1)
		}
		a.columns = append(a.columns, a.column(k, id))
	}
}

// mostExact is the greatest whole number that a table sorts and exports exactly as a number.
const mostExact = 1 << 53

// measure reports whether all values of a column are numbers, and how many letters the longest has.
func (a *answered) measure(k int) (numbers bool, letters int) {
	some := false
	numbers = true
	for _, row := range a.rows {
		letters = max(letters, utf8.RuneCountInString(query.Shown(row[k])))
		switch v := row[k].(type) {
		case int64:
			some = true
			numbers = numbers && v <= mostExact && v >= -mostExact
		case float64:
			some = true
		case nil:
		default:
			numbers = false
		}
	}
	return some && numbers, letters
}

// letterWidth is about how wide a figure is, at scale 1, and numberPad is what lies beside a number.
const letterWidth, numberPad, mostNumber = 7, 18, 20

// column makes the column of a table: numbers to the right, and those in ns as times.
func (a *answered) column(k int, id string) table.Column[record] {
	name := a.result.Columns[k]
	numbers, letters := a.measure(k)
	c := table.Column[record]{ID: id, Title: name}
	if !numbers {
		c.Gap = k > 0
		c.Text = func(_ *panel.Env, r *record) string { return query.Shown((*r)[k]) }
		return c
	}
	c.Kind, c.Width = table.Number, float32(min(letters, mostNumber)*letterWidth+numberPad)
	c.Value = func(_ *panel.Env, r *record) float64 { return number((*r)[k]) }
	switch title, ns := strings.CutSuffix(name, "_ns"); {
	case ns && (title == "begin" || title == "time" || title == "end"):
		c.Title, c.Unit = title, "ns"
		c.Format = func(dst []byte, v float64) []byte { return format.AppendClock(dst, int64(v), 1e3) }
	case ns:
		c.Title, c.Unit, c.Time = title, "ns", true
	default:
		c.Cell = func(env *panel.Env, r *record, to *table.Cell) {
			if to.Buf = append(to.Buf, query.Shown((*r)[k])...); (*r)[k] == nil {
				to.Unknown(env)
			}
		}
	}
	return c
}

// number is a value as a number, NaN if it is none.
func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// Rows implements table.Source.
func (a *answered) Rows(*panel.Env) (n int, revision uint64) { return len(a.rows), a.revision }

// At implements table.Source.
func (a *answered) At(i int) *record { return &a.rows[i] }

// Columns implements table.Source.
func (a *answered) Columns() []table.Column[record] { return a.columns }

// Empty implements table.Source.
func (a *answered) Empty(bool) string {
	if len(a.result.Columns) > 0 {
		return "No rows"
	}
	return "Query.\nAsk the session something in SQL: tables are spans, frames, totals, hitches, messages and others. " +
		"Enter runs it, Tab completes a name, ↑ and ↓ go through earlier queries."
}

// Row implements table.Describer.
func (a *answered) Row(_ *panel.Env, r *record) table.RowInfo {
	hit := panel.NoHit()
	hit.TimeNs, _ = whole(*r, a.found.begin)
	return table.RowInfo{Selected: r == a.chosen, Hit: hit}
}

// Click implements table.Clicker.
func (a *answered) Click(env *panel.Env, r *record, _ *panel.Input) panel.Action {
	a.chosen = r
	a.found.goTo(env.View, *r)
	return panel.Action{}
}
