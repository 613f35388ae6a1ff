package details

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// alone reports whether the details cover a thing alone: for a lock they cover its collector, too.
func (of *subjectOf) alone() bool {
	_, _, message := of.thing.Message()
	_, listed := of.thing.Resource()
	return message || listed || of.thing.Element() != model.NoObject || of.thing.Series() != model.NoSeries
}

// drawThing describes the selected element, series, message or listed object.
func (p *Panel) drawThing(env *panel.Env, of subjectOf, hover int) {
	if id := of.thing.Element(); id != model.NoObject {
		p.drawObject(env, of, id, hover)
	} else if id := of.thing.Series(); id != model.NoSeries {
		p.drawSeries(env, of, id)
	} else if track, m, ok := of.thing.Message(); ok {
		p.drawMessage(env, of, track, &m)
	} else if id, ok := of.thing.Resource(); ok {
		p.drawResource(env, of, id)
	}
}

// drawSeries describes the selected series: its quantity, and its numbers in the selected range or
// in all of the recording.
func (p *Panel) drawSeries(env *panel.Env, of subjectOf, id model.SeriesID) {
	t, s := env.Theme, of.session
	x := s.Series().ByID(id)
	if x == nil {
		p.title = ""
		return
	}
	d := &x.Def
	p.title, p.mode = d.Name, d.Group
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	if o, ok := s.Topology().Object(d.Object); ok {
		r.add("of", o.Name, t.Text)
	}
	if track := s.Track(d.Track); track != nil {
		r.add("thread", track.Title(), t.Text)
	}
	r.If(d.Description != "").note(d.Description)
	r.rangeHead()
	st := x.Stats(of.t0, of.t1)
	if st.N == 0 {
		r.note("Nothing was measured then.")
		return
	}
	r.add("samples", string(format.AppendCount(nil, st.N)), t.Text)
	u := format.UnitOfValues(d)
	value := func(name string, u format.Unit, v float64) { r.add(name, string(u.Append(nil, v)), t.Text) }
	switch d.Kind {
	case model.SeriesState:
		if last, ok := x.At(of.t1 - 1); ok {
			r.add("last", string(subject.AppendState(nil, d, last.Value)), t.Text)
		}
		return
	case model.SeriesCounter:
		value("last", u, st.Last)
		value("growth", u, st.Last-st.First)
		value("rate", u.Rate(), st.Rate)
		return
	case model.SeriesEvent:
		value("sum", u, st.Sum)
	default:
		value("last", u, st.Last)
	}
	if d.Kind != model.SeriesGauge { // a mean of means says nothing
		value(format.MeanOf(d), u, st.Mean)
	}
	value("min", u, st.Min)
	value("p50", u, st.P50)
	value("p99", u, st.P99)
	value("max", u, st.Max)
}

// drawMessage describes the selected message: when, where and how grave, and its text.
func (p *Panel) drawMessage(env *panel.Env, of subjectOf, track model.TrackID, m *model.Message) {
	t := env.Theme
	p.title, p.mode = "Message", subject.SeverityName(m.Severity)
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	r.add("at", string(format.AppendClock(nil, m.Time, of.session.Info().Clock.Step(m.Time))), t.Text)
	if tr := of.session.Track(track); tr != nil {
		r.add("thread", tr.Title(), t.Text)
	}
	r.If(m.Category != "").add("category", m.Category, t.Text)
	r.If(m.Object != "").add("object", m.Object, t.Text)
	r.line()
	r.text(m.Text)
}

// text writes a text of several lines, as far as there is room.
func (r *rows) text(text string) {
	for text != "" && r.y+r.env.Px(20) <= r.p.rect.Y1 {
		line, _ := subject.MessageLine(text)
		r.note(line)
		text = strings.TrimPrefix(strings.TrimPrefix(text[len(line):], "\r"), "\n")
	}
}

// rangeHead writes the range of the numbers below.
func (r *rows) rangeHead() {
	words := format.Pick(r.env.View.HasRange(), "in the selected range", "in all of the recording")
	r.line()
	r.head(words)
}

// line draws a line between two parts.
func (r *rows) line() {
	p, gap, side := r.p, r.env.Px(4), r.env.Px(10)
	p.Out.HLine(p.rect.X0+side, p.rect.X1-side, r.y+gap, 1, draw.Color(r.env.Theme.Separator))
	r.y += 2 * gap
}

// head writes the title of the rows below.
func (r *rows) head(words string) {
	p, side := r.p, r.env.Px(10)
	p.part = words
	h := draw.Rect{X0: p.rect.X0 + side, Y0: r.y, X1: p.rect.X1 - side, Y1: r.y + r.env.Px(20)}
	p.Out.TextIn(draw.Small, h, draw.Left, words, draw.Color(r.env.Theme.TextDim))
	r.y = h.Y1
}

// fates are the words for the states of an object in a listing.
var fates = map[model.ResourceFate]string{
	model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added",
	model.ResourceRemoved: "removed",
}

// drawResource describes the selected object of a leak tracer: its listing.
func (p *Panel) drawResource(env *panel.Env, of subjectOf, id model.ResourceID) {
	list := of.session.Topology().Resources()
	if int(id) >= len(list) {
		p.title = ""
		return
	}
	d, t := &list[id], env.Theme
	p.title, p.mode = d.Type+" "+d.Address, fates[d.Fate]
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	r.add("listing", string(format.AppendCount(nil, int64(d.Listing))), t.Text)
	r.add("listed at", string(format.AppendClock(nil, d.Time, 1e6)), t.Text)
	r.If(d.RefCount >= 0).add("references", string(format.AppendCount(nil, d.RefCount)), t.Text)
	if n := len(of.session.Topology().RefEvents(id)); n > 0 {
		r.add("references taken or released", string(format.AppendCount(nil, int64(n))), t.Text)
	}
	r.text(d.Description)
}

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
		if x == nil || r.y+r.env.Px(20) > p.rect.Y1 || p.element.shows(x) {
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
