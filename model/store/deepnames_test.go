package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
)

// A hierarchy of names may be as deep as PStats has collectors: what is charged to the deepest is in
// the net of every one above, of times and of levels, and in the band of the first. The other
// collectors hang below the deepest, so that a walk from each to the root would be 2^28 steps.
func TestDeepestNames(t *testing.T) {
	const all, depth = 32767, 16383
	s := NewSession()
	parent := func(id int) model.CollectorID { return model.CollectorID(min(id-1, depth)) }
	for id := 1; id < all; id++ {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: "d", Parent: parent(id)})
	}
	s.Apply(model.CollectorDef{ID: 1, Name: "first", Unit: "KB"})
	b := model.Batch{HasFrame: true, End: 1e9}
	for id := depth + 1; id < all; id++ {
		b.Alone = append(b.Alone, model.CollectorTime{Collector: model.CollectorID(id), Ns: 10, Count: 1})
		b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(id), Value: 2})
	}
	s.Append(&b)
	leaves := float64(all - 1 - depth)
	for _, fig := range []frames.Figure{frames.FigureNet, frames.FigureLevel} {
		each := map[frames.Figure]float64{frames.FigureNet: 10e-9, frames.FigureLevel: 2}[fig]
		stats := s.Frames().ExactStats(0, fig, 0, 0, nil)
		for _, st := range stats {
			want := each * leaves
			if st.Collector > depth {
				want = each
			}
			if d := st.Sum - want; d > 1e-12 || d < -1e-12 {
				t.Fatalf("figure %v: the net of %d is %v, not %v", fig, st.Collector, st.Sum, want)
			}
		}
		testkit.That(t, len(stats) >= all-1, "figure %v: %d collectors", fig, len(stats))
	}
	for _, levels := range []bool{false, true} {
		want := map[bool]float64{false: 10e-9, true: 2}[levels] * leaves
		if st := s.Frames().Stats(0, 1, levels, 0, 0); st.Sum-want > 1e-12 || want-st.Sum > 1e-12 {
			t.Errorf("levels %v: the net of the first is %v, not %v", levels, st.Sum, want)
		}
	}
	deepest := s.Collector(depth)
	if deepest.Parent != depth-1 || deepest.Top != 1 || deepest.UnitHere != "KB" || s.Collector(1).Parent != 0 {
		t.Errorf("%+v", deepest)
	}
}
