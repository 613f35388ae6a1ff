package why

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// A thing that goes a way through a program (a buffer of a pipeline, model.TrackStream) is late as a
// frame is long: it took much longer than the things around it. The cause is the part that had it
// longer than those, and, where it waited behind others, the part that had one of these longer
// meanwhile.

// sideThings is how many things before and after a late one it is compared with at most, of those
// that are not late themselves.
const sideThings = 32

// way holds the things of one way with known begin and end, in order of time. It reads new data
// only, a piece at a time.
type way struct {
	read   []int64 // of each lane: the position behind the read data
	things thingColumn
	first  int64 // position of the oldest thing that is kept
	cut    int64 // from that position on things are others than the book knows; MaxTime: none are
	along  frames.Along
	fresh  []thing // work
	looked int64   // spans that were read so far, for tests
	beside *store.Beside
	limit  model.HitchLimit
}

// thing is a thing on a way.
type thing struct {
	begin, ns int64
	at        int64 // where it is stored: see ref
}

type thingColumn struct{ columns.Column }

func (c *thingColumn) At(i int64) thing   { return columns.At[thing](&c.Column, i) }
func (c *thingColumn) Ref(i int64) *thing { return columns.Ref[thing](&c.Column, i) }
func (c *thingColumn) Push(x thing)       { columns.Append(&c.Column, x) }

// laneBits are those of a thing's place that are its lane.
const laneBits = 12

func (x thing) ref(track model.TrackID) spans.Ref {
	return spans.Ref{Track: track, Lane: uint16(x.at & (1<<laneBits - 1)), Index: x.at >> laneBits}
}

func (x thing) compare(y thing) int {
	return cmp.Or(cmp.Compare(x.begin, y.begin), cmp.Compare(x.at&(1<<laneBits-1), y.at&(1<<laneBits-1)),
		cmp.Compare(x.at, y.at))
}

// Length implements around.Lengths.
func (w *way) Length(p int64) int64 { return w.things.Ref(p).ns }

// Kept implements around.Lengths.
func (w *way) Kept() (first, end int64) { return w.first, w.things.End() }
func (w *way) News(int64, int64) int64  { return 0 }

// LeastNs implements around.Lengths.
func (w *way) LeastNs(medianNs int64) int64 { return w.limit.LeastNs(medianNs) }

func (w *way) len() int           { return int(w.things.End() - w.first) }
func (w *way) thing(i int) *thing { return w.things.Ref(w.first + int64(i)) }

func (w *way) late(i int) bool { return w.along.Hitch(w, w.first+int64(i)) }

// wayOf returns the things read of a way so far.
func (e *Engine) wayOf(track model.TrackID) *way {
	w := e.ways[track]
	if w == nil {
		if e.ways == nil {
			e.ways = map[model.TrackID]*way{}
		}
		w = &way{cut: model.MaxTime, beside: e.s.Beside(), limit: e.s.Frames().HitchLimit()}
		e.ways[track] = w
	}
	return w
}

// way returns the things of a way, all of them.
func (e *Engine) way(track model.TrackID) *way {
	w := e.wayOf(track)
	for w.more(e.s, track) {
	}
	return w
}

// Unread returns how many spans of a way were not read yet: as many as an answer reads first.
func (e *Engine) Unread(track model.TrackID) (n int64) {
	w := e.wayOf(track)
	for lane := range e.s.Track(track).Lanes() {
		first, end := e.s.Spans().Kept(track, lane)
		n += end - max(w.readUpTo(lane), first)
	}
	return n
}

func (w *way) readUpTo(lane int) int64 {
	if lane < len(w.read) {
		return w.read[lane]
	}
	return 0
}

// readBlock is how many spans of a lane are read in one piece.
const readBlock = 512

// more reads a piece of the new data, and reports whether there may be more. Things that began
// before already read ones are inserted, so that late data costs as much as the data since.
func (w *way) more(s *store.Session, track model.TrackID) bool {
	t, all := s.Track(track), s.Spans()
	most, until := int64(0), int64(model.MaxTime)
	for lane := range t.Lanes() {
		first, end := all.Kept(track, lane)
		if lane == len(w.read) {
			w.read = append(w.read, first)
		}
		if end < w.read[lane] { // the session began anew
			*w = way{looked: w.looked, beside: w.beside}
			return true
		}
		if w.read[lane] = max(w.read[lane], first); end-w.read[lane] > max(most, readBlock) {
			b, _ := all.ByRef(spans.Ref{Track: track, Lane: uint16(lane), Index: w.read[lane] + readBlock})
			most, until = end-w.read[lane], b.Begin
		}
	}
	if w.readSpans(s, track, until); len(w.fresh) == 0 && most > 0 {
		w.readSpans(s, track, until+1) // many have no length
	}
	w.merge()
	for w.first < w.things.End() {
		x := w.thing(0).ref(track)
		if first, _ := all.Kept(track, int(x.Lane)); x.Index >= first {
			break
		}
		w.first++
	}
	w.things.DropBefore(w.first)
	w.beside.Set(w.things.Held() + w.along.Held())
	return most > 0
}

// readSpans reads the spans that were not read and began before a time.
func (w *way) readSpans(s *store.Session, track model.TrackID, until int64) {
	const unsure = model.SpanOpenBegin | model.SpanOpenEnd | model.SpanUncertain
	w.fresh = w.fresh[:0]
	for lane := range w.read {
		_, end := s.Spans().Kept(track, lane)
		for ; w.read[lane] < end; w.read[lane]++ {
			b, _ := s.Spans().ByRef(spans.Ref{Track: track, Lane: uint16(lane), Index: w.read[lane]})
			if w.looked++; b.Begin >= until {
				break
			}
			if b.Flags&unsure == 0 {
				w.fresh = append(w.fresh, thing{b.Begin, b.End - b.Begin, b.Ref.Index<<laneBits | int64(lane)})
			}
		}
	}
	slices.SortFunc(w.fresh, thing.compare)
}

// merge inserts the things just read.
func (w *way) merge() {
	if len(w.fresh) == 0 {
		return
	}
	n := w.things.End()
	from := columns.Search(w.first, n, func(p int64) bool { return w.things.At(p).compare(w.fresh[0]) > 0 })
	if from < n {
		for p := from; p < n; p++ {
			w.fresh = append(w.fresh, w.things.At(p))
		}
		w.looked += n - from
		slices.SortFunc(w.fresh, thing.compare)
		w.things.Truncate(from)
		w.along.Truncate(from)
		w.cut = min(w.cut, from)
	}
	for _, x := range w.fresh {
		w.things.Push(x)
	}
}

// Things returns the number of things of a way, without those of uncertain begin or end.
func (e *Engine) Things(track model.TrackID) int { return e.way(track).len() }

// ThingAt returns one of them, and its number on its way.
func (e *Engine) ThingAt(track model.TrackID, index int) (bar spans.Bar, number int64) {
	return e.thingAt(track, e.way(track), index)
}

func (e *Engine) thingAt(track model.TrackID, w *way, index int) (bar spans.Bar, number int64) {
	x := w.thing(index)
	bar, ok := e.s.Spans().ByRef(x.ref(track))
	if !ok { // it has left, though one that began before has not
		bar = spans.Bar{Begin: x.begin, End: x.begin + x.ns, Collector: model.NoCollector, Count: 1, Busy: 1,
			Ref: x.ref(track)}
	}
	number, _ = e.s.Spans().NumberOf(bar)
	return bar, number
}

// ThingOf returns the index of the thing that a span belongs to. false: there is none, or its begin or
// end is uncertain.
func (e *Engine) ThingOf(ref spans.Ref) (index int, ok bool) {
	t := e.s.Track(ref.Track)
	bar, found := e.s.Spans().ByRef(ref)
	if t == nil || t.Def.Kind != model.TrackStream || !found {
		return 0, false
	}
	w := e.way(ref.Track)
	p := columns.Search(w.first, w.things.End(), func(p int64) bool { return w.things.At(p).begin >= bar.Begin })
	for ; p < w.things.End() && w.things.At(p).begin == bar.Begin; p++ {
		if w.things.At(p).ref(ref.Track) == ref {
			return int(p - w.first), true
		}
	}
	return 0, false
}

// Late appends the indices of those that took much longer than those around them, in order of time.
func (e *Engine) Late(track model.TrackID, out []int) []int {
	w := e.way(track)
	return w.lateIn(e, 0, w.len()-1, out)
}

func (w *way) lateIn(e *Engine, first, last int, out []int) []int {
	e.late = w.along.Hitches(w, w.first+int64(first), w.first+int64(last)+1, e.late[:0])
	for _, p := range e.late {
		out = append(out, int(p-w.first))
	}
	return out
}

// Thing explains in out why a thing took so long on its way: the parts that had it longer than the
// things around it. Frame is its index, Number its name. It reuses the slices of out. ok is false if
// there is no such thing.
func (e *Engine) Thing(track model.TrackID, index int, out *Answer) (ok bool) {
	out.begin(track, index)
	if t := e.s.Track(track); t == nil || t.Def.Kind != model.TrackStream {
		return false
	}
	w := e.way(track)
	if index < 0 || index >= w.len() {
		return false
	}
	e.explainThing(w, index, out)
	return true
}

// explainThing explains in out why a read thing of a way took so long.
func (e *Engine) explainThing(w *way, index int, out *Answer) {
	e.learns = 0
	bar, number := e.thingAt(out.Track, w, index)
	around := w.along.Around(w, w.first+int64(index))
	out.Number, out.DurationNs, out.TypicalNs = number, bar.End-bar.Begin, around.MedianNs
	if around.N == 0 {
		return
	}
	out.Hitch, out.HitchNs = w.late(index), around.HitchNs(w)
	out.Stands = out.Hitch
	excess := out.ExcessNs()
	out.UnexplainedNs = excess
	if excess > 0 && e.stops.fill(e, out.Track, w, index) {
		e.stops.explain(e, excess, out)
	}
}

// stop is a part of the program that had things of a way.
type stop struct {
	track     model.TrackID // of the element; of the way itself: the part is unknown
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
	way    model.TrackID
	w      *way
	index  int
	refs   []int
	list   []stop
	passed spans.Passage
	some   []int64
}

// fill finds the parts that had a thing and those around it. It returns false if these are too few.
func (p *stops) fill(e *Engine, track model.TrackID, w *way, index int) bool {
	p.way, p.w, p.index, p.refs, p.list = track, w, index, p.refs[:0], p.list[:0]
	p.refs, _ = beside(index, w.len(), sideThings, w.late, p.refs)
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

// add adds the stops of a thing: of the examined one, or of one around.
func (p *stops) add(e *Engine, index, ref int) {
	way, _ := e.thingAt(p.way, p.w, index)
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
	settle(found, func(i int) int64 { return p.list[i].excess() }, func(a, b int) bool {
		covered := p.list[a].track != out.Track
		return covered && (p.list[b].track == out.Track || a < b)
	})
	if len(found) == 0 {
		of, _ := e.thingAt(p.way, p.w, p.index)
		out.Chain = append(out.Chain, Link{Track: out.Track, Collector: of.Collector, How: Spread, ExcessNs: excess,
			SelfNs: out.DurationNs})
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
		Track: x.track, Collector: x.collector, ExcessNs: x.excess(), SelfNs: x.isNs, Calls: 1, Seen: x.seen,
		Around: len(p.refs), BeginNs: x.begin, EndNs: x.end,
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

// behind appends to a chain the part that delayed the things before this one, which waited in the stop
// of the last link. Only a queue holds the next thing in it that way, and only up to the next queue:
// one thread takes a thing out of it and brings it that far before it comes back.
func (p *stops) behind(e *Engine, at int, links []Link) []Link {
	w := &p.list[at]
	if links[len(links)-1].How == NotMeasured || !p.queues(e, w) {
		return links
	}
	end := p.end(p.index)
	until := end // where the next queue has it
	for i := range p.list {
		if x := &p.list[i]; p.after(x, w) && x.begin < until && x.track != p.way && p.queues(e, x) {
			until = x.begin
		}
	}
	best := Link{}
	for i := range p.list {
		if x := &p.list[i]; p.after(x, w) && x.begin < until && x.track != p.way {
			if l := p.held(e, x, w); l.ExcessNs > best.ExcessNs {
				best = l
			}
		}
	}
	if until == end {
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

// end returns when a thing reached the end of its way.
func (p *stops) end(index int) int64 { x := p.w.thing(index); return x.begin + x.ns }

// after reports whether the thing came to a stop after it had been in another.
func (p *stops) after(x, w *stop) bool { return x.has && x != w && x.begin >= w.end }

// queues reports whether a stop is a queue: it is called one, or had two things at once.
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

// atEnd returns how much longer than typical the thing before stayed at the end of its way, while a
// queue still had this thing: the part behind the last measured one (the sink of a pipeline) had it.
func (p *stops) atEnd(e *Engine, w *stop) Link {
	if p.index == 0 {
		return Link{}
	}
	var ns []int64
	for _, i := range p.refs {
		if begin, end, ok := p.had(e, i, w); ok && i > 0 {
			ns = append(ns, max(end-max(begin, p.end(i-1)), 0))
		}
	}
	of, _ := e.thingAt(p.way, p.w, p.index-1)
	from := max(w.begin, of.End)
	if from >= w.end {
		return Link{}
	}
	return Link{
		Track: of.Ref.Track, Collector: of.Collector, How: NotMeasured, ExcessNs: w.end - from - p.middle(ns),
		SelfNs: w.end - from, Calls: 1, TypicalCalls: 1, BeginNs: from, EndNs: w.end,
	}
}

// had returns when a stop had a thing.
func (p *stops) had(e *Engine, index int, w *stop) (begin, end int64, ok bool) {
	e.s.Spans().Passage(p.w.thing(index).ref(p.way), &p.passed)
	for i := range p.passed.Stops {
		if b := &p.passed.Stops[i]; b.Ref.Track == w.track && b.Collector == w.collector {
			return b.Begin, b.End, true
		}
	}
	return 0, 0, false
}
