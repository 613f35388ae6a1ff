package subject

import (
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// onWay reports whether an answer or a link is about a thing on its way through a program.
func onWay(s *store.Session, id model.TrackID) bool {
	k := s.Track(id).Def.Kind
	return k == model.TrackStream || k == model.TrackElement
}

// appendWayLink appends the element that had a thing longer than typical; first means the late thing
// itself, else those before it.
func appendWayLink(dst []byte, s *store.Session, l *why.Link, first bool) []byte {
	t := s.Track(l.Track)
	switch {
	case t.Def.Kind == model.TrackStream && l.How == why.Spread:
		dst = append(dst, "Many elements kept it a little longer, of which none stands out"...)
	case t.Def.Kind == model.TrackStream && first:
		dst = append(dst, "It was "...)
		dst = format.AppendDuration(dst, l.ExcessNs)
		dst = append(dst, " longer where no element was traced"...)
	case t.Def.Kind == model.TrackStream:
		dst = appendPathEnd(dst, s, t)
		dst = format.AppendDuration(append(dst, " held up the buffer before it "...), l.ExcessNs)
		dst = append(dst, " longer"...)
	case !first:
		dst = append(append(dst, ThreadName(s, l.Track)...), " kept "...)
		if l.Calls == 1 {
			dst = append(dst, "the buffer"...)
		} else {
			dst = append(format.AppendCount(append(dst, "the "...), l.Calls), " buffers"...)
		}
		dst = format.AppendDuration(append(dst, " before it "...), l.ExcessNs)
		dst = append(dst, " longer"...)
	case l.How == why.New:
		dst = format.AppendDuration(append(append(dst, ThreadName(s, l.Track)...), " kept it "...), l.SelfNs)
		dst = append(dst, ", and had "...)
		if l.Seen == 0 {
			dst = append(dst, "none"...)
		} else {
			dst = format.AppendCount(dst, int64(l.Seen))
		}
		dst = append(format.AppendCount(append(dst, " of the "...), int64(l.Around)), " around"...)
	default:
		dst = append(append(dst, ThreadName(s, l.Track)...), " kept it "...)
		dst = append(format.AppendDuration(dst, l.ExcessNs), " longer ("...)
		dst = append(format.AppendDuration(dst, l.SelfNs), " instead of "...)
		dst = append(format.AppendDuration(dst, l.SelfNs-l.ExcessNs), ')')
	}
	return dst
}

// appendPathEnd appends the name of the element that a path ends at.
func appendPathEnd(dst []byte, s *store.Session, t *store.Track) []byte {
	o, ok := s.Topology().Object(t.Def.Peer)
	if up, above := s.Topology().Object(o.Parent); above && o.Kind != model.ObjectElement {
		o = up
	}
	if !ok {
		return append(dst, "the end of the path"...)
	}
	return append(dst, escape.Name(o.Name)...)
}

// appendWayFigures appends the figures of a link about an element, below its name.
func appendWayFigures(dst []byte, l *why.Link) []byte {
	switch l.How {
	case why.Waiting:
		return append(dst, " behind those before it"...)
	case why.Spread:
		return append(dst, " in many elements, none stands out"...)
	case why.NotMeasured:
		return append(dst, " where no element was traced"...)
	case why.New:
		return append(dst, ", where others do not come"...)
	}
	switch {
	case l.Around == 0 && l.Calls == 1: // it is about those before it
		return append(dst, " for the buffer before it"...)
	case l.Around == 0:
		return append(format.AppendCount(append(dst, " for "...), l.Calls), " buffers before it"...)
	}
	return format.AppendDuration(append(dst, ", typical "...), l.SelfNs-l.ExcessNs)
}

// appendWayCause appends the name of the cause that kept the late things of a group; on request with the
// way.
func appendWayCause(dst []byte, s *store.Session, g *why.Group, way bool) []byte {
	switch g.How {
	case why.NotMeasured:
		dst = append(dst, "Not measured"...)
	case why.Spread:
		dst = append(dst, "Many elements"...)
	default:
		dst = append(dst, ThreadName(s, g.Track)...)
	}
	if way {
		dst = append(append(dst, " on "...), ThreadName(s, g.Of)...)
	}
	return dst
}
