package frames

import (
	"testing"

	"framescope/internal/testkit"
)

// What stops the program is a stop; a slow program, or a phase in which it is slow, has none.
func TestStops(t *testing.T) {
	game := func(at ...int) []int64 {
		lengths := made(200, func(int) float64 { return 16.7 * ms })
		for _, i := range at {
			lengths[i] = 14_000 * ms
		}
		return lengths
	}
	slow := func(usual, one float64) []int64 {
		return made(100, func(i int) float64 {
			if i == 50 {
				return one * ms
			}
			return usual * ms
		})
	}
	for _, c := range []struct {
		name    string
		lengths []int64
		want    []int
	}{
		{"a breakpoint", game(100), []int{100}},
		{"loading at the begin, and a window in the background at the end", game(0, 199), []int{0, 199}},
		{"two in a row", game(100, 101), []int{100, 101}},
		{"too few frames to know", game(3)[:6], nil},
		{"a long hitch", slow(16.7, 900), nil},
		{"1.2 s among 0.9 s", slow(900, 1200), nil},
		{"4 s at 800 ms", slow(800, 4000), nil},
		{"14 s at 800 ms", slow(800, 14_000), []int{50}},
		{"a phase of 1.5 s a frame", made(80, func(i int) float64 {
			if i >= 40 {
				return 1500 * ms
			}
			return 16.7 * ms
		}), nil},
	} {
		x, track := framesOf(c.lengths)
		var got []int
		for _, s := range track.Stops(0, len(c.lengths)-1, nil) {
			got = append(got, s.Frame)
			testkit.Equal(t, s.End-s.Begin, c.lengths[s.Frame], "%s: length", c.name)
		}
		testkit.EqualSlices(t, got, c.want, c.name)
		longest := int64(0)
		for i, ns := range c.lengths {
			if !track.Stopped(i) {
				longest = max(longest, ns)
			}
		}
		p, _ := x.Pace(0, 0, len(c.lengths)-1, 0)
		bars := x.Bars(0, 0, 1000, 1, nil)
		testkit.That(t, int64(p.Longest) == longest && track.Longest(0, 1000) == longest && bars[0].WorstNs == longest &&
			p.Frames == len(c.lengths)-len(c.want) && int(bars[0].Stops) == len(c.want),
			"%s: pace %+v, longest %d, bar %+v, want %d", c.name, p, track.Longest(0, 1000), bars[0], longest)
		worst, hitches := x.Slowest(0, 0, 1000, 3, nil), x.Hitches(0, 0, 1000, nil)
		for _, i := range append(worst, hitches...) {
			testkit.That(t, !track.Stopped(i), "%s: frame %d is among the slowest, or a hitch", c.name, i)
		}
	}
}

// A time between two frames is a stop as well; and a rate leaves both out.
func TestStopBetweenFrames(t *testing.T) {
	_, track := newTrack()
	for i := range int64(100) {
		begin := i * 20 * ms
		if i >= 50 {
			begin += 5000 * ms
		}
		track.Push(i, begin, begin+10*ms, 0)
	}
	got := track.Stops(0, 99, nil)
	testkit.EqualSlices(t, got, []Stop{{Begin: 990 * ms, End: 6000 * ms, Frame: 50, Number: 50, Between: true}}, "stops")
	testkit.EqualSlices(t, track.StopsTouching(2000*ms, 2001*ms, nil), got, "stops at a time")
	testkit.Equal(t, int(track.RateOf(0, 99)), 50, "rate")
}
