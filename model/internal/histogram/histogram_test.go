package histogram

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
)

func TestBinsAscendAndAreFine(t *testing.T) {
	last := int32(-1)
	for _, v := range []float64{-1e250, -5e9, -1, -1e-300, 0, 1e-300, 0.5, 1, 1.02, 16_666_667, 1e18, 1e250} {
		bin := Of(v)
		testkit.That(t, bin > last && bin >= 0 && bin < NumBins, "bin of %v is %d after %d", v, bin, last)
		last = bin
		got := Value(bin)
		testkit.That(t, math.Abs(got-v) <= 0.008*math.Abs(v), "%v becomes %v", v, got)
	}
}

func TestCounterTellsBinsInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var c Counter
	for range 20 { // what was taken is forgotten
		want := map[int32]int32{}
		for range rng.IntN(3000) {
			bin := Of((rng.Float64() - 0.3) * math.Pow(10, float64(rng.IntN(300)-150)))
			if rng.IntN(4) == 0 {
				bin = rng.Int32N(NumBins)
			}
			n := 1 + rng.Int32N(5)
			c.Add(bin, n)
			want[bin] += n
		}
		got := c.Take(nil)
		testkit.MustEqual(t, len(got), len(want), "bins")
		for i, b := range got {
			testkit.MustThat(t, (i <= 0 || got[i-1].Bin < b.Bin) && want[b.Bin] == b.N,
				"bin %d: %d values, want %d; the one before is %d", b.Bin, b.N, want[b.Bin], got[max(i-1, 0)].Bin)
		}
	}
}
