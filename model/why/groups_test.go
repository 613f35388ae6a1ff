package why_test

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/why"
)

// hitchesAt returns hitches that begin at times, in ms, and take so many ms over the typical.
func hitchesAt(beginMs, excessMs []int64) why.Group {
	g := why.Group{}
	for i, ms := range beginMs {
		g.Hitches = append(g.Hitches, why.Hitch{
			Number: ms, BeginNs: ms * 1e6, ExcessNs: excessMs[i] * 1e6, DurationNs: (excessMs[i] + 10) * 1e6,
		})
	}
	why.Finish(&g)
	return g
}

// What comes in turn is told as such, and neither a burst of slow frames nor two times that happen to be
// alike.
func TestOnlyWhatComesInTurnIsRegular(t *testing.T) {
	same := []int64{20, 20, 20, 20, 20, 20}
	for _, c := range []struct {
		begin   []int64
		regular bool
	}{
		{[]int64{0, 1000, 2010, 2990, 4000}, true},
		{[]int64{0, 1000, 2000}, false},
		{[]int64{0, 30, 60, 90, 120, 150}, false},
		{[]int64{0, 100, 1000, 1700, 9000, 9100}, false},
		{[]int64{0, 100, 200, 2000}, false},
	} {
		g := hitchesAt(c.begin, same)
		testkit.That(t, g.Regular == c.regular, "%v: regular %v, every %d ns", c.begin, g.Regular, g.PeriodNs)
	}
}

// Hitches that get worse are told, and of those that do not at most one in twenty is said to.
func TestTrendIsNotChance(t *testing.T) {
	begin := make([]int64, 40)
	for i := range begin {
		begin[i] = int64(i) * 1000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 7, 12, 40} {
		const trials = 2000
		said := 0
		for range trials {
			excess := make([]int64, n)
			for i := range excess {
				excess[i] = 5 + random.Int64N(50)
			}
			if hitchesAt(begin[:n], excess).Trend != 0 {
				said++
			}
		}
		testkit.That(t, said <= trials*6/100,
			"of %d hitches that are alike a trend was said %d of %d times", n, said, trials)
	}
	excess := []int64{10, 11, 10, 12, 20, 24, 22, 23}
	g := hitchesAt(begin[:8], excess)
	testkit.That(t, g.Trend >= 1 && g.Trend <= 1.4, "%v: %v", excess, g.Trend)
	g = hitchesAt(begin[:4], []int64{10, 11, 50, 60})
	testkit.That(t, g.Trend == 0, "two against two tell nothing: %v", g.Trend)
}
