package spans

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Hottest is the method with most self samples of code, and the path to it. Waits and calls in the kernel
// for I/O take no CPU time, and are left out of all of it. For weights of samples (MeasureWeight) it is the
// same with these, and nothing is left out: waiting code allocates bytes, too.
type Hottest struct {
	Collector model.CollectorID
	Own       int64 // samples with it innermost
	Of        int64 // samples of code
	Samples   int64 // all that were taken
	// Way is the call path that has most of them, the outermost method first. It is valid until the
	// next query.
	Way []Step
}

// Step is a method on a call path, with the samples of code that go on from there.
type Step struct {
	Path      model.PathID
	Collector model.CollectorID
	Samples   int64
}

// Share returns the part of the samples of code that have the method innermost.
func (h *Hottest) Share() float64 { return float64(h.Own) / float64(max(h.Of, 1)) }

// Within is how far the share is from that of all the time, see ShareWithin.
func (h *Hottest) Within() float64 { return ShareWithin(h.Own, h.Of) }

// Hottest returns where the CPU time of some threads goes in [t0, t1), by the samples of their stacks, or by
// their weights if the measure is one: for the method with most self samples, or for the given one (NoCollector:
// none). Ties go to the least id. way is the buffer for the call path. ok is false without samples of code.
func (x *Table) Hottest(
	m Measure, tracks []model.TrackID, only model.CollectorID, t0, t1 int64, way []Step,
) (h Hottest, ok bool) {
	return x.Whole(m, tracks, t0, t1).Hottest(only, way)
}

// Hottest is Table.Hottest of a tree that is ready.
func (s *SharedTree) Hottest(only model.CollectorID, way []Step) (h Hottest, ok bool) {
	h.Of, h.Samples, h.Collector = s.all, s.Total, only
	if s.Measure == MeasureDuration {
		return h, false
	}
	for c, own := range s.own {
		if id := model.CollectorID(c - 1); only == model.NoCollector && own > h.Own || id == only && own > 0 {
			h.Collector, h.Own = id, own
		}
	}
	best := int32(-1)
	for _, i := range s.NodesOf(h.Collector) {
		if s.able[i] > 0 && (best < 0 || s.weight(i, only) > s.weight(best, only)) {
			best = i
		}
	}
	if best < 0 {
		return h, false
	}
	h.Way = way[:0]
	for i := best; i >= 0; i = s.Nodes[i].Parent {
		h.Way = append(h.Way, Step{s.Nodes[i].Path, s.Nodes[i].Collector, s.able[i]})
	}
	slices.Reverse(h.Way)
	return h, true
}

// burns reports whether samples with a path innermost count in a measure: for samples and CPU time only code
// does.
func (x *Table) burns(m Measure, p model.PathID) bool {
	return m >= MeasureWeight || x.StateOf(p) == StateReady
}

// weight returns the figure that chooses the path to a method: its self samples, for a given method
// also those of its callees.
func (s *SharedTree) weight(node int32, only model.CollectorID) int64 {
	if only != model.NoCollector {
		return s.able[node]
	}
	return s.Nodes[node].Self
}

// Caller is a method that called another one, with the number of samples of these calls.
type Caller struct {
	Collector model.CollectorID // NoCollector: the thread itself
	Samples   int64
}

// Callers appends the callers of a method on some threads in [t0, t1), those with most samples first, or with
// most of their weight if the measure is one. Of recursive calls the outermost counts.
func (x *Table) Callers(m Measure, tracks []model.TrackID, c model.CollectorID, t0, t1 int64, out []Caller) []Caller {
	return x.Whole(m, tracks, t0, t1).Callers(c, out)
}

// Callers is Table.Callers of a tree that is ready.
func (s *SharedTree) Callers(c model.CollectorID, out []Caller) []Caller {
	from, at := len(out), map[model.CollectorID]int{}
	for _, i := range s.NodesOf(c) {
		if s.Nested(i) {
			continue
		}
		by := Caller{model.NoCollector, s.Nodes[i].Total}
		if up := s.Nodes[i].Parent; up >= 0 {
			by.Collector = s.Nodes[up].Collector
		}
		if k, ok := at[by.Collector]; ok {
			out[k].Samples += by.Samples
		} else {
			at[by.Collector] = len(out)
			out = append(out, by)
		}
	}
	slices.SortStableFunc(out[from:], func(a, b Caller) int { return cmp.Compare(b.Samples, a.Samples) })
	return out
}
