package gotrace

import (
	"slices"

	"framescope/model"
)

// alone sums times and starts by collector within one frame.
type alone struct {
	open    []ongoing // the outermost first
	sums    []sum     // by collector
	touched []model.CollectorID
}

type ongoing struct {
	collector model.CollectorID
	end       int64
}

type sum struct {
	ns    int64
	count int32
	used  bool
}

// charge appends the time of each collector alone within a frame, each moment that of the innermost
// span, and how many began. spans are in order of their begin, callers first.
func (a *alone) charge(
	out []model.CollectorTime, spans []model.Span, f border, of func(model.PathID) model.CollectorID,
) []model.CollectorTime {
	a.open = a.open[:0]
	at := f.begin
	for i := range spans {
		sp := &spans[i]
		at = a.upTo(at, min(sp.Begin, f.end))
		c := of(sp.Path)
		if sp.Flags&model.SpanContinues == 0 {
			a.add(c, 0, 1)
		}
		a.open = append(a.open, ongoing{c, sp.End})
	}
	a.upTo(at, f.end)
	slices.Sort(a.touched)
	for _, c := range a.touched {
		out = append(out, model.CollectorTime{Collector: c, Ns: a.sums[c].ns, Count: a.sums[c].count})
		a.sums[c] = sum{}
	}
	a.touched = a.touched[:0]
	return out
}

// upTo gives the time between two moments to the spans that go on then, and returns where it came to.
func (a *alone) upTo(from, to int64) int64 {
	for n := len(a.open) - 1; n >= 0; n-- {
		r := a.open[n]
		if to := min(r.end, to); to > from {
			a.add(r.collector, to-from, 0)
			from = to
		}
		if r.end > to {
			break
		}
		a.open = a.open[:n]
	}
	return max(from, to)
}

func (a *alone) add(c model.CollectorID, ns int64, starts int32) {
	if int(c) >= len(a.sums) {
		a.sums = append(a.sums, make([]sum, int(c)+64-len(a.sums))...)
	}
	s := &a.sums[c]
	if !s.used {
		s.used = true
		a.touched = append(a.touched, c)
	}
	s.ns += ns
	s.count += starts
}
