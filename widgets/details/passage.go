package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
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

// The inspector lists the flows into and out of the selected span, with links to their other ends.

// FlowRows are the flows of a span, one below the other. The zero value has none.
type FlowRows struct {
	session *store.Session
	of      timepane.OfSpan
	rects   []draw.Rect // of those that were drawn
	hover   int         // counted from 1, 0 none
	buf     []byte
}

// mostRows is how many flows are listed at most.
const mostRows = 24

// Of takes the flows of a span, and returns how many they are.
func (x *FlowRows) Of(s *store.Session, b *spans.Bar) int {
	x.session, x.rects = s, x.rects[:0]
	x.of.Ask(s, b)
	return x.of.Count()
}

// Clear forgets where they were drawn.
func (x *FlowRows) Clear() { x.rects = x.rects[:0] }

// Head returns their number: "flows: 2 to it, 1 from it".
func (x *FlowRows) Head() string {
	return string(timepane.AppendCounts([]byte("flows: "), &x.of))
}

// row returns the flow of a row, its other end, and whether it leads away.
func (x *FlowRows) row(i int) (f timepane.Flow, other *timepane.End, out bool) {
	if out = i >= len(x.of.In); out {
		f = timepane.FlowOf(x.session, x.of.Out[i-len(x.of.In)])
		return f, &f.End, true
	}
	f = timepane.FlowOf(x.session, x.of.In[i])
	return f, &f.Begin, false
}

// Draw writes the flows from the top of r down, as far as it goes: first those that lead to the span, then
// those that begin in it, each in the order of time. Draw passes each to tell, and returns how far it
// came.
func (x *FlowRows) Draw(env *panel.Env, l *draw.List, r draw.Rect, tell func(name, value string)) float32 {
	t, y, line := env.Theme, r.Y0, env.Px(18)
	for i := range x.of.Count() {
		if left := x.of.Count() - i; (i == mostRows || y+4*line > r.Y1) && left > 1 {
			x.buf = append(format.AppendCount(append(x.buf[:0], "and "...), int64(left)), " more"...)
			l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}, draw.Left, panel.ScratchText(x.buf), draw.Color(t.TextDim))
			return y + line
		}
		f, other, out := x.row(i)
		word, span := timepane.ArrowWord(out), string(timepane.AppendName(nil, x.session, other))
		on := string(timepane.AppendPlace(nil, x.session, &f.Arrow, other))
		delay := string(timepane.AppendDelay(nil, &f.Arrow, out))
		tell(word+span+on, delay)
		at := draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}
		below := draw.Rect{X0: r.X0 + env.Px(12), Y0: at.Y1 - env.Px(2), X1: r.X1, Y1: at.Y1 + line - env.Px(4)}
		row := draw.Rect{X0: r.X0 - env.Px(4), Y0: y, X1: r.X1 + env.Px(4), Y1: below.Y1}
		if x.hover == i+1 {
			l.Rect(row, draw.Color(t.Hover))
		}
		l.TextIn(draw.Regular, at, draw.Right, delay, draw.Color(t.Text))
		at.X1 -= env.Atlas.Measure(draw.Regular, delay) + env.Px(8)
		l.TextIn(draw.Regular, at, draw.Left, word, draw.Color(t.Text2))
		at.X0 += env.Atlas.Measure(draw.Regular, word)
		l.NameIn(draw.Regular, at, draw.Left, span, draw.Color(t.Accent))
		l.NameIn(draw.Small, below, draw.Left, on[1:], draw.Color(t.Text2))
		x.rects = append(x.rects, row)
		y = below.Y1 + env.Px(2)
	}
	return y
}

// Input goes where a row leads that is clicked, and returns which is under the mouse, counted from 1: 0 is
// none.
func (x *FlowRows) Input(v *view.View, in *panel.Input) int {
	x.hover = 0
	if in.Over && x.session == v.Session() {
		if x.hover = x.at(in.X, in.Y) + 1; x.hover > 0 && in.Left.Released && !in.Left.Dragging {
			_, other, _ := x.row(x.hover - 1)
			timepane.Follow(v, other)
		}
	}
	return x.hover
}

func (x *FlowRows) at(pxX, pxY float32) int {
	for i := range x.rects {
		if x.rects[i].Contains(pxX, pxY) && i < x.of.Count() {
			return i
		}
	}
	return -1
}

// HitTest returns the flow under a point, all of it; false: there is none.
func (x *FlowRows) HitTest(v *view.View, pxX, pxY float32) (hit panel.Hit, ok bool) {
	i := x.at(pxX, pxY)
	if hit = panel.NoHit(); i < 0 || x.session != v.Session() {
		return hit, false
	}
	f, other, out := x.row(i)
	b := timepane.AppendName([]byte(timepane.ArrowWord(out)), x.session, other)
	b = timepane.AppendPlace(b, x.session, &f.Arrow, other)
	hit.Kind, hit.Rect = panel.HitLabel, x.rects[i]
	hit.Lines = append(hit.Lines, escape.Line(string(b)), string(timepane.AppendDelay(nil, &f.Arrow, out)), "click: go there")
	return hit, true
}

// The inspector shows the arguments of the selected call, and its other annotations.

// ArgumentRows are the arguments of a span, one below the other. The zero value has none.
type ArgumentRows struct {
	list  []model.Arg
	rects []draw.Rect // of those that were drawn
}

// Of takes the arguments of a span, and returns how many they are.
func (x *ArgumentRows) Of(s *store.Session, r spans.Ref) int {
	x.list, x.rects = s.Args().Of(r.Track, int(r.Lane), r.Index, x.list[:0]), x.rects[:0]
	return len(x.list)
}

// Clear forgets them.
func (x *ArgumentRows) Clear() { x.list, x.rects = x.list[:0], x.rects[:0] }

// Draw writes keys at the left and values at the right of r from its top down, as far as it goes. A
// value that does not fit beside its key is below it, in several lines if need be. Draw passes each
// to tell, and returns how far it came.
func (x *ArgumentRows) Draw(env *panel.Env, l *draw.List, names *draw.Names, r draw.Rect, tell func(name, value string)) float32 {
	t, y, line := env.Theme, r.Y0, env.Px(20)
	for i := range x.list {
		if y+2*line > r.Y1 && i+1 < len(x.list) {
			more := string(format.AppendPlural(nil, int64(len(x.list)-i), "argument more", "arguments more"))
			l.TextIn(draw.Regular, draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}, draw.Left, more, draw.Color(t.TextDim))
			return y + line
		}
		key, value := subject.ArgWords(&x.list[i])
		tell(key, value)
		row := draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + line}
		at := row
		if w := env.Atlas.Measure(draw.Regular, value) + env.Px(6); panel.RoomBeside(env, draw.Regular, key, row.W(), w) {
			l.TextIn(draw.Regular, row, draw.Right, value, draw.Color(t.Text))
			at.X1 -= w
		} else {
			for _, part := range panel.WrapWords(env.Atlas, draw.Regular, value, row.W()-env.Px(12)) {
				row.Y1 += env.Px(16)
				below := draw.Rect{X0: row.X0 + env.Px(12), Y0: row.Y1 - env.Px(18), X1: row.X1, Y1: row.Y1}
				l.TextIn(draw.Regular, below, draw.Left, part, draw.Color(t.Text))
			}
		}
		names.Add(0, draw.Regular, at, draw.Left, key, draw.Color(t.Text2))
		x.rects = append(x.rects, row)
		y = row.Y1
	}
	return y
}

// HitTest returns the argument under a point, all of it, to be read and copied; false: there is none.
func (x *ArgumentRows) HitTest(pxX, pxY float32) (hit panel.Hit, ok bool) {
	hit = panel.NoHit()
	for i, r := range x.rects {
		if r.Contains(pxX, pxY) {
			a := &x.list[i]
			hit.Kind, hit.Rect = panel.HitLabel, r
			hit.Lines = append(hit.Lines, escape.Line(a.Key), escape.Line(a.Value.String()))
			return hit, true
		}
	}
	return hit, false
}
