package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/spans"
)

// Details of a span that is no call: a thing on its way through the program, or in a part of it. It
// has no caller and no self time, but a way: the parts that had it, in order, and for how long.

// passage has the facts of the selected thing.
type passage struct {
	of     spans.Passage
	known  bool
	beside [2 * besideEach]spans.Passage // those before it and after it
	n      int
	at     int // how many of them were before it
	rows   []passageRow
	tips   timepane.SpanTips
	tip    panel.TipLines
}

// passageRow is a row that goes to a span when it is clicked.
type passageRow struct {
	rect draw.Rect
	bar  spans.Bar
}

// besideEach is how many things before and after the selected one are shown.
const besideEach = 3

// measurePassage finds the way of the selected thing and of those beside it.
func (p *Panel) measurePassage(of subjectOf) {
	x := &p.passage
	x.known = of.session.Spans().Passage(of.ref, &x.of)
	x.n, x.at = 0, 0
	if !x.known || x.of.Way.Count == 0 {
		return
	}
	var around [2 * besideEach]spans.Bar
	at := besideEach
	for b, ok := of.session.Spans().Beside(x.of.Way, -1); ok && at > 0; b, ok = of.session.Spans().Beside(b, -1) {
		at--
		around[at] = b
	}
	x.at = besideEach - at
	n := besideEach
	for b, ok := of.session.Spans().Beside(x.of.Way, 1); ok && n < len(around); b, ok = of.session.Spans().Beside(b, 1) {
		around[n] = b
		n++
	}
	for _, b := range around[at:n] {
		of.session.Spans().Passage(b.Ref, &x.beside[x.n])
		x.n++
	}
}

// passageRows writes the facts of the selected thing.
func (p *Panel) passageRows(env *panel.Env, of subjectOf) {
	t, b, x, s := env.Theme, env.View.Span(), &p.passage, of.session
	p.fullTitle(of)
	r := p.stripe(env, of.collector)
	duration := func(ns int64) string { return string(format.AppendDuration(nil, ns)) }
	x.rows = x.rows[:0]
	took := format.Pick(s.Track(of.track).Def.Kind == model.TrackElement, "was in it for", "took")
	r.add(took, duration(b.End-b.Begin), t.Text)
	r.add("begins", string(format.AppendClock(nil, b.Begin, s.Info().Clock.Step(b.Begin))), t.Text)
	r.addDayTime(s, b.Begin)
	r.If(b.Flags&model.SpanUncertain != 0).note("Longer than the program had been running: its time is not certain.")
	if r.arguments(b)+r.flows(b) > 0 {
		r.line()
	}
	if x.known && x.of.Way.Count > 0 {
		p.passageFacts(&r, of)
		p.waterfall(&r, of)
		p.besideRows(&r, of)
	} else {
		r.note("Its buffer is not known.")
	}
}

// passageFacts writes the number of the thing, and its measurements at its start.
func (p *Panel) passageFacts(r *rows, of subjectOf) {
	x, s, t := &p.passage, of.session, r.env.Theme
	b := format.AppendCount([]byte("no. "), x.of.Number)
	b = format.AppendCount(append(b, " of "...), x.of.Of)
	r.add("buffer", string(b), t.Text)
	way := s.Track(x.of.Way.Ref.Track)
	if of.track != way.Def.ID {
		r.add("on its way", way.Title(), t.Text)
		r.add("took in all", string(format.AppendDuration(nil, x.of.Way.End-x.of.Way.Begin)), t.Text)
	}
	for _, id := range s.Series().ByObject(way.Def.Object) {
		series := s.Series().ByID(id)
		v, ok := series.At(x.of.Way.Begin)
		if !ok || v.Time != x.of.Way.Begin || series.Def.Object != way.Def.Object ||
			series.Def.Role == model.RoleNone && series.Def.Kind == model.SeriesState {
			continue
		}
		name, u := series.Def.Group, format.UnitOfValues(&series.Def)
		if series.Def.Role == model.RoleFlow {
			name = "size"
		}
		r.add(name, string(u.Append(nil, v.Value)), t.Text)
	}
}

// waterfall writes the parts that had the thing: a bar for each, in its place in the time that the
// thing took.
func (p *Panel) waterfall(r *rows, of subjectOf) {
	x, s, t := &p.passage, of.session, r.env.Theme
	r.line()
	r.head("its way through the elements, with times")
	way, known := x.of.Way, x.of.Way.Begin
	for i := range x.of.Stops {
		stop := &x.of.Stops[i]
		known = stop.End
		chosen := stop.Ref == of.ref
		rect := p.row(r, *stop, chosen)
		value := string(format.AppendDuration(nil, stop.End-stop.Begin)) + share(stop.End-stop.Begin, way.End-way.Begin)
		p.bars(r, rect, way.End-way.Begin, stop.Begin-way.Begin, x.of.Stops[i:i+1])
		p.pair(r, rect, chosen, s.Track(stop.Ref.Track).Title(), value)
	}
	if !x.of.Whole {
		r.add("unknown element", string(format.AppendDuration(nil, way.End-known))+share(way.End-known, way.End-way.Begin), t.TextDim)
	}
}

// besideRows writes the ways of the things before and after the selected one, each a bar of its
// parts.
func (p *Panel) besideRows(r *rows, of subjectOf) {
	x := &p.passage
	if x.n == 0 {
		return
	}
	r.line()
	r.head("the buffers before and after it")
	longest := x.of.Way.End - x.of.Way.Begin
	for i := range x.n {
		longest = max(longest, x.beside[i].Way.End-x.beside[i].Way.Begin)
	}
	one := func(q *spans.Passage) {
		chosen := q.Way.Ref == x.of.Way.Ref
		rect := p.row(r, q.Way, chosen)
		p.bars(r, rect, longest, 0, q.Stops)
		name := string(format.AppendCount([]byte("no. "), q.Number))
		p.pair(r, rect, chosen, name, string(format.AppendDuration(nil, q.Way.End-q.Way.Begin)))
	}
	for i := range x.n + 1 {
		switch {
		case i < x.at:
			one(&x.beside[i])
		case i == x.at:
			one(&x.of)
		default:
			one(&x.beside[i-1])
		}
	}
}

// row makes a row that goes to a span.
func (p *Panel) row(r *rows, bar spans.Bar, selected bool) draw.Rect {
	rect := draw.Rect{X0: p.rect.X0 + r.env.Px(10), Y0: r.y, X1: p.rect.X1 - r.env.Px(10), Y1: r.y + r.env.Px(24)}
	if selected {
		p.Out.Rect(rect, draw.Color(r.env.Theme.Accent).WithAlpha(58))
	}
	p.passage.rows = append(p.passage.rows, passageRow{rect, bar})
	r.y = rect.Y1
	return rect
}

// bars draws spans one behind the other at the foot of a row that is as wide as whole, in the
// colors of their tracks.
func (p *Panel) bars(r *rows, rect draw.Rect, whole, at int64, stops []spans.Bar) {
	px := func(ns int64) float32 { return rect.X0 + rect.W()*float32(ratio(ns, whole)) }
	for i := range stops {
		b := &stops[i]
		x0, x1 := px(at), px(at+b.End-b.Begin)
		at += b.End - b.Begin
		color, _ := subject.ThreadColor(r.env, b.Ref.Track)
		x1 = min(max(x1, x0+r.env.Px(1)), rect.X1)
		x0 = min(x0, x1-r.env.Px(1)) // bars too short to be visible get a pixel, within their row
		p.Out.Rect(draw.Rect{X0: x0, Y0: rect.Y1 - r.env.Px(5), X1: x1, Y1: rect.Y1 - r.env.Px(1)}, color)
	}
}

// pair writes a name and a value into the upper part of a row.
func (p *Panel) pair(r *rows, rect draw.Rect, chosen bool, name, value string) {
	rect.Y1 -= r.env.Px(5)
	t := r.env.Theme
	named := draw.Color(t.Text2)
	if chosen { // on the accent's ground the second color of text is not legible
		named = draw.Color(t.Text)
	}
	if w := r.env.Atlas.Measure(draw.Small, value) + r.env.Px(8); panel.RoomBeside(r.env, draw.Small, name, rect.W(), w) {
		p.Out.TextFit(draw.Small, rect, draw.Right, value, draw.Color(t.Text))
		rect.X1 -= w
	}
	p.names.Add(1, draw.Small, rect, draw.Left, name, named)
}

// clickPassage selects the span of the row that was clicked.
func (p *Panel) clickPassage(env *panel.Env, of subjectOf, in *panel.Input) {
	if !of.span || !of.calls || !in.Over || !in.Left.Released || in.Left.Dragging {
		return
	}
	if row := p.passageAt(in.X, in.Y); row != nil {
		env.View.SelectSpan(row.bar)
	}
}

// passageAt returns the row at a point, nil where none is.
func (p *Panel) passageAt(pxX, pxY float32) *passageRow {
	for i := range p.passage.rows {
		if row := &p.passage.rows[i]; row.rect.Contains(pxX, pxY) {
			return row
		}
	}
	return nil
}

// hitPassage describes the span that a row goes to.
func (p *Panel) hitPassage(env *panel.Env, row *passageRow) panel.Hit {
	b, x := row.bar, &p.passage
	x.tip.Begin()
	x.tips.Span(env, &x.tip, b.Ref.Track, &b, 0)
	return panel.Hit{
		Kind: panel.HitSpan, Track: b.Ref.Track, Collector: b.Collector, Bar: b, Frame: -1, TimeNs: b.Begin,
		Rect: row.rect, Lines: x.tip.All(),
	}
}
