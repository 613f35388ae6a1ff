package why

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// What goes a way through a program (a buffer of a pipeline, model.TrackStream) is late as a frame is
// long: it took much longer than what went the same way around it. What made it late is who had it
// longer than it had those; and who had one of these longer meanwhile, where that is what it waited
// behind.

// sideThings is how many things before and after a late one it is compared with at most, of those
// that are not late themselves.
const sideThings = 32

// way is what is known of what went one way.
type way struct {
	first, end int64 // positions in the lanes, added up, when it was looked at
	things     []thing
	around     []frames.Around
	late       []int
}

// thing is what went a way.
type thing struct {
	spans.Bar
	number int64 // see spans.Passage
}

// way returns what went a way, in order of time. What is not known from its begin to its end is left
// out.
func (e *Engine) way(track model.TrackID) *way {
	if e.ways == nil {
		e.ways = map[model.TrackID]*way{}
	}
	w := e.ways[track]
	if w == nil {
		w = &way{}
		e.ways[track] = w
	}
	t := e.s.Track(track)
	var first, end int64
	for lane := range t.Lanes() {
		a, b := e.s.Spans().Kept(track, lane)
		first, end = first+a, end+b
	}
	if w.first == first && w.end == end {
		return w
	}
	w.first, w.end, w.things = first, end, w.things[:0]
	for lane := range t.Lanes() {
		a, b := e.s.Spans().Kept(track, lane)
		for i := a; i < b; i++ {
			bar, _ := e.s.Spans().ByRef(spans.Ref{Track: track, Lane: uint16(lane), Index: i})
			w.things = append(w.things, thing{Bar: bar})
		}
	}
	slices.SortFunc(w.things, func(a, b thing) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Lane, b.Ref.Lane))
	})
	for i := range w.things {
		if w.things[i].number = first + int64(i) + 1; i > 0 && w.things[i].Begin == w.things[i-1].Begin {
			w.things[i].number = w.things[i-1].number
		}
	}
	const unsure = model.SpanOpenBegin | model.SpanOpenEnd | model.SpanUncertain
	w.things = slices.DeleteFunc(w.things, func(x thing) bool { return x.Flags&unsure != 0 })
	lengths := make([]int64, len(w.things))
	for i := range w.things {
		lengths[i] = w.things[i].End - w.things[i].Begin
	}
	w.around, w.late = frames.Among(lengths, w.around[:0], w.late[:0])
	return w
}

// Things returns how many things went a way, those left out whose begin or end is not known for
// certain.
func (e *Engine) Things(track model.TrackID) int { return len(e.way(track).things) }

// ThingAt returns one of them, and its number on its way.
func (e *Engine) ThingAt(track model.TrackID, index int) (bar spans.Bar, number int64) {
	x := &e.way(track).things[index]
	return x.Bar, x.number
}

// ThingOf returns the index of the thing on its way of which a span is. false: it is none, or its begin
// or end is not known for certain.
func (e *Engine) ThingOf(ref spans.Ref) (index int, ok bool) {
	t := e.s.Track(ref.Track)
	bar, found := e.s.Spans().ByRef(ref)
	if t == nil || t.Def.Kind != model.TrackStream || !found {
		return 0, false
	}
	things := e.way(ref.Track).things
	index, _ = slices.BinarySearchFunc(things, bar.Begin, func(x thing, begin int64) int { return cmp.Compare(x.Begin, begin) })
	for ; index < len(things) && things[index].Begin == bar.Begin; index++ {
		if things[index].Ref == ref {
			return index, true
		}
	}
	return 0, false
}

// Late appends the indices of those that took much longer than those around them, in order of time.
func (e *Engine) Late(track model.TrackID, out []int) []int { return append(out, e.way(track).late...) }

// LateHitches explains what was late on a way, all at once, for GroupsOf: as Hitches are of frames.
func (e *Engine) LateHitches(track model.TrackID) (out []Hitch) {
	for _, i := range e.way(track).late {
		e.Thing(track, i, &e.answer)
		out = append(out, e.answer.hitch(e.way(track).things[i].Begin))
	}
	return out
}

// Thing fills out with why a thing took as long as it did on its way: who had it longer than it had
// what went the same way around it. Frame is its index, Number what it is called. The slices of out are
// used again. ok is false where there is no such thing.
func (e *Engine) Thing(track model.TrackID, index int, out *Answer) (ok bool) {
	chain, others := out.Chain[:0], out.Others[:0]
	*out = Answer{Track: track, Frame: index, Chain: chain, Others: others}
	if t := e.s.Track(track); t == nil || t.Def.Kind != model.TrackStream {
		return false
	}
	w := e.way(track)
	if index < 0 || index >= len(w.things) {
		return false
	}
	x := &w.things[index]
	out.Number, out.DurationNs = x.number, x.End-x.Begin
	if out.TypicalNs = w.around[index].MedianNs; w.around[index].N == 0 {
		return true
	}
	_, out.Hitch = slices.BinarySearch(w.late, index)
	excess := out.ExcessNs()
	out.UnexplainedNs = excess
	if excess == 0 || !e.stops.fill(e, w, index) {
		return true
	}
	e.stops.explain(e, excess, out)
	return true
}

// stop is a part of the program that had things of a way.
type stop struct {
	track     model.TrackID // of the element; of the way itself: it is not known who had the thing then
	collector model.CollectorID
	has       bool
	begin     int64 // when it had the thing first
	end       int64
	isNs      int64
	ns        []int64 // of those around
	seen      int     // how many of these it had
	typicalNs int64
}

func (x *stop) excess() int64 { return x.isNs - x.typicalNs }

// stops are those of a thing, beside those of the things around it.
type stops struct {
	w      *way
	index  int
	refs   []int
	list   []stop
	passed spans.Passage
	some   []int64
}

// fill finds who had a thing and those around it. false: these are too few.
func (p *stops) fill(e *Engine, w *way, index int) bool {
	p.w, p.index, p.refs, p.list = w, index, p.refs[:0], p.list[:0]
	typical := func(i int) bool { _, late := slices.BinarySearch(w.late, i); return !late }
	for i, n := index-1, 0; i >= max(0, index-sideAway) && n < sideThings; i-- {
		if typical(i) {
			p.refs = append(p.refs, i)
			n++
		}
	}
	for i, n := index+1, 0; i < min(len(w.things), index+sideAway) && n < sideThings; i++ {
		if typical(i) {
			p.refs = append(p.refs, i)
			n++
		}
	}
	if len(p.refs) < leastRefs {
		return false
	}
	p.add(e, index, -1)
	for k, i := range p.refs {
		p.add(e, i, k)
	}
	for i := range p.list {
		x := &p.list[i]
		for _, ns := range x.ns {
			if ns > 0 {
				x.seen++
			}
		}
		x.typicalNs = p.middle(x.ns)
	}
	return true
}

// middle returns the median.
func (p *stops) middle(of []int64) int64 {
	if len(of) == 0 {
		return 0
	}
	p.some = append(p.some[:0], of...)
	slices.Sort(p.some)
	return p.some[(len(p.some)-1)/2]
}

// add adds the stops of a thing: of the one that is asked about, or of one around.
func (p *stops) add(e *Engine, index, ref int) {
	way := p.w.things[index].Bar
	e.s.Spans().Passage(way.Ref, &p.passed)
	rest := way.End - way.Begin
	for i := range p.passed.Stops {
		b := &p.passed.Stops[i]
		rest -= b.End - b.Begin
		p.addStop(b.Ref.Track, b.Collector, ref, b.Begin, b.End)
	}
	if rest > 0 {
		p.addStop(way.Ref.Track, way.Collector, ref, way.End-rest, way.End)
	}
}

func (p *stops) addStop(track model.TrackID, c model.CollectorID, ref int, begin, end int64) {
	k := slices.IndexFunc(p.list, func(x stop) bool { return x.track == track && x.collector == c })
	if k < 0 {
		k = len(p.list)
		p.list = append(p.list, stop{track: track, collector: c, ns: make([]int64, len(p.refs))})
	}
	x := &p.list[k]
	if ref >= 0 {
		x.ns[ref] += end - begin
		return
	}
	if !x.has {
		x.has, x.begin = true, begin
	}
	x.end, x.isNs = end, x.isNs+end-begin
}

// explain fills in the chains: one for each stop that has much of the excess.
func (p *stops) explain(e *Engine, excess int64, out *Answer) {
	least := max(int64(leastShare*float64(excess)), 1)
	var found []int
	for i := range p.list {
		if p.list[i].excess() >= least {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(p.list[b].excess(), p.list[a].excess()) })
	if len(found) == 0 {
		of := p.w.things[p.index].Bar
		out.Chain = append(out.Chain, Link{Track: out.Track, Collector: of.Collector, How: Spread, ExcessNs: excess, SelfNs: out.DurationNs})
		out.UnexplainedNs = 0
	}
	for n, i := range found {
		out.UnexplainedNs -= p.list[i].excess()
		e.links = p.behind(e, i, append(e.links[:0], p.link(i, out.Track)))
		if n == 0 {
			out.Chain = append(out.Chain, e.links...)
		} else {
			out.Others = append(out.Others, e.links...)
		}
	}
	out.UnexplainedNs = max(out.UnexplainedNs, 0)
}

// link makes the link of a stop.
func (p *stops) link(i int, way model.TrackID) Link {
	x := &p.list[i]
	l := Link{
		Track: x.track, Collector: x.collector, ExcessNs: x.excess(), SelfNs: x.isNs, Calls: 1, Seen: x.seen, Around: len(p.refs),
		BeginNs: x.begin, EndNs: x.end,
	}
	if 2*x.seen > len(p.refs) {
		l.TypicalCalls = 1
	}
	switch {
	case x.track == way:
		l.How = NotMeasured
	case float64(x.seen) <= rare*float64(len(p.refs)):
		l.How = New
	}
	return l
}

// behind appends to a chain whom the thing waited behind, in the stop that is the last link: who had
// those before it longer than is typical at that time, further on their way. Only of a queue is that
// what keeps the next one in it, and only up to the next queue: one thread takes a thing out of it and
// brings it as far as that before it comes back.
func (p *stops) behind(e *Engine, at int, links []Link) []Link {
	w := &p.list[at]
	if links[len(links)-1].How == NotMeasured || !p.queues(e, w) {
		return links
	}
	until := p.w.things[p.index].End // where the next queue has it
	for i := range p.list {
		if x := &p.list[i]; p.after(x, w) && x.begin < until && x.track != p.track() && p.queues(e, x) {
			until = x.begin
		}
	}
	best := Link{}
	for i := range p.list {
		if x := &p.list[i]; p.after(x, w) && x.begin < until && x.track != p.track() {
			if l := p.held(e, x, w); l.ExcessNs > best.ExcessNs {
				best = l
			}
		}
	}
	if until == p.w.things[p.index].End {
		if l := p.atEnd(e, w); l.ExcessNs > best.ExcessNs {
			best = l
		}
	}
	if float64(best.ExcessNs) < leastReach*float64(w.excess()) {
		return links
	}
	links[len(links)-1].How = Waiting
	return append(links, best)
}

// track is that of the way.
func (p *stops) track() model.TrackID { return p.w.things[p.index].Ref.Track }

// after tells whether the thing came to a stop after it had been in another.
func (p *stops) after(x, w *stop) bool { return x.has && x != w && x.begin >= w.end }

// queues tells whether a stop is a queue: it is called one, or had two things at once.
func (p *stops) queues(e *Engine, x *stop) bool {
	t := e.s.Track(x.track)
	o, _ := e.s.Topology().Object(t.Def.Object)
	for _, name := range [...]string{o.Type, t.Title()} {
		if strings.Contains(strings.ToLower(name), "queue") {
			return true
		}
	}
	return t.Lanes() > 1
}

// held returns how much longer than typical a stop had things in the time that another had the thing.
func (p *stops) held(e *Engine, x, w *stop) Link {
	l := Link{Track: x.track, Collector: x.collector, How: Longer}
	longest := int64(0)
	for lane := range e.s.Track(x.track).Lanes() {
		e.bars = e.s.Spans().Visible(x.track, lane, w.begin, w.end, 0, e.bars[:0])
		for _, b := range e.bars {
			begin, end := max(b.Begin, w.begin), min(b.End, w.end)
			if b.Count != 1 || b.Collector != x.collector || end <= begin {
				continue
			}
			l.SelfNs += b.End - b.Begin
			l.Calls++
			if over := b.End - b.Begin - x.typicalNs; over > 0 {
				l.ExcessNs += min(over, end-begin)
			}
			if b.End-b.Begin > longest {
				longest, l.BeginNs, l.EndNs = b.End-b.Begin, b.Begin, b.End
			}
		}
	}
	return l
}

// atEnd returns how much longer than typical the thing before had reached the end of its way, while a
// queue still had the thing: what lies behind the last that is measured (the sink of a pipeline) had it.
func (p *stops) atEnd(e *Engine, w *stop) Link {
	if p.index == 0 {
		return Link{}
	}
	var ns []int64
	for _, i := range p.refs {
		if begin, end, ok := p.had(e, i, w); ok && i > 0 {
			ns = append(ns, max(end-max(begin, p.w.things[i-1].End), 0))
		}
	}
	of := p.w.things[p.index-1].Bar
	from := max(w.begin, of.End)
	if from >= w.end {
		return Link{}
	}
	return Link{
		Track: of.Ref.Track, Collector: of.Collector, How: NotMeasured, ExcessNs: w.end - from - p.middle(ns), SelfNs: w.end - from,
		Calls: 1, TypicalCalls: 1, BeginNs: from, EndNs: w.end,
	}
}

// had returns when a stop had a thing.
func (p *stops) had(e *Engine, index int, w *stop) (begin, end int64, ok bool) {
	e.s.Spans().Passage(p.w.things[index].Ref, &p.passed)
	for i := range p.passed.Stops {
		if b := &p.passed.Stops[i]; b.Ref.Track == w.track && b.Collector == w.collector {
			return b.Begin, b.End, true
		}
	}
	return 0, 0, false
}
