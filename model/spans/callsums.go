package spans

import (
	"math"
	"math/bits"

	"framescope/model"
)

// CallSums are all results of a CallSearch: the number of calls of each thread and call path, and
// their lengths. Its memory goes by threads and call paths, not by calls.
type CallSums struct {
	callTotals

	parts []*partSums
	both  partSums // of a thread that several parts have
}

type callTotals struct {
	Count int64 // all calls
	SumNs int64 // their lengths, one after the other
	Bins  [NumCallBins]int64
}

// partSums are those of a part of the lanes.
type partSums struct {
	callTotals

	tracks []trackSums
}

// trackSums are the sums of a thread by call path.
type trackSums struct {
	track model.TrackID
	rows  []CallSum // by path
	used  []model.PathID
}

// CallSum sums up calls.
type CallSum struct {
	Track        model.TrackID
	Path         model.PathID
	Count        int64
	SumNs        int64
	MinNs, MaxNs int64
}

// Lengths are counted in bins that are at most a 32nd of their value wide.
const (
	binBits = 5

	// NumCallBins is how many bins of lengths there are.
	NumCallBins = (64 - binBits) << binBits
)

// CallBin returns the bin of a length, ns, that is not negative.
func CallBin(ns int64) int {
	up := max(bits.Len64(uint64(ns))-binBits-1, 0)
	return up<<binBits + int(ns>>up)
}

// CallBinFrom returns the least length in a bin, ns; that of the bin behind it is where it ends.
func CallBinFrom(bin int) int64 {
	up := max(bin>>binBits-1, 0)
	return int64(bin-up<<binBits) << up
}

func (x *partSums) start() {
	x.callTotals = callTotals{}
	for i := range x.tracks {
		t := &x.tracks[i]
		for _, p := range t.used {
			t.rows[p] = CallSum{}
		}
		t.used = t.used[:0]
	}
	x.tracks = x.tracks[:0]
}

func (x *partSums) add(track model.TrackID, found []Found) {
	if len(found) == 0 {
		return
	}
	t := x.sumsOf(track)
	rows, sum := t.rows, int64(0)
	for i := range found {
		ns, p := found[i].Ns, int(found[i].Path)
		if p >= len(rows) || rows[p].Count == 0 {
			t.row(track, found[i].Path)
			rows = t.rows
		}
		r := &rows[p]
		sum += ns
		x.Bins[CallBin(ns)]++
		r.SumNs += ns
		r.Count++
		if ns < r.MinNs {
			r.MinNs = ns
		}
		if ns > r.MaxNs {
			r.MaxNs = ns
		}
	}
	x.Count, x.SumNs = x.Count+int64(len(found)), x.SumNs+sum
}

// sumsOf returns the sums of a thread, which are the last ones: threads are searched one by one.
func (x *partSums) sumsOf(track model.TrackID) *trackSums {
	n := len(x.tracks)
	if n > 0 && x.tracks[n-1].track == track {
		return &x.tracks[n-1]
	}
	if n < cap(x.tracks) {
		x.tracks = x.tracks[:n+1] // with the memory of the search before
	} else {
		x.tracks = append(x.tracks, trackSums{})
	}
	x.tracks[n].track = track
	return &x.tracks[n]
}

// row returns the sum of a call path, which may be new.
func (t *trackSums) row(track model.TrackID, p model.PathID) *CallSum {
	if n := int(p) + 1; n > len(t.rows) {
		t.rows = append(t.rows, make([]CallSum, n-len(t.rows))...)
	}
	r := &t.rows[p]
	if r.Count == 0 {
		r.Track, r.Path, r.MinNs, r.MaxNs = track, p, math.MaxInt64, 0
		t.used = append(t.used, p)
	}
	return r
}

// start begins with the sums of all shards.
func (x *CallSums) start(shards []*callShard) {
	x.parts = x.parts[:0]
	for _, h := range shards {
		x.parts = append(x.parts, &h.sums)
	}
	x.callTotals = callTotals{}
}

// sum adds up the totals of the parts so far, except those by call path.
func (x *CallSums) sum() {
	x.callTotals = callTotals{}
	for _, p := range x.parts {
		x.Count, x.SumNs = x.Count+p.Count, x.SumNs+p.SumNs
		for i, n := range p.Bins {
			x.Bins[i] += n
		}
	}
}

// Each calls fn with the sum of each thread and call path that has calls. It must not run beside Step.
func (x *CallSums) Each(fn func(s *CallSum)) {
	x.both.start()
	for _, part := range x.parts { // those of a thread follow each other
		for i := range part.tracks {
			from := &part.tracks[i]
			t := x.both.sumsOf(from.track)
			for _, p := range from.used {
				r, s := t.row(from.track, p), &from.rows[p]
				r.Count, r.SumNs = r.Count+s.Count, r.SumNs+s.SumNs
				r.MinNs, r.MaxNs = min(r.MinNs, s.MinNs), max(r.MaxNs, s.MaxNs)
			}
		}
	}
	for i := range x.both.tracks {
		t := &x.both.tracks[i]
		for _, p := range t.used {
			fn(&t.rows[p])
		}
	}
}
