package details

import (
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// objectKinds are the words for kinds of objects.
var objectKinds = map[model.ObjectKind]string{
	model.ObjectElement: "element", model.ObjectBin: "bin", model.ObjectPad: "pad", model.ObjectGhostPad: "ghost pad",
}

// drawObject describes the selected element, bin or pad: its facts, and its measurements or those
// of its pads, in the selected range or in all of the recording.
func (p *Panel) drawObject(env *panel.Env, of subjectOf, id model.ObjectID, hover int) {
	t, s := env.Theme, of.session
	o, _ := s.Topology().Object(id)
	p.title, p.mode = o.Name, objectKinds[o.Kind]
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	add := func(name, value string) {
		r.If(value != "").add(name, value, t.Text)
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
	p.threadRows(&r, of)
	r.line()
	r.head(aroundWords(of.around, of.t1))
	before := r.y
	p.latencyRows(&r, of, hover)
	p.seriesRows(&r, of, id, "")
	for _, child := range s.Topology().Children(id) {
		if pad, ok := s.Topology().Object(child); ok && (pad.Kind == model.ObjectPad || pad.Kind == model.ObjectGhostPad) {
			p.seriesRows(&r, of, child, pad.Name+" ")
		}
	}
	r.If(r.y == before).note("Nothing was measured of it.")
	p.messageRows(&r)
}

// ownName returns the name of a series without the object's.
func (p *Panel) ownName(of subjectOf, d *model.SeriesDef) string {
	o, _ := of.session.Topology().Object(d.Object)
	var words []string
	for word := range strings.FieldsSeq(d.Name) {
		if head, _, _ := strings.Cut(strings.TrimSuffix(word, ":"), "."); head != o.Name &&
			!strings.HasSuffix(word, "."+o.Name) && word != d.Group {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// seriesRows writes the measurements of an object: of numbers the mean and the greatest, of events
// their number and sum, of states the last.
func (p *Panel) seriesRows(r *rows, of subjectOf, id model.ObjectID, prefix string) {
	for _, sid := range of.session.Series().ByObject(id) {
		x := of.session.Series().ByID(sid)
		if x == nil || r.y+r.env.Px(20) > p.rect.Y1 || p.element.tells(x) {
			continue
		}
		st := x.Stats(of.t0, of.t1)
		if st.N == 0 && x.Def.Role != model.RoleState && x.Def.Role != model.RoleLevel {
			continue // states and fill levels last until they change
		}
		u := format.UnitOfValues(&x.Def)
		name := prefix + x.Def.Group
		if own := p.ownName(of, &x.Def); own != "" {
			name += " " + own
		}
		var v []byte
		switch {
		case x.Def.Role == model.RoleState:
			value, since, ok := subject.StateIn(x, of.t0, of.t1, of.around)
			if !ok {
				continue
			}
			if v = subject.AppendState(v, &x.Def, value); of.around == view.AroundMoment {
				v = format.AppendClock(append(v, " since "...), since, 1e6)
			} else {
				v = append(v, ", the highest"...)
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
			if last, ok := x.At(of.t1 - 1); ok {
				v = u.Append(v, last.Value)
			} else if st.N > 0 {
				v = u.Append(v, st.Last)
			}
			if st.N > 0 {
				v = u.Append(append(v, ", at most "...), st.Max)
			}
		default:
			v = u.Append(v, st.Mean)
			if st.N > 1 {
				v = u.Append(append(v, ", at most "...), st.Max)
			}
		}
		r.If(len(v) > 0).add(name, string(v), r.env.Theme.Text)
	}
}

// aroundWords name the time of the figures of an element, which ends at t1 (ns).
func aroundWords(around view.Around, t1 int64) string {
	switch around {
	case view.AroundRange:
		return "in the selected range"
	case view.AroundBuffer:
		return "while the selected buffer was on its way"
	case view.AroundMoment:
		return string(format.AppendClock([]byte("in the last second at "), t1-1, 1e6))
	}
	return "in all of the recording"
}
