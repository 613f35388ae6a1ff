package spans

import "slices"

// BinsWork returns Bins, and how many samples and nodes were looked at for them.
func (s *Series) BinsWork(t0, t1 int64, n int) ([]SeriesBin, int64) {
	return s.Bins(t0, t1, n, nil), s.work.visited
}

// StatsWork returns how many samples and bins were looked at for the last Stats.
func (s *Series) StatsWork() int64 { return s.work.visited }

// Chain appends to out the chain of an arrow, from the first to the last, itself among them, at
// most most either way.
func (x *FlowTable) Chain(a Arrow, most int, out []Arrow) []Arrow {
	begun := len(out)
	out = x.Along(a, true, most, out)
	slices.Reverse(out[begun:])
	out = append(out, a)
	return x.Along(a, false, most, out)
}
