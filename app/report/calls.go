// Calls, runs and samples of each collector in reports of recordings without frames.

package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// CallLine is one collector's calls in a range. Total includes callees, Self does not: asynchronous
// spans have no Self. The lengths are of whole calls, or runs. They are missing where the range has
// only samples or CPU time. CPU time is an estimate (spans.Table.TreeOf).
type CallLine struct {
	Collector string `json:"collector"` // with the names above it
	model.Place
	Calls       *int64   `json:"calls,omitempty"`            // of recorded spans
	Runs        *int64   `json:"runs,omitempty"`             // of sampled stacks
	Total       *int64   `json:"total_ns,omitempty"`         // missing in recordings without times
	Uncertainty *int64   `json:"uncertainty_ns,omitempty"`   // of Total, by its number of samples
	Self        *int64   `json:"self_ns,omitempty"`          // without callees
	Mean        *float64 `json:"mean_ns,omitempty"`          // length of a call or run
	Shortest    *int64   `json:"shortest_ns,omitempty"`      // call or run
	Longest     *int64   `json:"longest_ns,omitempty"`       // call or run
	CPU         *int64   `json:"cpu_time_ns,omitempty"`      // estimated
	SelfCPU     *int64   `json:"self_cpu_time_ns,omitempty"` // estimated
	Samples     *int64   `json:"samples,omitempty"`          // that have it on the stack
	SelfSamples *int64   `json:"self_samples,omitempty"`     // that have it innermost
	// Weights are the weights of the samples, in the order of the source; the same in all lines.
	Weights []Weight `json:"weights,omitempty"`
}

// Weight is a measure of samples besides their number (spans.Weight): bytes, time, a number.
type Weight struct {
	Name  string `json:"name"`           // in the words of the source
	Unit  string `json:"unit,omitempty"` // ns, B, or another word; none: they are counted
	Total int64  `json:"total"`          // in its unit, of the stacks that have the collector
	Self  int64  `json:"self"`           // of the stacks that have it innermost
}

// CallWork is scratch memory.
type CallWork struct {
	stats []spans.Stat
	has   []spans.Measure
}

// Lines returns the calls of every collector on the tracks, the longest first.
func (w *CallWork) Lines(s *store.Session, tracks []model.TrackID, t0, t1 int64) []CallLine {
	w.stats = s.Spans().Stats(tracks, t0, t1, w.stats[:0])
	out := make([]CallLine, 0, len(w.stats))
	at := map[model.CollectorID]int{}
	timeless := s.Info().Sampling.Timeless
	w.has = s.Spans().Measures(tracks, w.has[:0])
	var weights []Weight // without samples
	for _, m := range w.has {
		if x, ok := s.Spans().Weight(m); ok {
			weights = append(weights, Weight{Name: x.Name, Unit: x.Unit})
		}
	}
	line := func(c model.CollectorID) *CallLine {
		i, ok := at[c]
		if !ok {
			i = len(out)
			at[c] = i
			of := s.Collector(c)
			out = append(out, CallLine{Collector: of.Title(), Place: of.Place, Weights: slices.Clone(weights)})
			if timeless {
				return &out[i]
			}
			if out[i].Total = new(int64); !of.Async {
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
		if l.Total != nil {
			*l.Total = x.TotalNs
		}
		if l.Self != nil {
			*l.Self = x.SelfNs
		}
		l.Mean, l.Shortest, l.Longest = &x.MeanNs, &x.MinNs, &x.MaxNs
	}
	nth := 0 // weight
	for _, m := range w.has {
		if m == spans.MeasureDuration {
			continue
		}
		inside := s.Spans().Whole(m, tracks, t0, t1).Collectors()
		for i := range inside {
			line(inside[i].Collector)
		}
		_, weighed := s.Spans().Weight(m)
		for i := range out { // known, and 0 where the tree has nothing
			if !weighed {
				total, self := out[i].measured(m)
				*total, *self = new(int64), new(int64)
			}
		}
		for i := range inside {
			x := &inside[i]
			l := line(x.Collector)
			if weighed {
				l.Weights[nth].Total, l.Weights[nth].Self = x.Total, x.Self
				continue
			}
			total, self := l.measured(m)
			**total, **self = x.Total, x.Self
		}
		if weighed {
			nth++
		}
	}
	slices.SortStableFunc(out, func(a, b CallLine) int {
		aTotal, aSelf := a.rank()
		bTotal, bSelf := b.rank()
		return cmp.Or(cmp.Compare(bTotal, aTotal), cmp.Compare(bSelf, aSelf), strings.Compare(a.Collector, b.Collector))
	})
	return out
}

// rank is the order of lines: the time, else the samples' first weight, else their number.
func (l *CallLine) rank() (total, self int64) {
	switch {
	case l.Total != nil && l.Self == nil:
		return *l.Total, 0
	case l.Total != nil:
		return *l.Total, *l.Self
	case len(l.Weights) > 0:
		return l.Weights[0].Total, l.Weights[0].Self
	case l.Samples != nil:
		return *l.Samples, *l.SelfSamples
	}
	return 0, 0
}

// measured returns where the figures of a measure lie.
func (l *CallLine) measured(m spans.Measure) (total, self **int64) {
	if m == spans.MeasureCPU {
		return &l.CPU, &l.SelfCPU
	}
	return &l.Samples, &l.SelfSamples
}

// column is a column of the table of calls.
type column struct {
	id   string // see columns
	cell func(l *CallLine) string
}

// columnsOf returns the columns for the known values of the lines, which all lines have in common.
func columnsOf(lines []CallLine) (list []column) {
	add := func(known bool, id string, cell func(l *CallLine) string) {
		if known {
			list = append(list, column{id, cell})
		}
	}
	has := func(of func(l *CallLine) bool) bool {
		return slices.ContainsFunc(lines, func(l CallLine) bool { return of(&l) })
	}
	times, runs := has(func(l *CallLine) bool { return l.Total != nil }), lines[0].Runs != nil
	add(times && runs, "runs", func(l *CallLine) string { return OrDash(l.Runs, Count) })
	add(times && !runs, "calls", func(l *CallLine) string { return OrDash(l.Calls, Count) })
	add(times, "total", func(l *CallLine) string { return OrDash(l.Total, AsMs) })
	add(times && runs, "uncertainty", func(l *CallLine) string { return OrDash(l.Uncertainty, AsMs) })
	add(times, "self", func(l *CallLine) string { return OrDash(l.Self, AsMs) })
	add(times, "mean", func(l *CallLine) string { return OrDash(l.Mean, Ms) })
	add(times, "shortest", func(l *CallLine) string { return OrDash(l.Shortest, AsMs) })
	add(times, "longest", func(l *CallLine) string { return OrDash(l.Longest, AsMs) })
	cpu, samples := has(func(l *CallLine) bool { return l.CPU != nil }),
		has(func(l *CallLine) bool { return l.Samples != nil })
	add(cpu, "cpu_time ≈", func(l *CallLine) string { return OrDash(l.CPU, AsMs) })
	add(cpu, "self_cpu_time ≈", func(l *CallLine) string { return OrDash(l.SelfCPU, AsMs) })
	for k, w := range lines[0].Weights {
		unit, print := w.Unit, Count
		if unit == "ns" {
			unit, print = "ms", AsMs
		}
		if unit != "" {
			unit = " (" + unit + ")"
		}
		add(true, "="+w.Name+unit, func(l *CallLine) string { return print(l.Weights[k].Total) })
		add(true, "=self "+w.Name+unit, func(l *CallLine) string { return print(l.Weights[k].Self) })
	}
	add(samples, "samples", func(l *CallLine) string { return OrDash(l.Samples, Count) })
	add(samples, "self_samples", func(l *CallLine) string { return OrDash(l.SelfSamples, Count) })
	return list
}

// WriteCalls prints calls in columns below a blank line.
func WriteCalls(out *bufio.Writer, lines []CallLine) {
	if len(lines) == 0 {
		return
	}
	list := columnsOf(lines)
	var ids []string
	for _, c := range list {
		ids = append(ids, c.id)
	}
	last := "collector"
	if lines[0].Total != nil {
		last = "collector (ms)"
	}
	table(out, lines, func(w io.Writer, l *CallLine) {
		for _, c := range list {
			fmt.Fprintf(w, "%s\t", c.cell(l))
		}
		fmt.Fprintf(w, "  %s\n", escape.Name(l.Collector))
	}, append(ids, last)...)
}
