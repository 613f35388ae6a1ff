package trace

import (
	"slices"

	"framescope/model"
)

// SelfTimes sums the self time and the starts of each collector within a frame, for model.Batch.Self. It has them, and
// what runs in the frame; the zero value has none.
type SelfTimes struct {
	sums    []sum // by collector
	touched []model.CollectorID
	open    []running // in order of begin
	at, end int64     // up to when the frame's time is charged, and its end
}

type running struct {
	collector model.CollectorID
	end       int64
}

type sum struct {
	ns    int64
	count int32
	used  bool
}

// Add adds a time in ns and starts to a collector.
func (s *SelfTimes) Add(c model.CollectorID, ns int64, starts int32) {
	if int(c) >= len(s.sums) {
		s.sums = append(s.sums, make([]sum, int(c)+64-len(s.sums))...)
	}
	x := &s.sums[c]
	if !x.used {
		x.used = true
		s.touched = append(s.touched, c)
	}
	x.ns += ns
	x.count += starts
}

// Take appends the sums to out, ascending by collector, and forgets them.
func (s *SelfTimes) Take(out []model.CollectorTime) []model.CollectorTime {
	slices.Sort(s.touched)
	for _, c := range s.touched {
		if x := &s.sums[c]; x.ns != 0 || x.count != 0 {
			out = append(out, model.CollectorTime{Collector: c, Ns: x.ns, Count: x.count})
		}
		s.sums[c] = sum{}
	}
	s.touched = s.touched[:0]
	return out
}

// Runs reports whether something goes on after a time; what ended up to then is let go.
func (s *SelfTimes) Runs(at int64) bool {
	s.open = slices.DeleteFunc(s.open, func(r running) bool { return r.end <= at })
	return len(s.open) > 0
}

// Forget ends everything that runs.
func (s *SelfTimes) Forget() { s.open = s.open[:0] }

// Run adds a span that begins outside any frame, before the next one.
func (s *SelfTimes) Run(c model.CollectorID, end int64) { s.open = append(s.open, running{c, end}) }

// Frame begins a frame. What ran before and has not ended by then runs in it.
func (s *SelfTimes) Frame(begin, end int64) { s.at, s.end = begin, end }

// Start begins a span in the frame; starts is 0 if the span only continues there. Spans come in order of
// their begin, callers first; each moment is of the one that began last of those that run then.
func (s *SelfTimes) Start(c model.CollectorID, begin, end int64, starts int32) {
	s.upTo(min(begin, s.end))
	if starts > 0 {
		s.Add(c, 0, starts)
	}
	s.Run(c, end)
}

// End ends the frame and appends its sums, as Take does. Open spans continue.
func (s *SelfTimes) End(out []model.CollectorTime) []model.CollectorTime {
	s.upTo(s.end)
	return s.Take(out)
}

// upTo gives the time up to a moment to what runs then.
func (s *SelfTimes) upTo(to int64) {
	for i := len(s.open) - 1; i >= 0 && s.at < to; i-- {
		r := s.open[i]
		if end := min(r.end, to); end > s.at {
			s.Add(r.collector, end-s.at, 0)
			s.at = end
		}
	}
	n := len(s.open)
	for n > 0 && s.open[n-1].end <= to {
		n--
	}
	s.open = s.open[:n]
	s.at = max(s.at, to)
}

// Whole appends the sums of a frame, of which all spans are at hand. They lie inside each other as their call paths do:
// each takes its time from its caller.
func (s *SelfTimes) Whole(
	out []model.CollectorTime, spans []model.Span, begin, end int64, names *Table,
) []model.CollectorTime {
	for i := range spans {
		x, starts := &spans[i], int32(1)
		if x.Flags&model.SpanContinues != 0 {
			starts = 0
		}
		ns := max(min(x.End, end)-max(x.Begin, begin), 0)
		s.Add(names.Of(x.Path), ns, starts)
		if up := names.paths[x.Path].above; up != model.PathRoot {
			s.Add(names.Of(up), -ns, 0)
		}
	}
	return s.Take(out)
}
