package find

import (
	"cmp"
	"slices"
	"sync"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// flowIndex finds the spans with flows that the terms of an expression name, at either of their ends. It
// goes through the arrows of a track when the first of its lanes is searched, a little at a time, and looks
// at no other span. It is safe for concurrent use. It leaves out data that came since the index of a track
// was made; another search finds it.
type flowIndex struct {
	s     *store.Session
	terms []*term
	none  bool // calls without flows are meant, too

	mu     sync.Mutex
	names  []flowName
	tracks map[model.TrackID]*flowTrack
}

// flowName is the cached result for a name.
type flowName struct {
	terms uint64 // that mean it, a bit each
	known bool
}

// flowTrack is the index of a track.
type flowTrack struct {
	at    spans.Place
	done  bool
	lanes map[uint16]*flowLane
}

// flowLane are the spans of a lane with flows that a term names, in order.
type flowLane struct {
	list   []flowSpan
	sorted bool
}

type flowSpan struct {
	index int64
	terms uint64
}

// endWork is the cost of an arrow's end, in spans.
const endWork = 8

func newFlowIndex(e *Expr, s *store.Session) *flowIndex {
	x := &flowIndex{s: s, none: true, tracks: map[model.TrackID]*flowTrack{}}
	for i := range e.terms {
		if t := &e.terms[i]; t.field == byFlow {
			x.terms, x.none = append(x.terms, t), x.none && t.not
		}
	}
	return x
}

// next is spans.Runs.
func (x *flowIndex) next(of spans.Ref, from, to, budget int64) (a, b, work int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	list, work := x.lane(of, budget)
	if work > 0 { // it is not known yet
		return from, from, work
	}
	i, _ := slices.BinarySearchFunc(list, from, func(f flowSpan, at int64) int { return cmp.Compare(f.index, at) })
	begun := i
	if x.none {
		a, b, i = x.without(list, i, from, to)
	} else {
		a, b, i = x.with(list, i, to)
	}
	return a, b, int64(i-begun) + 1
}

// lane returns the spans of a lane; work, which is not 0: they are not all known.
func (x *flowIndex) lane(of spans.Ref, budget int64) (list []flowSpan, work int64) {
	t := x.tracks[of.Track]
	if t == nil {
		t = &flowTrack{lanes: map[uint16]*flowLane{}}
		x.tracks[of.Track] = t
	}
	if !t.done {
		t.at, t.done = x.s.Flows().EndsOn(of.Track, t.at, int(max(budget/endWork, 1)), func(timeNs int64, lane uint16,
			name model.FlowID) {
			work += endWork
			x.add(t, of.Track, lane, timeNs, name)
		})
		return nil, max(work, 1)
	}
	l := t.lanes[of.Lane]
	if l == nil {
		return nil, 0
	}
	if !l.sorted {
		l.sort()
	}
	return l.list, 0
}

// add notes the span at an end of an arrow.
func (x *flowIndex) add(t *flowTrack, track model.TrackID, lane uint16, timeNs int64, name model.FlowID) {
	terms := x.termsOf(name)
	if terms == 0 {
		return
	}
	b, ok := spans.SpanAt(x.s.Spans(), track, lane, timeNs)
	if !ok {
		return
	}
	l := t.lanes[b.Ref.Lane]
	if l == nil {
		l = &flowLane{}
		t.lanes[b.Ref.Lane] = l
	}
	if n := len(l.list); n > 0 && l.list[n-1].index == b.Ref.Index {
		l.list[n-1].terms |= terms
		return
	}
	l.list = append(l.list, flowSpan{b.Ref.Index, terms})
}

// termsOf returns which terms mean a name: there are 64 at most.
func (x *flowIndex) termsOf(name model.FlowID) uint64 {
	for int(name) >= len(x.names) {
		x.names = append(x.names, flowName{})
	}
	m := &x.names[name]
	if !m.known {
		m.known = true
		text := x.s.Flows().Name(name)
		for i, t := range x.terms {
			if t.name.matches(text, text) {
				m.terms |= 1 << i
			}
		}
	}
	return m.terms
}

// sort puts the spans of a lane in order, each once.
func (l *flowLane) sort() {
	slices.SortFunc(l.list, func(a, b flowSpan) int { return cmp.Compare(a.index, b.index) })
	n := 0
	for _, f := range l.list {
		if n > 0 && l.list[n-1].index == f.index {
			l.list[n-1].terms |= f.terms
			continue
		}
		l.list[n] = f
		n++
	}
	l.list, l.sorted = slices.Clip(l.list[:n]), true
}

// meant reports whether the flows of a span are as all terms want.
func (x *flowIndex) meant(f *flowSpan) bool {
	for i, t := range x.terms {
		if f.terms>>i&1 != 0 == t.not {
			return false
		}
	}
	return true
}

// with returns the next run of spans with flows that are meant, and where in the list it ends.
func (x *flowIndex) with(list []flowSpan, i int, to int64) (a, b int64, end int) {
	for i < len(list) && list[i].index < to && !x.meant(&list[i]) {
		i++
	}
	if i == len(list) || list[i].index >= to {
		return to, to, i
	}
	a = list[i].index
	for b = a; i < len(list) && list[i].index == b && b < to && x.meant(&list[i]); i++ {
		b++
	}
	return a, b, i
}

// without returns the next run of spans without flows that a term names, or with such as are meant.
func (x *flowIndex) without(list []flowSpan, i int, from, to int64) (a, b int64, end int) {
	for a = from; i < len(list) && list[i].index < to; i++ {
		if x.meant(&list[i]) {
			continue
		}
		if list[i].index > a {
			return a, list[i].index, i
		}
		a = list[i].index + 1
	}
	return a, to, i
}

// runsOf returns a filter of the spans that can be hits, by their arguments and flows; nil: all
// can.
func (e *Expr) runsOf(s *store.Session) func() spans.Runs {
	byArgs, byFlows := e.has(byArg), e.has(byFlow)
	var index *flowIndex
	if byFlows {
		index = newFlowIndex(e, s)
	}
	switch {
	case byArgs && byFlows:
		return func() spans.Runs { return both(index.next, newArgRuns(e, s.Args()).next) }
	case byArgs:
		return func() spans.Runs { return newArgRuns(e, s.Args()).next }
	case byFlows:
		return func() spans.Runs { return index.next }
	}
	return nil
}

// both returns the runs in both of two.
func both(x, y spans.Runs) spans.Runs {
	return func(of spans.Ref, from, to, budget int64) (a, b, work int64) {
		a, b, work = x(of, from, to, budget)
		if a >= b {
			return a, b, work
		}
		a, b, more := y(of, a, b, max(budget-work, 1))
		return a, b, work + more
	}
}
