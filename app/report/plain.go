package report

import (
	"cmp"
	"slices"
	"strings"

	"framescope/app/report/sampled"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
)

// callsSummary is what threads without frames did in a range.
type callsSummary struct {
	Begin   int64         `json:"begin_ns"`
	End     int64         `json:"end_ns"`
	All     []callLine    `json:"all"` // of all threads of the report together
	Threads []threadCalls `json:"threads"`
	// Sampling is of the whole session; left out of what is not sampled.
	Sampling *samplingSummary `json:"sampling,omitempty"`
}

// samplingSummary tells how far apart the samples are (model.Sampling).
type samplingSummary struct {
	Asked     int64 `json:"asked_ns"` // 0 is not known
	Distances int64 `json:"distances"`
	Median    int64 `json:"median_ns"`
	P5        int64 `json:"p5_ns"`
	P95       int64 `json:"p95_ns"`
	Longest   int64 `json:"longest_ns"`
	Gaps      int64 `json:"gaps"`
	Gap       int64 `json:"gap_ns"` // all of them together
}

// samplingOf returns how a session was sampled, nil if it was not.
func samplingOf(s *store.Session) *samplingSummary {
	x := s.Info().Sampling
	if !x.Known() {
		return nil
	}
	return &samplingSummary{x.AskedNs, x.Distances, x.MedianNs, x.P5Ns, x.P95Ns, x.LongestNs, x.Gaps, x.GapNs}
}

// threadCalls is one thread without frames, or what else spans are of. What the source does not
// measure is left out.
type threadCalls struct {
	Name    string   `json:"name"`
	Kind    string   `json:"track_kind"`            // thread, element, path or output
	Index   int      `json:"index"`                 // number of the thread in its session
	Begin   int64    `json:"begin_ns"`              // of what was received of it in the range
	End     int64    `json:"end_ns"`                // Begin where nothing was
	Spans   int64    `json:"spans"`                 // stored
	Samples *int64   `json:"samples,omitempty"`     // of its stack, in the range
	CPU     *float64 `json:"cpu_time_ns,omitempty"` // growth of its clock in the range
	Load    *float64 `json:"cpu_load,omitempty"`    // share of a processor that it took in the range; 1 is one, full
	sampled.Thread
	Methods []callLine `json:"methods"` // of this thread alone
}

// callLine is one collector's calls in a range. Total has what was called from it, Self has not:
// what is under way besides others of its kind has none. The lengths are of whole calls, or runs.
// Where none of them is in the range, but samples or CPU time are, there are no lengths. CPU time
// is an estimate (spans.Table.TreeOf).
type callLine struct {
	Collector   string   `json:"collector"`
	Calls       *int64   `json:"calls,omitempty"` // of what is recorded
	Runs        *int64   `json:"runs,omitempty"`  // of what is sampled
	Total       int64    `json:"total_ns"`
	Uncertainty *int64   `json:"uncertainty_ns,omitempty"` // of Total, by its number of samples
	Self        *int64   `json:"self_ns,omitempty"`
	Mean        *float64 `json:"mean_ns,omitempty"`
	Shortest    *int64   `json:"shortest_ns,omitempty"`
	Longest     *int64   `json:"longest_ns,omitempty"`
	CPU         *int64   `json:"cpu_time_ns,omitempty"`
	SelfCPU     *int64   `json:"self_cpu_time_ns,omitempty"`
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

// summariseCalls returns what those of the tracks did that have no frames, but spans or figures of
// their own; nil when there are none.
func summariseCalls(s *store.Session, only []model.TrackID, t0, t1 int64) *callsSummary {
	sum := &callsSummary{Sampling: samplingOf(s), Begin: t0, End: t1, All: []callLine{}, Threads: []threadCalls{}}
	var tracks []model.TrackID
	var work callWork
	for i := range s.NumTracks() {
		id := model.TrackID(i)
		t := s.Track(id)
		if t == nil || t.NumFrames() > 0 || len(only) > 0 && !slices.Contains(only, id) {
			continue
		}
		th := threadCalls{Name: t.Title(), Kind: t.Def.Kind.String(), Index: t.Def.Index, Spans: t.NumSpans(),
			Methods: work.lines(s, []model.TrackID{id}, t0, t1)}
		var lived bool
		if th.Begin, th.End, lived = s.Spans().Life(id, t0, t1); !lived {
			th.Begin, th.End = t0, t0
		}
		if th.measure(s, id, t0, t1); th.Spans == 0 && th.Samples == nil && th.CPU == nil && th.Load == nil {
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
	for _, x := range s.Series().ByTrack(id) {
		x := s.Series().ByID(x)
		if bins := x.Bins(t0, t1, 1, nil); x.Def.Role == model.RoleStack && t.Samples == nil && len(bins) > 0 {
			t.Samples = &bins[0].N
		}
	}
	if ns, ok := s.Spans().CPUTime(id, t0, t1); ok {
		t.CPU = &ns
	}
	if load, ok := s.Spans().CPULoad(id, t0, t1); ok {
		t.Load = &load
	}
	t.Thread = sampled.Of(s, id, t0, t1)
}

// callWork is scratch memory.
type callWork struct {
	stats  []spans.Stat
	tree   paths.Tree
	inside []paths.Inside
	has    []spans.Measure
}

// lines returns the calls of every collector on the tracks, those that took longest first.
func (w *callWork) lines(s *store.Session, tracks []model.TrackID, t0, t1 int64) []callLine {
	w.stats = s.Spans().Stats(tracks, t0, t1, w.stats[:0])
	out := make([]callLine, 0, len(w.stats))
	at := map[model.CollectorID]int{}
	line := func(c model.CollectorID) *callLine {
		i, ok := at[c]
		if !ok {
			i = len(out)
			at[c] = i
			of := s.Collector(c)
			out = append(out, callLine{Collector: of.Title()})
			if !of.Async {
				out[i].Self = new(int64)
			}
		}
		return &out[i]
	}
	for i := range w.stats {
		x := w.stats[i] // its own: the line points into it
		l := line(x.Collector)
		if ns := x.ErrorNs(); x.Sampled {
			l.Runs, l.Uncertainty = &x.Calls, &ns
		} else {
			l.Calls = &x.Calls
		}
		if l.Total = x.TotalNs; l.Self != nil {
			*l.Self = x.SelfNs
		}
		l.Mean, l.Shortest, l.Longest = &x.MeanNs, &x.MinNs, &x.MaxNs
	}
	w.has = s.Spans().Measures(tracks, w.has[:0])
	for _, m := range w.has {
		if m == spans.MeasureDuration {
			continue
		}
		s.Spans().TreeOf(m, tracks, t0, t1, &w.tree)
		w.inside = w.tree.Inside(w.inside[:0])
		for i := range w.inside {
			line(w.inside[i].Collector)
		}
		for i := range out { // known, and 0 where the tree has nothing
			total, self := out[i].measured(m)
			*total, *self = new(int64), new(int64)
		}
		for i := range w.inside {
			x := &w.inside[i]
			total, self := line(x.Collector).measured(m)
			**total, **self = x.Total, x.Self
		}
	}
	slices.SortStableFunc(out, func(a, b callLine) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(b.own(), a.own()), strings.Compare(a.Collector, b.Collector))
	})
	return out
}

// own is the time of its own, 0 where there is none.
func (l *callLine) own() int64 {
	if l.Self == nil {
		return 0
	}
	return *l.Self
}

// measured returns where the figures of a measure lie.
func (l *callLine) measured(m spans.Measure) (total, self **int64) {
	if m == spans.MeasureCPU {
		return &l.CPU, &l.SelfCPU
	}
	return &l.Samples, &l.SelfSamples
}
