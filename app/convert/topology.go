package convert

import (
	"errors"
	"fmt"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/net/trace"
)

// Topology describes the objects and links of the program to fn, for Framescope's reader (trace.Object,
// trace.Link): the word and a JSON object each. It moves times by shift. A choice of threads needs it
// only if they refer to objects.
func (p *Part) Topology(shift int64, fn func(word string, info []byte)) {
	if p.Some && !p.ofObjects() {
		return
	}
	t := p.Session.Topology()
	for _, o := range t.Objects() {
		fn(trace.Object, append(appendObject(nil, &o, shift), '}'))
	}
	for _, l := range t.Links() {
		b := fmt.Appendf(nil, `{"%s":%d,"%s":%d,"%s":%d`, trace.N, l.ID, trace.From, l.From, trace.To, l.To)
		b = appendTime(appendTime(b, trace.Since, l.Since, shift), trace.Until, l.Until, shift)
		if p.sampled(l.Flow) {
			b = append(b, `,"`+trace.Flow+`":true`...)
		}
		if l.Media != "" {
			b = member(append(b, ','), trace.Media, l.Media)
		}
		fn(trace.Link, append(b, '}'))
	}
}

// sampled reports whether a series has a value in the part.
func (p *Part) sampled(id model.SeriesID) bool {
	s := p.Session.Series().ByID(id)
	return s != nil && p.Samples(s, func(model.Sample) error { return errSome }) == errSome
}

// errSome ends at the first.
var errSome = errors.New("there is one")

// ofObjects reports whether a track or a series of the part is of an object.
func (p *Part) ofObjects() bool {
	return slices.ContainsFunc(p.Tracks, func(id model.TrackID) bool {
		d := &p.Session.Track(id).Def
		return d.Kind == model.TrackElement || d.Kind == model.TrackStream
	}) || slices.ContainsFunc(p.Series(), func(s *spans.Series) bool { return s.Def.Object != model.NoObject })
}

func appendObject(dst []byte, o *model.ObjectDef, shift int64) []byte {
	dst = fmt.Appendf(dst, `{"%s":%d`, trace.N, o.ID)
	if o.Parent != model.NoObject {
		dst = fmt.Appendf(dst, `,"%s":%d`, trace.In, o.Parent)
	}
	dst = member(append(dst, ','), trace.Of, trace.ObjectWord(o.Kind))
	for _, m := range [...][2]string{{trace.Direction, trace.DirectionWord(o.Direction)}, {trace.Name, o.Name}, {trace.Type, o.Type}} {
		if m[1] != "" {
			dst = member(append(dst, ','), m[0], m[1])
		}
	}
	if o.Color.Set {
		dst = appendColor(append(dst, ','), o.Color)
	}
	return appendTime(appendTime(dst, trace.Created, o.Created, shift), trace.Gone, o.Gone, shift)
}

// appendTime appends a member that has a time, where it is known.
func appendTime(dst []byte, key string, ns, shift int64) []byte {
	if ns == model.TimeUnknown {
		return dst
	}
	return fmt.Appendf(dst, `,"%s":%d`, key, ns+shift)
}

// appendOn appends the objects of a series or a track.
func appendOn(dst []byte, object, peer model.ObjectID) []byte {
	if object != model.NoObject {
		dst = fmt.Appendf(dst, `,"%s":%d`, trace.On, object)
	}
	if peer != model.NoObject {
		dst = fmt.Appendf(dst, `,"%s":%d`, trace.Peer, peer)
	}
	return dst
}
