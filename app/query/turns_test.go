package query_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/query"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// growing is a session to which frames of 21 spans are added.
type growing struct {
	st *store.Store
	s  *store.Session
	n  int64
}

func newGrowing(t *testing.T, frames int) *growing {
	t.Helper()
	g := &growing{st: store.New(0)}
	t.Cleanup(func() { g.st.Close() })
	g.s = g.st.NewSession()
	g.s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	g.s.Apply(model.CollectorDef{ID: 2, Name: "Rest"})
	g.s.Apply(model.PathDef{ID: 1, Collector: 1})
	g.s.Apply(model.PathDef{ID: 2, Collector: 2})
	g.s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	g.add(frames)
	return g
}

// add adds frames.
func (g *growing) add(frames int) {
	for range frames {
		b := model.Batch{HasFrame: true, Number: g.n, Begin: g.n * 1000_000, End: (g.n + 1) * 1000_000}
		for k := range int64(20) {
			begin := b.Begin + 50_000*k
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + 40_000, Path: 1 + model.PathID(k&1)})
		}
		g.s.Append(&b)
		g.n++
	}
}

// drop lets a quarter of the frames leave memory.
func (g *growing) drop() {
	g.st.MemoryLimit = g.st.Memory().Total() * 3 / 4
	for g.st.EnforceLimit(time.Time{}) {
	}
}

// answered is what became of a query.
type answered struct {
	result *query.Result
	err    error
}

// ask begins a query in turns.
func (g *growing) ask(t *testing.T, ctx context.Context, turns *query.Turns, text string, l query.Limits) <-chan answered {
	t.Helper()
	part := testkit.Must(convert.Of(g.s, place.TimeRange{}, nil))(t)
	done := make(chan answered, 1)
	go func() {
		db, err := query.OpenIn(turns, query.Source{Name: "live", Part: part})
		if err != nil {
			done <- answered{err: err}
			return
		}
		defer db.Close()
		result, err := db.Query(ctx, text, l)
		done <- answered{result, err}
	}()
	return done
}

// later is a time that Give never reaches.
func later() time.Time { return time.Now().Add(time.Hour) }

// TestTurns: while a session grows and its oldest data leave memory, a query in turns reads what is there, and no
// turn is longer than it is given.
func TestTurns(t *testing.T) {
	const work, most = 2000, 2000 + 4096
	for _, c := range []struct{ text, same string }{
		{"select count(*) from spans", ""},
		{"select count(*), max(duration_ns) from spans where name = 'Work'", ""},
		{"select name, count(*) from spans group by name", ""},
		{"select count(*) from spans where name = 'none'", "0"},
		{"select count(*) from frames f join spans s on s.begin_ns between f.begin_ns and f.begin_ns + 200000 where f.frame > 2990", ""},
		{"select count(*) from totals", ""}, {"select count(*) from hitches", ""}, {"select count(*) from messages", "0"},
	} {
		g := newGrowing(t, 3000)
		turns := query.NewTurns()
		done := g.ask(t, t.Context(), turns, c.text, plenty)
		var a answered
		ticks, read := 0, 0
		for running := true; running; ticks++ {
			n := turns.Give(work, later())
			read += n
			testkit.That(t, n <= most, "%s: %d rows in a tick", c.text, n)
			if n > 0 && ticks < 1_000 {
				g.add(2)
			}
			if read > 10*work && g.st.MemoryLimit == 0 {
				g.drop()
			}
			select {
			case a = <-done:
				running = false
			default:
			}
		}
		testkit.NoErr(t, a.err)
		testkit.That(t, len(a.result.Rows) > 0 && read > 0, "%s: %v, %d rows read", c.text, a.result.Rows, read)
		if c.same != "" {
			testkit.Equal(t, a.result.Rows[0][0], any(int64(0)), "%s", c.text)
		}
	}
}

// TestTurnsEnd: a query that gets no turn ends with its context, and at its limit of time.
func TestTurnsEnd(t *testing.T) {
	g := newGrowing(t, 100)
	turns := query.NewTurns()
	a := <-g.ask(t, t.Context(), turns, "select count(*) from spans", query.Limits{Time: 20 * time.Millisecond, Rows: 1})
	testkit.That(t, errors.Is(a.err, query.ErrLimit), "%v", a.err)
	ctx, stop := context.WithCancel(t.Context())
	done := g.ask(t, ctx, turns, "select count(*) from spans a, spans b, spans c", plenty)
	for turns.Give(100, later()) == 0 {
	}
	stop()
	a = <-done
	testkit.That(t, errors.Is(a.err, context.Canceled), "%v", a.err)
	testkit.Equal(t, turns.Give(100, later()), 0, "rows that nobody reads")
}
