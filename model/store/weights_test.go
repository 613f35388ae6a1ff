package store

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
)

// weighedTrack defines a track with stacks and a series of weights for each kind.
func weighedTrack(s *Session, track model.TrackID, kinds ...spans.Weight) (stack model.SeriesID) {
	stack = model.SeriesID(s.Series().Len())
	s.Apply(model.TrackDef{ID: track, Name: "thread"})
	def := model.SeriesDef{ID: stack, Name: "stacks", Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject}
	s.Apply(def)
	def.Role = model.RoleWeight
	for _, k := range kinds {
		def.ID, def.Name, def.Unit = def.ID+1, k.Name, k.Unit
		s.Apply(def)
	}
	return stack
}

// Weights are summed up by call path in any range, whatever came late and whatever left memory, and the
// number of samples is what a weight of that name says.
func TestWeights(t *testing.T) {
	kinds := []spans.Weight{{Name: "space", Unit: "B"}, {Name: model.WeightSamples}, {Name: "time", Unit: "ns"}}
	rapid.Check(t, func(rt *rapid.T) {
		s := NewSession()
		s.Apply(model.CollectorDef{ID: 0, Name: "All"})
		parents := []model.PathID{0, 0, 1, 2, 1}
		for p := 1; p < len(parents); p++ {
			s.Apply(model.PathDef{ID: model.PathID(p), Parent: parents[p], Collector: 0})
		}
		stack := weighedTrack(s, 0, kinds...)
		type plain struct {
			at      int64
			path    model.PathID
			weights [3]float64
		}
		var all []plain
		weight := rapid.OneOf(rapid.Float64Range(0, 1e6), rapid.SampledFrom([]float64{-4, math.NaN(), math.Inf(1), 1e12, 0.5}))
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			b := model.Batch{Track: 0}
			for range rapid.IntRange(0, 300).Draw(rt, "n") {
				x := plain{at: int64(rapid.IntRange(0, 500).Draw(rt, "at")), path: model.PathID(rapid.IntRange(1, 4).Draw(rt, "path"))}
				b.Samples = append(b.Samples, model.Sample{Series: stack, Time: x.at, Value: float64(x.path)})
				for k := range kinds {
					x.weights[k] = math.Floor(weight.Draw(rt, "weight"))
					b.Samples = append(b.Samples, model.Sample{Series: stack + 1 + model.SeriesID(k), Time: x.at, Value: x.weights[k]})
				}
				all = append(all, x)
			}
			s.Append(&b)
			t0 := int64(rapid.IntRange(-5, 505).Draw(rt, "t0"))
			t1 := int64(rapid.IntRange(-5, 505).Draw(rt, "t1"))
			for k, m := range []spans.Measure{spans.MeasureWeight, spans.MeasureSamples, spans.MeasureWeight + 1} {
				want := map[model.PathID]int64{}
				for _, x := range all {
					for p := x.path; p != 0 && x.at >= t0 && x.at < t1; p = parents[p] {
						switch w := x.weights[k]; { // what is no number is a gap
						case w > 1<<62 && !math.IsInf(w, 0):
							want[p] += 1 << 62
						case w > 0 && !math.IsInf(w, 0):
							want[p] += int64(w)
						}
					}
				}
				var tree spans.Tree
				s.Spans().TreeOf(m, []model.TrackID{0}, t0, t1, &tree)
				got := map[model.PathID]int64{}
				for _, n := range tree.Nodes {
					got[n.Path] = n.Total
				}
				testkit.MustNoDiff(rt, cmp.Diff(want, got), "measure %d of [%d, %d)", m, t0, t1)
			}
		}
	})
}

// What a session's samples stand for is offered before their number, and that only where it is known.
func TestWhatWeightsThereAre(t *testing.T) {
	s := NewSession()
	s.Apply(model.Info{Sampling: model.Sampling{Timeless: true}})
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	s.Apply(model.PathDef{ID: 1, Collector: 0})
	heap, cpu := spans.Weight{Name: "space", Unit: "B"}, spans.Weight{Name: "cpu", Unit: "ns"}
	a, b := weighedTrack(s, 0, heap, heap), weighedTrack(s, 1, cpu, spans.Weight{Name: model.WeightSamples})
	batch := model.Batch{}
	for _, x := range []model.Sample{{Series: a, Value: 1}, {Series: a + 1, Value: 100}, {Series: b, Value: 1}, {Series: b + 1, Value: 70}, {Series: b + 2, Value: 7}} {
		batch.Samples = append(batch.Samples, x)
	}
	s.Append(&batch)
	testkit.NoDiff(t, cmp.Diff([]spans.Weight{heap, cpu}, s.Spans().Weights()), "Weights")
	for _, c := range []struct {
		tracks []model.TrackID
		want   []spans.Measure
	}{
		{[]model.TrackID{0}, []spans.Measure{spans.MeasureWeight}},
		{[]model.TrackID{1}, []spans.Measure{spans.MeasureWeight + 1, spans.MeasureSamples}},
		{[]model.TrackID{0, 1}, []spans.Measure{spans.MeasureWeight, spans.MeasureWeight + 1, spans.MeasureSamples}},
	} {
		testkit.NoDiff(t, cmp.Diff(c.want, s.Spans().Measures(c.tracks, nil)), "%v", c.tracks)
	}
	n, ok := s.Spans().NumSamples(0, 0, 1)
	testkit.That(t, !ok, "%d samples of what has bytes alone", n)
	n, ok = s.Spans().NumSamples(1, 0, 1)
	testkit.That(t, ok && n == 7, "%d samples, %v", n, ok)
	var tree spans.Tree
	s.Spans().TreeOf(spans.MeasureSamples, []model.TrackID{0, 1}, 0, 1, &tree)
	testkit.That(t, tree.Total == 7, "%d samples of both", tree.Total)
}

// Stacks that come anew take the place of those before, of their own track alone, however many there
// are and whatever was asked in between.
func TestWeightsAnew(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := NewSession()
		s.Apply(model.Info{Sampling: model.Sampling{Timeless: true}})
		s.Apply(model.CollectorDef{ID: 0, Name: "All"})
		for p := range model.PathID(5) {
			s.Apply(model.PathDef{ID: p + 1, Collector: 0})
		}
		kinds := []spans.Weight{{Name: "space", Unit: "B"}}
		stacks := []model.SeriesID{weighedTrack(s, 0, kinds...), weighedTrack(s, 1, kinds...)}
		want := [2]map[model.PathID]int64{{}, {}}
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			track := rapid.IntRange(0, 1).Draw(rt, "track")
			b := model.Batch{Track: model.TrackID(track), Anew: rapid.Bool().Draw(rt, "anew")}
			if b.Anew {
				clear(want[track])
			}
			for range rapid.IntRange(0, 2500).Draw(rt, "n") {
				p, w := model.PathID(rapid.IntRange(1, 5).Draw(rt, "path")), int64(rapid.IntRange(1, 50).Draw(rt, "weight"))
				b.Samples = append(b.Samples, model.Sample{Series: stacks[track], Value: float64(p)},
					model.Sample{Series: stacks[track] + 1, Value: float64(w)})
				want[track][p] += w
			}
			s.Append(&b)
			for k := range want {
				var tree spans.Tree
				s.Spans().TreeOf(spans.MeasureWeight, []model.TrackID{model.TrackID(k)}, 0, 1, &tree)
				got := map[model.PathID]int64{}
				for _, n := range tree.Nodes {
					if n.Path != model.PathRoot {
						got[n.Path] = n.Total
					}
				}
				testkit.MustNoDiff(rt, cmp.Diff(want[k], got), "track %d", k)
			}
			begin, end, ok := s.Series().Bounds()
			testkit.MustThat(rt, ok == (len(want[0])+len(want[1]) > 0) && begin == 0 && end == 0,
				"bounds %d, %d, %v", begin, end, ok)
		}
	})
}
