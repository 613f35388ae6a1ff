// Tests of app/query: what queries answer is what the tables of a recording, its reports and its session say.
package convert_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/app/query"
	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// database reads a recording and makes a database of its range.
func database(t testing.TB, path, text string) (*query.DB, *store.Session) {
	t.Helper()
	rec, err := load.File(t.Context(), path, load.Options{})
	testkit.MustThat(t, rec != nil, "%v", err)
	r := testkit.Must(place.ParseRange(text))(t)
	part, err := convert.Of(rec.Session, r, nil)
	if errors.Is(err, place.ErrNoFrames) {
		t.Skip("there is nothing in it")
	}
	testkit.NoErr(t, err)
	db := testkit.Must(query.Open(query.Source{Name: path, Part: part}))(t)
	t.Cleanup(func() { db.Close() })
	return db, rec.Session
}

// capture is a recording of testdata.
func capture(name string) string {
	return filepath.Join("..", "..", "testdata", filepath.FromSlash(name))
}

// plenty are limits that no query of the tests reaches.
var plenty = query.Limits{Time: time.Minute, Rows: 1 << 20}

// asked are the rows of a query, the columns of a row separated by blanks.
func asked(t testing.TB, db *query.DB, text string) (rows []string) {
	t.Helper()
	result, err := db.Query(t.Context(), text, plenty)
	testkit.MustThat(t, err == nil, "%s: %v", text, err)
	for _, row := range result.Rows {
		rows = append(rows, strings.TrimSpace(fmt.Sprintln(row...)))
	}
	return rows
}

// number is the number that a query answers with.
func number(t testing.TB, db *query.DB, text string, args ...any) float64 {
	t.Helper()
	result := testkit.Must(db.Query(t.Context(), fmt.Sprintf(text, args...), plenty))(t)
	return asNumber(result.Rows[0][0])
}

// asNumber returns a value of a result as a number, 0 for texts and nulls.
func asNumber(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// quoted is a text in SQL.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// reported is what the tests read of a report.
type reported struct {
	Threads []struct {
		ID     int64 `json:"thread_id"`
		Frames int64
		Stops  []struct{ Between bool }
		Pace   struct {
			Median float64 `json:"median_ns"`
			Max    float64 `json:"max_ns"`
		}
		Times []struct {
			Collector string
			Starts    int64
			Self      *struct{ Sum float64 } `json:"self_ns"`
		}
		Outside []struct {
			Collector string
			Self      float64 `json:"self_ns"`
		} `json:"outside_frames"`
		Levels []level
	}
	Missing []struct {
		Key   string
		Count int64
	}
	Diagnostics []struct {
		Kind  string
		Count int64
	}
	Calls *struct {
		Threads []struct {
			ID      int64 `json:"thread_id"`
			Methods []struct {
				Collector   string
				Calls, Runs *int64
				Self        *int64 `json:"self_ns"`
			}
		}
	}
	Series []struct {
		Name, Group, Thread, Object string
		Samples                     int64
		Min, Max                    float64
	}
	Messages *struct{ Count int64 }
}

// level is a counter over the frames of a thread.
type level struct {
	Collector string
	Present   int64 `json:"frames_with"`
}

// TestEqualsReport: sums in SQL are those of the report, on every recording.
func TestEqualsReport(t *testing.T) {
	testkit.OneGoroutine(t)
	reg := testkit.Must(load.Sources{}.Registry())(t)
	compared := 0
	for _, path := range recordings.Few(append(recordings.All(t, reg), recordings.Shared(t, reg)...)) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			db, session := database(t, path, "")
			var out bytes.Buffer
			var want reported
			if err := report.Write(&out, session, report.Options{Stats: true, JSON: true}); errors.Is(err, place.ErrNoFrames) {
				same(t, db, 0, "select count(*) from frames")
				return
			} else if err = cmp.Or(err, json.Unmarshal(out.Bytes(), &want)); err != nil {
				t.Fatal(err)
			}
			compared += compareFrames(t, db, &want) + compareCalls(t, db, session, &want) + compareThings(t, db, &want)
		})
	}
	testkit.That(t, compared > 1000, "only %d figures", compared)
}

// same compares a number of a query with that of the report.
func same(t *testing.T, db *query.DB, want float64, text string, args ...any) int {
	t.Helper()
	got := number(t, db, text, args...)
	testkit.That(t, got == want, "%s: %v, in the report %v", fmt.Sprintf(text, args...), got, want)
	return 1
}

// sameByName compares the numbers of names with those of the report; names that the report leaves out are not compared.
func sameByName(t *testing.T, db *query.DB, want map[string]float64, text string, args ...any) int {
	t.Helper()
	text = fmt.Sprintf(text, args...)
	got := map[string]float64{}
	for _, row := range testkit.Must(db.Query(t.Context(), text, plenty))(t).Rows {
		name, _ := row[0].(string)
		got[name] = asNumber(row[1])
	}
	for name, value := range want {
		testkit.That(t, got[name] == value, "%s: %s: %v, in the report %v", text, name, got[name], value)
	}
	return len(want)
}

// value is a number that may be missing.
func value(v *int64) float64 {
	if v == nil {
		return 0
	}
	return float64(*v)
}

func compareFrames(t *testing.T, db *query.DB, want *reported) (n int) {
	for _, th := range want.Threads {
		n += same(t, db, float64(th.Frames), "select count(*) from frames where thread_id = %d", th.ID)
		if len(th.Stops) > 0 { // they are in no figure
			continue
		}
		n += same(t, db, th.Pace.Max, "select max(duration_ns) from frames where thread_id = %d", th.ID)
		self := map[string]float64{}
		for _, l := range th.Times {
			if l.Self != nil {
				self[l.Collector] += l.Self.Sum
			}
		}
		for _, l := range th.Outside {
			self[l.Collector] += l.Self
		}
		n += sameByName(t, db, self, "select name, sum(self_ns) from spans where thread_id = %d group by name", th.ID)
		n += sameByName(t, db, self, "select name, sum(self_ns) from totals where thread_id = %d group by name", th.ID)
		for i, l := range th.Levels {
			if slices.ContainsFunc(th.Levels[i+1:], func(x level) bool { return strings.HasPrefix(x.Collector, l.Collector+":") }) {
				continue // with those below it
			}
			n += same(t, db, float64(l.Present), "select count(*) from counters where thread_id = %d and name = %s", th.ID, quoted(l.Collector))
		}
	}
	return n
}

func compareCalls(t *testing.T, db *query.DB, session *store.Session, want *reported) (n int) {
	if want.Calls == nil || session.Info().Sampling.Timeless {
		return 0
	}
	for _, th := range want.Calls.Threads {
		calls, self := map[string]float64{}, map[string]float64{}
		for _, m := range th.Methods {
			calls[m.Collector] += value(m.Calls) + value(m.Runs)
			self[m.Collector] += value(m.Self)
		}
		for _, table := range []struct{ name, count, begun string }{
			{"totals", "sum(count)", ""}, {"spans", "count(*)", "continues is null and"},
		} {
			n += sameByName(t, db, calls, "select name, %s from %s where %s thread_id = %d group by name", table.count, table.name, table.begun, th.ID)
			n += sameByName(t, db, self, "select name, sum(self_ns) from %s where thread_id = %d group by name", table.name, th.ID)
		}
	}
	return n
}

func compareThings(t *testing.T, db *query.DB, want *reported) (n int) {
	for _, m := range want.Missing {
		n += same(t, db, float64(m.Count), "select sum(count) from losses where place is null and loss = %s", quoted(m.Key))
	}
	n += same(t, db, float64(len(want.Missing)+len(want.Diagnostics)), "select count(*) from losses")
	samples := 0.0
	for _, s := range want.Series {
		samples += float64(s.Samples)
	}
	n += same(t, db, samples, "select count(value) from series")
	if want.Messages != nil {
		n += same(t, db, float64(want.Messages.Count), "select count(*) from messages")
	}
	return n
}

// TestNarrowing: a condition that the tables know leaves the rows that SQLite's own comparison leaves.
func TestNarrowing(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, name := range []string{"pstats/nested.pstats", "perfetto/sdk-us.pftrace.gz", "gotrace/game-122.trace.gz", "chrometrace/engine-object.json.gz"} {
		for _, rng := range []string{"", "10:20"} {
			db, _ := database(t, capture(name), rng)
			some := asked(t, db, "select begin_ns from spans order by random() limit 6")
			who := asked(t, db, "select name from spans order by random() limit 3")
			thread := asked(t, db, "select thread_id from spans order by random() limit 3")
			for i := 0; i+1 < len(some); i += 2 {
				for _, where := range []string{
					"#begin_ns between $a and $b", "#begin_ns > $a and #begin_ns < $b", "#begin_ns = $a",
					"#begin_ns >= $a.5 and #begin_ns <= $b.5", "#begin_ns < $a or #begin_ns > $b", "#begin_ns > $b or #name = $name or #thread_id = $thread",
					"#name = $name", "#name = upper($name) collate nocase", "#name in ($name, 'none', '')", "#thread_id = $thread and #name = $name",
					"#begin_ns >= $a and #thread_id = $thread", "#thread = 'Main' and #begin_ns < $b", "#name is $name", "#begin_ns > null",
				} {
					where := strings.NewReplacer("$a", some[i], "$b", some[i+1], "$name", quoted(who[i/2]), "$thread", thread[i%len(thread)]).Replace(where)
					text := "select *, session.n from (select 1 n) session, spans where " + where + " order by thread_id, begin_ns, depth, path"
					got, want := asked(t, db, strings.ReplaceAll(text, "#", "")), asked(t, db, strings.ReplaceAll(text, "#", "+"))
					testkit.That(t, slices.Equal(got, want), "%s %s: %s: %d rows, %d by SQLite", name, rng, where, len(got), len(want))
				}
			}
			text := "select %s, count(*), sum(self_ns), max(frame) from spans group by %s order by %s"
			for _, by := range []string{"name", "path", "thread, name", "name, thread"} {
				plain := "+" + strings.ReplaceAll(by, ", ", ", +")
				got := asked(t, db, fmt.Sprintf(text, by, by, by))
				testkit.That(t, slices.Equal(got, asked(t, db, fmt.Sprintf(text, by, plain, plain))), "%s %s: by %s", name, rng, by)
			}
		}
	}
}

// TestHostile: queries without an end, and those that need too much, end at a limit; others, that would do more than
// read, are refused.
func TestHostile(t *testing.T) {
	db, _ := database(t, capture("pstats/nested.pstats"), "")
	few := query.Limits{Time: time.Minute, Rows: 100, Read: 200_000}
	short := query.Limits{Time: 50 * time.Millisecond, Rows: 100}
	deep := strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)
	limits := map[string]query.Limits{"few": few, "short": short, "plenty": plenty}
	for _, x := range append(testkit.Rows("testdata/hostile.txt"), [][]string{
		{"plenty", "too long", "select 1 -- " + strings.Repeat("x", 100_000)},
		{"plenty", "reached a limit", "select " + deep},
		{"plenty", "reached a limit", "select 1" + strings.Repeat("+1", 5000)},
		{"plenty", "reached a limit", "select " + strings.Repeat("1,", 500) + "1"},
		{"plenty", "reached a limit", "select 1" + strings.Repeat(" union select 1", 100)},
		{"plenty", "empty", ""},
		{"plenty", "empty", " ; "},
		{"plenty", "line 2, column 6: no such table: span; did you mean spans?", "select 1\nfrom span"},
	}...) {
		_, err := db.Query(t.Context(), x[2], limits[x[0]])
		testkit.That(t, err != nil && strings.Contains(err.Error(), x[1]), "%.60s: %v, want %s", x[2], err, x[1])
		testkit.Equal(t, number(t, db, "select count(*) from frames"), 200, "frames after %.60s", x[2])
	}
	cut := testkit.Must(db.Query(t.Context(), "select * from spans", few))(t)
	testkit.That(t, cut.Cut && len(cut.Rows) == few.Rows, "%d rows", len(cut.Rows))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := db.Query(ctx, "select count(*) from spans", plenty)
	testkit.That(t, err != nil && ctx.Err() != nil, "%v", err)
}

// TestSeveral: tables of several recordings say of which one a row is.
func TestSeveral(t *testing.T) {
	var sources []query.Source
	for _, name := range []string{"nested", "gaps"} {
		rec := testkit.Must(load.File(t.Context(), capture("pstats/"+name+".pstats"), load.Options{}))(t)
		sources = append(sources, query.Source{Name: name, Part: testkit.Must(convert.Of(rec.Session, place.TimeRange{}, nil))(t)})
	}
	db := testkit.Must(query.Open(sources...))(t)
	defer db.Close()
	got := asked(t, db, "select session, recording, count(*) from frames where thread = 'Main' group by recording order by session")
	testkit.That(t, slices.Equal(got, []string{"1 nested 200", "2 gaps 289"}), "%q", got)
}

// FuzzQuery: no text harms, and what it reads is bounded.
func FuzzQuery(f *testing.F) {
	db, _ := database(f, capture("pstats/late.pstats"), "")
	for _, seed := range []string{
		"select * from spans", "select name, count(*) from spans group by name", "with recursive x(n) as (select 1 union all select n+1 from x) select * from x",
		"select * from spans a join frames b using (thread_id, frame) where a.begin_ns > b.begin_ns limit 5", "explain select * from totals", "select '", "\x00", "values(1)",
		"select * from spans where name = 'x' and begin_ns = '5' order by name desc, thread", "select group_concat(name) over (partition by thread) from spans",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		limits := query.Limits{Time: time.Second, Rows: 100, Read: 50_000}
		r, err := db.Query(t.Context(), text, limits)
		testkit.That(t, err != nil || len(r.Rows) <= limits.Rows, "more than %d rows", limits.Rows)
	})
}

// TestPage: each query of docs/sql.md runs, on recordings of several kinds, and with one of them each has an answer.
func TestPage(t *testing.T) {
	page := string(testkit.Must(os.ReadFile("../../docs/sql.md"))(t))
	queries := strings.Split(page, "```sql\n")[1:]
	testkit.Equal(t, len(queries), 10, "queries")
	answers := map[string]int{}
	for _, name := range []string{
		"pstats/nested.pstats", "pstats/gaps.pstats", "perfetto/sdk-us.pftrace.gz", "chrometrace/engine-object.json.gz", "tracy/game-0.14.tracystream",
	} {
		db, _ := database(t, capture(name), "")
		for _, text := range queries {
			text, _, _ = strings.Cut(text, "```")
			rows := asked(t, db, strings.NewReplacer("'Main'", "(select thread from frames limit 1)", "'Physics'", "(select name from spans limit 1)").Replace(text))
			answers[text] += len(rows)
		}
	}
	for text, n := range answers {
		testkit.That(t, n > 0, "no recording has an answer to:\n%s", text)
	}
}

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
		turns := query.NewTurns(time.Millisecond)
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
	turns := query.NewTurns(time.Millisecond)
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

// BenchmarkTenMillion asks a session of ten million spans.
func BenchmarkTenMillion(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	g := testkit.Must(gen.New(gen.Options{Spans: 10_000_000, Tracks: 4, Depth: 10, Seed: 1}))(b)
	s := store.NewSession()
	g.Fill(s)
	db := testkit.Must(query.Open(query.Source{Part: convert.Between(s, model.MinTime, model.MaxTime)}))(b)
	for _, text := range []string{
		"select count(*) from spans",
		"select sum(self_ns) from spans",
		"select name, count(*), sum(duration_ns) from spans group by name",
		"select name, count(*), sum(self_ns) from spans group by name",
		"select count(*) from spans where begin_ns between 1e9 and 2e9",
	} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				testkit.Must(db.Query(b.Context(), text, query.Limits{Time: time.Minute, Rows: 1000}))(b)
			}
		})
	}
}
