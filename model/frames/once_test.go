package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
)

// plainTypical is Typical by a walk over the frames and a sort.
func plainTypical(t *Track) Typical {
	n := t.Len()
	k := min(n, typicalFrames)
	var d []int64
	for i := range k {
		f := t.Frame(i * n / k)
		d = append(d, f.End-f.Begin)
	}
	slices.Sort(d)
	return Typical{N: k, MedianNs: d[k/2], SpreadNs: d[(k-1)*3/4] - d[(k-1)/4]}
}

// plainRunning is running by a walk over the frames.
func plainRunning(f *list, timeNs int64) int64 {
	for p := f.number.End() - 1; p >= f.first; p-- {
		if f.begin.At(p) <= timeNs && f.end.At(p) > timeNs {
			return p
		}
	}
	return -1
}

// What is typical, the longest frame and which frame runs at a time is right after whatever came, left or was taken
// back, and what is typical is found out once for the frames that there are.
func TestTypicalAndRunningFollowTheFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		table, track := newTrack()
		at, number := int64(0), int64(0)
		for range 60 {
			number = lose(rng, track, number)
			for range 1 + rng.IntN(90) {
				at += 5 + rng.Int64N(10) - int64(rng.IntN(12)) // now and then backwards, or over another
				track.Push(number, at, at+rng.Int64N(12), 0)
				number++
			}
			got, want := table.Typical(0), plainTypical(track)
			testkit.MustThat(t, got == want, "typical of %d frames: %+v, want %+v", track.Len(), got, want)
			table.Typical(0)
			testkit.MustThat(t, table.Visited() == 0, "the second question looks at %d frames", table.Visited())
			first := rng.IntN(track.Len())
			last, most, sum := first+rng.IntN(track.Len()-first), int64(0), int64(0)
			for i := first; i <= last; i++ {
				sum += track.Frame(i).End - track.Frame(i).Begin
				most = max(most, track.Frame(i).End-track.Frame(i).Begin)
			}
			testkit.MustEqual(t, track.Longest(first, last), most, "the longest of frames %d to %d takes", first, last)
			testkit.MustEqual(t, track.Sum(first, last), sum, "frames %d to %d take … together", first, last)
			for range 20 {
				timeNs := track.Frame(rng.IntN(track.Len())).Begin - 5 + rng.Int64N(20)
				got, _ := track.frames.running(timeNs)
				testkit.MustEqual(t, got, plainRunning(&track.frames, timeNs), "frame … runs at %d", timeNs)
			}
		}
	}
}

// Which frame runs at a time takes a look at no more than the nodes beside it, of each level.
func TestWorkOfTheRunningFrame(t *testing.T) {
	_, track := newTrack()
	const n = 1 << 16
	for i := range int64(n) {
		track.Push(i, i*20, i*20+16, 0)
	}
	f := &track.frames
	if _, visited := f.extent(1, n-1); visited > 32*int64(f.worst.Depth()+1) {
		t.Errorf("%d frames and nodes looked at for what frames take together", visited)
	}
	for _, at := range []int64{0, 1, n / 3 * 20, n/2*20 + 17, n*20 - 5, n * 20, -1} {
		if _, visited := f.running(at); visited > 16*int64(f.worst.Depth()+1) {
			t.Errorf("at %d: %d frames and nodes looked at, of %d levels", at, visited, f.worst.Depth())
		}
	}
}
