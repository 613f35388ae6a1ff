package store

import "framescope/model"

// ForgetStats makes the next question for statistics the first.
func (t *Track) ForgetStats() {
	for k := range t.stats {
		t.stats[k].truncate(0)
	}
}

// StatsWork returns the values tallied and the bins merged for the last question for times.
func (t *Track) StatsWork() int64 { return t.stats[0].work }

// VisibleWork returns the bars of a lane, and how many nodes and spans were looked at for them.
func (s *Session) VisibleWork(track model.TrackID, lane int, t0, t1, minNs int64) (bars, visited int64) {
	v := barWalk{s: s, l: s.lane(track, lane), minNs: minNs}
	bars = int64(len(v.bars(t0, t1, nil)))
	return bars, v.visited
}

// NextSpanWork returns how many spans and list entries NextSpan looks at in a lane.
func (s *Session) NextSpanWork(track model.TrackID, lane int, c model.CollectorID, timeNs int64) int64 {
	l := s.lane(track, lane)
	f := spanFinder{s: s, l: l, c: c}
	f.next(l.firstBeginAt(timeNs))
	return f.visited
}

// CellsWork returns how many values were gathered for the columns.
func (out *Strip) CellsWork() int64 { return int64(len(out.cells)) }
