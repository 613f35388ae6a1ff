package locks

import "framescope/model"

// StatsWork returns Stats, and how many uses and nodes were looked at for it.
func (t *Table) StatsWork(t0, t1 int64) (table []Stats, visited int64) {
	table = t.stats(t0, t1, nil, &visited)
	return table, visited
}

// BarsWork returns Bars, and how many uses and nodes were looked at for them.
func (t *Table) BarsWork(lock model.CollectorID, t0, t1, minNs int64) (bars []Bar, visited int64) {
	bars = t.bars(lock, t0, t1, minNs, nil, &visited)
	return bars, visited
}

// JudgeWork returns how many threads were asked for holds of a lock so far.
func (t *Table) JudgeWork(lock model.CollectorID) int64 { return t.of[lock].judgements }

// ArrowWork returns how many signals, wake-ups and arrows of a lock were looked at so far.
func (t *Table) ArrowWork(lock model.CollectorID) int64 { return t.of[lock].arrows.visited }
