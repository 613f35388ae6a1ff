package frames

import (
	"slices"

	"framescope/model"
)

// Typical is what is usual of a number of lengths.
type Typical struct {
	N        int // of lengths looked at; 0: nothing is known
	MedianNs int64
	// SpreadNs is how far apart the middle half of them lies: from the first quartile to the third.
	SpreadNs int64
}

// SpikeNs returns the length from which something stands out: half as long again as the median.
func (t Typical) SpikeNs() int64 { return t.MedianNs + t.MedianNs/2 }

// typicalFrames is how many frames of a track are looked at to know what is typical.
const typicalFrames = 255

// Typical returns what is usual of the frames of a track: of some of them, evenly spread over
// all that are in memory.
func (x *Table) Typical(track model.TrackID) Typical {
	t := x.track(track)
	if t == nil || t.Len() == 0 {
		return Typical{}
	}
	var d [typicalFrames]int64
	n := t.Len()
	k := min(n, typicalFrames)
	for i := range k {
		f := t.Frame(i * n / k)
		d[i] = f.End - f.Begin
	}
	slices.Sort(d[:k])
	return Typical{N: k, MedianNs: d[k/2], SpreadNs: d[(k-1)*3/4] - d[(k-1)/4]}
}

// Spikes appends the indices of the n longest frames of a track in [first, last] that stand out
// from what is typical of the track, longest first.
func (x *Table) Spikes(track model.TrackID, first, last, n int, out []int) []int {
	from, limit, t := len(out), x.Typical(track).SpikeNs(), x.track(track)
	out = x.Slowest(track, first, last, n, out)
	for i := from; i < len(out); i++ {
		if f := t.Frame(out[i]); f.End-f.Begin < limit {
			return out[:i]
		}
	}
	return out
}

// spikesAhead is how many of the longest frames are looked at to go from spike to spike.
const spikesAhead = 64

// NextSpike returns the nearest of the greatest spikes after a frame (dir > 0) or before it: of
// what lies ahead, so that a track with thousands of spikes has a next one, too.
func (x *Table) NextSpike(track model.TrackID, frame, dir int) (index int, ok bool) {
	t := x.track(track)
	if t == nil {
		return 0, false
	}
	first, last := frame+1, t.Len()-1
	if dir < 0 {
		first, last = 0, frame-1
	}
	var buf [spikesAhead]int
	for _, i := range x.Spikes(track, first, last, spikesAhead, buf[:0]) {
		if !ok || dir > 0 && i < index || dir < 0 && i > index {
			index, ok = i, true
		}
	}
	return index, ok
}
