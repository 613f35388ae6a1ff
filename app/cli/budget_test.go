package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/escape"
	"framescope/internal/escape/escapetest"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

func open(t *testing.T, name string) *store.Session {
	t.Helper()
	rec := testkit.Must(load.File(context.Background(), recordings.File(t, recordings.PStats, name), load.Options{}))(t)
	return rec.Session
}

// TestFigures: what is held against limits is what reports state, of every measure and collector of
// recordings, in the whole and in a part.
func TestFigures(t *testing.T) {
	for _, name := range []string{"threads.pstats", "recursion.pstats", "levels.pstats", "late.pstats"} {
		s := open(t, name)
		for _, text := range []string{"", "30:90"} {
			rng := testkit.Must(place.ParseRange(text))(t)
			compared := 0
			for measure, fig := range map[budget.Measure]frames.Figure{
				budget.Total: frames.FigureTotal, budget.Self: frames.FigureSelf, budget.Net: frames.FigureNet, budget.Level: frames.FigureLevel,
			} {
				for at, of := range map[budget.At]func(*frames.Stats) float64{
					budget.Min:    func(st *frames.Stats) float64 { return st.Min },
					budget.Mean:   func(st *frames.Stats) float64 { return st.Mean },
					budget.Median: func(st *frames.Stats) float64 { return st.Median },
					budget.P95:    func(st *frames.Stats) float64 { return st.P95 },
					budget.P99:    func(st *frames.Stats) float64 { return st.P99 },
					budget.Max:    func(st *frames.Stats) float64 { return st.Max },
					budget.Sum:    func(st *frames.Stats) float64 { return st.Sum },
				} {
					all, err := CheckBudgets(s, []budget.Budget{{Thread: "Main", Collector: "*", Measure: measure, At: at, Limit: 1e6}}, rng)
					if err != nil {
						t.Fatal(err)
					}
					main := testkit.Must(place.FindTrack(s, "Main"))(t)
					first, last, err := rng.Frames(s, main)
					if err != nil {
						t.Fatal(err)
					}
					want := map[string]frames.Stats{}
					for _, st := range s.Frames().ExactStats(main, fig, first, last, nil) {
						want[s.Collector(st.Collector).Title()] = st
					}
					scale := 1e9
					if measure == budget.Level {
						scale = 1
					}
					for i := range all {
						r := &all[i]
						if r.Verdict == budget.Nothing {
							continue
						}
						st, ok := want[r.What]
						if w := of(&st) * scale; !ok || math.Abs(r.Value-w) > 1e-6*math.Max(1, math.Abs(w)) ||
							at == budget.Max && r.Worst != st.MaxFrame {
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
			Self: []model.CollectorTime{{Collector: 1, Ns: d / 2, Count: 3}}})
		now += d
	}
	return s
}

func TestVerdicts(t *testing.T) {
	s := session(200, 10)
	all := testkit.Must(CheckBudgets(s, []budget.Budget{
		{Measure: budget.Duration, Limit: 15e6, Share: 0.01, HasShare: true},
		{Measure: budget.Duration, Limit: 15e6, Share: 0.001, HasShare: true, Name: "smooth"},
		{Measure: budget.Duration, At: budget.P99, Limit: 10e6},
		{Collector: "draw", Measure: budget.Net, At: budget.Max, Limit: 9e6},
		{Collector: "draw", Measure: budget.Calls, At: budget.Sum, Limit: 600},
		{Collector: "Gone", Measure: budget.Net, At: budget.Max, Limit: 9e6},
		{Collector: "Gone", Measure: budget.Net, At: budget.Max, Limit: 9e6, Optional: true},
	}, place.TimeRange{}))(t)
	want := []budget.Verdict{budget.Kept, budget.Broken, budget.Kept, budget.Broken, budget.Kept, budget.Nothing, budget.Nothing}
	for i := range want {
		if all[i].Verdict != want[i] {
			t.Errorf("%d: %+v", i, all[i])
		}
	}
	if r := all[1]; r.Over != 1 || r.Worst != 299 || r.Frames != 200 || r.Value != 1.0/200 {
		t.Errorf("%+v", r)
	}
	if budget.Breaches(all) != 3 {
		t.Error(budget.Breaches(all))
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
	budgets := []budget.Budget{{Measure: budget.Duration, Limit: 5e6, At: budget.Max, Name: "a <b> & \"c\": %\n|", Line: 7}, {Measure: budget.Duration, Limit: 5e9, At: budget.Max}}
	results := testkit.Must(CheckBudgets(s, budgets, place.TimeRange{}))(t)
	files := []BudgetFile{{Name: "a,b:c.pstats", Results: results}, {Name: "x", Err: context.Canceled}}
	var b bytes.Buffer
	testkit.OK(t, WriteBudgetJSON(&b, files))
	var read []jsonFile
	if err := json.Unmarshal(b.Bytes(), &read); err != nil || len(read) != 2 || read[0].Broken != 1 || read[1].Error == "" ||
		*read[0].Results[0].Value != 20e6 || *read[0].Results[0].Worst != 119 || read[0].Results[1].Breach {
		t.Errorf("%s %v", b.Bytes(), err)
	}
	b.Reset()
	testkit.OK(t, WriteBudgetJUnit(&b, files))
	var suites junitSuites
	if err := xml.Unmarshal(b.Bytes(), &suites); err != nil || suites.Tests != 3 || suites.Failures != 1 || suites.Errors != 1 ||
		suites.Suites[0].Cases[0].Failure == nil || suites.Suites[0].Cases[1].Failure != nil {
		t.Errorf("%s %v", b.Bytes(), err)
	}
	b.Reset()
	testkit.OK(t, WriteAnnotations(&b, "b,1.toml", files))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "::error file=b%2C1.toml,line=7,title=Budget broken in a%2Cb%3Ac.pstats::a <b>") ||
		!strings.Contains(lines[0], "%25\uFFFD") || !strings.HasPrefix(lines[1], "::error ") {
		t.Errorf("%q", lines)
	}
	b.Reset()
	testkit.OK(t, WriteBudgetMarkdown(&b, files))
	if text := b.String(); !strings.Contains(text, "1 of 2 limits broken") || !strings.Contains(text, "\\|") || !strings.Contains(text, "Not checked") {
		t.Error(text)
	}
}

// Whatever recordings, budgets, threads, collectors and units are called, what is written for GitHub has the
// report's own words, and names, which mean nothing there.
func TestHostileNames(t *testing.T) {
	for _, name := range escapetest.Names {
		s := store.NewSession()
		s.Apply(model.TrackDef{ID: 0, Name: name})
		s.Apply(model.CollectorDef{ID: 0, Name: "root", Parent: model.NoCollector})
		s.Apply(model.CollectorDef{ID: 1, Name: name})
		s.Apply(model.SeriesDef{ID: 0, Name: name, Unit: name, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 500e6, Path: 1}}})
		s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 0, Value: 10}, {Time: 1e9, Value: 30}}})
		results, err := CheckBudgets(s, []budget.Budget{
			{Name: name, Collector: budget.Exactly(name), Measure: budget.Total, At: budget.Sum, Limit: 1e6, Line: 1},
			{Name: name, Series: budget.Exactly(name), Measure: budget.Value, At: budget.Max, Limit: 29, Line: 2},
		}, place.TimeRange{})
		if err != nil || len(results) != 2 {
			t.Fatal(name, results, err)
		}
		slower := Slower{Thread: name, Breach: true}
		slower.Collector, slower.Typical, slower.Share = name, [2]float64{1e6, 2e6}, 1
		against := &Compared{Baseline: &Baseline{Name: name, Worse: 0.05}, Of: "frame", Tested: 1, Slower: []Slower{slower}}
		files := []BudgetFile{{Name: name, Results: results, Against: against}, {Name: name, Err: errors.New(name)}}
		var b bytes.Buffer
		testkit.OK(t, WriteBudgetMarkdown(&b, files))
		for line := range strings.SplitSeq(b.String(), "\n") {
			if why := escapetest.Markdown(line); why != "" {
				t.Errorf("%q: %q is %s", name, line, why)
			}
			if n := escapetest.Cells(line); strings.HasPrefix(line, "| ") && n != 6 {
				t.Errorf("%q: %q has %d cells", name, line, n)
			}
		}
		b.Reset()
		testkit.OK(t, WriteAnnotations(&b, name, files))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		command := regexp.MustCompile(`^::error (file=[^,:]*,line=\d+,)?title=[^,:]*::`)
		for _, line := range lines {
			if strings.Contains(line, "\r") || !command.MatchString(line) {
				t.Errorf("%q: annotation %q", name, line)
			}
		}
		if want := 2 + budget.Breaches(results); len(lines) != want {
			t.Errorf("%q: %d annotations, not %d: %q", name, len(lines), want, lines)
		}
		b.Reset()
		for i := range files {
			testkit.OK(t, WriteBudgetText(&b, &files[i]))
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || escape.Line(line) != line {
				t.Errorf("%q: text %q", name, line)
			}
		}
		b.Reset()
		testkit.OK(t, WriteBudgetJUnit(&b, files))
		var suites junitSuites
		if err := xml.Unmarshal(b.Bytes(), &suites); err != nil || len(suites.Suites) != 2 || suites.Suites[0].Name != escape.Line(name) {
			t.Errorf("%q: %s %v", name, b.Bytes(), err)
		}
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
	all := testkit.Must(CheckBudgets(s, []budget.Budget{
		{Collector: "run", Measure: budget.Total, At: budget.Mean, Limit: 499e6},
		{Collector: "run", Measure: budget.Total, At: budget.Sum, Limit: 1001e6},
		{Collector: "run", Measure: budget.Calls, At: budget.Sum, Limit: 1},
		{Collector: "run", Measure: budget.Longest, At: budget.P99, Limit: 500e6},
		{Series: "heap*", Measure: budget.Value, At: budget.Max, Limit: 29},
	}, place.TimeRange{}))(t)
	for i, want := range []struct {
		v budget.Verdict
		x float64
	}{{budget.Broken, 500e6}, {budget.Kept, 1e9}, {budget.Broken, 2}, {budget.Kept, 500e6}, {budget.Broken, 30}} {
		if r := &all[i]; r.Verdict != want.v || math.Abs(r.Value-want.x) > 1 {
			t.Errorf("%d: %+v, want %+v", i, r, want)
		}
	}
	for _, b := range []budget.Budget{{Measure: budget.Duration, At: budget.P99}, {Collector: "run", Measure: budget.Total, At: budget.P99}, {Collector: "run", Measure: budget.Self, HasShare: true}} {
		if _, err := CheckBudgets(s, []budget.Budget{b}, place.TimeRange{}); err == nil || !strings.Contains(err.Error(), "has none") {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

// The unit of a share is no ns, and what was not recorded is said in words.
func TestSharesAndNothingInFormats(t *testing.T) {
	results := []budget.Result{
		{Budget: &budget.Budget{Measure: budget.Total, Limit: 4e6, Share: 0.05, HasShare: true}, What: "a", Verdict: budget.Broken,
			Value: 0.081},
		{Budget: &budget.Budget{Measure: budget.Total, Limit: 4e6}, What: "b", Verdict: budget.Nothing},
	}
	files := []BudgetFile{{Name: "x.pstats", Results: results}}
	var b bytes.Buffer
	var read []jsonFile
	if err := WriteBudgetJSON(&b, files); err != nil || json.Unmarshal(b.Bytes(), &read) != nil ||
		read[0].Results[0].Unit != "share" || read[0].Results[1].Unit != "ns" {
		t.Errorf("%s %v", b.Bytes(), err)
	}
	b.Reset()
	if err := WriteBudgetJUnit(&b, files); err != nil || !strings.Contains(b.String(), `message="nothing recorded, allowed 4.000 ms"`) {
		t.Errorf("%s %v", b.Bytes(), err)
	}
}
