package spans

import (
	"slices"

	"framescope/model"
	"framescope/model/paths"
	"framescope/model/series"
)

// Measure is what the call tree of a range adds up.
type Measure uint8

// The three measures. Duration is there for every source, the others for sampled sessions.
const (
	MeasureDuration Measure = iota // ns of wall time, waiting included
	MeasureCPU                     // ns of CPU time: an estimate, the growth of the thread's clock among the samples of code meanwhile
	MeasureSamples                 // number of stack samples
)

// Measures appends to out the measures that the tracks can give: MeasureDuration where anything has a
// time, MeasureSamples needs a series of
// RoleStack with samples on one of them, MeasureCPU one of RoleCPUTime beside it.
func (x *Table) Measures(tracks []model.TrackID, out []Measure) []Measure {
	if !x.host.Timeless() {
		out = append(out, MeasureDuration)
	}
	cpu, stack := false, false
	for _, id := range tracks {
		stacks, clock := x.sampledSeries(id)
		stack = stack || stacks != nil
		cpu = cpu || stacks != nil && clock != nil
	}
	if cpu {
		out = append(out, MeasureCPU)
	}
	if stack {
		out = append(out, MeasureSamples)
	}
	return out
}

// sampledSeries returns the series of a track's stacks and of its CPU clock, nil where there are
// none or they hold nothing.
func (x *Table) sampledSeries(track model.TrackID) (stack, clock *series.Series) {
	for _, id := range x.host.Series.ByTrack(track) {
		switch y := x.host.Series.ByID(id); {
		case y.Len() == 0:
		case y.Def.Role == model.RoleStack && stack == nil:
			stack = y
		case y.Def.Role == model.RoleCPUTime && clock == nil:
			clock = y
		}
	}
	return stack, clock
}

// TreeOf fills out with the call tree of [t0, t1) over the given tracks in a measure. Of
// MeasureDuration it is Tree. Of the others:
//
// A sample of a stack (RoleStack) is in the range when its time is, t0 <= time < t1, as samples are
// counted everywhere; so those of neighbouring ranges add up. It owns the time up to the next sample
// of its track; the newest owns nothing yet.
//
//   - MeasureSamples: Total and Count of a node are the samples that have its path, Self those in
//     which it is innermost.
//   - MeasureCPU: the growth of the track's clock (RoleCPUTime) from one change to the next lies
//     evenly between these two, and what the range cuts off does not count. It belongs to the
//     samples of code there (StateReady), evenly over the time that they own, the one in force at
//     t0 included; where nothing but waits was sampled it is spread over all. After the last
//     change the growth is not known yet. Total and Self are ns, Count is samples.
//
// A stack that occurs recursively counts once at each node of its path. out's capacity is reused.
// Cost: O(call paths · log samples); the samples that came since the last question are walked once.
func (x *Table) TreeOf(m Measure, tracks []model.TrackID, t0, t1 int64, out *paths.Tree) {
	if m == MeasureDuration {
		x.Tree(tracks, t0, t1, out)
		return
	}
	sums := out.Begin(x.host.Paths)
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for k, id := range tracks {
		if slices.Contains(tracks[:k], id) || t0 >= t1 {
			continue
		}
		stack, clock := x.sampledSeries(id)
		if stack == nil {
			continue
		}
		x.stacks.Of(stack, clock, x.codePaths(), *x.host.Revision).Add(m == MeasureCPU, t0, t1, sums)
	}
	if m == MeasureSamples {
		for _, p := range sums.Used {
			sums.Sums[p].Ns = sums.Sums[p].Count
		}
	}
	sums.Fold(x.host.Paths)
	out.Finish(x.host.Paths)
}
