package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
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

// Numbers that leave some out are missing frames, unless it is said that nothing is missing, whenever that is
// said.
func TestNumbersThatSkip(t *testing.T) {
	for _, when := range []string{"never", "before", "amid", "behind"} {
		table, _ := newTable()
		var x Track
		x.Init(table, 0)
		skip := func(at string) {
			if at == when {
				x.Skip(true)
			}
		}
		skip("before")
		for i := range int64(40) {
			x.Push(1000+2*i, 10*i, 10*i+10, 0)
			if i == 20 {
				skip("amid")
			}
		}
		skip("behind")
		missing := int64(39)
		if when != "never" {
			missing = 0
		}
		n := x.Missing()
		testkit.That(t, n == missing && x.MissingIn(0, 39) == missing, "%s: %d are missing", when, n)
		gaps := x.Gaps(0, 400, nil)
		_, after := x.GapAfter(3)
		_, last := x.LastGap(0, 39, 1)
		testkit.That(t, int64(len(gaps)) == missing && after == (missing > 0) && last == after,
			"%s: %d gaps, one behind frame 3: %v, a last one: %v", when, len(gaps), after, last)
		testkit.Equal(t, x.RateOf(0, 39), float64(40+missing)/400e-9, "%s: frames a second", when)
		if i, ok := x.ByNumber(1010); i != 5 || !ok || x.Frame(5).Missing != min(missing, 1) {
			t.Errorf("%s: frame 1010 is at %d: %+v", when, i, x.Frame(5))
		}
		if _, n := x.DropBefore(10, model.MinTime); n != min(missing, 10) || x.Missing() != max(missing-10, 0) {
			t.Errorf("%s: %d missing ones left with ten frames, %d stay", when, n, x.Missing())
		}
		if x.Skip(false); x.Missing() != 29 || len(x.Gaps(0, 400, nil)) != 29 {
			t.Errorf("%s: %d are missing in the end", when, x.Missing())
		}
	}
}
