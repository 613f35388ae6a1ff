package store

// ForgetStats makes the next question for statistics the first.
func (t *Track) ForgetStats() {
	for k := range t.stats {
		t.stats[k].truncate(0)
	}
}

// StatsWork returns the values tallied and the bins merged for the last question for times.
func (t *Track) StatsWork() int64 { return t.stats[0].work }

// CellsWork returns how many values were gathered for the columns.
func (out *Strip) CellsWork() int64 { return int64(len(out.cells)) }
