package store

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// Which frame a time is in does not depend on which one is known to be near, and holds as long as is
// said.
func TestFrameNear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "App"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	at := int64(50)
	for n := int64(0); n < 60; n++ {
		if rnd.IntN(4) == 0 {
			n += rnd.Int64N(3)
			at += rnd.Int64N(30)
		}
		end := at + rnd.Int64N(20)
		calls := rnd.Int32N(200)
		s.Append(&model.Batch{
			HasFrame: true, Number: n, Begin: at, End: end,
			Alone: []model.CollectorTime{{Collector: 0, Ns: 1, Count: calls}},
		})
		if at = end; rnd.IntN(3) == 0 {
			at += rnd.Int64N(5)
		}
	}
	track := s.Track(0)
	counts := make([]int64, 1)
	for i := range track.NumFrames() {
		counts[0] = 0
		used := s.Frames().CallCounts(0, i, counts, nil)
		if a := s.Frames().Alone(0, i, nil); counts[0] != int64(a[0].Count) || len(used) != min(int(a[0].Count), 1) {
			t.Errorf("frame %d: %d calls of %v, not %d", i, counts[0], used, a[0].Count)
		}
	}
	for from := int64(0); from < at+50; from++ {
		near := rnd.IntN(track.NumFrames()+4) - 2
		frame, t0, t1 := track.FrameNear(spans.Ref{}, from, near)
		testkit.MustEqual(t, frame, track.FrameOf(spans.Ref{}, from), "at %d from %d", from, near)
		if t0 >= t1 {
			continue
		}
		for k := max(t0, from-60); k < min(t1, at+60); k++ {
			got := track.FrameOf(spans.Ref{}, k)
			testkit.MustThat(t, got == frame, "%d at %d, said to be %d from %d to %d", got, k, frame, t0, t1)
		}
	}
}
