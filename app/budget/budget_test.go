package budget

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

func TestParse(t *testing.T) {
	all, err := Parse(`
# the frame
[[budget]]
name = "60 Hz"
limit = "16.7 ms"
share = "1 %"

[[budget]]
collector = "App:*"
thread = "Main"
measure = "Self"
at = "P95"
limit = "250µs"
optional = true

[[budget]]
collector = "Vertices"
measure = "level"
limit = 2e6

[[budget]]
series = "Heap*"
at = "max"
limit = 512000000
`)
	want := []Budget{
		{Name: "60 Hz", Measure: Duration, Limit: 16_700_000, Share: 0.01, HasShare: true, Line: 3},
		{Collector: "App:*", Thread: "Main", Measure: Self, At: P95, Limit: 250_000, Optional: true, Line: 8},
		{Collector: "Vertices", Measure: Level, At: P99, Limit: 2e6, Line: 16},
		{Series: "Heap*", Measure: Value, At: Max, Limit: 512e6, Line: 21},
	}
	if err != nil || len(all) != len(want) {
		t.Fatalf("%+v, %v", all, err)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("%+v, want %+v", all[i], want[i])
		}
	}
}

// What is wrong with a file is told with its line and what to write instead.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no [[budget]]",
		"[[budget]\n":                           "line 2: expected end",
		"x = 1\n":                               `"x" is no word`,
		"[[budget]]\nlimits = 3":                `"budget.limits" is no word`,
		"\n[[budget]]\n":                        "line 2: budget 1: there is no limit",
		"[[budget]]\nlimit = 4":                 "a time needs a unit",
		"[[budget]]\nlimit = \"4 hours or so\"": "is no time",
		"[[budget]]\nlimit = \"-4 ms\"":         "is no time",
		"[[budget]]\nlimit = \"4 ms\"\nat = \"p42\"":                                     `at "p42"`,
		"[[budget]]\nlimit = \"4 ms\"\nmeasure = \"speed\"":                              `measure "speed"`,
		"[[budget]]\nlimit = \"4 ms\"\nmeasure = \"self\"":                               "self is of a collector",
		"[[budget]]\ncollector=\"a\"\nlimit = \"4 ms\"\nmeasure = \"duration\"":          "of whole frames",
		"[[budget]]\ncollector=\"a\"\nseries=\"b\"\nlimit = 4":                           "either a collector or a series",
		"[[budget]]\ncollector=\"[a\"\nlimit = \"4 ms\"":                                 "does not close",
		"[[budget]]\nlimit = \"4 ms\"\nshare = 3":                                        "share: 3",
		"[[budget]]\nlimit = \"4 ms\"\nshare = \"few\"":                                  "no part of all frames",
		"[[budget]]\nlimit = \"4 ms\"\nshare = 0.1\nat=\"max\"":                          "either at",
		"[[budget]]\nlimit = nan\ncollector=\"a\"\nmeasure=\"calls\"":                    "is no number",
		"[[budget]]\nlimit = [1]\ncollector=\"a\"\nmeasure=\"calls\"":                    "is no number",
		"[[budget]]\nseries=\"b\"\nlimit = 4\nshare=0.1":                                 "for what comes with frames",
		strings.Repeat("[[budget]]\nlimit=\"4ms\"\n", MaxBudgets+1):                      "at most 1000",
		"[[budget]]\nlimit = \"4 ms\"\nname = 3":                                         "name",
		"[[budget]]\nlimit = \"4 ms\"\n[[budget]]\nmeasure = \"value\"\nlimit = \"4ms\"": "line 3: budget 2: value is of a series",
	} {
		all, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q; %+v", text[:min(len(text), 80)], err, want, all)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[[budget]]\ncollector = \"App:*\"\nlimit = \"4 ms\"\nshare = 0.5\n")
	f.Add("[[budget]]\nseries = \"Heap\"\nat = \"max\"\nlimit = 1e9\n")
	f.Add("[[budget]]\nlimit = \"9999999h\"\nshare = \"100 %\" # all")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse(text)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d budgets, %v", len(all), err)
		}
		for i := range all {
			b := &all[i]
			if math.IsNaN(b.Limit) || math.IsInf(b.Limit, 0) || b.HasShare != (b.At == "") || b.Share < 0 || b.Share > 1 {
				t.Fatalf("%+v", b)
			}
		}
	})
}

func open(t *testing.T, name string) *store.Session {
	t.Helper()
	rec, err := load.File(context.Background(), recordings.File(t, recordings.PStats, name), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

// TestFigures: what is held against limits is what reports state, of every measure and collector of
// recordings, in the whole and in a part.
func TestFigures(t *testing.T) {
	for _, name := range []string{"threads.pstats", "recursion.pstats", "levels.pstats", "late.pstats"} {
		s := open(t, name)
		for _, text := range []string{"", "30:90"} {
			rng, err := timerange.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for measure, fig := range map[Measure]frames.Figure{
				Total: frames.FigureTotal, Self: frames.FigureSelf, Net: frames.FigureNet, Level: frames.FigureLevel,
			} {
				for at, of := range map[At]func(*frames.Stats) float64{
					Min:    func(st *frames.Stats) float64 { return st.Min },
					Mean:   func(st *frames.Stats) float64 { return st.Mean },
					Median: func(st *frames.Stats) float64 { return st.Median },
					P95:    func(st *frames.Stats) float64 { return st.P95 },
					P99:    func(st *frames.Stats) float64 { return st.P99 },
					Max:    func(st *frames.Stats) float64 { return st.Max },
					Sum:    func(st *frames.Stats) float64 { return st.Sum },
				} {
					all, err := Check(s, []Budget{{Thread: "Main", Collector: "*", Measure: measure, At: at, Limit: 1e6}}, rng)
					if err != nil {
						t.Fatal(err)
					}
					main, err := timerange.FindTrack(s, "Main")
					if err != nil {
						t.Fatal(err)
					}
					first, last, err := rng.Frames(s, main)
					if err != nil {
						t.Fatal(err)
					}
					want := map[string]frames.Stats{}
					for _, st := range s.Frames().ExactStats(main, fig, first, last, nil) {
						want[s.Collector(st.Collector).Title()] = st
					}
					scale := 1e9
					if measure == Level {
						scale = 1
					}
					for i := range all {
						r := &all[i]
						if r.Verdict == Nothing {
							continue
						}
						st, ok := want[r.What]
						if w := of(&st) * scale; !ok || math.Abs(r.Value-w) > 1e-6*math.Max(1, math.Abs(w)) ||
							at == Max && r.Worst != st.MaxFrame {
							t.Errorf("%s %s: %s %s of %s: %v in #%d, want %v in #%d (%v)", name, text, at, measure, r.What, r.Value, r.Worst, w,
								st.MaxFrame, ok)
						}
						compared++
					}
				}
			}
			if compared < 50 {
				t.Errorf("%s: only %d figures", name, compared)
			}
		}
	}
}

// session is one of n frames of ms milliseconds each, the last of twice that, with one collector.
func session(n int, ms int64) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	now := int64(0)
	for i := range n {
		d := ms * 1e6
		if i == n-1 {
			d *= 2
		}
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: int64(100 + i), Begin: now, End: now + d,
			Alone: []model.CollectorTime{{Collector: 1, Ns: d / 2, Count: 3}}})
		now += d
	}
	return s
}

func TestVerdicts(t *testing.T) {
	s := session(200, 10)
	all, err := Check(s, []Budget{
		{Measure: Duration, Limit: 15e6, Share: 0.01, HasShare: true},
		{Measure: Duration, Limit: 15e6, Share: 0.001, HasShare: true, Name: "smooth"},
		{Measure: Duration, At: P99, Limit: 10e6},
		{Collector: "draw", Measure: Net, At: Max, Limit: 9e6},
		{Collector: "draw", Measure: Calls, At: Sum, Limit: 600},
		{Collector: "Gone", Measure: Net, At: Max, Limit: 9e6},
		{Collector: "Gone", Measure: Net, At: Max, Limit: 9e6, Optional: true},
	}, timerange.Range{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Verdict{Kept, Broken, Kept, Broken, Kept, Nothing, Nothing}
	for i := range want {
		if all[i].Verdict != want[i] {
			t.Errorf("%d: %+v", i, all[i])
		}
	}
	if r := all[1]; r.Over != 1 || r.Worst != 299 || r.Frames != 200 || r.Value != 1.0/200 {
		t.Errorf("%+v", r)
	}
	if Breaches(all) != 3 {
		t.Error(Breaches(all))
	}
	if got, want := all[1].Why(), "smooth: frame on Main: frames with duration over 15.000 ms: 0.50 %, allowed 0.10 %, worst in frame 299"; got != want {
		t.Errorf("%q", got)
	}
	if got, want := all[3].Why(), "Draw on Main: net, max: 10.000 ms, allowed 9.000 ms, worst in frame 299"; got != want {
		t.Errorf("%q", got)
	}
}

// Formats are read by other programs: they hold whatever the names are.
func TestFormats(t *testing.T) {
	s := session(20, 10)
	budgets := []Budget{{Measure: Duration, Limit: 5e6, At: Max, Name: "a <b> & \"c\": %\n|", Line: 7}, {Measure: Duration, Limit: 5e9, At: Max}}
	results, err := Check(s, budgets, timerange.Range{})
	if err != nil {
		t.Fatal(err)
	}
	files := []File{{Name: "a,b:c.pstats", Results: results}, {Name: "x", Err: context.Canceled}}
	var b bytes.Buffer
	if err := WriteJSON(&b, files); err != nil {
		t.Fatal(err)
	}
	var read []jsonFile
	if err := json.Unmarshal(b.Bytes(), &read); err != nil || len(read) != 2 || read[0].Broken != 1 || read[1].Error == "" ||
		*read[0].Results[0].Value != 20e6 || *read[0].Results[0].Worst != 119 || read[0].Results[1].Breach {
		t.Errorf("%s %v", b.Bytes(), err)
	}
	b.Reset()
	if err := WriteJUnit(&b, files); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(b.Bytes(), &suites); err != nil || suites.Tests != 3 || suites.Failures != 1 || suites.Errors != 1 ||
		suites.Suites[0].Cases[0].Failure == nil || suites.Suites[0].Cases[1].Failure != nil {
		t.Errorf("%s %v", b.Bytes(), err)
	}
	b.Reset()
	if err := WriteAnnotations(&b, "b,1.toml", files); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "::error file=b%2C1.toml,line=7,title=Budget broken in a%2Cb%3Ac.pstats::a <b>") ||
		!strings.Contains(lines[0], "%25%0A") || !strings.HasPrefix(lines[1], "::error ") {
		t.Errorf("%q", lines)
	}
	b.Reset()
	if err := WriteMarkdown(&b, files); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "1 of 2 limits broken") || !strings.Contains(text, "\\|") || !strings.Contains(text, "Not checked") {
		t.Error(text)
	}
}

// Without frames there are sums and means of a second, and series; what is of frames says so.
func TestFrameless(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "worker"})
	s.Apply(model.CollectorDef{ID: 0, Name: "root", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "run"})
	s.Apply(model.SeriesDef{ID: 0, Name: "Heap used", Unit: "B", Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 500e6, Path: 1}, {Begin: 1500e6, End: 2000e6, Path: 1}}})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 0, Value: 10}, {Time: 1e9, Value: 30}}})
	all, err := Check(s, []Budget{
		{Collector: "run", Measure: Total, At: Mean, Limit: 499e6},
		{Collector: "run", Measure: Total, At: Sum, Limit: 1001e6},
		{Collector: "run", Measure: Calls, At: Sum, Limit: 1},
		{Collector: "run", Measure: Longest, At: P99, Limit: 500e6},
		{Series: "heap*", Measure: Value, At: Max, Limit: 29},
	}, timerange.Range{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		v Verdict
		x float64
	}{{Broken, 500e6}, {Kept, 1e9}, {Broken, 2}, {Kept, 500e6}, {Broken, 30}} {
		if r := &all[i]; r.Verdict != want.v || math.Abs(r.Value-want.x) > 1 {
			t.Errorf("%d: %+v, want %+v", i, r, want)
		}
	}
	for _, b := range []Budget{{Measure: Duration, At: P99}, {Collector: "run", Measure: Total, At: P99}, {Collector: "run", Measure: Self, HasShare: true}} {
		if _, err := Check(s, []Budget{b}, timerange.Range{}); err == nil || !strings.Contains(err.Error(), "has none") {
			t.Errorf("%+v: %v", b, err)
		}
	}
}
