package report

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

func ms(n float64) int64 { return int64(n * 1e6) }

// small is a session of one thread: frames 1 to 4 and 7, of 10 ms, in which App runs for as many ms
// as the frame's number says, and something in it for one.
func small() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "test", Program: "small", Host: "here", PID: 42, Version: "Test 1", Peer: "small.test"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "In \"quotes\"", Parent: 1})
	s.Apply(model.CollectorDef{ID: 3, Name: "Memory", Unit: "MB"})
	s.Apply(model.CollectorDef{ID: 4, Name: "Heap", Parent: 3, Unit: "MB"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	for _, n := range []int64{1, 2, 3, 4, 7} {
		at := (n - 1) * ms(10)
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: n, Begin: at, End: at + ms(10),
			Spans: []model.Span{
				{Begin: at, End: at + ms(10), Path: 1}, {Begin: at + ms(1), End: at + ms(1+float64(n)), Path: 2, Lane: 1}, {Begin: at + ms(1), End: at + ms(2), Path: 3, Lane: 2},
			},
			Self: []model.CollectorTime{
				{Collector: 0, Ns: ms(10 - float64(n)), Count: 1}, {Collector: 1, Ns: ms(float64(n) - 1), Count: 1}, {Collector: 2, Ns: ms(1), Count: 1},
			},
			Levels: []model.Level{{Collector: 3, Time: at, Value: 10 * float64(n)}, {Collector: 4, Time: at, Value: float64(n)}},
		})
	}
	return s
}

func write(t *testing.T, o Options) string {
	t.Helper()
	return textOf(t, small(), o)
}

func rng(t *testing.T, text string) place.TimeRange {
	t.Helper()
	return testkit.Must(place.ParseRange(text))(t)
}

func TestFrames(t *testing.T) {
	got := write(t, Options{Range: rng(t, "4:7")})
	want := `Thread Main frame 4, 10 ms (100 Hz):
  App = 4 ms
    In "quotes" = 1 ms
  Memory = 40 MB
    Heap = 4 MB
Thread Main frame 7, 10 ms (100 Hz):
  App = 7 ms
    In "quotes" = 1 ms
  Memory = 70 MB
    Heap = 7 MB
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEventsFromSpans(t *testing.T) {
	got := write(t, Options{JSON: true, Range: rng(t, "2")})
	want := `[
{"name":"thread_name","ph":"M","pid":42,"tid":0,"args":{"name":"Main"}},
{"name":"Frame","ts":10000,"ph":"B","tid":0,"pid":42},
{"name":"App","ts":11000,"ph":"B","tid":0,"pid":42},
{"name":"App:In \"quotes\"","ts":11000,"ph":"B","tid":0,"pid":42},
{"name":"App:In \"quotes\"","ts":12000,"ph":"E","tid":0,"pid":42},
{"name":"App","ts":13000,"ph":"E","tid":0,"pid":42},
{"name":"Frame","ts":20000,"ph":"E","tid":0,"pid":42}
]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStatistics(t *testing.T) {
	var got summary
	testkit.OK(t, json.Unmarshal([]byte(write(t, Options{Stats: true, JSON: true})), &got))
	if got.Session.Program != "small" || got.Session.PID != 42 || len(got.Threads) != 1 {
		t.Fatalf("%+v", got)
	}
	th := got.Threads[0]
	if th.First != 1 || th.Last != 7 || th.Frames != 5 || th.Missing != 2 || math.Abs(th.Rate-100) > 1e-9 {
		t.Errorf("%+v", th)
	}
	var names []string
	for _, l := range th.Times {
		names = append(names, l.Collector)
	}
	for _, l := range th.Levels {
		names = append(names, l.Collector)
	}
	if diff := cmp.Diff([]string{"Frame", "App", `App:In "quotes"`, "Memory", "Memory:Heap"}, names); diff != "" {
		t.Error(diff)
	}
	app, want := th.Times[1], distribution{Sum: 17e6, Mean: 3.4e6, Median: 3e6, P95: 7e6, P99: 7e6, Min: 1e6, Max: 7e6, MaxFrame: 7}
	if app.Starts != 5 || app.Present != 5 || app.Total == nil || *app.Total != want || app.Net == nil || *app.Net != want {
		t.Errorf("%+v: %+v, %+v", app, app.Total, app.Net)
	}
	if want := (distribution{Sum: 12e6, Mean: 2.4e6, Median: 2e6, P95: 6e6, P99: 6e6, Max: 6e6, MaxFrame: 7}); app.Self == nil || *app.Self != want {
		t.Errorf("%+v", app.Self)
	}
	if mem := th.Levels[0]; mem.Unit != "MB" || mem.Value.Mean != 34 || mem.Value.Max != 70 {
		t.Errorf("%+v", mem)
	}
	if got.Session.Frames != 5 || got.Session.Missing != 2 {
		t.Errorf("%+v", got.Session)
	}
	if len(got.Missing) != 1 || got.Missing[0].Count != 2 {
		t.Errorf("missing: %+v", got.Missing)
	}

	text := write(t, Options{Stats: true, Range: rng(t, "1:4")})
	testkit.Contains(t, text,
		"small on here, process 42, Test 1, small.test",
		"Thread Main: frames 1 to 4, 0.000 s to 0.040 s, 100.0 Hz; 4 received, 0 missing between them",
		"  App\n", "Memory:Heap (MB)\n", "2 held back or lost\n",
	)
}

func TestWhatCannotBeWritten(t *testing.T) {
	for _, o := range []Options{{Raw: true}, {Compat: true}} {
		if err := Write(io.Discard, small(), o); !errors.Is(err, ErrNoEvents) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := Write(io.Discard, small(), Options{Threads: []string{"Draw"}}); err == nil || !strings.Contains(err.Error(), "Main") {
		t.Errorf("unknown thread: %v", err)
	}
	if err := Write(io.Discard, small(), Options{Range: rng(t, "100:")}); err == nil || !strings.Contains(err.Error(), "1 to 7") {
		t.Errorf("range beyond the end: %v", err)
	}
	if err := Write(io.Discard, store.NewSession(), Options{}); err != nil {
		t.Errorf("empty session: %v", err)
	}
}

func TestBrokenPipe(t *testing.T) {
	if err := Write(brokenPipe{}, small(), Options{Stats: true}); err == nil {
		t.Error("no error")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func BenchmarkFrames(b *testing.B) {
	rec := recording(b, "nested")
	b.ReportAllocs()
	for b.Loop() {
		testkit.OK(b, Write(io.Discard, rec.Session, Options{}))
	}
}
