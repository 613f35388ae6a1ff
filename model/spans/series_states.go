package spans

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
)

// StateTime is for how long a state was in force.
type StateTime struct {
	Value float64
	Ns    int64
}

// maxStates bounds the states counted separately; the time of the others counts in the sum alone.
const maxStates = 1024

// States adds up how long each state was in force in [t0, t1), from samples of that time in their order,
// and appends them to out, the longest first; allNs is the time of all. The newest one of the series
// counts until its sample: the time behind that is unknown. Cost: O(samples · states).
func (s *Series) States(t0, t1 int64, samples []model.Sample, out []StateTime) (_ []StateTime, allNs int64) {
	_, last, ok := s.Bounds()
	if !ok {
		return out, 0
	}
	from, end := len(out), min(t1, last)
	add := func(v float64, from0, to int64) {
		if math.IsNaN(v) || to < from0 {
			return
		}
		allNs += to - from0
		i := slices.IndexFunc(out[from:], func(st StateTime) bool { return st.Value == v })
		if i >= 0 {
			out[from+i].Ns += to - from0
		} else if len(out)-from < maxStates {
			out = append(out, StateTime{v, to - from0})
		}
	}
	if before, ok := s.At(t0 - 1); ok {
		to := end
		if len(samples) > 0 {
			to = samples[0].Time
		}
		add(before.Value, t0, to)
	}
	for i, sm := range samples {
		to := end
		if i+1 < len(samples) {
			to = samples[i+1].Time
		}
		add(sm.Value, sm.Time, max(to, sm.Time))
	}
	slices.SortFunc(out[from:], func(a, b StateTime) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Value, b.Value))
	})
	return out, allNs
}

// SeriesOrder is the place of a series among others of a list: first changing numbers and events, then
// changing states, then constants and empty series.
type SeriesOrder uint8

// The places of series in lists.
const (
	ChangingNumber SeriesOrder = iota
	ChangingState
	Constant
)

// Order returns the place of the series in lists, by all samples that it has. Cost: O(log samples).
func (s *Series) Order() SeriesOrder {
	var one [1]SeriesBin
	for _, b := range s.Bins(math.MinInt64/4, math.MaxInt64/4, 1, one[:0]) {
		switch {
		case b.N == 0 || b.Min == b.Max && s.Def.Kind != model.SeriesEvent:
		case s.Def.Kind == model.SeriesState:
			return ChangingState
		default:
			return ChangingNumber
		}
	}
	return Constant
}
