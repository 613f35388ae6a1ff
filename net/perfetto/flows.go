package perfetto

import (
	"cmp"
	"slices"
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

// knot is an event that a flow goes through.
type knot struct {
	Knot
	time  int64 // of the list's clock, until settleKnots; then where it is, on the primary one
	order int64 // the time of the event, by which flows are put in order
	list  *list
	on    *track
	text  uint32 // name of the span that it goes through
	lane  uint16
}

// knotBytes is the memory of a knot, with the arrow that leads to it.
const knotBytes = 72 + 40 + 48 + 16

// knot notes that a flow goes through the event that is read.
func (d *decoder) knot(l *list, time int64, id uint64, space Space, role Role, text uint32) {
	if d.full || !d.room.TakeData(knotBytes) {
		d.faults.Count(NoFlows, d.at)
		return
	}
	if len(d.knots) == cap(d.knots) {
		d.knots = slices.Grow(d.knots, max(len(d.knots), 64)) // append copies more often
	}
	d.knots = append(d.knots, knot{
		Knot: Knot{Key: Key{ID: id, Space: space}, Role: role, Event: uint32(d.events)},
		time: time, list: l, text: text, lane: model.NoLane,
	})
}

// knotsOf notes the flows that go through an event, which is a begin or an end of a span, or an instant.
func (d *decoder) knotsOf(l *list, e *Event, time int64, text uint32) {
	for _, id := range e.Flows {
		d.knot(l, time, id, FlowIDs, Goes, text)
	}
	for _, id := range e.FlowEnds {
		d.knot(l, time, id, FlowIDs, Ends, text)
	}
}

// settleKnots puts the times of flows on the primary clock. Lists may go after that.
func (d *decoder) settleKnots() {
	d.knots = slices.DeleteFunc(d.knots, func(k knot) bool { return k.list.lost })
	for i := range d.knots {
		k := &d.knots[i]
		k.time = min(max(k.list.moved.Maybe(k.time), d.first), d.last)
		k.order, k.on, k.list = k.time, k.list.track, nil
	}
}

// bind sets the ends of the flows through an event: the lane, time and name of the span that the event begins or
// ends.
func (d *decoder) bind(event uint32, lane uint16, time int64, text uint32) {
	if len(d.knots) == 0 {
		return
	}
	at := d.knotAt // those of a track mostly come one after another
	if at >= len(d.knots) || d.knots[at].Event > event || at+8 < len(d.knots) && d.knots[at+8].Event < event {
		at = sort.Search(len(d.knots), func(i int) bool { return d.knots[i].Event >= event })
	}
	for at < len(d.knots) && d.knots[at].Event < event {
		at++
	}
	for d.knotAt = at; at < len(d.knots) && d.knots[at].Event == event; at++ {
		k := &d.knots[at]
		k.lane, k.time, k.text = lane, time, text
	}
}

// publishFlows makes arrows between neighbours in time, and publishes them.
func (d *decoder) publishFlows() {
	if len(d.knots) == 0 {
		return
	}
	d.flowNames = map[uint32]model.FlowID{None: 0}
	d.sink.Define(model.FlowDef{})
	order := InTime(len(d.knots), func(i int) int64 { return d.knots[i].order })
	at := func(i int) *knot { return &d.knots[order[i].Knot] }
	alone := Tie(len(order), func(i int) *Knot { return &at(i).Knot }, func(last, next, first int, number uint32) {
		d.arrow(at(last), at(next), at(first), number)
	})
	d.faults[AloneFlow] = Tally{Tally: trace.Tally{N: alone, At: trace.Unknown}}
	d.knots = nil
	for _, o := range d.outputs {
		trace.SortRuns(o.arrows, func(a, b model.Flow) int { return cmp.Compare(a.To, b.To) })
		for list := o.arrows; len(list) > 0 && !d.cancelled; {
			b := d.sink.Begin()
			n := min(looseSpans, len(list))
			b.Track, b.Flows = o.def.ID, append(b.Flows, list[:n]...)
			list = list[n:]
			d.cancelled = !d.sink.Publish(b)
		}
		o.arrows = nil
	}
}

// arrow leads from one knot to the next of a flow.
func (d *decoder) arrow(c, to, first *knot, number uint32) {
	from, on := c.on.out, to.on.out
	if from == nil || on == nil || from.def.ID == model.NoTrack || on.def.ID == model.NoTrack {
		d.faults.Count(Unplaced, trace.Unknown)
		return
	}
	on.arrows = append(on.arrows, model.Flow{
		From: c.time - d.first, To: to.time - d.first, FromTrack: from.def.ID, Name: d.flowName(first.text), Chain: number,
		FromLane: c.lane, ToLane: to.lane,
	})
}

// mostFlowNames is how many names flows have; further ones have none.
const mostFlowNames = 1 << 12

// flowName returns the name of flows that begin in a span with a name.
func (d *decoder) flowName(text uint32) model.FlowID {
	id, ok := d.flowNames[text]
	if !ok {
		id = model.FlowID(len(d.flowNames))
		def := model.FlowDef{ID: id, Name: d.texts.Text(text)}
		if len(d.flowNames) >= mostFlowNames || !d.room.Admit(def) {
			return 0
		}
		d.flowNames[text] = id
		d.sink.Define(def)
	}
	return id
}
