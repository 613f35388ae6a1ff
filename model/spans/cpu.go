package spans

import (
	"framescope/model"
)

// Processor time of threads, defined once for panels, reports and exports.

// seriesOfRole returns the first series of a role that belongs to a track, nil without one.
func (x *Table) seriesOfRole(id model.TrackID, role model.SeriesRole) *Series {
	for _, y := range x.host.Series.ByTrack(id) {
		if y := x.host.Series.ByID(y); y.Def.Role == role {
			return y
		}
	}
	return nil
}

// CPUTime returns the processor time of a thread in [t0, t1), in ns: the growth of its clock from
// the newest reading before t0 to the newest one before t1, and no more than the time that passed,
// since a reading may include use before the range. For sampled stacks it is the total of their
// call tree (MeasureCPU), with time that no stack with frames is known for. ok is false with fewer
// than two readings: one alone shows no growth.
func (x *Table) CPUTime(id model.TrackID, t0, t1 int64) (ns float64, ok bool) {
	if stack, clock := x.sampledSeries(id); stack != nil && clock != nil && t0 < t1 {
		index := x.stacks.Of(stack, clock, x.codePaths(), *x.host.Revision)
		return float64(index.CPU(model.ClampTime(t0), model.ClampTime(t1))), true
	}
	y := x.seriesOfRole(id, model.RoleCPUTime)
	if y == nil || y.Len() == 0 {
		return 0, false
	}
	var room [1]SeriesBin
	bins := y.Bins(t0, t1, 1, room[:0])
	if len(bins) == 0 {
		return 0, false
	}
	b := &bins[0]
	first, readings := b.First, b.N
	if b.HasBefore {
		first, readings = b.Before, b.N+1
	}
	if readings < 2 {
		return 0, b.HasBefore // nothing new: it did not grow
	}
	return min(max(b.Last-first, 0), float64(t1-t0)), true
}

// Life returns the part of [t0, t1) from which anything of a track was received: from the first to
// the last of its spans and of the samples of its series. ok is false where that is nothing, or one
// moment.
func (x *Table) Life(id model.TrackID, t0, t1 int64) (begin, end int64, ok bool) {
	any := false
	if t := x.lanes.Track(id); t != nil {
		begin, end, any = t.Bounds()
	}
	for _, y := range x.host.Series.ByTrack(id) {
		if b, e, some := x.host.Series.ByID(y).Bounds(); some {
			if !any {
				begin, end, any = b, e, true
			}
			begin, end = min(begin, b), max(end, e)
		}
	}
	begin, end = max(begin, t0), min(end, t1)
	return begin, end, any && begin < end
}

// CPULoad returns a thread's share of a processor in [t0, t1); 1 is one processor, full. It is
// CPUTime by the time that the thread lived in the range; without readings of the thread's clock, the
// mean of the measured loads.
func (x *Table) CPULoad(id model.TrackID, t0, t1 int64) (share float64, ok bool) {
	if t1 <= t0 {
		return 0, false
	}
	if ns, ok := x.CPUTime(id, t0, t1); ok {
		begin, end, lived := x.Life(id, t0, t1)
		if !lived {
			return 0, false
		}
		return ns / float64(end-begin), true
	}
	y := x.seriesOfRole(id, model.RoleCPULoad)
	if y == nil {
		return 0, false
	}
	var room [1]SeriesBin
	bins := y.Bins(t0, t1, 1, room[:0])
	if len(bins) == 0 {
		return 0, false
	}
	return bins[0].Load(y)
}
