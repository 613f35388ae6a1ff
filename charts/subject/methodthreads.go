package subject

import (
	"cmp"
	"slices"

	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// MethodThreads are the threads with samples of a method, found a few a tick.
type MethodThreads struct {
	List []ThreadSamples // those with most samples first

	of     *store.Session
	method model.CollectorID
	t0, t1 int64
	stamp  uint64
	next   model.TrackID
	work   []spans.Caller
	tree   spans.TreeUser // of the next thread
	one    [1]model.TrackID
	fresh  []ThreadSamples
}

// ThreadSamples are the samples of a thread that have the method.
type ThreadSamples struct {
	Track model.TrackID
	N     int64
}

// threadsATick is the number of threads with samples counted in a tick.
const threadsATick = 4

// Find goes on to find on which threads a method was sampled in [t0, t1); NoCollector: there is none. It
// begins anew with another stamp. It returns 1 when all of them became known, else 0.
func (x *MethodThreads) Find(
	env *panel.Env, s *store.Session, c model.CollectorID, t0, t1 int64, stamp uint64,
) uint64 {
	if c == model.NoCollector {
		x.of, x.List = nil, x.List[:0]
		return 0
	}
	if x.of != s || x.method != c || x.t0 != t0 || x.t1 != t1 || x.stamp != stamp {
		if x.method != c || x.of != s {
			x.List = x.List[:0]
		}
		x.of, x.method, x.t0, x.t1, x.stamp = s, c, t0, t1, stamp
		x.next, x.fresh = 0, x.fresh[:0]
		x.tree.Drop()
	}
	n, all, looked := model.TrackID(s.NumTracks()), s.Spans(), 0
	if x.next >= n {
		return 0
	}
	for ; x.next < n && (looked < threadsATick || !env.Paced); x.next++ {
		if !all.Sampled(x.next) {
			continue
		}
		looked++
		if x.one[0] = x.next; !x.tree.Waits() {
			x.tree.Ask(all, spans.MeasureSamples, x.one[:], t0, t1)
		}
		if !x.tree.Step() {
			break
		}
		sum := int64(0)
		x.work = x.tree.Tree().Callers(c, x.work[:0])
		for i := range x.work {
			sum += x.work[i].Samples
		}
		if sum > 0 {
			x.fresh = append(x.fresh, ThreadSamples{x.next, sum})
		}
	}
	if x.next < n {
		return 0
	}
	x.tree.Drop()
	x.List, x.fresh = x.fresh, x.List[:0]
	slices.SortStableFunc(x.List, func(a, b ThreadSamples) int { return cmp.Compare(b.N, a.N) })
	return 1
}
