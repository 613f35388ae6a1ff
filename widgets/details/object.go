package details

import (
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// objectKinds are the words for what an object is.
var objectKinds = map[model.ObjectKind]string{
	model.ObjectElement: "element", model.ObjectBin: "bin", model.ObjectPad: "pad", model.ObjectGhostPad: "ghost pad",
}

// drawObject describes the selected element, bin or pad: what it is, and what was measured of it,
// or of its pads, in the selected range or in all of the recording.
func (p *Panel) drawObject(env *panel.Env, of subjectOf, id model.ObjectID) {
	t, s := env.Theme, of.session
	o, _ := s.Topology().Object(id)
	p.title, p.mode = o.Name, objectKinds[o.Kind]
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	add := func(name, value string) {
		if value != "" {
			r.add(name, value, t.Text)
		}
	}
	add("type", o.Type)
	if in, ok := s.Topology().Object(o.Parent); ok {
		add("in", in.Name)
	}
	clock := func(name string, ns int64) {
		if ns != model.TimeUnknown {
			add(name, string(format.AppendClock(nil, ns, 1e6)))
		}
	}
	clock("made at", o.Created)
	clock("gone at", o.Gone)
	t0, t1, ok := env.View.TimeRange()
	if !ok {
		return
	}
	r.rangeHead()
	before := r.y
	p.seriesRows(&r, of, id, "", t0, t1)
	for _, child := range s.Topology().Children(id) {
		if pad, ok := s.Topology().Object(child); ok && (pad.Kind == model.ObjectPad || pad.Kind == model.ObjectGhostPad) {
			p.seriesRows(&r, of, child, pad.Name+" ", t0, t1)
		}
	}
	if r.y == before {
		r.note("Nothing was measured of it.")
	}
}

// ownName returns what the name of a series says besides the object's.
func (p *Panel) ownName(of subjectOf, d *model.SeriesDef) string {
	o, _ := of.session.Topology().Object(d.Object)
	var words []string
	for word := range strings.FieldsSeq(d.Name) {
		if head, _, _ := strings.Cut(strings.TrimSuffix(word, ":"), "."); head != o.Name && !strings.HasSuffix(word, "."+o.Name) && word != d.Group {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// seriesRows writes what was measured of an object: of numbers the mean and the greatest, of events
// their number and sum, of states the last.
func (p *Panel) seriesRows(r *rows, of subjectOf, id model.ObjectID, prefix string, t0, t1 int64) {
	for _, sid := range of.session.Series().ByObject(id) {
		x := of.session.Series().ByID(sid)
		if x == nil || r.y+r.env.Px(20) > p.rect.Y1 {
			continue
		}
		st := x.Stats(t0, t1)
		if st.N == 0 {
			continue
		}
		u := format.UnitOfValues(&x.Def)
		name := prefix + x.Def.Group
		if own := p.ownName(of, &x.Def); own != "" {
			name += " " + own
		}
		var v []byte
		switch {
		case x.Def.Role == model.RoleState:
			if last, ok := x.At(t1 - 1); ok {
				v = subject.AppendState(v, &x.Def, last.Value)
			}
		case x.Def.Kind == model.SeriesEvent:
			v = format.AppendCount(v, st.N)
			if x.Def.Unit != "" && st.Sum > 0 {
				v = u.Append(append(v, " · "...), st.Sum)
			}
		case x.Def.Role == model.RoleInterval && st.N > 1:
			v = u.Append(v, st.Mean)
			v = u.Append(append(v, " ± "...), st.StdDev)
			v = u.Append(append(v, ", at most "...), st.Max)
		case x.Def.Role == model.RoleLevel:
			v = u.Append(v, st.Last)
			v = u.Append(append(v, ", at most "...), st.Max)
		default:
			v = u.Append(v, st.Mean)
			if st.N > 1 {
				v = u.Append(append(v, ", at most "...), st.Max)
			}
		}
		r.add(name, string(v), r.env.Theme.Text)
	}
}
