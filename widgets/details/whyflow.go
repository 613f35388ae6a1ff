package details

import (
	"math"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
)

// ofFlow describes where the time of buffers goes, in a range or for one element. It has no name if
// nothing was traced.
func (p *Why) ofFlow(v *view.View, of *subjectOf) headline {
	s, way := v.Session(), model.NoTrack
	if !s.Contents().Ways {
		return headline{}
	}
	if t := s.Track(of.track); t != nil && t.Def.Kind == model.TrackStream {
		way = of.track
	}
	element := of.thing.Element()
	a, made := v.Causes().Where(way, element, of.t0, of.t1, p.in.revision)
	if a == nil {
		return headline{}
	}
	p.chain.readFlow(v.Causes(), a, made)
	h := headline{what: subject.FlowQuestion(a), chain: p.chain.stamp}
	if a.Dropped > 0 && (element == model.NoObject || element == a.Dropper) {
		h.name = subject.ObjectName(s, a.Dropper)
		h.value = string(append(format.AppendCount(nil, int64(a.Dropped)), " dropped"...))
		return h
	}
	l := &a.Chain[0]
	if element != model.NoObject && l.How != flow.Waits {
		h.what = "How long does it have buffers?"
	}
	h.name, h.value = subject.ObjectName(s, l.Object), string(format.AppendDuration(nil, int64(l.Figures.MedianNs+0.5)))
	h.part, h.share = l.Share, string(append(format.AppendPercent(nil, l.Share), " of the way"...))
	h.sample = string(format.AppendPlural([]byte("median of "), l.Figures.N, "buffer", "buffers"))
	return h
}

// readFlow takes the elements of an answer.
func (c *chain) readFlow(of *view.Causes, a *flow.Answer, made uint64) {
	tells := chainOf{causes: of, made: made, where: true}
	if tells == c.tells {
		return
	}
	c.forget()
	c.of, c.tells = of, tells
	s := of.Session()
	for i := range a.Chain {
		l := a.Chain[i]
		r := chainRow{
			linked: true, element: &l, leads: l.How == flow.Waits && i+1 < len(a.Chain), name: subject.ObjectName(s, l.Object),
			words: string(subject.AppendFlowFigures(nil, &l)),
		}
		if l.Thread != model.NoTrack {
			r.thread = subject.ThreadName(s, l.Thread)
		}
		c.rows = append(c.rows, r)
	}
}

// flowFacts appends the facts of a row of an element.
func flowFacts(out []panel.Fact, row int, hit panel.Hit, r *chainRow) []panel.Fact {
	l := r.element
	fact := func(measure string, v float64, unit string) {
		out = append(out, panel.Fact{Measure: measure, Row: row, Of: hit, Name: r.name, Value: v, Unit: unit, Text: r.words})
	}
	if l.Figures.N > 0 {
		fact("flow median", l.Figures.MedianNs, "ns")
		fact("flow p99", l.Figures.P99Ns, "ns")
		fact("flow buffers", float64(l.Figures.N), "")
	}
	fact("flow share", l.Share, "")
	if l.Fill.Known {
		fact("flow fill", l.Fill.Median, "")
		fact("flow fill most", l.Fill.Most, "")
	}
	fact("flow "+l.How.String(), math.NaN(), "")
	return out
}

// ofThing describes how long a buffer was on its way, and why if it was late. It has no name if a
// span is no such thing.
func (p *Why) ofThing(v *view.View, ref spans.Ref) headline {
	a, made := v.Causes().Thing(ref)
	if a == nil {
		return headline{}
	}
	late := p.chain.take(v.Causes(), a, made)
	p.thing = ref
	h := headline{
		what: v.Session().Track(ref.Track).Title(), name: "Buffer " + string(format.AppendCount(nil, a.Number)),
		value: string(format.AppendDuration(nil, a.DurationNs)), ns: a.DurationNs, usualNs: a.TypicalNs, of: "typical",
		usual: !late,
	}
	if late && !v.Live() {
		h.chain = p.chain.stamp
	}
	return h
}
