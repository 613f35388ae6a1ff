package convert

import (
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/model"

	"framescope/model/spans"
	"framescope/net/trace"
)

// end is an end of an arrow: a flow of a trace goes through the spans with its number, in the order in
// which they begin.
type end struct {
	id   uint64
	time int64 // where in the span
	last bool
}

// arrows finds the spans at the ends of the part's arrows. It leaves out arrows that a trace would
// reverse, as the span at their end began first, and those without a span at an end.
func (x *perfettoWriter) arrows() error {
	x.flows = map[spans.Ref][]end{}
	lost, round := int64(0), int64(0)
	table := x.p.Session.Spans()
	at := map[model.TrackID]int{}
	for i := range x.threads {
		at[x.threads[i].ID] = i
	}
	can := func(a *spans.Arrow) bool {
		from, begins := a.Begin(table)
		to, ends := a.End(table)
		switch {
		case !begins || !ends || from.Ref == to.Ref || !x.writes(&from) || !x.writes(&to):
			lost++
		case from.Begin > to.Begin || from.Begin == to.Begin && behind(at, from.Ref, to.Ref):
			round++
		default:
			return true
		}
		return false
	}
	err := x.p.Arrows(can, func(a *Arrow) error {
		from, _ := a.Begin(table)
		to, _ := a.End(table)
		if a.First {
			x.flows[from.Ref] = append(x.flows[from.Ref], end{id: a.ID, time: a.From})
		}
		x.flows[to.Ref] = append(x.flows[to.Ref], end{a.ID, a.To, a.Last})
		return x.p.Done(x.ctx, 1)
	})
	x.p.Leave(lost, "flow", "flows", "no two spans are at their ends")
	x.p.Leave(round, "flow", "flows", "the span that they lead to began before the one that they come from")
	return err
}

// behind reports whether a span is written behind another one that begins with it.
func behind(at map[model.TrackID]int, a, b spans.Ref) bool {
	return at[a.Track] > at[b.Track] || a.Track == b.Track && a.Lane > b.Lane
}

// flowNames returns a text with the names of flows, for Framescope's reader: others name them after the
// span of their begin. It is empty without flows.
func (x *perfettoWriter) flowNames() string {
	if len(x.flows) == 0 {
		return ""
	}
	text := []byte(trace.Flows + " [")
	for i, name := range x.p.FlowNames() {
		if i > 0 {
			text = append(text, ',')
		}
		text = AppendString(text, name)
	}
	return string(append(text, ']'))
}

// writes reports whether a span is in the part.
func (x *perfettoWriter) writes(b *spans.Bar) bool {
	begin, end := x.p.Time(b.Ref.Track)
	return b.End > begin && b.Begin < end || b.Begin == b.End && b.Begin >= begin && b.Begin <= end
}

// ends puts the ends of arrows that are at a span to its event, and where in it they are; begin is when that begins.
func (x *perfettoWriter) ends(of spans.Ref, begin int64) {
	list := x.flows[of]
	slices.SortStableFunc(list, func(a, b end) int {
		switch {
		case a.last == b.last:
			return 0
		case b.last:
			return -1
		}
		return 1
	})
	text, within := x.place[:0], false
	for _, e := range list {
		field := protowire.Number(eventFlow)
		if e.last {
			field = eventFlowEnd
		}
		x.event = protowire.AppendFixed64(protowire.AppendTag(x.event, field, protowire.Fixed64Type), e.id)
		text = append(strconv.AppendInt(text, max(e.time-begin, 0), 10), ' ')
		within = within || e.time > begin
	}
	if x.place = text; within {
		x.annotate(trace.FlowTimes, string(text[:len(text)-1]))
	}
}
