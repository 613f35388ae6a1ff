package subject

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
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
// in the session, or all of a file as it was opened.
func ThreadRange(v *view.View) (t0, t1 int64) {
	if v.RangeB() > v.RangeA() {
		return v.RangeA(), v.RangeB()
	}
	b, e, ok := v.Session().Bounds()
	if !ok {
		return 0, 1
	}
	t0, t1 = b, e+1
	if v.Time().Valid() && !v.AsOpened() {
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

// States of sampled threads, drawn alike in every panel.

// StateColor returns the color of a state of a thread, none for an unknown one.
func StateColor(t *assets.Theme, s spans.State) draw.Color {
	switch s {
	case spans.StateRunning:
		return draw.Color(t.Live)
	case spans.StateReady:
		return draw.Color(t.Live).WithAlpha(100)
	case spans.StateIO:
		return draw.Color(t.Faster)
	case spans.StateBlocked:
		return draw.Color(t.Bad)
	case spans.StateWaiting:
		return draw.Color(t.TextDim).WithAlpha(120)
	}
	return draw.Color{}
}

// StateWord is a short name of a state.
func StateWord(s spans.State) string {
	if s == spans.StateReady {
		return "ready"
	}
	return s.String()
}

// StateTips adds the states of a thread, those that it was in, each with its share and its time.
func StateTips(l *panel.TipLines, a *spans.Activity) {
	for s := range spans.NumStates {
		name := s.String()
		if s == spans.StateReady && !a.HasCPU {
			name = "running, ready or at a monitor"
		}
		l.If(a.Ns[s] > 0).Text(name + "\t").Percent(a.Share(s)).Text(" · ").Duration(a.Ns[s]).End()
	}
}

// StateIn returns which state a series has in [t0, t1), ns: at a moment the one at its end, and since
// when; in a longer time, which may end with everything shut down, the highest. ok is false where no
// state is known.
func StateIn(x *spans.Series, t0, t1 int64, around view.Around) (value float64, since int64, ok bool) {
	if around == view.AroundMoment {
		sample, ok := x.At(t1 - 1)
		return sample.Value, sample.Time, ok
	}
	var one [1]spans.SeriesBin
	for _, b := range x.Bins(t0, t1, 1, one[:0]) {
		if value, ok = b.Max, b.N > 0; b.HasBefore && (!ok || b.Before > value) {
			value, ok = b.Before, true
		}
	}
	return value, 0, ok
}

// FrameWork is the figure beside the name of a thread: what it did in a frame, or in the mean of several.
type FrameWork struct {
	Frames int64 // of the thread that the figure is from; 0: there is none
	Beside bool  // they go with those that the figures are of, so that the budget is theirs, too
	Known  bool  // what it did in them; else the next three are 0
	Of     int64 // the number of frames that their sum is shared among
	Busy   int64 // ns in spans that are no waits
	Waits  int64 // ns in waits: idle, parked
	Bare   int64 // ns that no span within the frame covers
	Wall   int64 // ns from begin to end of one of its own frames
}

// Share is the frames of a thread that the figures of all threads are of.
type Share struct {
	Of          model.TrackID
	First, Last int // Last < First: each thread counts by its own frames
}

// SharedBy returns the frames that a view is about.
func SharedBy(v *view.View) Share {
	x := Share{v.Track(), 0, -1}
	if v.Live() || v.FrameA() >= 0 {
		x.First, x.Last = panel.FramesOf(v, x.Of)
	}
	return x
}

// outOfPace: frames that, up to the end of those which the figures are of, take so many times as long belong to a
// thread that is idle most of the time.
const outOfPace = 2

// WorkOf returns the work of a thread in its frames [first, last]. Frames that go with those which the figures are
// of count one by one; those share the sum of others. If the thread is out of pace, all frames from the begin of its
// first one on share it.
func WorkOf(s *store.Session, id model.TrackID, first, last int, by Share) (x FrameWork) {
	t := s.Track(id)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		return x
	}
	x.Frames = t.CountedFrames(first, last)
	x.Of, x.Beside = x.Frames, true
	if n := s.CountedFrames(by.Of, by.First, by.Last); id != by.Of && n > 0 {
		of := s.Track(by.Of)
		begin, end, _ := of.FrameTimes(by.First, by.Last)
		ownBegin, ownEnd, _ := t.FrameTimes(first, last)
		_, _, x.Beside = s.FramesBeside(id, by.Of, by.First, by.Last)
		x.Beside = x.Beside || x.Frames == n && ownBegin >= begin // as many: they take turns
		if !x.Beside {
			x.Of = n
			if ownEnd = max(end, ownEnd); ownEnd-ownBegin >= outOfPace*(end-begin) {
				a, b := of.FramesBeginning(ownBegin, ownEnd)
				x.Of = max(n, s.CountedFrames(by.Of, a, b))
			}
		}
	}
	did, known := s.WorkInFrames(id, first, last)
	x.Known = known
	mean := func(sum, of int64) int64 { return int64(float64(sum)/float64(of) + 0.5) }
	x.Busy, x.Waits, x.Bare = mean(did.BusyNs, x.Of), mean(did.WaitNs, x.Of), mean(did.BareNs, x.Of)
	x.Wall = mean(t.SumOfFrames(first, last), x.Frames)
	return x
}

// Shown returns the time that the user asks for: busy, or from begin to end; ok is false where it is not known.
func (x *FrameWork) Shown(l *view.Look) (ns int64, ok bool) {
	if l.ShowWall() {
		return x.Wall, x.Frames > 0
	}
	return x.Busy, x.Known
}

// Over reports whether the time that is shown is over the budget of a frame.
func (x *FrameWork) Over(l *view.Look) bool {
	ns, ok := x.Shown(l)
	return ok && x.Beside && OverBudget(ns, l.FrameBudgetNs())
}

// Tip adds what makes up the time of a thread to a tooltip.
func (x *FrameWork) Tip(l *panel.TipLines) {
	if x.Frames == 0 {
		return
	}
	l.If(x.Known).Text("busy\t").Duration(x.Busy).End()
	l.If(x.Waits > 0).Text("waits, idle\t").Duration(x.Waits).End()
	l.If(x.Bare > 0).Text("not measured\t").Duration(x.Bare).End()
	l.Text("begin to end\t").Duration(x.Wall).End()
}

// MethodThreads are the threads with samples of a method, found a few a tick.
type MethodThreads struct {
	List []ThreadSamples // those with most samples first

	of     *store.Session
	method model.CollectorID
	t0, t1 int64
	stamp  uint64
	next   model.TrackID
	work   []spans.Caller
	tree   spans.TreeUser // of the next thread
	one    [1]model.TrackID
	fresh  []ThreadSamples
}

// ThreadSamples are the samples of a thread that have the method.
type ThreadSamples struct {
	Track model.TrackID
	N     int64
}

// threadsATick is the number of threads with samples counted in a tick.
const threadsATick = 4

// Find goes on to find on which threads a method was sampled in [t0, t1); NoCollector: there is none. It
// begins anew with another stamp. It returns 1 when all of them became known, else 0.
func (x *MethodThreads) Find(
	env *panel.Env, s *store.Session, c model.CollectorID, t0, t1 int64, stamp uint64,
) uint64 {
	if c == model.NoCollector {
		x.of, x.List = nil, x.List[:0]
		return 0
	}
	if x.of != s || x.method != c || x.t0 != t0 || x.t1 != t1 || x.stamp != stamp {
		if x.method != c || x.of != s {
			x.List = x.List[:0]
		}
		x.of, x.method, x.t0, x.t1, x.stamp = s, c, t0, t1, stamp
		x.next, x.fresh = 0, x.fresh[:0]
		x.tree.Drop()
	}
	n, all, looked := model.TrackID(s.NumTracks()), s.Spans(), 0
	if x.next >= n {
		return 0
	}
	for ; x.next < n && (looked < threadsATick || !env.Paced); x.next++ {
		if !all.Sampled(x.next) {
			continue
		}
		looked++
		if x.one[0] = x.next; !x.tree.Waits() {
			x.tree.Ask(all, spans.MeasureSamples, x.one[:], t0, t1)
		}
		if !x.tree.Step() {
			break
		}
		sum := int64(0)
		x.work = x.tree.Tree().Callers(c, x.work[:0])
		for i := range x.work {
			sum += x.work[i].Samples
		}
		if sum > 0 {
			x.fresh = append(x.fresh, ThreadSamples{x.next, sum})
		}
	}
	if x.next < n {
		return 0
	}
	x.tree.Drop()
	x.List, x.fresh = x.fresh, x.List[:0]
	slices.SortStableFunc(x.List, func(a, b ThreadSamples) int { return cmp.Compare(b.N, a.N) })
	return 1
}
