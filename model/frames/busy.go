package frames

import (
	"framescope/model"
	"framescope/model/columns"
)

// Busy returns how long a thread worked in the mean of the received frames with index [first, last], ns:
// the self times of all collectors but those that wait and that of whole frames, whose own time nobody
// measured. Frames without any count as 0.
func (x *Table) Busy(track model.TrackID, first, last int) (ns float64) {
	t := x.track(track)
	if t == nil {
		return 0
	}
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0
	}
	works := &x.host.Work.works
	works.aim(x.host.Collectors.Tree())
	if to-from >= columns.StatExact {
		stats := x.AllStats(track, false, first, last, works.stats[:0])
		for i := range stats {
			if works.has(stats[i].Collector) {
				ns += stats[i].SelfMean * 1e9
			}
		}
		works.stats = stats
		return ns
	}
	sum := int64(0)
	for i, end := rowsBefore(&t.frames.alone, from), t.frames.alone.At(to); i < end; {
		run := t.alone.rows.Run(i, end)
		for k := range run {
			if row := &run[k]; works.has(model.CollectorID(row.collector)) {
				one := row.ns()
				if row.wide() {
					one, _ = t.alone.widen(i + int64(k))
				}
				sum += one
			}
		}
		i += int64(len(run))
	}
	return float64(sum) / float64(to-from+1)
}

// works knows which collectors' self time is work.
type works struct {
	tree  *model.Hierarchy
	rev   uint64
	slots []bool // by slot of the tree
	stats []Stats
}

// aim takes the collectors of a session.
func (w *works) aim(tree *model.Hierarchy) {
	if w.tree == tree && w.rev == tree.Rev && len(w.slots) == len(tree.All) {
		return
	}
	w.tree, w.rev, w.slots = tree, tree.Rev, w.slots[:0]
	for i := range tree.All {
		w.slots = append(w.slots, tree.All[i].Works())
	}
}

func (w *works) has(id model.CollectorID) bool {
	slot := w.tree.Slot(id)
	return slot >= 0 && w.slots[slot]
}
