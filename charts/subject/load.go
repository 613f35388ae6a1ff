package subject

import (
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// ThreadLoad asks how busy threads without frames are: by the series of their processor load where
// they have one, else by the share of time in which their outermost row is busy. The
// cost of a question is that of a few dozen bars.
type ThreadLoad struct {
	bars []store.Bar
	bins []store.SeriesBin
}

// threadLoadBars is how finely the busy share is asked for.
const threadLoadBars = 64

// ThreadRange returns the range that figures of threads are about: the selected one, else what the timeline shows of the session.
func ThreadRange(v *view.View) (t0, t1 int64) {
	if v.RangeB() > v.RangeA() {
		return v.RangeA(), v.RangeB()
	}
	b, e, ok := v.Session().Bounds()
	if !ok {
		return 0, 1
	}
	t0, t1 = b, e+1
	if v.Time().Valid() {
		from, to := v.Time().Visible()
		if from < e && to > b {
			t0, t1 = max(t0, from), min(t1, to)
		}
	}
	return t0, max(t1, t0+1)
}

// share returns the mean load in a range: 1 is one processor, or all of the time. ok is false when nothing is known.
func (w *ThreadLoad) Share(s *store.Session, id model.TrackID, t0, t1 int64) (share float64, ok bool) {
	if x := LoadSeries(s, id); x != model.NoSeries {
		v, known := w.mean(s.Series(x), t0, t1, 1)
		return v, known
	}
	t := s.Track(id)
	if t == nil || t.NumSpans() == 0 {
		return 0, false
	}
	w.bars = s.VisibleSpans(id, 0, t0, t1, max((t1-t0)/threadLoadBars, 1), w.bars[:0])
	busy := 0.0
	for i := range w.bars {
		b := &w.bars[i]
		if from, to := max(b.Begin, t0), min(b.End, t1); to > from {
			busy += float64(to-from) * float64(b.Busy)
		}
	}
	return min(busy/float64(t1-t0), 1), true
}

// mean returns the load in a bin of a range: of its samples, else the value in force.
func (w *ThreadLoad) mean(x *store.Series, t0, t1 int64, n int) (v float64, ok bool) {
	w.bins = x.Bins(t0, t1, n, w.bins[:0])
	if len(w.bins) == 0 {
		return 0, false
	}
	v, ok = BinLoad(&w.bins[0], x)
	return v, ok
}

// loadMost bounds what is taken for a load: more processors than any machine has.
const loadMost = 1 << 16

// BinLoad returns the load of a bin.
func BinLoad(b *store.SeriesBin, x *store.Series) (v float64, ok bool) {
	_, last, any := x.Bounds()
	switch {
	case b.N > 0:
		return boundLoad(b.Sum / float64(b.N) / loadUnit(x)), true
	case b.HasBefore && b.Gaps == 0 && any && b.Begin <= last:
		return boundLoad(b.Before / loadUnit(x)), true
	}
	return 0, false
}

// boundLoad keeps a load within what can be: what is no number is nothing.
func boundLoad(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, loadMost)
}

// line appends the load in n equal parts of a range.
func (w *ThreadLoad) Line(s *store.Session, id model.TrackID, t0, t1 int64, n int, out []float32) []float32 {
	if x := LoadSeries(s, id); x != model.NoSeries {
		series := s.Series(x)
		w.bins = series.Bins(t0, t1, n, w.bins[:0])
		for i := range w.bins {
			v, _ := BinLoad(&w.bins[i], series)
			out = append(out, float32(v))
		}
		return out
	}
	from := len(out)
	for range n {
		out = append(out, 0)
	}
	part := float64(t1-t0) / float64(n)
	w.bars = s.VisibleSpans(id, 0, t0, t1, max(int64(part), 1), w.bars[:0])
	for i := range w.bars {
		b := &w.bars[i]
		begin, end := max(b.Begin, t0), min(b.End, t1)
		for k := int(float64(begin-t0) / part); k < n && begin < end; k++ {
			to := min(end, t0+int64(part*float64(k+1)))
			if to > begin {
				out[from+k] = min(out[from+k]+float32(float64(to-begin)*float64(b.Busy)/part), 1)
				begin = to
			}
		}
	}
	return out
}

// LastHeard returns the newest time at which something was heard of a track: a span, a sample of its series.
func LastHeard(s *store.Session, id model.TrackID) (timeNs int64, ok bool) {
	_, timeNs, ok = s.Track(id).Bounds()
	for _, x := range s.SeriesOfTrack(id) {
		if _, end, any := s.Series(x).Bounds(); any && (!ok || end > timeNs) {
			timeNs, ok = end, true
		}
	}
	return timeNs, ok
}

// RoleCount returns how many samples a track's series of a role has in a range, and by how much its value grew.
func (w *ThreadLoad) RoleCount(s *store.Session, id model.TrackID, role model.SeriesRole, t0, t1 int64) (n int64, growth float64, ok bool) {
	x := roleSeries(s, id, role)
	if x == model.NoSeries || s.Series(x).Len() == 0 {
		return 0, 0, false
	}
	w.bins = s.Series(x).Bins(t0, t1, 1, w.bins[:0])
	if len(w.bins) == 0 {
		return 0, 0, false
	}
	b := &w.bins[0]
	if b.N > 0 {
		first := b.First
		if b.HasBefore {
			first = b.Before
		}
		growth = max(b.Last-first, 0)
	}
	return b.N, growth, true
}

// LoadSeries returns the series of a track's processor load, NoSeries without one.
func LoadSeries(s *store.Session, id model.TrackID) model.SeriesID {
	return roleSeries(s, id, model.RoleCPULoad)
}

// loadUnit is the value of a load series that stands for one processor, full.
func loadUnit(x *store.Series) float64 {
	switch x.Def.Unit {
	case "%":
		return 100
	case "‰":
		return 1000
	}
	return 1
}

// roleSeries returns the first series of a role that belongs to a track, NoSeries without one.
func roleSeries(s *store.Session, id model.TrackID, role model.SeriesRole) model.SeriesID {
	for _, x := range s.SeriesOfTrack(id) {
		if d := &s.Series(x).Def; d.Role == role {
			return x
		}
	}
	return model.NoSeries
}
