package frames

import "framescope/model"

// Busy returns how long a thread worked in the mean of the received frames with index [first, last], ns:
// the self times of all collectors but those that wait and that of whole frames, whose own time nobody
// measured. Frames without any count as 0.
func (x *Table) Busy(track model.TrackID, first, last int) (ns float64) {
	t := x.track(track)
	if t == nil {
		return 0
	}
	if first == last {
		t, p, ok := x.positionOf(track, first)
		if !ok {
			return 0
		}
		for i := rowsBefore(&t.frames.alone, p); i < t.frames.alone.At(p); i++ {
			if row := t.alone.at(i); x.works(row.Collector) {
				ns += float64(row.Ns)
			}
		}
		return ns
	}
	x.host.Work.busy = x.AllStats(track, false, first, last, x.host.Work.busy[:0])
	for i := range x.host.Work.busy {
		if s := &x.host.Work.busy[i]; x.works(s.Collector) {
			ns += s.SelfMean * 1e9
		}
	}
	return ns
}

// works reports whether the self time of a collector is work.
func (x *Table) works(id model.CollectorID) bool {
	h := x.host.Collectors.Tree()
	slot := h.Slot(id)
	return slot >= 0 && h.All[slot].Works()
}
