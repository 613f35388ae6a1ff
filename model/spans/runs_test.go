package spans

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/columns"
)

// Runs that are handed out to their collectors are in the order that a sort of them all gives, also
// where nobody defined a collector; sorting again takes no memory.
func TestRunsInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var acc columns.Account
	acc.Init(columns.Heap(), new(columns.Sum))
	var known model.CollectorKeeper
	known.Init(&acc)
	for c := range model.CollectorID(9) {
		known.Define(model.CollectorDef{ID: c, Name: "c", Sort: rng.IntN(3)})
	}
	h := known.Tree()
	var sorter runSorter
	for round := range 200 {
		ids := 9
		if round%5 == 0 {
			ids = 12 // some are not defined
		}
		runs := make([]Run, rng.IntN(60))
		for i := range runs {
			runs[i] = Run{Collector: model.CollectorID(rng.IntN(ids)), Begin: rng.Int64N(20), End: 20 + rng.Int64N(5), Flags: model.SpanFlags(i)}
		}
		want := slices.Clone(runs)
		slices.SortStableFunc(want, func(a, b Run) int {
			return cmp.Or(h.CompareRank(a.Collector, b.Collector), cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End))
		})
		sorter.sort(h, runs)
		testkit.MustEqualSlices(t, runs, want, "round %d", round)
	}
	runs := make([]Run, 100)
	for i := range runs {
		runs[i] = Run{Collector: model.CollectorID(i % 9), Begin: int64(100 - i)}
	}
	shuffled := slices.Clone(runs)
	sorter.sort(h, shuffled)
	if n := testing.AllocsPerRun(20, func() {
		copy(shuffled, runs)
		sorter.sort(h, shuffled)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
