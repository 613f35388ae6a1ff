package spans

import "framescope/model"

// Where there are no frames, the spikes are the longest spans of a collector, or of a row of the
// track.
const (
	spikeFew   = 8  // spans that a row has at least, to be looked at
	spikeRows  = 64 // rows that are tried at most
	spansAhead = 64 // of the longest that are looked at to go from spike to spike
)

// SpikeRow returns the row of a track to search for spikes in [t0, t1): the outermost one with some
// number of spans, since a thread with sampled stacks is in one and the same call in its first
// rows; else the one with the most, the outermost of equals.
func (x *Table) SpikeRow(track model.TrackID, t0, t1 int64) (row int) {
	t := x.lanes.Track(track)
	if t == nil {
		return 0
	}
	var buf [spikeFew]Bar
	most := 0
	for i := range min(t.Lanes(), spikeRows) {
		n := len(x.Longest(track, model.NoCollector, i, t0, t1, spikeFew, buf[:0]))
		if n >= spikeFew {
			return i
		}
		if n > most {
			row, most = i, n
		}
	}
	return row
}

// spikeKind returns the spans to search for spikes in [t0, t1): those of a collector in all rows
// (-1) if it ran, else those of SpikeRow; all if they do not nest.
func (x *Table) spikeKind(track model.TrackID, c model.CollectorID, t0, t1 int64) (of model.CollectorID, row int) {
	var buf [1]Bar
	if c != model.NoCollector && len(x.Longest(track, c, -1, t0, t1, 1, buf[:0])) > 0 {
		return c, -1
	}
	if !x.host.Kind(track).Calls() { // rows only separate overlapping spans
		return model.NoCollector, -1
	}
	return model.NoCollector, x.SpikeRow(track, t0, t1)
}

// NextSpike returns the nearest of the longest spans of a track in [t0, t1) that begins after a time (dir > 0) or
// before it: of a collector if it ran there, else of SpikeRow; of all of a track with spans that do not nest.
func (x *Table) NextSpike(track model.TrackID, c model.CollectorID, t0, t1, at int64, dir int) (next Bar, ok bool) {
	c, row := x.spikeKind(track, c, t0, t1)
	if dir > 0 {
		t0 = at + 1
	} else {
		t1 = at
	}
	for _, b := range x.Longest(track, c, row, t0, t1, spansAhead, nil) {
		ahead := dir > 0 && b.Begin > at || dir < 0 && b.Begin < at
		nearer := !ok || (b.Begin < next.Begin) == (dir > 0)
		if ahead && nearer {
			next, ok = b, true
		}
	}
	return next, ok
}
