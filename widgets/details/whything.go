package details

import (
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model/spans"
)

// ofThing describes how long a buffer was on its way, and why if it was late. It has no name if a
// span is no such thing.
func (p *Why) ofThing(v *view.View, ref spans.Ref) headline {
	a, made := v.Causes().Thing(ref, p.in.revision)
	if a == nil {
		return headline{}
	}
	late := p.chain.take(v.Causes(), a, made)
	p.thing = ref
	h := headline{
		what: v.Session().Track(ref.Track).Title(), name: "Buffer " + string(format.AppendCount(nil, a.Number)),
		value: string(format.AppendDuration(nil, a.DurationNs)), ns: a.DurationNs, usualNs: a.TypicalNs, of: "typical", usual: !late,
	}
	if late && !v.Live() {
		h.chain = p.chain.stamp
	}
	return h
}
