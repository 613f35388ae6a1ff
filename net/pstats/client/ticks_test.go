package client

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The counter goes on while time passes, and what it says lies between the marks around it.
func TestTicksGoOn(t *testing.T) {
	if !Steady {
		t.Skip("no steady counter here")
	}
	zero := time.Now()
	mark := func() TickMark { return TickMark{Ns: int64(time.Since(zero)), Ticks: ReadTicks()} }
	from := mark()
	var list []int64
	for range 100 {
		list = append(list, ReadTicks())
		time.Sleep(10 * time.Microsecond)
	}
	to := mark()
	s := Between(from, to)
	last := from.Ns
	for _, ticks := range list {
		ns := s.Ns(ticks)
		if ns <= last || ns >= to.Ns {
			t.Fatalf("%d ns, the one before %d, all of it %v to %v", ns, last, from, to)
		}
		last = ns
	}
}

// Whatever marks say, times ascend with ticks and stay between the marks.
func TestScaleAscends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any := rapid.Int64Range(0, 1<<60)
		from := TickMark{any.Draw(t, "ticks"), any.Draw(t, "ns")}
		to := TickMark{any.Draw(t, "to ticks"), rapid.Int64Range(from.Ns, 1<<61).Draw(t, "to ns")}
		s := Between(from, to)
		a, b := any.Draw(t, "a"), any.Draw(t, "b")
		if a, b = min(a, b), max(a, b); s.Ns(a) > s.Ns(b) || s.Ns(a) < from.Ns || s.Ns(b) > to.Ns {
			t.Fatalf("%d and %d are %d and %d, between %v and %v", a, b, s.Ns(a), s.Ns(b), from, to)
		}
	})
}
