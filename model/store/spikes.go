package store

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

// TypicalFrame returns what is usual of the frames of a track: of some of them, evenly spread over
// all that are in memory.
func (s *Session) TypicalFrame(track model.TrackID) Typical {
	t := s.Track(track)
	if t == nil || t.NumFrames() == 0 {
		return Typical{}
	}
	var d [typicalFrames]int64
	n := t.NumFrames()
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
func (s *Session) Spikes(track model.TrackID, first, last, n int, out []int) []int {
	from, limit, t := len(out), s.TypicalFrame(track).SpikeNs(), s.Track(track)
	out = s.SlowestFrames(track, first, last, n, out)
	for i := from; i < len(out); i++ {
		if f := t.Frame(out[i]); f.End-f.Begin < limit {
			return out[:i]
		}
	}
	return out
}

// spikesAhead is how many of the longest frames or spans are looked at to go from spike to spike.
const spikesAhead = 64

// NextSpike returns the nearest of the greatest spikes after a frame (dir > 0) or before it: of
// what lies ahead, so that a track with thousands of spikes has a next one, too.
func (s *Session) NextSpike(track model.TrackID, frame, dir int) (index int, ok bool) {
	t := s.Track(track)
	if t == nil {
		return 0, false
	}
	first, last := frame+1, t.NumFrames()-1
	if dir < 0 {
		first, last = 0, frame-1
	}
	var buf [spikesAhead]int
	for _, i := range s.Spikes(track, first, last, spikesAhead, buf[:0]) {
		if !ok || dir > 0 && i < index || dir < 0 && i > index {
			index, ok = i, true
		}
	}
	return index, ok
}

// Where there are no frames, the spikes are the longest spans of a collector, or of a row of the
// track.
const (
	spikeFew  = 8  // spans that a row has at least, to be looked at
	spikeRows = 64 // rows that are tried at most
)

// SpikeRow returns the row of a track that is looked at for spikes in [t0, t1): the outermost one
// with some number of spans, since a thread whose stack was sampled is in one and the same call in
// its first rows; else the one with the most, the outermost of equals.
func (s *Session) SpikeRow(track model.TrackID, t0, t1 int64) (row int) {
	t := s.Track(track)
	if t == nil {
		return 0
	}
	var buf [spikeFew]Bar
	most := 0
	for i := range min(t.Lanes(), spikeRows) {
		n := len(s.LongestSpans(track, model.NoCollector, i, t0, t1, spikeFew, buf[:0]))
		if n >= spikeFew {
			return i
		}
		if n > most {
			row, most = i, n
		}
	}
	return row
}

// spikeKind tells whose spans are spikes in [t0, t1): those of a collector in all rows (-1) if it
// ran, else those of SpikeRow.
func (s *Session) spikeKind(track model.TrackID, c model.CollectorID, t0, t1 int64) (of model.CollectorID, row int) {
	var buf [1]Bar
	if c != model.NoCollector && len(s.LongestSpans(track, c, -1, t0, t1, 1, buf[:0])) > 0 {
		return c, -1
	}
	return model.NoCollector, s.SpikeRow(track, t0, t1)
}

// SpikeSpans appends the n longest spans of a track that touch [t0, t1), the longest first: those
// of a collector if it ran there (row is -1 then), else those of SpikeRow.
func (s *Session) SpikeSpans(track model.TrackID, c model.CollectorID, t0, t1 int64, n int, out []Bar) (spans []Bar, row int) {
	c, row = s.spikeKind(track, c, t0, t1)
	return s.LongestSpans(track, c, row, t0, t1, n, out), row
}

// NextSpikeSpan is NextSpike for SpikeSpans of [t0, t1): the nearest of the longest that begin
// after a time (dir > 0) or before it.
func (s *Session) NextSpikeSpan(track model.TrackID, c model.CollectorID, t0, t1, at int64, dir int) (next Bar, ok bool) {
	c, row := s.spikeKind(track, c, t0, t1)
	if dir > 0 {
		t0 = at + 1
	} else {
		t1 = at
	}
	for _, x := range s.LongestSpans(track, c, row, t0, t1, spikesAhead, nil) {
		ahead := dir > 0 && x.Begin > at || dir < 0 && x.Begin < at
		nearer := !ok || (x.Begin < next.Begin) == (dir > 0)
		if ahead && nearer {
			next, ok = x, true
		}
	}
	return next, ok
}
