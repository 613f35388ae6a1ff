package chrometrace

import (
	"cmp"
	"slices"
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

// knot is a begin, a step or an end of a flow, on a thread.
type knot struct {
	time      int64
	thread    *thread
	key, text uint32
	ph        byte // 's', 't', 'f', or of a span with a bind_id its role
	next      bool // it belongs to the span that begins next, and not to that around it
}

// arrow goes from a thread to the one that has it.
type arrow struct {
	from, to int64
	thread   *thread
	name     model.FlowID
	chain    uint32
	lane     uint16
	next     bool
}

// mostChains is how many chains of one id may go on at the same time.
const mostChains = 16

// The roles of spans with a bind_id (version 2).
const (
	leadsOut = 'o'
	leadsIn  = 'i'
	leadsBy  = 'v' // both, or that is not said
)

// role returns that of an event.
func (ev *event) role() byte {
	switch {
	case ev.flowOut == ev.flowIn:
		return leadsBy
	case ev.flowOut:
		return leadsOut
	}
	return leadsIn
}

// bound reports whether a knot is of a span with a bind_id.
func bound(ph byte) bool { return ph == leadsOut || ph == leadsIn || ph == leadsBy }

// knot takes an end of a flow arrow.
func (d *decoder) knot(th *thread, ev *event, ns int64, ph byte) {
	k := d.key[:0]
	if bound(ph) {
		k = append(append(k, 1), ev.bindID...)
	} else {
		k = append(append(append(append(append(k, ev.cat...), 0), ev.name...), 0), ev.id...)
		k = append(append(k, 0), ev.id2...)
	}
	d.key = k
	n, ok := d.flowOf[string(k)]
	if !ok {
		if !d.room.Take(int64(len(k)) + 64) {
			d.count(noRoom, trace.Unknown)
			return
		}
		n = uint32(len(d.flowOf))
		d.flowOf[string(k)] = n
	}
	d.knots = append(d.knots, knot{ns, th, n, d.texts.of(ev.name), ph, ph == 'f' && string(ev.bp) != "e"})
	d.used += 40 + 56 // and the arrow
}

// open is a chain that goes on.
type openChain struct {
	last   *knot
	proc   *process // where it began
	number uint32
	arrows bool
}

// tie makes arrows of the ends: between neighbours in time of one key, of the same moment from what leads out to what
// is led to. Of several chains of a key that go on, one goes on where it last was, or began.
func (d *decoder) tie() {
	late := func(k knot) (n int64) {
		if k.ph == leadsIn {
			n = 1
		}
		return n
	}
	trace.SortRuns(d.knots, func(a, b knot) int { return trace.SortRunPairs(a.time, b.time, late(a), late(b)) })
	chains, number := map[uint32][]openChain{}, uint32(0)
	for i := range d.knots {
		k := &d.knots[i]
		list := chains[k.key]
		at := slices.IndexFunc(list, func(c openChain) bool { return c.last.thread.proc == k.thread.proc || c.proc == k.thread.proc })
		if at < 0 {
			at = len(list) - 1
		}
		if k.ph == leadsOut { // the flow of that number begins anew
			list = slices.DeleteFunc(list, func(c openChain) bool {
				again := c.proc == k.thread.proc
				if again {
					d.unended(&c)
				}
				return again
			})
		}
		if k.ph == 's' || k.ph == leadsOut || at < 0 && k.ph == leadsBy {
			number++
			if len(list) >= mostChains {
				d.unended(&list[0])
				list = list[:copy(list, list[1:])]
			}
			chains[k.key] = append(list, openChain{last: k, proc: k.thread.proc, number: number})
			continue
		}
		if at < 0 {
			d.count(unbegun, trace.Unknown)
			continue
		}
		c := &list[at]
		k.thread.arrows = append(k.thread.arrows, arrow{
			c.last.time, k.time, c.last.thread, d.flowName(k.text), c.number, model.NoLane, k.next,
		})
		c.last, c.arrows = k, true
		if k.ph == 'f' {
			chains[k.key] = slices.Delete(list, at, at+1)
		}
	}
	for _, list := range chains {
		for i := range list {
			d.unended(&list[i])
		}
	}
	d.knots, d.flowOf = nil, nil
	for _, th := range d.threads {
		if th.track == model.NoTrack && len(th.arrows) > 0 {
			d.problems[unplaced].AddN(int64(len(th.arrows)), trace.Unknown)
			th.arrows = nil
		}
	}
}

func (d *decoder) unended(c *openChain) {
	if !c.arrows {
		d.count(unended, trace.Unknown)
	}
}

// flowName returns the name of flows.
func (d *decoder) flowName(text uint32) model.FlowID {
	id, ok := d.flowNames[text]
	if !ok {
		id = model.FlowID(len(d.flowNames))
		def := model.FlowDef{ID: id, Name: d.texts.list[text]}
		if len(d.flowNames) > 1<<14 || !d.room.Admit(def) {
			return 0
		}
		d.flowNames[text] = id
		d.sink.Define(def)
	}
	return id
}

// bind gives the arrows that belong to the next span the time and the row of it. The spans are in order.
func bind(list []arrow, spans []span) {
	for i := range list {
		a := &list[i]
		if !a.next {
			continue
		}
		at := sort.Search(len(spans), func(k int) bool { return spans[k].begin >= a.to })
		if at < len(spans) {
			a.to, a.lane = spans[at].begin, spans[at].lane
		}
	}
	trace.SortRuns(list, func(a, b arrow) int { return cmp.Compare(a.to, b.to) })
}

// addFlows puts the arrows that end before a time into a batch.
func (p *publisher) addFlows(b *model.Batch, before int64) {
	for ; p.flown < len(p.arrows) && p.arrows[p.flown].to < before && len(b.Flows) < looseSpans; p.flown++ {
		a := &p.arrows[p.flown]
		if a.thread.track == model.NoTrack {
			p.d.count(unplaced, trace.Unknown)
			continue
		}
		b.Flows = append(b.Flows, model.Flow{
			From: a.from - p.d.first, To: a.to - p.d.first, FromTrack: a.thread.track, Name: a.name, Chain: a.chain,
			FromLane: model.NoLane, ToLane: a.lane,
		})
	}
}
