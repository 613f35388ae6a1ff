package report

import (
	"sync"

	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// foundTimes adds up the time of calls that an expression finds. Of nested found calls only the
// outermost counts, as everywhere (measure "total").
type foundTimes struct {
	s      *store.Session
	search *spans.CallSearch
	byCall bool // finding a caller depends on the call, not only on its call path

	alone sync.Mutex
	above map[foundPlace]foundAbove
	times map[foundPlace]foundTime

	values *foundValues // nil: nobody asks for them
}

// foundAbove reports whether callers on a call path can be found: any, and of the same collector.
type foundAbove struct{ any, same bool }

type foundPlace struct {
	track model.TrackID
	path  model.PathID
}

// foundTime is time in calls that are inside none that is found, and inside none of their collector, ns.
type foundTime struct{ outermost, ofName int64 }

// newFoundTimes makes a search, which has yet to begin, add up times.
func newFoundTimes(s *store.Session, search *spans.CallSearch, q *spans.CallQuery, values *foundValues) *foundTimes {
	x := &foundTimes{
		s: s, search: search, byCall: q.Accept != nil || q.Runs != nil || q.BelowNs != 0,
		above: map[foundPlace]foundAbove{}, times: map[foundPlace]foundTime{}, values: values,
	}
	q.Seen = func() func(of spans.Ref, found []spans.Found) {
		below := new(spans.Below)
		return func(of spans.Ref, found []spans.Found) { x.add(of, found, below) }
	}
	return x
}

func (x *foundTimes) add(of spans.Ref, found []spans.Found, below *spans.Below) {
	x.alone.Lock()
	defer x.alone.Unlock()
	if x.values != nil {
		x.values.add(of, found, below)
	}
	for i := range found {
		f := &found[i]
		at := foundPlace{of.Track, f.Path}
		above, known := x.above[at]
		if !known {
			above = x.along(at)
			x.above[at] = above
		}
		if of.Index = f.Index; above.any && x.byCall {
			above = x.callers(of, above.same)
		}
		t := x.times[at]
		if !above.any {
			t.outermost += f.Ns
		}
		if !above.same {
			t.ofName += f.Ns
		}
		x.times[at] = t
	}
}

// along returns which callers on a call path can be found. Asynchronous spans have none.
func (x *foundTimes) along(p foundPlace) (a foundAbove) {
	up, of := x.s.Path(p.path)
	if !x.s.Track(p.track).Def.Kind.Calls() {
		return a
	}
	for up != model.PathRoot && !a.same {
		at := up
		var id model.CollectorID
		if up, id = x.s.Path(at); x.search.Wants(p.track, at) {
			a.any, a.same = true, a.same || id == of
		}
	}
	return a
}

// callers returns which callers of a call are found; without same, one found caller is enough.
func (x *foundTimes) callers(of spans.Ref, same bool) (a foundAbove) {
	b, ok := x.s.Spans().ByRef(of)
	_, name := x.s.Path(b.Path)
	for ok && !a.same && (same || !a.any) {
		if b, ok = x.s.Spans().Caller(b.Ref); ok && x.search.Is(&b) {
			_, id := x.s.Path(b.Path)
			a.any, a.same = true, id == name
		}
	}
	return a
}

// at returns the time on a thread along a call path.
func (x *foundTimes) at(track model.TrackID, p model.PathID) foundTime {
	return x.times[foundPlace{track, p}]
}

// all returns the time in all.
func (x *foundTimes) all() (ns int64) {
	for _, t := range x.times {
		ns += t.outermost
	}
	return ns
}

// timed looks for the calls that an expression finds on tracks, to the end, and adds up their times.
func timed(
	s *store.Session, tracks []model.TrackID, beginNs, endNs int64, where *find.Expr, values *foundValues,
) (*spans.CallSearch, *foundTimes) {
	q := where.Query(s, tracks, beginNs, endNs)
	q.Limit = foundListed
	search := new(spans.CallSearch)
	times := newFoundTimes(s, search, &q, values)
	search.Start(s.Spans(), q)
	for !search.Step(1 << 30) {
	}
	if values != nil {
		values.finish()
	}
	return search, times
}
