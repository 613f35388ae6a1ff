package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"framescope/app/load"
	"framescope/internal/docs"
	"framescope/internal/escape"
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
	testkit.OneGoroutine(t)
	figures := map[budget.At]func(*frames.Stats) float64{
		budget.Min:    func(st *frames.Stats) float64 { return st.Min },
		budget.Mean:   func(st *frames.Stats) float64 { return st.Mean },
		budget.Median: func(st *frames.Stats) float64 { return st.Median },
		budget.P95:    func(st *frames.Stats) float64 { return st.P95 },
		budget.P99:    func(st *frames.Stats) float64 { return st.P99 },
		budget.Max:    func(st *frames.Stats) float64 { return st.Max },
		budget.Sum:    func(st *frames.Stats) float64 { return st.Sum },
	}
	for _, name := range []string{"threads.pstats", "recursion.pstats", "levels.pstats", "late.pstats"} {
		s := open(t, name)
		main := testkit.Must(place.FindTrack(s, "Main"))(t)
		for _, text := range []string{"", "30:90"} {
			rng := testkit.Must(place.ParseRange(text))(t)
			first, last, err := rng.Frames(s, main)
			testkit.OK(t, err)
			compared := 0
			for measure, fig := range map[budget.Measure]frames.Figure{
				budget.Total: frames.FigureTotal, budget.Self: frames.FigureSelf, budget.Net: frames.FigureNet, budget.Level: frames.FigureLevel,
			} {
				var budgets []budget.Budget
				for at := range figures {
					budgets = append(budgets, budget.Budget{Thread: "Main", Collector: "*", Measure: measure, At: at, Limit: 1e6})
				}
				all := testkit.Must(CheckBudgets(s, budgets, rng))(t)
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
					at := r.Budget.At
					st, ok := want[r.What]
					w := figures[at](&st) * scale
					testkit.That(t, ok && math.Abs(r.Value-w) <= 1e-6*math.Max(1, math.Abs(w)) && (at != budget.Max ||
						r.Worst == st.MaxFrame), "%s %s: %s %s of %s: %v in #%d, want %v in #%d (%v)", name, text, at, measure, r.What,
						r.Value, r.Worst, w, st.MaxFrame, ok)
					compared++
				}
			}
			testkit.That(t, compared >= 50, "%s: only %d figures", name, compared)
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
		testkit.That(t, all[i].Verdict == want[i], "%d: %+v", i, all[i])
	}
	r := all[1]
	testkit.That(t, r.Over == 1 && r.Worst == 299 && r.Frames == 200 && r.Value == 1.0/200, "%+v", r)
	testkit.That(t, budget.Breaches(all) == 3, "%v", budget.Breaches(all))
	if got, want := all[1].Why(), "smooth: frame on Main: frames with duration over 15.000 ms: 0.50 %, allowed 0.10 %, worst in frame 299"; got != want {
		t.Errorf("%q", got)
	}
	testkit.Equal(t, all[3].Why(), "Draw on Main: net, max: 10.000 ms, allowed 9.000 ms, worst in frame 299",
		"all[3].Why()")
}

// Formats are read by other programs: they hold whatever the names are.
func TestFormats(t *testing.T) {
	s := session(20, 10)
	budgets := []budget.Budget{{Measure: budget.Duration, Limit: 5e6, At: budget.Max, Name: "a <b> & \"c\": %\n|", Line: 7}, {Measure: budget.Duration, Limit: 5e9, At: budget.Max}}
	results := testkit.Must(CheckBudgets(s, budgets, place.TimeRange{}))(t)
	files := []BudgetFile{{Name: "a,b:c.pstats", Program: "Tavern, 2026-11-30 14:02", Results: results}, {Name: "x", Err: context.Canceled}}
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
	err := xml.Unmarshal(b.Bytes(), &suites)
	testkit.That(t, err == nil && suites.Tests == 3 && suites.Failures == 1 && suites.Errors == 1 &&
		suites.Suites[0].Cases[0].Failure != nil && suites.Suites[0].Cases[1].Failure == nil, "%s %v", b.Bytes(), err)
	b.Reset()
	testkit.OK(t, WriteAnnotations(&b, "b,1.toml", files))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	testkit.That(t, len(lines) == 2 &&
		strings.HasPrefix(lines[0], "::error file=b%2C1.toml,line=7,title=Budget broken in a%2Cb%3Ac.pstats::a <b>") &&
		strings.Contains(lines[0], "%25\uFFFD") && strings.HasPrefix(lines[1], "::error "), "%q", lines)
	b.Reset()
	testkit.OK(t, WriteBudgetMarkdown(&b, files))
	if text := b.String(); !strings.HasPrefix(text, "### `Tavern, 2026-11-30 14:02 (a,b:c.pstats)`\n") || !strings.Contains(text, "### `x`\n") ||
		!strings.Contains(text, "1 of 2 limits broken") || !strings.Contains(text, "\\|") || !strings.Contains(text, "Not checked") {
		t.Error(text)
	}
}

// Headings name the program and, where the recording has it, the time of the recording.
func TestCheckedAreNamedByProgram(t *testing.T) {
	for want, info := range map[string]model.Info{
		"Tavern, 2026-11-30 14:02":          {Program: "Tavern", ZeroAt: model.DayTime{UnixNs: 1_796_047_343e9}},
		"unknown program, 2026-11-30 14:02": {ZeroAt: model.DayTime{UnixNs: 1_796_047_343e9}},
		"Tavern":                            {Program: "Tavern"},
		"":                                  {},
	} {
		s := store.NewSession()
		s.Apply(info)
		var file BudgetFile
		new(checkFlags).hold(&file, s)
		testkit.Equal(t, file.Program, want, "named")
	}
}

// Whatever recordings, budgets, threads, collectors and units are called, what is written for GitHub has the
// report's own words, and names, which mean nothing there.
func TestHostileNames(t *testing.T) {
	for _, name := range testkit.HostileNames {
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
		testkit.MustThat(t, err == nil && len(results) == 2, "%v %v %v", name, results, err)
		slower := Slower{Thread: name, Breach: true}
		slower.Collector, slower.Typical, slower.Share = name, [2]float64{1e6, 2e6}, 1
		against := &Compared{Baseline: &Baseline{Name: name, Worse: 0.05}, Of: "frame", Tested: 1, Slower: []Slower{slower}}
		files := []BudgetFile{{Name: name, Program: name, Results: results, Against: against}, {Name: name, Err: errors.New(name)}}
		var b bytes.Buffer
		testkit.OK(t, WriteBudgetMarkdown(&b, files))
		for line := range strings.SplitSeq(b.String(), "\n") {
			testkit.NoDiff(t, testkit.MarkdownFault(line), "%q: %q", name, line)
			n := testkit.MarkdownCells(line)
			testkit.That(t, !strings.HasPrefix(line, "| ") || n == 6, "%q: %q has %d cells", name, line, n)
		}
		b.Reset()
		testkit.OK(t, WriteAnnotations(&b, name, files))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		command := regexp.MustCompile(`^::error (file=[^,:]*,line=\d+,)?title=[^,:]*::`)
		for _, line := range lines {
			testkit.That(t, !strings.Contains(line, "\r") && command.MatchString(line), "%q: annotation %q", name, line)
		}
		want := 2 + budget.Breaches(results)
		testkit.That(t, len(lines) == want, "%q: %d annotations, not %d: %q", name, len(lines), want, lines)
		b.Reset()
		for i := range files {
			testkit.OK(t, WriteBudgetText(&b, &files[i]))
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			testkit.That(t, !strings.HasPrefix(strings.TrimSpace(line), "::") && escape.Line(line) == line,
				"%q: text %q", name, line)
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
		r := &all[i]
		testkit.That(t, r.Verdict == want.v && math.Abs(r.Value-want.x) <= 1, "%d: %+v, want %+v", i, r, want)
	}
	for _, b := range []budget.Budget{{Measure: budget.Duration, At: budget.P99}, {Collector: "run", Measure: budget.Total, At: budget.P99}, {Collector: "run", Measure: budget.Self, HasShare: true}} {
		testkit.Refused(CheckBudgets(s, []budget.Budget{b}, place.TimeRange{}))(t, "has none")
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
	err := WriteBudgetJSON(&b, files)
	testkit.That(t, err == nil && json.Unmarshal(b.Bytes(), &read) == nil && read[0].Results[0].Unit == "share" &&
		read[0].Results[1].Unit == "ns", "%s %v", b.Bytes(), err)
	b.Reset()
	if err := WriteBudgetJUnit(&b, files); err != nil || !strings.Contains(b.String(), `message="nothing recorded, allowed 4.000 ms"`) {
		t.Errorf("%s %v", b.Bytes(), err)
	}
}

// played is a session of n frames in which Draw and Sort take random times, each frame like the one
// before; of frames from the second half on Draw takes so many times more.
func played(seed uint64, n int, slower float64) *store.Session {
	r := rand.New(rand.NewPCG(seed, 7))
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	for i, name := range []string{"Draw", "Sort", "Idle"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	now, drift := int64(0), 0.0
	for i := range n {
		drift = 0.8*drift + 0.1*r.NormFloat64()
		ns := func(ms float64) int64 { return int64(ms * 1e6 * math.Exp(drift+0.05*r.NormFloat64())) }
		draw, sort := ns(5), ns(2)
		if i >= n/2 {
			draw = int64(float64(draw) * slower)
		}
		idle := int64(4e6)
		b := &model.Batch{Track: 0, HasFrame: true, Number: int64(i), Begin: now, End: now + draw + sort + idle}
		for k, d := range []int64{draw, sort, idle} {
			b.Spans = append(b.Spans, model.Span{Begin: now, End: now + d, Path: model.PathID(k + 1)})
			b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(k + 1), Ns: d, Count: 1})
			now += d
		}
		s.Append(b)
	}
	return s
}

func ranged(t *testing.T, text string) place.TimeRange {
	t.Helper()
	r := testkit.Must(place.ParseRange(text))(t)
	return r
}

// against compares the second half of a session with the first.
func against(t *testing.T, s *store.Session, worse float64) *Compared {
	t.Helper()
	b := &Baseline{Name: "first half", Session: s, Range: ranged(t, ":499"), Worse: worse}
	c := testkit.Must(b.Compare(s, ranged(t, "500:")))(t)
	return c
}

// Two halves of a session in which nothing changed are no breach, and what became slower in one is
// named, and nothing else.
func TestBaseline(t *testing.T) {
	testkit.OneGoroutine(t)
	found := 0
	for seed := range uint64(20) {
		if c := against(t, played(seed, 1000, 1), 0.05); c.Breaches() > 0 {
			t.Errorf("seed %d: %+v", seed, c.Slower)
		} else if c.Tested < 4 {
			t.Errorf("%d compared: %+v", c.Tested, c)
		}
		c := against(t, played(seed, 1000, 1.5), 0.05)
		for _, x := range c.Slower {
			switch {
			case !x.Breach || x.Collector == "":
			case x.Collector == "Draw":
				found++
			case x.Collector != "Frame":
				t.Errorf("seed %d: %s", seed, x.Why(c))
			}
		}
		if c := against(t, played(seed, 1000, 1.5), 2); c.Breaches() > 0 {
			t.Errorf("seed %d: more than three times: %+v", seed, c.Slower)
		}
	}
	testkit.That(t, found >= 19, "found in %d of 20", found)
}

// A recording is never slower than itself.
func TestBaselineOfItself(t *testing.T) {
	for _, name := range []string{"threads.pstats", "recursion.pstats", "late.pstats", "levels.pstats"} {
		s := open(t, name)
		c, err := (&Baseline{Name: name, Session: s, Worse: 0}).Compare(s, place.TimeRange{})
		testkit.That(t, err == nil && len(c.Slower) == 0, "%s: %+v, %v", name, c, err)
	}
}

// checkSchema is the schema of what `check --json` prints.
func checkSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := docs.Object{}
	shape := docs.Object{"allOf": []any{docs.Of(reflect.TypeFor[[]jsonFile](), defs)}}
	docs.Described(t, defs)
	return docs.Document(t, "check.schema.json", "framescope check --json",
		"What check --json prints: an element for each recording, or for each game. budgets.md says what each is.", shape, defs)
}

// What check prints of recordings of every kind has the schema, and one with another field has not.
func TestSchema(t *testing.T) {
	testkit.OneGoroutine(t)
	s := checkSchema(t)
	seen := map[string]bool{}
	dir := filepath.Join(recordings.Root(t), "testdata")
	for _, path := range []string{"pstats/late.pstats", "pstats/levels.pstats", "gsttrace/*.log*", "profilelib/*.prof"} {
		found, err := filepath.Glob(filepath.Join(dir, path))
		testkit.MustThat(t, err == nil && len(found) != 0, "%v %v", path, err)
		rec := testkit.Must(load.File(t.Context(), found[0], load.Options{}))(t)
		budgets := []budget.Budget{
			{Collector: "*", Measure: budget.Total, At: budget.Mean, Limit: 1e6},
			{Collector: "none", Measure: budget.Self, At: budget.Sum, Optional: true},
			{Series: "*", Measure: budget.Value, At: budget.Max, Limit: 1},
		}
		if rec.Session.HasFrames() {
			budgets = append(budgets, budget.Budget{Name: "60 Hz", Measure: budget.Duration, Limit: 1e6, Share: 0.1, HasShare: true},
				budget.Budget{Collector: "*", Measure: budget.Level, At: budget.Max, Limit: 1})
		}
		file := BudgetFile{Name: found[0]}
		file.Results, err = CheckBudgets(rec.Session, budgets, place.TimeRange{})
		testkit.OK(t, err)
		for _, c := range []*Compared{nil, against(t, played(1, 1000, 1.5), 0.05)} {
			file.Against = c
			var out bytes.Buffer
			testkit.OK(t, WriteBudgetJSON(&out, []BudgetFile{file, {Name: "x", Err: fmt.Errorf("no")}}))
			docs.Fits(t, s, path, out.Bytes())
			docs.Surprised(t, s, path, out.Bytes(), seen)
		}
	}
	testkit.That(t, seen[".baseline.slower.share"] && seen[".results.worst_frame"], "%v", seen)
}

// What is slower is in every format, and fails in each.
func TestBaselineFormats(t *testing.T) {
	c := against(t, played(3, 1000, 1.5), 0.05)
	files := []BudgetFile{{Name: "run.pstats", Against: c}}
	n := c.Breaches()
	testkit.MustThat(t, n != 0 && files[0].Breached(), "%v", c)
	var out bytes.Buffer
	err := WriteBudgetText(&out, &files[0])
	testkit.That(t, err == nil && strings.Count(out.String(), "SLOWER") == n &&
		strings.Contains(out.String(), "slower than first half by more than 5 %"), "%v %v", out.String(), err)
	out.Reset()
	testkit.OK(t, WriteBudgetJUnit(&out, files))
	var suites junitSuites
	err = xml.Unmarshal(out.Bytes(), &suites)
	testkit.That(t, err == nil && suites.Failures == n && suites.Tests == n+1, "%v %v", out.String(), err)
	out.Reset()
	if err := WriteAnnotations(&out, "", files); err != nil || strings.Count(out.String(), "::error title=Slower than the baseline") != n {
		t.Error(out.String(), err)
	}
	out.Reset()
	err = WriteBudgetMarkdown(&out, files)
	testkit.That(t, err == nil && strings.Count(out.String(), "| slower |") == n+1, "%v %v", out.String(), err)
	out.Reset()
	var read []jsonFile
	testkit.OK(t, WriteBudgetJSON(&out, files))
	if err := json.Unmarshal(out.Bytes(), &read); err != nil || read[0].Broken != n || len(read[0].Baseline.Slower) != len(c.Slower) {
		t.Error(out.String(), err)
	}
}

// Each figure can be measured, has a value above 0 for each run, and is told in both tables. Only
// the quick ones are, and none of another process.
func TestBenchFigures(t *testing.T) {
	testkit.OneGoroutine(t)
	b := bench{ctx: t.Context(), runs: 2, only: []string{"wire", "memory, copied", "live at", "call paths", "threads"}, said: io.Discard}
	r := testkit.Must(b.measure())(t)
	var text, markdown strings.Builder
	testkit.OK(t, r.write(&text, false))
	testkit.OK(t, r.write(&markdown, true))
	testkit.That(t, len(r.Figures) == 12, "%d figures", len(r.Figures))
	for _, f := range r.Figures {
		testkit.That(t, len(f.Runs) == 2 && f.Runs[0] > 0 && f.median() > 0, "%s: %v", f.Name, f.Runs)
		testkit.That(t, f.Name != wireName || f.OfWire == 1, "wire is %v of itself", f.OfWire)
		if !strings.Contains(text.String(), f.Name) || !strings.Contains(markdown.String(), "| "+f.Name+" | "+f.Unit+" |") {
			t.Errorf("%s is not told:\n%s\n%s", f.Name, &text, &markdown)
		}
	}
	testkit.Must(json.Marshal(r))(t)
}

// Names that no figure has are known before anything is measured.
func TestNames(t *testing.T) {
	for names, want := range map[string]bool{"open Wire": true, "open nothing": false} {
		err := (&bench{only: strings.Fields(names)}).check()
		testkit.That(t, (err == nil) == want, "%s: %v", names, err)
	}
}

// The workflow in docs/budgets.md is one that GitHub takes: it parses, each step is an action of a version
// or a script that a shell takes, and the flags in it are those of the command.
func TestWorkflow(t *testing.T) {
	text := testkit.Must(os.ReadFile(filepath.Join(recordings.Root(t), "docs", "budgets.md")))(t)
	_, block, ok := strings.Cut(string(text), "```yaml\n")
	testkit.MustThat(t, ok, "there is no workflow")
	block, _, _ = strings.Cut(block, "```")
	var flow struct {
		Name string
		On   []string
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Name, Uses, Run, If string
				With                map[string]string
				WorkingDirectory    string `yaml:"working-directory"`
			}
		}
	}
	dec := yaml.NewDecoder(strings.NewReader(block))
	dec.KnownFields(true)
	testkit.OK(t, dec.Decode(&flow))
	job, ok := flow.Jobs["budgets"]
	testkit.MustThat(t, ok && job.RunsOn != "" && len(flow.On) != 0 && len(job.Steps) >= 5, "%+v", flow)
	known := CheckCommand(&Streams{}).Flags()
	action, flag := regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$`), regexp.MustCompile(`--([a-z-]+)`)
	flags := 0
	for i, step := range job.Steps {
		testkit.That(t, (step.Uses == "") != (step.Run == "") && (step.Uses == "" || action.MatchString(step.Uses)),
			"step %d: %+v", i, step)
		if sh, err := exec.LookPath("bash"); err == nil && step.Run != "" {
			cmd := exec.Command(sh, "-n")
			cmd.Stdin = strings.NewReader(step.Run)
			out, err := cmd.CombinedOutput()
			testkit.That(t, err == nil, "step %d: %s", i, out)
		}
		for line := range strings.SplitSeq(step.Run, "\n") {
			if strings.Contains(line, "play-the-level") {
				continue
			}
			for _, m := range flag.FindAllStringSubmatch(line, -1) {
				flags++
				testkit.That(t, known.Lookup(m[1]) != nil, "step %d: check has no --%s", i, m[1])
			}
		}
	}
	testkit.That(t, flags >= 8, "only %d flags", flags)
}
