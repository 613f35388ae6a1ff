package strip

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
	"framescope/model/store"
)

// Where frames overlap a bar is of the span that came with the frame that is shown, also where one of
// the other's began at the same time.
func TestBarsAreOfTheirOwnFrame(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "GPU"})
	s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 1})
	for k, end := range []int64{10_000, 15_000} {
		s.Append(&model.Batch{
			HasFrame: true, Number: int64(k), Begin: int64(k) * 5_000, End: end,
			Spans: []model.Span{{Begin: 5_000, End: end - 2_000, Path: 1, Lane: uint16(k)}},
			Alone: []model.CollectorTime{{Collector: 1, Ns: end - 7_000, Count: 1}},
		})
	}
	rig := chartstest.NewRig(s, 1, 600, 200)
	for k, end := range []int64{8_000, 13_000} {
		rig.Env.View.SelectFrames(k, k)
		p := NewPiano(model.NoTrack)
		rig.Tick(p)
		if len(p.bars) != 1 {
			t.Fatalf("frame %d has %d bars", k, len(p.bars))
		}
		b, ok := p.spanOf(rig.Env, 0)
		if !ok || b.End != end || int(b.Ref.Lane) != k {
			t.Errorf("frame %d: the bar is of %+v (%v), want the one that ends at %d", k, b, ok, end)
		}
	}
}
