package store

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// How long a thread worked is the sum of the self times of all that neither waits nor is the frame itself, in
// short ranges and in those of whole blocks of statistics, also after a collector got a name that waits.
func TestBusy(t *testing.T) {
	const count = 6000 // more than StatExact
	s, rng := NewSession(), rand.New(rand.NewPCG(3, 4))
	for i, name := range []string{"Frame", "App", "Wait", "AI", "Late"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name})
	}
	self := make([][5]int64, count)
	for i := range int64(count) {
		b := model.Batch{HasFrame: true, Number: i, Begin: i * 1e7, End: (i + 1) * 1e7}
		for c := range int64(5) {
			if ns := rng.Int64N(2e6); ns > 1e5 {
				self[i][c] = ns
				b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(c), Ns: ns, Count: 1})
			}
		}
		s.Append(&b)
	}
	check := func(works ...int) {
		t.Helper()
		for _, r := range [][2]int{{0, 0}, {7, 8}, {100, 1200}, {0, count - 1}, {33, 5900}, {count - 5, count + 10}} {
			sum, n := 0.0, 0
			for i := r[0]; i <= r[1] && i < count; i++ {
				n++
				for _, c := range works {
					sum += float64(self[i][c])
				}
			}
			did, ok := s.WorkInFrames(0, r[0], r[1])
			testkit.That(t, ok && math.Abs(float64(did.BusyNs)-sum) < float64(n), "frames %v: %v, want %v", r, did.BusyNs, sum)
		}
	}
	check(1, 3, 4)
	s.Apply(model.CollectorDef{ID: 4, Name: "Wait for vsync"})
	check(1, 3)
	_, ok := s.WorkInFrames(0, count, count+5)
	testkit.That(t, !ok, "frames that are not there worked")
	_, ok = s.WorkInFrames(9, 0, 5)
	testkit.That(t, !ok, "a thread that is not there worked")
}
