package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
)

// The pace of any frames is what sorting their lengths tells.
func TestPace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		lengths := made(1+rng.IntN(2500), func(int) float64 { return float64(rng.IntN(1+rng.IntN(3000)) * 1000) })
		x, track := framesOf(lengths)
		first := rng.IntN(len(lengths))
		last := first + rng.IntN(len(lengths)-first)
		got, ok := x.Pace(0, first, last, 1_000_000)
		testkit.MustThat(t, ok, "no frames")
		want := plainPace(lengths[first:last+1], 1_000_000)
		if want.Rate = track.RateOf(first, last); want.Rate == 0 {
			want.Rate = math.NaN()
		}
		for i, pair := range [][2]float64{
			{got.Rate, want.Rate}, {got.Low1, want.Low1}, {got.Low01, want.Low01}, {got.Median, want.Median}, {got.P95, want.P95},
			{got.P99, want.P99}, {got.Longest, want.Longest}, {float64(got.Over), float64(want.Over)},
			{float64(got.Frames), float64(want.Frames)},
		} {
			if a, b := pair[0], pair[1]; a != b && !(math.IsNaN(a) && math.IsNaN(b)) && math.Abs(a-b) > 1e-9*b {
				t.Fatalf("figure %d of %d frames is %v, want %v", i, last-first+1, a, b)
			}
		}
	}
}

func plainPace(lengths []int64, budget int64) (p Pace) {
	ns := slices.Sorted(slices.Values(lengths))
	n := len(ns)
	slow := func(in float64) float64 {
		k, sum := int(math.Ceil(float64(n)/in)), 0.0
		for _, x := range ns[n-k:] {
			sum += float64(x) / 1e9
		}
		if sum == 0 {
			return math.NaN()
		}
		return float64(k) / sum
	}
	rank := func(share float64) float64 { return float64(ns[int(math.Ceil(share*float64(n)/100))-1]) }
	for _, x := range ns {
		if x > budget {
			p.Over++
		}
	}
	p.Frames, p.Low1, p.Low01, p.P95, p.P99, p.Longest = n, slow(100), slow(1000), rank(95), rank(99), float64(ns[n-1])
	p.Median = (float64(ns[(n-1)/2]) + float64(ns[n/2])) / 2
	return p
}

// Nothing is allocated once there is room.
func TestPaceAllocatesNothing(t *testing.T) {
	x, track := framesOf(made(5000, func(i int) float64 { return float64(i%97) * ms }))
	x.Pace(0, 0, track.Len()-1, 0)
	n := testing.AllocsPerRun(10, func() { x.Pace(0, 0, track.Len()-1, 0) })
	testkit.That(t, n <= 0, "%v allocations", n)
}

// Many frames that are looked through for hitches are each looked at once, not again for each block
// that they are around.
func TestHitchesLookOnce(t *testing.T) {
	x, track := framesOf(made(20_000, func(i int) float64 { return float64(10+i%7) * ms }))
	x.Hitches(0, 0, track.Len()-1, nil)
	most := int64(track.Len() + track.Len()/50)
	testkit.That(t, x.Visited() <= most, "%d frames were looked at for the hitches of %d", x.Visited(), track.Len())
}
