package trace

import (
	"math"
	"testing"

	"framescope/model"
)

// TestExact compares with what a float64 makes of a number.
func TestExact(t *testing.T) {
	for n, want := range map[int64]bool{
		0: true, -1: true, 1 << 53: true, 1<<53 + 1: false, -1<<53 - 1: false, 1<<53 + 2: true, 1 << 62: true, math.MinInt64: true,
		math.MaxInt64: false, 1<<62 + 1<<10: true, 1<<62 + 1<<9: false, 1_700_000_000_123_456_789: false,
	} {
		if got := Exact(n); got != want {
			t.Errorf("%d: %t", n, got)
		}
	}
}

// TestTell tells how many there are, and where the first is.
func TestTell(t *testing.T) {
	var a Tally
	var told []model.Loss
	tell := func(c model.Change) { told = append(told, c.(model.Loss)) }
	if a.Tell(tell, model.LossLimit, "things are left out"); len(told) > 0 {
		t.Errorf("%+v", told)
	}
	a.Add(7)
	a.AddN(2, 99)
	a.Tell(tell, model.LossLimit, "things are left out")
	b := Tally{N: 1, At: Unknown}
	b.Tell(tell, model.LossMalformed, "more")
	if len(told) != 2 || told[0].N != 3 || told[0].Detail != "things are left out; the first is at byte 7" || told[0].Limit != "things are left out" ||
		told[1].Detail != "more" || told[1].Limit != "" {
		t.Errorf("%+v", told)
	}
}
