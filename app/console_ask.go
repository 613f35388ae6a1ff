package app

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"framescope/app/convert"
	"framescope/app/query"
	"framescope/charts/format"
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
	a := &asking{of: s, turns: query.NewTurns(), cancel: cancel, done: make(chan answer, 1)}
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
	f := found{at("begin_ns", "time_ns"), at("duration_ns"), at("name"), at("thread"), at("thread_id"), map[any]model.TrackID{}}
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
