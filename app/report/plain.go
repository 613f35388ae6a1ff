package report

import (
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// callsSummary is the activity of threads without frames in a range.
type callsSummary struct {
	Begin   int64         `json:"begin_ns"`
	End     int64         `json:"end_ns"`
	All     []CallLine    `json:"all"` // of all threads of the report together
	Threads []threadCalls `json:"threads"`
	// Sampling is of the whole session; missing without samples.
	Sampling *Sampling `json:"sampling,omitempty"`
	timeless bool      // the recording has no times
}

// threadCalls is one thread without frames, or another owner of spans. Values that the source does not
// measure are missing.
type threadCalls struct {
	Name    string   `json:"name"`
	Kind    string   `json:"track_kind"`            // thread, element, path or output
	Index   int      `json:"index"`                 // its number in the words of the source
	ID      int64    `json:"thread_id"`             // the number that no other thread has: see store.ThreadNumbers
	Process string   `json:"process,omitempty"`     // missing where the recording has one, or does not say
	Begin   int64    `json:"begin_ns"`              // of its data in the range
	End     int64    `json:"end_ns"`                // Begin where nothing was
	Spans   int64    `json:"spans"`                 // stored
	Samples *int64   `json:"samples,omitempty"`     // of its stack, in the range
	CPU     *float64 `json:"cpu_time_ns,omitempty"` // growth of its clock in the range
	Load    *float64 `json:"cpu_load,omitempty"`    // share of a processor that it took in the range; 1 is one, full
	Thread
	sampled bool
	Methods []CallLine `json:"methods"` // only of this thread
}

// finite cuts the range of a report to the session's bounds.
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

// summariseCalls returns the activity of the tracks without frames, but with spans or figures of their
// own; nil when there are none.
func summariseCalls(s *store.Session, only []model.TrackID, t0, t1 int64) *callsSummary {
	sum := &callsSummary{Sampling: SamplingOf(s), timeless: s.Info().Sampling.Timeless, Begin: t0, End: t1,
		All: []CallLine{}, Threads: []threadCalls{}}
	var tracks []model.TrackID
	var work CallWork
	var numbers store.ThreadNumbers
	for i := range s.NumTracks() {
		id := model.TrackID(i)
		t := s.Track(id)
		if t == nil || t.NumFrames() > 0 || len(only) > 0 && !slices.Contains(only, id) || len(only) == 0 && t.Def.Sums {
			continue
		}
		th := threadCalls{
			Name: t.Title(), Kind: t.Def.Kind.String(), Index: t.Def.Index, ID: numbers.Of(s, id), Process: t.Def.Process,
			Spans: t.NumSpans(), Methods: work.Lines(s, []model.TrackID{id}, t0, t1),
		}
		var lived bool
		if th.Begin, th.End, lived = s.Spans().Life(id, t0, t1); !lived {
			th.Begin, th.End = t0, t0
		}
		if th.measure(s, id, t0, t1); th.Spans == 0 && !th.sampled && th.CPU == nil && th.Load == nil {
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
		sum.All = work.Lines(s, tracks, t0, t1)
	}
	return sum
}

// measure fills in the values of the thread's series.
func (t *threadCalls) measure(s *store.Session, id model.TrackID, t0, t1 int64) {
	if n, ok := s.Spans().NumSamples(id, t0, t1); ok {
		t.Samples = &n
	}
	t.sampled = s.Spans().Sampled(id)
	if ns, ok := s.Spans().CPUTime(id, t0, t1); ok {
		t.CPU = &ns
	}
	if load, ok := s.Spans().CPULoad(id, t0, t1); ok {
		t.Load = &load
	}
	t.Thread = threadOf(s, id, t0, t1)
}
