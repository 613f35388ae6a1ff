package frames

import (
	"framescope/model"
	"framescope/model/columns"
)

// Visited returns the work that the last answer of Strip, Bars, Slowest, Typical, Around, Hitches, or
// of statistics of all collectors or by way of blocks took: values, bins and frames looked at. Of exact
// statistics it is the spans and values read.
func (x *Table) Visited() int64 { return x.visited }

// Blocks returns how many blocks of frames are kept, that statistics of long ranges are made from.
func (t *Thread) Blocks() (n int) {
	for k := range t.stats {
		for i := range t.End() >> columns.StatShift {
			if t.stats[k].blocks.At(0, i) != nil {
				n++
			}
		}
	}
	return n
}

// ForgetStats frees these blocks: they are made again on demand.
func (t *Thread) ForgetStats() {
	for k := range t.stats {
		t.stats[k].truncate(0)
	}
	t.rewinds++
}

// FirstLoose returns the position of the oldest level of a collector that is kept of those that
// belong to no frame; ok is false where none ever came.
func (t *Thread) FirstLoose(c model.CollectorID) (first int64, ok bool) {
	points := t.levels.loose[c]
	if points == nil {
		return 0, false
	}
	return points.Start(), true
}

// Kept returns how many net values of frames, and how many sums of frames before others, are kept
// for the next query.
func (out *Strip) Kept() (nets, sums int) {
	return len(out.nets.nets.Sums), len(out.sums.levels[0].Sums)
}
