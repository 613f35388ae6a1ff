package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
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
			Self: []model.CollectorTime{
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
	var tree spans.Tree
	for _, x := range s.FrameTotals(0, 0, count-1, &tree, nil) {
		if x.Collector == 1 && !near(float64(x.Total)/1e9/count, of(1, s.Frames().ExactStats(0, frames.FigureTotal, 0, count-1, nil)).Mean) {
			t.Error("total", x)
		}
	}
}

// Statistics of long ranges equal those of a plain tally: exactly but for percentiles, and those
// within 1 %; also after rewinds, evictions and a change of the hierarchy.
func TestBlockStatsEqualExactOnes(t *testing.T) {
	st := &Store{}
	s := st.NewSession()
	rng := rand.New(rand.NewPCG(8, 8))
	g := newGame(rng, s, 12, 40, 6)
	g.spansPerFrame = 8
	grow := func(n int) {
		for range n {
			b := g.frame()
			b.Spans = b.Spans[:min(len(b.Spans), 1)]
			s.Append(b)
		}
	}
	check := func(what string) {
		t.Helper()
		n := s.Track(0).NumFrames()
		for range 6 {
			first := rng.IntN(n - 4200)
			last := first + 4200 + rng.IntN(n-first-4200)
			for _, levels := range []bool{false, true} {
				compareStats(t, what, s, levels, first, last)
			}
		}
	}
	grow(12_000)
	check("at first")
	tr := s.Track(0)
	back := tr.Frame(tr.NumFrames() - 3000)
	again := &model.Batch{HasFrame: true, Rewind: true, Number: back.Number, Begin: back.Begin, End: back.End, Self: []model.CollectorTime{{Collector: 1, Ns: 5e8, Count: 1}}}
	s.Append(again)
	grow(5000)
	check("after a rewind")
	s.Apply(model.CollectorDef{ID: 3, Name: "moved", Parent: 9})
	s.Apply(model.CollectorDef{ID: 9, Name: "top"})
	check("after a collector moved")
	st.MemoryLimit = st.Memory().Total() * 3 / 4
	st.EnforceLimit(time.Time{})
	testkit.MustThat(t, tr.Evicted() != 0, "nothing was evicted")
	check("after an eviction")
	st.MemoryLimit = 1 // whatever the bound: no crash, and no byte is counted twice
	st.EnforceLimit(time.Time{})
	n := tr.frames.Blocks()
	testkit.That(t, n <= 0, "%d blocks without frames", n)
}

func compareStats(t *testing.T, what string, s *Session, levels bool, first, last int) {
	t.Helper()
	figure := frames.FigureNet
	if levels {
		figure = frames.FigureLevel
	}
	want := s.Frames().ExactStats(0, figure, first, last, nil)
	got := s.Frames().AllStats(0, levels, first, last, nil)
	testkit.MustEqual(t, len(got), len(want), "%s: collectors", what)
	for i := range want {
		for _, g := range []frames.Stats{got[i], s.Frames().Stats(0, want[i].Collector, levels, first, last)} {
			w := want[i]
			for _, p := range [][2]float64{{g.Median, w.Median}, {g.P95, w.P95}, {g.P99, w.P99}} {
				if math.Abs(p[0]-p[1]) > 0.01*math.Abs(p[1]) {
					t.Errorf("%s: levels %v, [%d, %d], collector %d: percentile %v, want %v", what, levels, first, last, w.Collector, p[0], p[1])
				}
			}
			g.Median, g.P95, g.P99, w.Median, w.P95, w.P99 = 0, 0, 0, 0, 0, 0
			for _, v := range [][2]*float64{{&g.Sum, &w.Sum}, {&g.Mean, &w.Mean}, {&g.SelfMean, &w.SelfMean}} {
				testkit.That(t, math.Abs(*v[0]-*v[1]) <= 1e-9*max(1, math.Abs(*v[1])),
					"%s: collector %d: %v, want %v", what, w.Collector, *v[0], *v[1])
				*v[0], *v[1] = 0, 0
			}
			g.Estimated = false
			testkit.Equal(t, g, w, "%s: levels %v, [%d, %d]", what, levels, first, last)
		}
	}
}

// Blocks made ahead, a few at a time, give the same answers, and nothing is left to make for the
// first question.
func TestPreparedStats(t *testing.T) {
	s, asked := NewSession(), NewSession()
	newGame(rand.New(rand.NewPCG(5, 6)), asked, 12, 40, 6)
	g := newGame(rand.New(rand.NewPCG(5, 6)), s, 12, 40, 6)
	for range 20_000 {
		b := g.frame()
		b.Spans = nil
		s.Append(b)
		asked.Append(b)
	}
	calls := 1
	for s.Frames().PrepareStats(0, false, 2048) {
		calls++
		made := s.Track(0).frames.Blocks()
		testkit.MustThat(t, made <= 2*(calls-1), "%d blocks after %d calls", made, calls-1)
	}
	testkit.Equal(t, calls, 10, "calls for 19 blocks")
	got, want := s.Frames().AllStats(0, false, 100, 19_000, nil), asked.Frames().AllStats(0, false, 100, 19_000, nil)
	testkit.That(t, len(want) != 0 && slices.Equal(got, want), "got %+v, want %+v", got, want)
	testkit.That(t, !s.Frames().PrepareStats(0, false, 0) && !s.Frames().PrepareStats(9, false, 5),
		"something is left to do")
	s.Append(&model.Batch{Rewind: true, HasFrame: true, Number: s.Track(0).Frame(3000).Number, Begin: s.Track(0).Frame(3000).Begin, End: s.Track(0).Frame(3000).End})
	testkit.That(t, !s.Frames().PrepareStats(0, false, 0), "2 blocks of 3,001 frames were made again")
}
