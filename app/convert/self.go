package convert

import (
	"framescope/model"
	"framescope/model/spans"
)

// Selves computes the self time of the spans of a track as the session does (spans.Table.SelfNs). It
// takes spans in the order of Part.Spans.
type Selves struct {
	p        *Part
	calls    bool
	below    []spans.Below // by lane
	revision uint64        // of the session, at which they are good
}

// Selves returns a Selves for a track.
func (p *Part) Selves(id model.TrackID) *Selves {
	x := &Selves{p: p, revision: p.Session.Revision()}
	if t := p.Session.Track(id); t != nil && t.Def.Kind.Calls() {
		x.calls, x.below = true, make([]spans.Below, t.Lanes())
	}
	return x
}

// Of returns how much of a span was its own, without callees, ns; false where spans of the track are no
// calls.
func (x *Selves) Of(s *Span) (ns int64, ok bool) {
	if !x.calls {
		return 0, false
	}
	if r := x.p.Session.Revision(); r != x.revision {
		x.revision = r
		clear(x.below)
	}
	table := x.p.Session.Spans()
	found := spans.Found{Index: s.Ref.Index, Begin: s.Begin, Ns: s.End - s.Begin, Path: s.Path}
	if ns, _, ok = table.SelfByRow(s.Ref, &found, &x.below[s.Ref.Lane]); !ok {
		ns, _ = table.SelfNs(s.Ref, &found)
	}
	return ns, true
}
