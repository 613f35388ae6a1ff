package spans

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Hottest is the method that has most samples of code of its own, and the way to it. What waits or is
// in the kernel for I/O takes no CPU time, and is left out of all of it. Of what samples stand for
// (MeasureWeight) it is the same with that, and nothing is left out: bytes are allocated by what waits, too.
type Hottest struct {
	Collector model.CollectorID
	Own       int64 // samples with it innermost
	Of        int64 // samples of code
	Samples   int64 // all that were taken
	// Way is the call path that has most of them, the outermost method first. It is valid until the
	// next question.
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

// Hottest returns where the CPU time of some threads goes in [t0, t1), going by the samples of their
// stacks, or by what these stand for where the measure is one of that: of the method with most samples of its own, or of the one that is asked for (NoCollector:
// none is). Of several with as many it is the one of the least id. way is where the call path is
// written to. ok is false where nothing has samples of code.
func (x *Table) Hottest(m Measure, tracks []model.TrackID, only model.CollectorID, t0, t1 int64, way []Step) (h Hottest, ok bool) {
	w := &x.host.Work.acts
	x.TreeOf(m, tracks, t0, t1, &w.tree)
	h.Of, h.Collector = w.ableSamples(x, m), only
	nodes := w.tree.Nodes
	w.own = w.own[:0]
	for i := range nodes {
		n := &nodes[i]
		if n.Parent < 0 {
			h.Samples += n.Total
		}
		if n.Self > 0 && x.burns(m, n.Path) {
			w.own = append(w.own, methodSamples{n.Collector, n.Self})
		}
	}
	w.sumOwn()
	for i := range w.own {
		if m := &w.own[i]; only == model.NoCollector && m.samples > h.Own || m.collector == only {
			h.Collector, h.Own = m.collector, m.samples
		}
	}
	best := int32(-1)
	for i := range nodes {
		if n := &nodes[i]; n.Collector == h.Collector && w.able[i] > 0 {
			if best < 0 || w.weight(i, only) > w.weight(int(best), only) {
				best = int32(i)
			}
		}
	}
	if best < 0 {
		return h, false
	}
	h.Way = way[:0]
	for i := best; i >= 0; i = nodes[i].Parent {
		h.Way = append(h.Way, Step{nodes[i].Path, nodes[i].Collector, w.able[i]})
	}
	slices.Reverse(h.Way)
	return h, true
}

// burns tells whether what has a path innermost counts in a measure: of samples and CPU time if it is code.
func (x *Table) burns(m Measure, p model.PathID) bool {
	return m >= MeasureWeight || x.StateOf(p) == StateReady
}

// weight is by what the way to a method is chosen: of one that burns its own samples, of one that was
// asked for those of its callees, too.
func (w *activityWork) weight(node int, only model.CollectorID) int64 {
	if only != model.NoCollector {
		return w.able[node]
	}
	return w.tree.Nodes[node].Self
}

// sumOwn adds up the samples of each method, ascending by id.
func (w *activityWork) sumOwn() {
	slices.SortFunc(w.own, func(a, b methodSamples) int { return cmp.Compare(a.collector, b.collector) })
	k := 0
	for _, m := range w.own {
		if k > 0 && w.own[k-1].collector == m.collector {
			w.own[k-1].samples += m.samples
			continue
		}
		w.own[k] = m
		k++
	}
	w.own = w.own[:k]
}

// Caller is a method that another one was called from, with the samples that have it so.
type Caller struct {
	Collector model.CollectorID // NoCollector: the thread itself
	Samples   int64
}

// Callers appends from which methods a method was called on some threads in [t0, t1), those with most
// samples first, or with most of what these stand for where the measure is one of that. Of recursive calls the outermost counts.
func (x *Table) Callers(m Measure, tracks []model.TrackID, c model.CollectorID, t0, t1 int64, out []Caller) []Caller {
	w, from := &x.host.Work.acts, len(out)
	x.TreeOf(m, tracks, t0, t1, &w.tree)
	nodes := w.tree.Nodes
	for i := range nodes {
		if nodes[i].Collector != c {
			continue
		}
		up, again := nodes[i].Parent, false
		for k := up; k >= 0 && !again; k = nodes[k].Parent {
			again = nodes[k].Collector == c
		}
		if again {
			continue
		}
		by := Caller{model.NoCollector, nodes[i].Total}
		if up >= 0 {
			by.Collector = nodes[up].Collector
		}
		k := slices.IndexFunc(out[from:], func(y Caller) bool { return y.Collector == by.Collector })
		if k < 0 {
			out = append(out, by)
		} else {
			out[from+k].Samples += by.Samples
		}
	}
	slices.SortStableFunc(out[from:], func(a, b Caller) int { return cmp.Compare(b.Samples, a.Samples) })
	return out
}
