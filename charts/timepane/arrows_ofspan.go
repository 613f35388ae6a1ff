package timepane

import (
	"cmp"
	"slices"

	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
)

// OfSpan is the flows of a span: queried once, and again when something changed. The zero value is
// ready.
type OfSpan struct {
	// In leads to the span, Out begins in it, each in order of the time at which it does.
	In, Out []spans.Arrow
	// More means that the span may have others: of a long one not all arrows on its thread are read.
	More bool
	of   asked

	far     []spans.Arrow
	farEnds []Flow
	whole   bool // with the chains
	ends    [2]ends
}

// mostFar bounds the arrows of chains that are shown, mostShown those that a span has either way.
const (
	mostFar   = 64
	mostShown = 64
)

// asked is the key of the answer.
type asked struct {
	session *store.Session
	rev     uint64
	ref     spans.Ref
	begin   int64
	end     int64
}

// Flow is an arrow with both its ends.
type Flow struct {
	spans.Arrow
	Begin, End End
}

// End is an end of an arrow.
type End struct {
	Track model.TrackID
	Time  int64 // ns
	Bar   spans.Bar
	Known bool // there is a span: Bar
}

// BeginOf returns where an arrow begins, EndOf where it ends.
func BeginOf(s *store.Session, a *spans.Arrow) End {
	b, ok := a.Begin(s.Spans())
	return End{a.FromTrack, a.From, b, ok}
}

// EndOf returns where an arrow ends.
func EndOf(s *store.Session, a *spans.Arrow) End {
	b, ok := a.End(s.Spans())
	return End{a.ToTrack, a.To, b, ok}
}

// FlowOf returns an arrow with its ends.
func FlowOf(s *store.Session, a spans.Arrow) Flow { return Flow{a, BeginOf(s, &a), EndOf(s, &a)} }

// Ask queries the flows of a span. Merged spans have none.
func (o *OfSpan) Ask(s *store.Session, b *spans.Bar) {
	if !s.Flows().Any() || b.Count > 1 {
		o.Forget()
		return
	}
	of := asked{s, s.Revision(), b.Ref, b.Begin, b.End}
	if of == o.of {
		return
	}
	o.Forget()
	o.of = of
	o.In, o.Out, o.More = s.Flows().OfSpan(s.Spans(), b, o.In, o.Out)
}

// Forget makes it that of no span.
func (o *OfSpan) Forget() {
	o.In, o.Out, o.More, o.of = o.In[:0], o.Out[:0], false, asked{}
	o.far, o.farEnds, o.whole = o.far[:0], o.farEnds[:0], false
	o.ends[0].from, o.ends[1].from = -1, -1
}

// Count returns how many there are.
func (o *OfSpan) Count() int { return len(o.In) + len(o.Out) }

// Far returns the rest of their chains: earlier and later flows, 64 at most.
func (o *OfSpan) Far() []Flow {
	if o.whole || o.Count() == 0 {
		return o.farEnds
	}
	o.whole = true
	x := o.of.session.Flows()
	for i := 0; i < len(o.In) && len(o.far) < mostFar; i++ {
		o.far = x.Along(o.In[i], true, mostFar-len(o.far), o.far)
	}
	for i := 0; i < len(o.Out) && len(o.far) < mostFar; i++ {
		o.far = x.Along(o.Out[i], false, mostFar-len(o.far), o.far)
	}
	slices.SortFunc(o.far, compare)
	o.far = slices.Compact(o.far)
	for _, a := range o.far {
		o.farEnds = append(o.farEnds, FlowOf(o.of.session, a))
	}
	return o.farEnds
}

// ends are the arrows one way that are shown, from one on.
type ends struct {
	from int
	list []Flow
}

// Near returns those that lead to the span, or with out begin in it, at a time or later, 64 at most; and
// where these are fewer, of those before it the last.
func (o *OfSpan) Near(out bool, timeNs int64) []Flow {
	list, e := o.In, &o.ends[0]
	at := func(a spans.Arrow, t int64) int { return cmp.Compare(a.To, t) }
	if out {
		list, e = o.Out, &o.ends[1]
		at = func(a spans.Arrow, t int64) int { return cmp.Compare(a.From, t) }
	}
	from, _ := slices.BinarySearchFunc(list, timeNs, at)
	if from = max(0, min(from, len(list)-mostShown)); e.from != from {
		e.from, e.list = from, e.list[:0]
		for _, a := range list[from:min(from+mostShown, len(list))] {
			e.list = append(e.list, FlowOf(o.of.session, a))
		}
	}
	return e.list
}

func compare(a, b spans.Arrow) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.FromTrack, b.FromTrack),
		cmp.Compare(a.ToTrack, b.ToTrack), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chain, b.Chain))
}
