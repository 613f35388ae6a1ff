package budget

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/store"
)

// A rank of many values in runs is that of all of them in order, frames without a value counting as 0.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 100, runLen, 3*runLen + 17} {
		var f figures
		var all []float64
		var numbers []int64
		for i := range n {
			v := float64(r.IntN(2000) - 300)
			if r.IntN(3) > 0 {
				f.now = v
				f.push(numbers, int64(i))
			} else {
				v = 0
			}
			all, numbers = append(all, v), append(numbers, int64(i))
		}
		if f.n == 0 {
			continue
		}
		f.finish(numbers)
		worst := slices.Index(all, slices.Max(all))
		testkit.That(t, f.worst == all[worst] && f.worstAt == int64(worst),
			"%d: worst %v in %d, want %v in %d", n, f.worst, f.worstAt, all[worst], worst)
		over := 0
		for _, v := range all {
			if v > 42 {
				over++
			}
		}
		tt := target{Result: Result{Budget: &Budget{At: P95, Limit: 42}}}
		f.judge(&tt)
		slices.Sort(all)
		want := all[measure.Rank(int64(n), 95)]
		testkit.That(t, tt.Value == want && tt.Over == int64(over) && tt.Frames == int64(n),
			"%d: %+v, want %v, %d over", n, tt.Result, want, over)
		for k := range all {
			testkit.MustEqual(t, f.rank(int64(k)), all[k], "%d: rank %d", n, k)
		}
	}
}

func growing(s *store.Session, from, n int) {
	if from == 0 {
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
		s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	}
	for i := from; i < from+n; i++ {
		begin := int64(i) * 10e6
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: int64(100 + i), Begin: begin, End: begin + 10e6,
			Self: []model.CollectorTime{{Collector: 1, Ns: int64(i % 7 * 1e6), Count: 1}}})
	}
}

// Piece by piece comes what comes at once, though the session grows and takes frames back meanwhile; and
// no piece is more than was asked for, but for one frame.
func TestPieces(t *testing.T) {
	budgets := []Budget{
		{Measure: Duration, At: P99, Limit: 5e6}, {Collector: "*", Measure: Net, At: Max, Limit: 3e6},
		{Collector: "draw", Measure: Calls, At: Sum, Limit: 3}, {Collector: "none", Measure: Total, At: P99, Limit: 1},
	}
	s := store.NewSession()
	growing(s, 0, 500)
	want, err := Check(s, budgets, All(s))
	testkit.NoErr(t, err)
	p := Begin(s, budgets, All(s))
	steps, rewound := 0, false
	for ; !p.Step(50); steps++ {
		growing(s, 500+steps, 1)
		if steps == 3 && !rewound {
			s.Append(&model.Batch{Track: 0, HasFrame: true, Rewind: true, Number: 602, Begin: 5020e6, End: 5030e6})
			rewound = true
			growing(s, 503, 1)
		}
		testkit.MustThat(t, steps <= 10_000, "it does not end")
	}
	got, err := p.Results()
	testkit.MustThat(t, err == nil && steps >= 10, "%v %v", steps, err)
	testkit.Same(t, got, want, "got")
	again := Begin(s, budgets, All(s))
	again.Step(10)
	again.Close()
}
