package spans

// BinsWork returns Bins, and how many samples and nodes were looked at for them.
func (s *Series) BinsWork(t0, t1 int64, n int) ([]SeriesBin, int64) {
	return s.data.countedBins(t0, t1, n, nil)
}

// StatsWork returns how many samples and bins were looked at for the last Stats.
func (s *Series) StatsWork() int64 { return s.data.work.visited }
