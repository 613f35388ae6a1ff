package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/paths"
)

// Reports are exact, however long the range is; where statistics come from a histogram, they say so
// and are within 1 %.
func TestExactStats(t *testing.T) {
	const count = 5000 // more than StatExact
	s, rng := NewSession(), rand.New(rand.NewPCG(1, 2))
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "AI", Parent: 1})
	s.Apply(model.CollectorDef{ID: 3, Name: "Tasks"}) // elsewhere by name, called from App
	s.Apply(model.CollectorDef{ID: 4, Name: "Level", Unit: "MB"})
	for p, of := range []model.PathDef{1: {Parent: 0, Collector: 0}, 2: {Parent: 1, Collector: 1}, 3: {Parent: 2, Collector: 2}, 4: {Parent: 2, Collector: 3}, 5: {Parent: 3, Collector: 1}} {
		if of.ID = model.PathID(p); p > 0 {
			s.Apply(of)
		}
	}
	var totals, selves, nets, levels []float64 // of App
	for i := range int64(count) {
		at := i * 1e7
		ai, tasks, again := 1e6+rng.Int64N(1e6), 5e5+rng.Int64N(1e6), rng.Int64N(2e5)
		app := ai + tasks + 1e6
		s.Append(&model.Batch{
			HasFrame: true, Number: 10 + i, Begin: at, End: at + 1e7,
			Spans: []model.Span{
				{Begin: at, End: at + 1e7, Path: 1}, {Begin: at, End: at + app, Path: 2, Lane: 1},
				{Begin: at, End: at + ai, Path: 3, Lane: 2}, {Begin: at + ai, End: at + ai + tasks, Path: 4, Lane: 2},
				{Begin: at, End: at + again, Path: 5, Lane: 3}, // App within App
			},
			Alone: []model.CollectorTime{
				{Collector: 0, Ns: 1e7 - app, Count: 1}, {Collector: 1, Ns: 1e6 + again, Count: 2},
				{Collector: 2, Ns: ai - again, Count: 1}, {Collector: 3, Ns: tasks, Count: 1},
			},
			Levels: []model.Level{{Collector: 4, Time: at, Value: float64(again)}},
		})
		totals, selves = append(totals, float64(app)/1e9), append(selves, float64(1e6+again)/1e9)
		nets, levels = append(nets, float64(1e6+ai)/1e9), append(levels, float64(again))
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), 1) }
	check := func(name string, got frames.Stats, values []float64) {
		t.Helper()
		sorted, sum := slices.Sorted(slices.Values(values)), 0.0
		for _, v := range values {
			sum += v
		}
		most := int64(slices.Index(values, sorted[count-1])) + 10
		if got.Estimated || got.Frames != count || got.Present != count || got.MaxFrame != most || !near(got.Mean, sum/count) || got.Min != sorted[0] || got.Max != sorted[count-1] ||
			got.P95 != sorted[count*95/100-1] || got.P99 != sorted[count*99/100-1] || !near(got.Median, (sorted[count/2-1]+sorted[count/2])/2) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	of := func(c model.CollectorID, all []frames.Stats) frames.Stats {
		for _, st := range all {
			if st.Collector == c {
				return st
			}
		}
		t.Errorf("no collector %d", c)
		return frames.Stats{}
	}
	check("total", of(1, s.Frames().ExactStats(0, frames.FigureTotal, 0, count-1, nil)), totals)
	check("self", of(1, s.Frames().ExactStats(0, frames.FigureSelf, 0, count-1, nil)), selves)
	check("net", of(1, s.Frames().ExactStats(0, frames.FigureNet, 0, count-1, nil)), nets)
	check("level", of(4, s.Frames().ExactStats(0, frames.FigureLevel, 0, count-1, nil)), levels)

	guess, exact := of(1, s.Frames().AllStats(0, false, 0, count-1, nil)), of(1, s.Frames().ExactStats(0, frames.FigureNet, 0, count-1, nil))
	testkit.That(t, guess.Estimated && math.Abs(guess.P99-exact.P99) <= 0.01*exact.P99 && guess.Max == exact.Max,
		"estimated %+v, exact %+v", guess, exact)
	st := of(1, s.Frames().AllStats(0, false, 0, 99, nil))
	testkit.That(t, !st.Estimated, "100 frames are estimated")

	// The mean total is what the call tree of the range says.
	var tree paths.Tree
	for _, x := range s.FrameTotals(0, 0, count-1, &tree, nil) {
		if x.Collector == 1 && !near(float64(x.Total)/1e9/count, of(1, s.Frames().ExactStats(0, frames.FigureTotal, 0, count-1, nil)).Mean) {
			t.Error("total", x)
		}
	}
}
