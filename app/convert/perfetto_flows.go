package convert

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/model"
	"framescope/model/spans"
)

// end is an end of an arrow: a flow of a trace goes through the spans with its number, in the order in
// which they begin.
type end struct {
	id   uint64
	last bool
}

// arrows finds the spans at the ends of the part's arrows. It leaves out arrows that a trace would
// reverse, as the span at their end began first, and those without a span at an end.
func (x *perfettoWriter) arrows() error {
	x.flows = map[spans.Ref][]end{}
	lost, round, names := int64(0), int64(0), map[model.FlowID]bool{}
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
			x.flows[from.Ref] = append(x.flows[from.Ref], end{id: a.ID})
		}
		x.flows[to.Ref] = append(x.flows[to.Ref], end{a.ID, a.Last})
		names[a.Name] = true
		return x.p.Done(x.ctx, 1)
	})
	x.p.Leave(lost, "flow", "flows", "no two spans are at their ends")
	x.p.Leave(round, "flow", "flows", "the span that they lead to began before the one that they come from")
	x.p.Leave(int64(len(names)), "name of flows", "names of flows", "they are called as the spans that they begin in")
	return err
}

// behind reports whether a span is written behind another one that begins with it.
func behind(at map[model.TrackID]int, a, b spans.Ref) bool {
	return at[a.Track] > at[b.Track] || a.Track == b.Track && a.Lane > b.Lane
}

// writes reports whether a span is in the part.
func (x *perfettoWriter) writes(b *spans.Bar) bool {
	begin, end := x.p.Time(b.Ref.Track)
	return b.End > begin && b.Begin < end || b.Begin == b.End && b.Begin >= begin && b.Begin <= end
}

// ends puts the ends of arrows that are at a span to its event: those that go on first.
func (x *perfettoWriter) ends(of spans.Ref) {
	for _, last := range [...]bool{false, true} {
		field := protowire.Number(eventFlow)
		if last {
			field = eventFlowEnd
		}
		for _, e := range x.flows[of] {
			if e.last == last {
				x.event = protowire.AppendFixed64(protowire.AppendTag(x.event, field, protowire.Fixed64Type), e.id)
			}
		}
	}
}

// message is one that is put together.
type message []byte

func (m *message) number(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) double(field protowire.Number, v float64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), math.Float64bits(v))
}

func (m *message) text(field protowire.Number, s string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), s)
}

func (m *message) bytes(field protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
}
