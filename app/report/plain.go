package report

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// callsSummary is what threads without frames did in a range.
type callsSummary struct {
	BeginS  float64       `json:"begin_s"`
	EndS    float64       `json:"end_s"`
	All     []callLine    `json:"all"` // of all threads of the report together
	Threads []threadCalls `json:"threads"`
}

// threadCalls is one thread without frames. What the source does not measure is left out.
type threadCalls struct {
	Name    string     `json:"name"`
	Index   int        `json:"index"`
	BeginS  float64    `json:"begin_s"` // of the whole thread
	EndS    float64    `json:"end_s"`
	Spans   int64      `json:"spans"`                 // stored
	Samples *int64     `json:"samples,omitempty"`     // of its stack, in the range
	CPUMs   *float64   `json:"cpu_time_ms,omitempty"` // growth of its clock in the range
	Load    *float64   `json:"cpu_load,omitempty"`    // share of a processor that it took in the range; 1 is one, full
	Methods []callLine `json:"methods"`
}

// callLine is one collector's calls in a range: times in milliseconds. Total has what was called from it, Self has not. CPU time is an estimate (model.FlameTreeOf).
type callLine struct {
	Collector   string   `json:"collector"`
	Calls       int64    `json:"calls"`
	Total       float64  `json:"total_ms"`
	Self        float64  `json:"self_ms"`
	Mean        float64  `json:"mean_ms"` // of whole calls, as min and max
	Min         float64  `json:"min_ms"`
	Max         float64  `json:"max_ms"`
	CPU         *float64 `json:"cpu_ms,omitempty"`
	SelfCPU     *float64 `json:"self_cpu_ms,omitempty"`
	Samples     *int64   `json:"samples,omitempty"`
	SelfSamples *int64   `json:"self_samples,omitempty"`
}

// finite cuts the range of a report to what a session has.
func finite(s *store.Session, beginNs, endNs int64) (t0, t1 int64, ok bool) {
	from, to, ok := s.Bounds()
	if !ok {
		return 0, 0, false
	}
	t0, t1 = max(beginNs, from), endNs
	if t1 > to {
		t1 = to + 1
	}
	return t0, t1, t0 < t1
}

// summariseCalls returns what those of the tracks did that have no frames, but spans or figures of their own; nil when there are none.
func summariseCalls(s *store.Session, only []model.TrackID, t0, t1 int64) *callsSummary {
	sum := &callsSummary{BeginS: float64(t0) / 1e9, EndS: float64(t1) / 1e9, All: []callLine{}, Threads: []threadCalls{}}
	var tracks []model.TrackID
	var work callWork
	for i := range s.NumTracks() {
		id := model.TrackID(i)
		t := s.Track(id)
		if t == nil || t.NumFrames() > 0 || len(only) > 0 && !slices.Contains(only, id) {
			continue
		}
		th := threadCalls{Name: t.Title(), Index: t.Def.Index, Spans: t.NumSpans(), Methods: work.lines(s, []model.TrackID{id}, t0, t1)}
		if a, b, ok := t.Bounds(); ok {
			th.BeginS, th.EndS = float64(a)/1e9, float64(b)/1e9
		}
		if th.measure(s, id, t0, t1); th.Spans == 0 && th.Samples == nil && th.CPUMs == nil && th.Load == nil {
			continue
		}
		tracks = append(tracks, id)
		sum.Threads = append(sum.Threads, th)
	}
	switch len(tracks) {
	case 0:
		return nil
	case 1:
		sum.All = sum.Threads[0].Methods
	default:
		sum.All = work.lines(s, tracks, t0, t1)
	}
	return sum
}

// measure fills in what the thread's series say.
func (t *threadCalls) measure(s *store.Session, id model.TrackID, t0, t1 int64) {
	for _, x := range s.SeriesOfTrack(id) {
		x := s.Series(x)
		if bins := x.Bins(t0, t1, 1, nil); x.Def.Role == model.RoleStack && t.Samples == nil && len(bins) > 0 {
			t.Samples = &bins[0].N
		}
	}
	if ns, ok := s.CPUTime(id, t0, t1); ok {
		ms := ns / 1e6
		t.CPUMs = &ms
	}
	if load, ok := s.CPULoad(id, t0, t1); ok {
		t.Load = &load
	}
}

// callWork is scratch memory.
type callWork struct {
	stats []store.SpanStat
	tree  store.FlameTree
	has   []store.Measure
	open  []model.CollectorID // the callers of the node that is looked at, the outermost first
}

// lines returns the calls of every collector on the tracks, those that took longest first.
func (w *callWork) lines(s *store.Session, tracks []model.TrackID, t0, t1 int64) []callLine {
	w.stats = s.SpanStats(tracks, t0, t1, w.stats[:0])
	out := make([]callLine, 0, len(w.stats))
	at := map[model.CollectorID]int{}
	line := func(c model.CollectorID) *callLine {
		i, ok := at[c]
		if !ok {
			i = len(out)
			at[c] = i
			out = append(out, callLine{Collector: fullName(s.Collector(c))})
		}
		return &out[i]
	}
	for i := range w.stats {
		x := &w.stats[i]
		l := line(x.Collector)
		l.Calls, l.Total, l.Self = x.Calls, msOf(x.TotalNs), msOf(x.SelfNs)
		l.Mean, l.Min, l.Max = x.MeanNs/1e6, msOf(x.MinNs), msOf(x.MaxNs)
	}
	w.has = s.Measures(tracks, w.has[:0])
	for _, m := range w.has {
		if m == store.MeasureDuration {
			continue
		}
		for i := range out { // known, and 0 where the tree has nothing
			out[i].clearMeasure(m)
		}
		s.FlameTreeOf(m, tracks, t0, t1, &w.tree)
		w.open = w.open[:0]
		within := map[model.CollectorID]int{} // how many of the open callers are of a collector
		for k := range w.tree.Nodes {
			n := &w.tree.Nodes[k]
			for len(w.open) > int(n.Depth) { // nodes come in depth-first order
				last := len(w.open) - 1
				within[w.open[last]]--
				w.open = w.open[:last]
			}
			l := line(n.Collector)
			total := n.Total
			if within[n.Collector] > 0 {
				total = 0 // a recursive call counts with the outermost one
			}
			within[n.Collector]++
			w.open = append(w.open, n.Collector)
			l.addMeasure(m, total, n.Self)
		}
	}
	slices.SortStableFunc(out, func(a, b callLine) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(b.Self, a.Self), strings.Compare(a.Collector, b.Collector))
	})
	return out
}

func (l *callLine) clearMeasure(m store.Measure) {
	if m == store.MeasureCPU {
		l.CPU, l.SelfCPU = new(float64), new(float64)
	} else {
		l.Samples, l.SelfSamples = new(int64), new(int64)
	}
}

func (l *callLine) addMeasure(m store.Measure, total, self int64) {
	if m == store.MeasureCPU {
		if l.CPU == nil {
			l.clearMeasure(m)
		}
		*l.CPU += msOf(total)
		*l.SelfCPU += msOf(self)
		return
	}
	if l.Samples == nil {
		l.clearMeasure(m)
	}
	*l.Samples += total
	*l.SelfSamples += self
}

func msOf(ns int64) float64 { return float64(ns) / 1e6 }
