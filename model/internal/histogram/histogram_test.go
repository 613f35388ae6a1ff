package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
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

// What is told by counting is what sorting tells, of values of any kind, and they are read a few times.
func TestRanksAreThoseOfSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	kinds := map[string]func() float64{
		"times": func() float64 { return float64(rng.Int64N(20e6)) },
		"steps": func() float64 { return float64(rng.Int64N(300)) * 61035 },
		"one":   func() float64 { return 7 },
		"two":   func() float64 { return float64(rng.IntN(2)) },
		"signs": func() float64 { return float64(rng.IntN(7) - 3) },
		"far":   func() float64 { return (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(500)-250)) },
		"outliers": func() float64 {
			return []float64{1, 1e250, -1e250, 1e-300}[max(0, rng.IntN(4000)-3996)] + rng.Float64()
		},
		"near": func() float64 { return math.Nextafter(5, float64(rng.IntN(2))*10) },
	}
	var r Ranks
	for name, value := range kinds {
		for _, n := range []int{1, 2, fewRanks, fewRanks + 1, 3000, 40000} {
			values := make([]float64, n)
			for i := range values {
				values[i] = value()
			}
			was, sorted := slices.Clone(values), slices.Sorted(slices.Values(values))
			k := make([]int, rng.IntN(MostRanks+1))
			for i := range k {
				k[i] = rng.IntN(n)
			}
			slices.Sort(k)
			out := make([]float64, len(k))
			r.Visited = 0
			r.Of(values, sorted[0], sorted[n-1], k, out)
			for i := range k {
				testkit.MustThat(t, out[i] == sorted[k[i]],
					"%s: number %d of %d is %v, want %v", name, k[i], n, out[i], sorted[k[i]])
			}
			testkit.MustThat(t, slices.Equal(was, values) && len(r.found) == 0,
				"%s: something is left behind, or the values changed", name)
			most := map[bool]int64{false: 20, true: 4}[name == "times" || name == "steps"]
			testkit.That(t, r.Visited <= most*int64(n), "%s: %d values read of %d", name, r.Visited, n)
		}
	}
	values := make([]float64, 5000)
	for i := range values {
		values[i] = kinds["times"]()
	}
	k, out := []int{2499, 2500, 4749, 4949}, make([]float64, 4)
	n := testing.AllocsPerRun(5, func() { r.Of(values, 0, 20e6, k, out) })
	testkit.That(t, n <= 0, "%v allocations", n)
}

// What is selected is what sorting tells, the lesser before it, however soon the rest is sorted.
func TestSelect(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		v := make([]int64, 1+rng.IntN(60))
		for i := range v {
			v[i] = rng.Int64N(int64(1 + rng.IntN(40)))
		}
		want := slices.Sorted(slices.Values(v))
		k := rng.IntN(len(v))
		got := selectIn(v, k, rng.IntN(8))
		testkit.MustThat(t, got == want[k], "the %d-th of %d is %d, got %d", k, want, want[k], got)
		testkit.MustThat(t, (k <= 0 || slices.Max(v[:k]) <= want[k]) && slices.Min(v[k:]) >= want[k],
			"%d are not divided at %d", v, k)
	}
}
