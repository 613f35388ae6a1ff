package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
)

// Details of a span that is no call: a thing on its way through the program, or in a part of it. It
// has no caller and no self time, but a way: the parts that had it, in order, and for how long.

// passage has the facts of the selected thing.
type passage struct {
	of    spans.Passage
	known bool
	tips  timepane.SpanTips
	tip   panel.TipLines
}

// measurePassage finds the way of the selected thing.
func (p *Panel) measurePassage(of subjectOf) {
	p.passage.known = of.session.Spans().Passage(of.ref, &p.passage.of)
}

// passageRows writes the facts of the selected thing.
func (p *Panel) passageRows(env *panel.Env, of subjectOf) {
	t, b, x, s := env.Theme, env.View.Span(), &p.passage, of.session
	p.fullTitle(of)
	r := p.stripe(env, of.collector)
	duration := func(ns int64) string { return string(format.AppendDuration(nil, ns)) }
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

// waterfall writes the parts that had the thing, and for how long; the panel of the waterfall has their bars.
func (p *Panel) waterfall(r *rows, of subjectOf) {
	x, s, t := &p.passage, of.session, r.env.Theme
	r.line()
	r.head("its way through the elements, with times")
	way, known := x.of.Way, x.of.Way.Begin
	for i := range x.of.Stops {
		stop := &x.of.Stops[i]
		known = stop.End
		value := string(format.AppendDuration(nil, stop.End-stop.Begin)) + share(stop.End-stop.Begin, way.End-way.Begin)
		r.bar(*stop, stop.Ref == of.ref, s.Track(stop.Ref.Track).Title(), value)
	}
	if !x.of.Whole {
		r.add("unknown element", string(format.AppendDuration(nil, way.End-known))+share(way.End-known, way.End-way.Begin),
			t.TextDim)
	}
}

// bar writes a row that goes to a span; the chosen one has a mark before it.
func (r *rows) bar(bar spans.Bar, chosen bool, name, value string) {
	p, rect := r.p, r.row(r.env.Px(20))
	if chosen {
		p.Out.Rect(draw.Rect{X0: rect.X0 - r.env.Px(6), Y0: rect.Y0, X1: rect.X0 - r.env.Px(4), Y1: rect.Y1},
			draw.Color(r.env.Theme.Accent))
	}
	if p.link(rect, func(env *panel.Env) panel.Hit { return p.hitPassage(env, bar) },
		func(env *panel.Env) { env.View.SelectSpan(bar) }) {
		p.Out.Rect(rect, draw.Color(r.env.Theme.Hover))
	}
	color, _ := subject.ThreadColor(r.env, bar.Ref.Track)
	r.marked(color, name, "", value)
}

// hitPassage describes the span that a row goes to.
func (p *Panel) hitPassage(env *panel.Env, b spans.Bar) panel.Hit {
	x := &p.passage
	x.tip.Begin()
	x.tips.Span(env, &x.tip, b.Ref.Track, &b, 0)
	return panel.Hit{
		Kind: panel.HitSpan, Track: b.Ref.Track, Collector: b.Collector, Bar: b, Frame: -1, TimeNs: b.Begin,
		Lines: x.tip.All(),
	}
}

// mostRows is how many flows are listed at most.
const mostRows = 24

// flows writes where the flows of a span come from and lead to, and returns how many these are: first those
// that lead to it, then those that begin in it, each in the order of time.
func (r *rows) flows(b spans.Bar) int {
	p, env, s := r.p, r.env, r.p.of.session
	var of timepane.OfSpan
	of.Ask(s, &b)
	n := of.Count()
	if n == 0 {
		return 0
	}
	r.line()
	r.head(string(timepane.AppendCounts([]byte("flows: "), &of)))
	line := env.Px(18)
	for i := range n {
		if left := n - i; (i == mostRows || r.y+4*line > p.rect.Y1) && left > 1 {
			r.quiet(line, string(append(format.AppendCount([]byte("and "), int64(left)), " more"...)))
			break
		}
		var f timepane.Flow
		if out := i - len(of.In); out >= 0 {
			f = timepane.FlowOf(s, of.Out[out])
			r.flow(&f, &f.End, true)
		} else {
			f = timepane.FlowOf(s, of.In[i])
			r.flow(&f, &f.Begin, false)
		}
	}
	return n
}

// flow writes a flow with a link to its other end.
func (r *rows) flow(f *timepane.Flow, other *timepane.End, out bool) {
	p, l, env, t, line := r.p, r.p.Out, r.env, r.env.Theme, r.env.Px(18)
	word, span := timepane.ArrowWord(out), string(timepane.AppendName(nil, p.of.session, other))
	on := string(timepane.AppendPlace(nil, p.of.session, &f.Arrow, other))
	delay := string(timepane.AppendDelay(nil, &f.Arrow, out))
	p.addFact(word+span+on, delay)
	at := r.row(line)
	below := draw.Rect{X0: at.X0 + env.Px(12), Y0: at.Y1 - env.Px(2), X1: at.X1, Y1: at.Y1 + line - env.Px(4)}
	row := draw.Rect{X0: at.X0 - env.Px(4), Y0: at.Y0, X1: at.X1 + env.Px(4), Y1: below.Y1}
	end := *other
	if p.link(row, labelHit(escape.Line(word+span+on), delay, "click: go there"),
		func(env *panel.Env) { timepane.Follow(env.View, &end) }) {
		l.Rect(row, draw.Color(t.Hover))
	}
	l.TextIn(draw.Regular, at, draw.Right, delay, draw.Color(t.Text))
	at.X1 -= env.Atlas.Measure(draw.Regular, delay) + env.Px(8)
	l.TextIn(draw.Regular, at, draw.Left, word, draw.Color(t.Text2))
	at.X0 += env.Atlas.Measure(draw.Regular, word)
	l.NameIn(draw.Regular, at, draw.Left, span, draw.Color(t.Accent))
	l.NameIn(draw.Small, below, draw.Left, on[1:], draw.Color(t.Text2))
	r.y = below.Y1 + env.Px(2)
}

// row returns the place of a row of a height, from y down.
func (r *rows) row(height float32) draw.Rect {
	side := r.env.Px(10)
	return draw.Rect{X0: r.p.rect.X0 + side, Y0: r.y, X1: r.p.rect.X1 - side, Y1: r.y + height}
}

// quiet writes words of less weight.
func (r *rows) quiet(height float32, words string) {
	at := r.row(height)
	r.p.Out.TextIn(draw.Regular, at, draw.Left, words, draw.Color(r.env.Theme.TextDim))
	r.y = at.Y1
}

// arguments writes the arguments of a span and its other annotations, keys at the left and values at the
// right, and returns their number. A value that does not fit beside its key is below it, in several lines if
// need be.
func (r *rows) arguments(b spans.Bar) int {
	p, env, line := r.p, r.env, r.env.Px(20)
	if b.Count > 1 {
		return 0
	}
	p.args = p.of.session.Args().Of(b.Ref.Track, int(b.Ref.Lane), b.Ref.Index, p.args[:0])
	n := len(p.args)
	if n == 0 {
		return 0
	}
	r.line()
	r.head(string(format.AppendPlural(nil, int64(n), "argument", "arguments")))
	for i := range p.args {
		if r.y+2*line > p.rect.Y1 && i+1 < n {
			r.quiet(line, string(format.AppendPlural(nil, int64(n-i), "argument more", "arguments more")))
			break
		}
		key, value := subject.ArgWords(&p.args[i])
		p.addFact(key, value)
		row := r.row(line)
		at := row
		if w := env.Atlas.Measure(draw.Regular, value) + env.Px(6); panel.RoomBeside(env, draw.Regular, key, row.W(), w) {
			p.Out.TextIn(draw.Regular, row, draw.Right, value, draw.Color(env.Theme.Text))
			at.X1 -= w
		} else {
			for _, part := range panel.WrapWords(env.Atlas, draw.Regular, value, row.W()-env.Px(12)) {
				row.Y1 += env.Px(16)
				below := draw.Rect{X0: row.X0 + env.Px(12), Y0: row.Y1 - env.Px(18), X1: row.X1, Y1: row.Y1}
				p.Out.TextIn(draw.Regular, below, draw.Left, part, draw.Color(env.Theme.Text))
			}
		}
		p.names.Add(0, draw.Regular, at, draw.Left, key, draw.Color(env.Theme.Text2))
		p.link(row, labelHit(escape.Line(p.args[i].Key), escape.Line(p.args[i].Value.String())), nil)
		r.y = row.Y1
	}
	return n
}
