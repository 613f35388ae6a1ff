package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/load"
	"framescope/internal/docs"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/store"
)

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
	if found < 19 {
		t.Errorf("found in %d of 20", found)
	}
}

// A recording is never slower than itself.
func TestBaselineOfItself(t *testing.T) {
	for _, name := range []string{"threads.pstats", "recursion.pstats", "late.pstats", "levels.pstats"} {
		s := open(t, name)
		c, err := (&Baseline{Name: name, Session: s, Worse: 0}).Compare(s, place.TimeRange{})
		if err != nil || len(c.Slower) > 0 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
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
	s := checkSchema(t)
	seen := map[string]bool{}
	dir := filepath.Join(recordings.Root(t), "testdata")
	for _, path := range []string{"pstats/late.pstats", "pstats/levels.pstats", "gsttrace/*.log*", "profilelib/*.prof"} {
		found, err := filepath.Glob(filepath.Join(dir, path))
		if err != nil || len(found) == 0 {
			t.Fatal(path, err)
		}
		rec, err := load.File(t.Context(), found[0], load.Options{})
		if err != nil {
			t.Fatal(err)
		}
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
		if file.Results, err = CheckBudgets(rec.Session, budgets, place.TimeRange{}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*Compared{nil, against(t, played(1, 1000, 1.5), 0.05)} {
			file.Against = c
			var out bytes.Buffer
			testkit.OK(t, WriteBudgetJSON(&out, []BudgetFile{file, {Name: "x", Err: fmt.Errorf("no")}}))
			docs.Fits(t, s, path, out.Bytes())
			docs.Surprised(t, s, path, out.Bytes(), seen)
		}
	}
	if !seen[".baseline.slower.share"] || !seen[".results.worst_frame"] {
		t.Error(seen)
	}
}

// What is slower is in every format, and fails in each.
func TestBaselineFormats(t *testing.T) {
	c := against(t, played(3, 1000, 1.5), 0.05)
	files := []BudgetFile{{Name: "run.pstats", Against: c}}
	n := c.Breaches()
	if n == 0 || !files[0].Breached() {
		t.Fatal(c)
	}
	var out bytes.Buffer
	if err := WriteBudgetText(&out, &files[0]); err != nil || strings.Count(out.String(), "SLOWER") != n ||
		!strings.Contains(out.String(), "slower than first half by more than 5 %") {
		t.Error(out.String(), err)
	}
	out.Reset()
	testkit.OK(t, WriteBudgetJUnit(&out, files))
	var suites junitSuites
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil || suites.Failures != n || suites.Tests != n+1 {
		t.Error(out.String(), err)
	}
	out.Reset()
	if err := WriteAnnotations(&out, "", files); err != nil || strings.Count(out.String(), "::error title=Slower than the baseline") != n {
		t.Error(out.String(), err)
	}
	out.Reset()
	if err := WriteBudgetMarkdown(&out, files); err != nil || strings.Count(out.String(), "| slower |") != n+1 {
		t.Error(out.String(), err)
	}
	out.Reset()
	var read []jsonFile
	testkit.OK(t, WriteBudgetJSON(&out, files))
	if err := json.Unmarshal(out.Bytes(), &read); err != nil || read[0].Broken != n || len(read[0].Baseline.Slower) != len(c.Slower) {
		t.Error(out.String(), err)
	}
}
