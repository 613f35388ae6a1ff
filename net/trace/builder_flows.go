package trace

import (
	"cmp"
	"slices"
	"sort"

	"framescope/model"
)

// FlowRole is the part of an event in a flow.
type FlowRole uint8

// The roles.
const (
	FlowBegins     FlowRole = iota // begins it
	FlowSteps                      // is a step of one that has begun
	FlowEnds                       // is the last step
	FlowThrough                    // begins it, or is a step of it
	FlowThroughEnd                 // is the last step of it
	FlowOut                        // begins it anew: of a process the last one of that key ends
	FlowIn                         // is a step; of events of one time it is the last
)

// maxChains is how many flows of one key may go on at the same time; maxFlowNames is how many names flows have.
const (
	maxChains    = 16
	maxFlowNames = 1 << 14
	knotBytes    = 64 + 56 // with the arrow that leads to it
)

// knot is an event that a flow goes through.
type knot struct {
	time   int64
	order  int64  // the time of the event, by which flows are put in order
	track  uint32 // in flows.tracks: without pointers the garbage collector passes over them
	key    uint32
	event  uint32 // that it goes through, 0: the span at its time
	name   Symbol
	lane   uint16
	role   FlowRole
	onNext bool // it belongs to the span that begins next
}

// flows are the arrows of a recording.
type flows struct {
	gathered chunks[knot]
	events   eventSet // of knots,
	firsts   []uint32 // and of each the first of its knots
	knots    []knot   // once all are gathered
	tracks   []*Track // that flows go through
	keys     map[string]uint32
	names    map[Symbol]model.FlowID
	nexts    map[*output][]*knot // those with onNext, by track
}

func newFlows() flows { return flows{keys: map[string]uint32{}, names: map[Symbol]model.FlowID{}} }

// Flow is a flow that goes through an event.
type Flow struct {
	Key  []byte // identifies it in the recording
	Name Symbol
	Role FlowRole
	// Event is the begin or the end of the span that it goes through, which names the flow; 0: the span at its
	// time. OnNext means the span that begins next.
	Event  uint32
	OnNext bool
}

// Flow takes that a flow goes through an event of a track.
func (t *Track) Flow(ns int64, f Flow) {
	b := t.b
	key, ok := b.flows.keys[string(f.Key)]
	if !ok {
		if !b.room.Take(int64(len(f.Key)) + 64) {
			b.Bad.Bad(NoMemory, Unknown)
			return
		}
		key = uint32(len(b.flows.keys))
		b.flows.keys[string(f.Key)] = key
	}
	if b.full || !b.room.TakeData(knotBytes) {
		b.Bad.Bad(NoMemory, Unknown)
		return
	}
	t.see(ns)
	if list := b.flows.tracks; t.flowing >= len(list) || list[t.flowing] != t {
		t.flowing = len(list)
		b.flows.tracks = append(list, t)
	}
	if f.Event > b.flows.events.newest {
		b.flows.events.add(f.Event)
		b.flows.firsts = append(b.flows.firsts, uint32(b.flows.gathered.n))
	}
	b.flows.gathered.add(knot{
		time: ns, order: ns, track: uint32(t.flowing), key: key, event: f.Event, name: f.Name, lane: model.NoLane,
		role:   f.Role,
		onNext: f.OnNext,
	})
}

// bindFlows gives the flows through the events of a track the time, row and name of the spans that they go through.
func (b *Builder) bindFlows(o *output, spans []span) {
	bind := func(event uint32, s *span, time int64) {
		if i, ok := b.flows.events.find(event); ok {
			for list := b.flows.knots[b.flows.firsts[i]:]; len(list) > 0 && list[0].event == event; list = list[1:] {
				list[0].lane, list[0].time, list[0].name = s.lane, time, s.name
			}
		}
	}
	for i := range spans {
		s := &spans[i]
		bind(s.event, s, s.begin)
		bind(s.endEvent, s, max(s.begin, s.end-1)) // within it, and not within the next one
	}
	for _, k := range b.flows.next(o) {
		at := sort.Search(len(spans), func(i int) bool { return spans[i].begin >= k.time })
		if at < len(spans) {
			k.time, k.lane = spans[at].begin, spans[at].lane
		}
	}
}

// next returns the events on a track that belong to the spans that begin next.
func (f *flows) next(o *output) []*knot {
	if f.nexts == nil {
		f.nexts = map[*output][]*knot{}
		for i := range f.knots {
			if k := &f.knots[i]; k.onNext {
				f.nexts[f.tracks[k.track].out] = append(f.nexts[f.tracks[k.track].out], k)
			}
		}
	}
	return f.nexts[o]
}

// chain is a flow that goes on.
type chain struct {
	first, last *knot
	number      uint32
	arrows      bool
}

// publishFlows makes arrows between events of one flow that follow each other in time, and publishes them.
func (b *Builder) publishFlows() {
	knots := b.flows.knots
	if len(knots) == 0 {
		return
	}
	late := func(k knot) int64 {
		if k.role == FlowIn {
			return 1
		}
		return 0
	}
	SortRuns(knots, func(x, y knot) int { return SortRunPairs(x.order, y.order, late(x), late(y)) })
	chains, number := map[uint32][]chain{}, uint32(0)
	for i := range knots {
		chains[knots[i].key] = b.tie(chains[knots[i].key], &knots[i], &number)
	}
	for _, list := range chains {
		for i := range list {
			b.endFlow(&list[i])
		}
	}
	b.flows = flows{}
	for _, o := range b.outputs {
		SortRuns(o.arrows, func(x, y model.Flow) int { return cmp.Compare(x.To, y.To) })
		for list := o.arrows; len(list) > 0 && !b.cancelled; {
			batch := b.sink.Begin()
			n := min(looseSpans, len(list))
			batch.Track, batch.Flows = o.def.ID, append(batch.Flows, list[:n]...)
			list = list[n:]
			b.publish(batch)
		}
		o.arrows = nil
	}
}

// tie adds an event to the flows of its key that go on. Of several one goes on where it last was, or began.
func (b *Builder) tie(list []chain, k *knot, number *uint32) []chain {
	tracks := b.flows.tracks
	process := tracks[k.track].process
	at := slices.IndexFunc(list, func(c chain) bool {
		return tracks[c.last.track].process == process || tracks[c.first.track].process == process
	})
	if at < 0 {
		at = len(list) - 1
	}
	if k.role == FlowOut {
		list = slices.DeleteFunc(list, func(c chain) bool {
			again := tracks[c.first.track].process == process
			if again {
				b.endFlow(&c)
			}
			return again
		})
	}
	switch {
	case k.role == FlowBegins || k.role == FlowOut || at < 0 && k.role == FlowThrough:
		if len(list) >= maxChains {
			b.endFlow(&list[0])
			list = slices.Delete(list, 0, 1)
		}
		*number++
		return append(list, chain{first: k, last: k, number: *number})
	case at < 0:
		b.Bad.Bad(FlowWithoutBegin, Unknown)
		return list
	}
	c := &list[at]
	if k.event == 0 || k.event != c.last.event {
		b.arrow(c, k)
		c.last, c.arrows = k, true
	}
	if k.role == FlowEnds || k.role == FlowThroughEnd {
		list = slices.Delete(list, at, at+1)
	}
	return list
}

func (b *Builder) endFlow(c *chain) {
	if !c.arrows {
		b.Bad.Bad(FlowWithoutEnd, Unknown)
	}
}

// arrow leads from the last event of a flow to the next. It has the name of the flow, where that names its events,
// else that of the span in which it began.
func (b *Builder) arrow(c *chain, k *knot) {
	from, to := b.flows.tracks[c.last.track].out, b.flows.tracks[k.track].out
	if from == nil || to == nil || from.def.ID == model.NoTrack || to.def.ID == model.NoTrack {
		b.Bad.Bad(FlowWithoutTrack, Unknown)
		return
	}
	name := k.name
	if k.event != 0 {
		name = c.first.name
	}
	to.arrows = append(to.arrows, model.Flow{
		From: c.last.time - b.first, To: k.time - b.first, FromTrack: from.def.ID, Name: b.flowName(name),
		Chain: c.number, FromLane: c.last.lane, ToLane: k.lane,
	})
}

// flowName returns the name of flows; further ones than there is room for have none.
func (b *Builder) flowName(name Symbol) model.FlowID {
	id, ok := b.flows.names[name]
	if !ok {
		id = model.FlowID(len(b.flows.names))
		def := model.FlowDef{ID: id, Name: b.Words(name)}
		if len(b.flows.names) >= maxFlowNames || !b.room.Admit(def) {
			return 0
		}
		b.flows.names[name] = id
		b.sink.Define(def)
	}
	return id
}
