package frames

import (
	"framescope/model"
	"framescope/model/internal/histogram"
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

// typicalOf is what is usual of the frames that there were when it was found out.
type typicalOf struct {
	Typical
	first, end int64 // positions
	rewinds    uint64
}

// Typical returns what is usual of the frames of a track: of some of them, evenly spread over
// all that are in memory. It looks at them again only where others are there than at the last
// question.
func (x *Table) Typical(track model.TrackID) Typical {
	t := x.track(track)
	if t == nil || t.Len() == 0 {
		return Typical{}
	}
	x.visited = 0
	kept, f := &t.typical, &t.frames
	if kept.N > 0 && kept.first == f.first && kept.end == t.End() && kept.rewinds == t.rewinds {
		return kept.Typical
	}
	var lengths [typicalFrames]int64
	n := t.Len()
	d := lengths[:min(n, typicalFrames)]
	k := len(d)
	for i := range d {
		d[i] = f.length(f.first + int64(i*n/k))
	}
	x.visited = int64(k)
	median := histogram.Select(d, k/2)
	spread := histogram.Select(d, (k-1)*3/4) - histogram.Select(d, (k-1)/4)
	*kept = typicalOf{Typical{N: k, MedianNs: median, SpreadNs: spread}, f.first, t.End(), t.rewinds}
	return kept.Typical
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
