package frames

import (
	"framescope/model"
	"framescope/model/internal/histogram"
)

// Typical is the usual length over all frames of a track; for those around one, see Around.
type Typical struct {
	N        int // of lengths looked at; 0: nothing is known
	MedianNs int64
	// SpreadNs is how far apart the middle half of them lies: from the first quartile to the third.
	SpreadNs int64
}

// typicalFrames is the number of frames of a track sampled for the typical length.
const typicalFrames = 255

// typicalOf is the result for the frames present at that time.
type typicalOf struct {
	Typical
	first, end int64 // positions
	rewinds    uint64
}

// Typical returns the usual length of the frames of a track, from a sample evenly spread over all
// that are in memory. It reads them again only if they changed since the last call.
func (x *Table) Typical(track model.TrackID) Typical {
	t := x.track(track)
	if t == nil || t.NumFrames() == 0 {
		return Typical{}
	}
	x.visited = 0
	kept, f := &t.typical, &t.frames
	if kept.N > 0 && kept.first == f.first && kept.end == t.End() && kept.rewinds == t.rewinds {
		return kept.Typical
	}
	var lengths [typicalFrames]int64
	n := t.NumFrames()
	d := lengths[:min(n, typicalFrames)]
	k := len(d)
	x.visited = int64(k)
	some := d[:0]
	for i := range k {
		if p := f.first + int64(i*n/k); !f.stopped(p) {
			some = append(some, f.Length(p))
		}
	}
	if d, k = some, len(some); k == 0 {
		return Typical{}
	}
	median := histogram.Select(d, k/2)
	spread := histogram.Select(d, (k-1)*3/4) - histogram.Select(d, (k-1)/4)
	*kept = typicalOf{Typical{N: k, MedianNs: median, SpreadNs: spread}, f.first, t.End(), t.rewinds}
	return kept.Typical
}
