package subject

import (
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// ThreadLoad computes how busy threads without frames are: by the series of their processor load if
// they have one, else by the share of time in which their outermost row is busy. A query costs some
// dozen bars; if frames overlap, as much as spans.Table.Busy.
type ThreadLoad struct {
	bars []spans.Bar
	bins []spans.SeriesBin
}

// threadLoadBars is the resolution of the busy share.
const threadLoadBars = 64

// UpTo returns the end of the time for figures of a view up to t1: the very end of the session is
// in view with it.
func UpTo(s *store.Session, t1 int64) int64 {
	if _, end, ok := s.Bounds(); ok && t1 >= end {
		return max(t1, end+1)
	}
	return t1
}

// ThreadRange returns the range of figures of threads: the selected one, else the timeline's window
// in the session.
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
			if t0 = max(t0, from); to < e { // the very end is in view with it
				t1 = to
			}
		}
	}
	return t0, max(t1, t0+1)
}

// Share returns how busy a thread was in a range: 1 is one processor, or all of the time. ok is
// false if it is unknown, as for every track that is no thread.
func (w *ThreadLoad) Share(s *store.Session, id model.TrackID, t0, t1 int64) (share float64, ok bool) {
	if share, ok := s.Spans().CPULoad(id, t0, t1); ok || LoadSeries(s, id) != model.NoSeries {
		return share, ok
	}
	t := s.Track(id)
	if t == nil || t.NumSpans() == 0 || !t.Def.Kind.Calls() {
		return 0, false
	}
	return w.Covered(s, id, t0, t1), true
}

// Covered returns the share of a range in which something ran on a track, 1 is all of it: that
// covered by its outermost row, or if frames overlap by any row.
func (w *ThreadLoad) Covered(s *store.Session, id model.TrackID, t0, t1 int64) (share float64) {
	if s.Spans().Overlaps(id) {
		return float64(s.Spans().Busy(id, t0, t1)) / float64(t1-t0)
	}
	return min(w.covered(s, id, t0, t1, (t1-t0)/threadLoadBars)/float64(t1-t0), 1)
}

// covered returns how much of a range the outermost row covers, in ns. It looks closer at merged
// bars that stick out of the range, so the answer is exact.
func (w *ThreadLoad) covered(s *store.Session, id model.TrackID, t0, t1, minNs int64) (ns float64) {
	from := len(w.bars)
	w.bars = s.Spans().Visible(id, 0, t0, t1, minNs, w.bars)
	for i, to := from, len(w.bars); i < to; i++ {
		b := w.bars[i]
		switch begin, end := max(b.Begin, t0), min(b.End, t1); {
		case end <= begin:
		case b.Count > 1 && end-begin < b.End-b.Begin:
			ns += w.covered(s, id, begin, end, minNs/threadLoadBars)
		default:
			ns += float64(end-begin) * float64(b.Busy)
		}
	}
	w.bars = w.bars[:from]
	return ns
}

// Line appends the load in n equal parts of a range.
func (w *ThreadLoad) Line(s *store.Session, id model.TrackID, t0, t1 int64, n int, out []float32) []float32 {
	if x := LoadSeries(s, id); x != model.NoSeries {
		series := s.Series().ByID(x)
		w.bins = series.Bins(t0, t1, n, w.bins[:0])
		for i := range w.bins {
			v, _ := w.bins[i].Load(series)
			out = append(out, float32(v))
		}
		return out
	}
	from := len(out)
	for range n {
		out = append(out, 0)
	}
	part := float64(t1-t0) / float64(n)
	if s.Spans().Overlaps(id) {
		for k := range n {
			a, b := t0+int64(part*float64(k)), t0+int64(part*float64(k+1))
			out[from+k] = float32(w.Covered(s, id, a, max(b, a+1)))
		}
		return out
	}
	w.bars = s.Spans().Visible(id, 0, t0, t1, max(int64(part), 1), w.bars[:0])
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

// LastHeard returns the newest time at which something was heard of a track: a span, a sample of
// its series.
func LastHeard(s *store.Session, id model.TrackID) (timeNs int64, ok bool) {
	_, timeNs, ok = s.Track(id).Bounds()
	for _, x := range s.Series().ByTrack(id) {
		if _, end, any := s.Series().ByID(x).Bounds(); any && (!ok || end > timeNs) {
			timeNs, ok = end, true
		}
	}
	return timeNs, ok
}

// Samples returns how many samples of a thread's stack there are in a range.
func Samples(s *store.Session, id model.TrackID, t0, t1 int64) (n int64, ok bool) {
	return s.Spans().NumSamples(id, t0, t1)
}

// LoadSeries returns the series of a track's processor load, NoSeries without one.
func LoadSeries(s *store.Session, id model.TrackID) model.SeriesID {
	return roleSeries(s, id, model.RoleCPULoad)
}

// roleSeries returns the first series of a role that belongs to a track, NoSeries without one.
func roleSeries(s *store.Session, id model.TrackID, role model.SeriesRole) model.SeriesID {
	for _, x := range s.Series().ByTrack(id) {
		if d := &s.Series().ByID(x).Def; d.Role == role {
			return x
		}
	}
	return model.NoSeries
}
