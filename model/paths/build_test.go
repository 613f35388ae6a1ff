package paths

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
)

// A tree that is made a piece at a time is that which is made at once, however small the pieces are and
// whatever is defined meanwhile, and no piece takes much more than it may.
func TestTreeInSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		var k Keeper
		k.Init()
		n := 2 + rng.IntN(3000)
		for id := 1; id < n; id++ {
			if rng.IntN(20) == 0 {
				continue // comes late, or never
			}
			k.Define(model.PathDef{ID: model.PathID(id), Parent: model.PathID(rng.IntN(id)), Collector: model.CollectorID(rng.IntN(40))})
		}
		var at, whole Tree
		own, paths := round%2 == 0, k.Len()
		add := func(sums *Totals) {
			rng := rand.New(rand.NewPCG(7, uint64(round)))
			for range 1 + rng.IntN(n) {
				sums.Add(model.PathID(rng.IntN(paths)), rng.Int64N(100), 1+rng.Int64N(3))
			}
		}
		add(at.Begin(&k.Table))
		if own {
			at.Own()
		}
		piece := int64(1 + rng.IntN(500))
		for steps := 0; ; steps++ {
			work := piece
			done := at.Step(&k.Table, &work)
			most := int64(n) * 6
			testkit.MustThat(t, work >= -most, "round %d: a piece of %d took %d", round, piece, piece-work)
			if done {
				break
			}
			switch id := model.PathID(1 + rng.IntN(n)); {
			case steps > 40 || at.build.phase == len(phases)-1: // then it ends
			case rng.IntN(10) == 0 && int(id) < k.Len():
				k.MarkBeside(id)
			case rng.IntN(10) == 0:
				k.Define(model.PathDef{ID: id, Parent: model.PathID(rng.IntN(int(id))), Collector: 1})
			}
		}
		add(whole.Begin(&k.Table))
		if own {
			whole.Own()
		}
		whole.Finish(&k.Table)
		if d := cmp.Diff(whole.Nodes, at.Nodes); d != "" || at.Total != whole.Total || at.Rows != whole.Rows {
			t.Fatalf("round %d, own %v: %s", round, own, d)
		}
		for i := range at.Nodes {
			end := i + 1
			for end < len(at.Nodes) && at.Nodes[end].Depth > at.Nodes[i].Depth {
				end++
			}
			testkit.MustThat(t, int(at.Ends[i]) == end, "round %d: node %d ends at %d, not %d", round, i, at.Ends[i], end)
		}
		for work := int64(0); !at.StepInside(&work); work = piece {
		}
		testkit.MustNoDiff(t, cmp.Diff(whole.Inside(nil), append([]Inside(nil), at.Collectors()...)), "round %d", round)
		for _, in := range at.Collectors() {
			self := int64(0)
			for _, i := range at.NodesOf(in.Collector) {
				self += at.Nodes[i].Self
			}
			if took, _ := at.Took(in.Collector); self != in.Self || took != in {
				t.Fatalf("round %d: collector %d has %d itself in its nodes, %+v", round, in.Collector, self, in)
			}
		}
	}
}
