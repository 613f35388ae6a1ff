package spans

import (
	"math"
	"slices"

	"framescope/model"
)

// Measure is the quantity that the call tree of a range adds up.
type Measure uint8

// The measures. Duration is there for every source that knows times, the others for sampled
// sessions; from MeasureWeight on there is one for each of the Weights of samples.
const (
	MeasureDuration Measure = iota // ns of wall time, waiting included
	// ns of CPU time: an estimate, the growth of the thread's clock among the samples of code meanwhile
	MeasureCPU
	MeasureSamples // number of stack samples
	MeasureWeight  // of the first weight, in its unit

	NumMeasures = MeasureWeight + MaxWeights
)

// MaxWeights is how many weights a session has at most; of further ones nothing is summed up.
const MaxWeights = 16

// Weight is a quantity that samples of stacks stand for besides themselves: allocated bytes, time.
type Weight struct{ Name, Unit string }

// Weights returns the weights of samples (model.RoleWeight), in the order of their series.
func (x *Table) Weights() []Weight {
	ids := x.host.Series.ByRole(model.RoleWeight)
	if x.weights.seen == len(ids) {
		return x.weights.list
	}
	w := &x.weights
	for _, id := range ids[w.seen:] {
		d := &x.host.Series.ByID(id).Def
		of := Weight{d.Name, d.Unit}
		if d.Name != model.WeightSamples && len(w.list) < MaxWeights && !slices.Contains(w.list, of) {
			w.list = append(w.list, of)
		}
	}
	w.seen = len(ids)
	return w.list
}

// weights are those of the series that were seen.
type weights struct {
	list []Weight
	seen int
}

// Weight returns the weight of a measure, false for others.
func (x *Table) Weight(m Measure) (w Weight, ok bool) {
	if all := x.Weights(); m >= MeasureWeight && int(m-MeasureWeight) < len(all) {
		return all[m-MeasureWeight], true
	}
	return Weight{}, false
}

// Measures appends to out the measures that the tracks support: MeasureDuration if anything has a time,
// MeasureSamples with samples in a series of RoleStack on one of them, with known numbers if they have
// weights, MeasureCPU with one of RoleCPUTime beside it. Weights come before the number of samples.
func (x *Table) Measures(tracks []model.TrackID, out []Measure) []Measure {
	times := len(tracks) == 0
	for _, id := range tracks {
		times = times || !x.weighsBytes(id)
	}
	if times && !x.host.Timeless() {
		out = append(out, MeasureDuration)
	}
	var has [NumMeasures]bool
	for _, id := range tracks {
		stack, clock := x.sampledSeries(id)
		if stack == nil {
			continue
		}
		has[MeasureCPU] = has[MeasureCPU] || clock != nil
		has[MeasureSamples] = has[MeasureSamples] || x.counted(id)
		for k := range x.Weights() {
			m := MeasureWeight + Measure(k)
			has[m] = has[m] || x.weightOf(id, m) != nil
		}
	}
	for m := MeasureWeight; m < NumMeasures; m++ {
		if has[m] {
			out = append(out, m)
		}
	}
	for _, m := range [...]Measure{MeasureCPU, MeasureSamples} {
		if has[m] {
			out = append(out, m)
		}
	}
	return out
}

// weighsBytes reports whether the samples of a track stand for bytes, such as allocations: they take no time.
func (x *Table) weighsBytes(track model.TrackID) bool {
	return slices.ContainsFunc(x.host.Series.ByTrack(track), func(id model.SeriesID) bool {
		d := &x.host.Series.ByID(id).Def
		return d.Role == model.RoleWeight && d.Unit == "B"
	})
}

// weightOf returns the series of a track's weights that a measure sums up, nil without: for
// MeasureSamples the number of samples that one stands for.
func (x *Table) weightOf(track model.TrackID, m Measure) *Series {
	want := Weight{Name: model.WeightSamples}
	if m != MeasureSamples {
		w, ok := x.Weight(m)
		if !ok {
			return nil
		}
		want = w
	}
	for _, id := range x.host.Series.ByTrack(track) {
		if y := x.host.Series.ByID(id); y.Def.Role == model.RoleWeight && y.Def.Name == want.Name && (m == MeasureSamples ||
			y.Def.Unit == want.Unit) {
			return y
		}
	}
	return nil
}

// counted reports whether the number of a track's samples is known: with other weights only, it is
// not.
func (x *Table) counted(track model.TrackID) bool {
	for _, id := range x.host.Series.ByTrack(track) {
		if x.host.Series.ByID(id).Def.Role == model.RoleWeight {
			return x.weightOf(track, MeasureSamples) != nil
		}
	}
	return true
}

// NumSamples returns how many samples of a track's stack there are in [t0, t1). ok is false if it
// was not sampled, or their number is unknown.
func (x *Table) NumSamples(track model.TrackID, t0, t1 int64) (n int64, ok bool) {
	stack, _ := x.sampledSeries(track)
	if stack == nil || !x.counted(track) {
		return 0, false
	}
	w := &x.host.Work.acts
	weight := x.weightOf(track, MeasureSamples)
	if weight == nil {
		weight = stack
	}
	if w.bins = weight.Bins(t0, t1, 1, w.bins[:0]); len(w.bins) == 0 {
		return 0, false
	}
	if weight == stack {
		return w.bins[0].N, true
	}
	return int64(math.Round(w.bins[0].Sum)), true
}

// sampledSeries returns the series of a track's stacks and of its CPU clock, nil where there are
// none or they hold nothing.
func (x *Table) sampledSeries(track model.TrackID) (stack, clock *Series) {
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

// TreeOf fills out with the call tree of [t0, t1) over the given tracks in a measure. For
// MeasureDuration it is Tree, without the time in which the program stood still. For the others:
//
// A sample of a stack (RoleStack) is in the range when its time is, t0 <= time < t1, as samples are
// counted everywhere; so those of neighbouring ranges add up. It owns the time up to the next sample
// of its track; the newest owns nothing yet.
//
//   - MeasureSamples: Total of a node are the samples that have its path, Self those in which it is
//     innermost; Count too, where each stands for itself.
//   - MeasureWeight and those after it: the same for their weights, in its unit.
//   - MeasureCPU: the growth of the track's clock (RoleCPUTime) from one change to the next lies
//     evenly between these two, and the part that the range cuts off does not count. It belongs to the
//     samples of code there (StateReady), evenly over the time that they own, the one in force at
//     t0 included; if only waits were sampled it is spread over all. After the last
//     change the growth is not known yet. Total and Self are ns, Count is samples.
//
// A stack that occurs recursively counts once at each node of its path. out's capacity is reused.
// Cost: O(call paths · log samples); the samples since the last query are walked once.
func (x *Table) TreeOf(m Measure, tracks []model.TrackID, t0, t1 int64, out *Tree) {
	x.sumOf(m, tracks, t0, t1, out)
	out.Finish(x.host.Paths)
}

// index brings the indexes of sampled tracks up to date for a measure, as far as work lasts, and returns true when they
// are.
func (x *Table) index(m Measure, tracks []model.TrackID, work *int64) bool {
	if m == MeasureDuration {
		return true
	}
	for _, id := range tracks {
		stack, clock := x.sampledSeries(id)
		weight := x.weightOf(id, m)
		if stack == nil || weight == nil && m != MeasureCPU && (m != MeasureSamples || !x.counted(id)) {
			continue
		}
		if _, done := x.stacks.step(stack, clock, weight, x.codeOf(clock, weight), *x.host.Revision, work); !done {
			return false
		}
	}
	return true
}

// codeOf returns the marks of the call paths that run; those of weights have no clock.
func (x *Table) codeOf(clock, weight *Series) []bool {
	if weight != nil {
		clock = nil
	}
	return x.codeFor(clock)
}

// sumOf is TreeOf without the nodes.
func (x *Table) sumOf(m Measure, tracks []model.TrackID, t0, t1 int64, out *Tree) {
	if m == MeasureDuration {
		if x.host.Work.stops = x.host.Stops(t0, t1, x.host.Work.stops[:0]); len(x.host.Work.stops) > 0 {
			x.sumWithout(x.host.Work.stops, tracks, t0, t1, out.Begin(x.host.Paths))
		} else {
			x.sum(tracks, t0, t1, out)
		}
		return
	}
	sums := out.Begin(x.host.Paths)
	out.Own()
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	if t0 >= t1 {
		return
	}
	for id := range once(tracks) {
		stack, clock := x.sampledSeries(id)
		if stack == nil {
			continue
		}
		switch weight := x.weightOf(id, m); {
		case weight != nil:
			x.stacks.Weighted(stack, weight, x.codeFor(nil), *x.host.Revision).Add(false, t0, t1, sums)
		case m == MeasureCPU:
			x.stacks.Of(stack, clock, x.codeFor(clock), *x.host.Revision).Add(true, t0, t1, sums)
		case m == MeasureSamples && x.counted(id):
			part := sums.Part()
			x.stacks.Of(stack, clock, x.codeFor(clock), *x.host.Revision).Add(false, t0, t1, part)
			for _, p := range part.Used {
				part.Sums[p].Ns = part.Sums[p].Count
			}
			sums.AddPart()
		}
	}
}
