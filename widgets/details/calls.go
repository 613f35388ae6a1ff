package details

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
	"framescope/widgets"
)

// Details without frames: the selected span; else the calls of the chosen collector in the selected
// range; else the range, and its longest collectors.

// detailsCalls are the numbers of a session without frames.
type detailsCalls struct {
	stats   []spans.Stat
	calls   int64     // of all collectors
	self    int64     // of the selected span, -1 not known
	caller  spans.Bar // of the selected span
	called  bool      // there is a caller
	waits   []spans.Wait
	callers []spans.Caller
	lengths []spans.Bar // of the chosen collector, those that were looked at
	threads subject.MethodThreads
	track   [1]model.TrackID
	made    uint64 // how often numbers were queried
}

// detailsPrepared is how many spans are made ready for statistics in one go.
const detailsPrepared = 100_000

// measureCalls gets the numbers from the model; false: they are not ready yet.
func (p *Panel) measureCalls(env *panel.Env, of subjectOf) bool {
	v, c := env.View, &p.calls
	c.track[0] = of.track
	c.self, c.called = -1, false
	c.waits, c.callers = c.waits[:0], c.callers[:0]
	c.made++
	if of.session.Info().Sampling.Timeless {
		p.waits = !p.sums.Sum(v, of.collector, of.t0, of.t1, of.slow)
		return true
	}
	if of.span && !of.session.Track(of.track).Def.Kind.Calls() {
		p.measurePassage(of)
		return true
	}
	if of.span {
		b := v.Span()
		of.session.Spans().SpanTree(b.Ref, b.Begin, max(b.End, b.Begin+1), &p.tree)
		for i := range p.tree.Nodes {
			if p.tree.Nodes[i].Path == b.Path {
				c.self = p.tree.Nodes[i].Self
			}
		}
		c.caller, c.called = of.session.Spans().Caller(b.Ref)
		return true
	}
	if env.Paced && of.session.Spans().PrepareStats(of.track, detailsPrepared) {
		return false
	}
	c.stats = of.session.Spans().Stats(c.track[:], of.t0, of.t1, c.stats[:0])
	if all := of.session.Spans(); all.Sampled(of.track) && of.collector == model.NoCollector {
		c.waits = all.Waits(of.track, of.t0, of.t1, c.waits)
	} else if all.Sampled(of.track) {
		c.callers = all.Callers(spans.MeasureSamples, c.track[:], of.collector, of.t0, of.t1, c.callers)
	}
	c.calls = 0
	for i := range c.stats {
		if c.calls += c.stats[i].Calls; c.stats[i].Collector == of.collector {
			p.spreadCalls(of, &c.stats[i])
		}
	}
	return true
}

// drawCalls writes the details.
func (p *Panel) drawCalls(env *panel.Env, of subjectOf, hover int) {
	switch {
	case of.session.Info().Sampling.Timeless:
		p.sumRows(env, of)
	case of.span && !of.session.Track(of.track).Def.Kind.Calls():
		p.passageRows(env, of)
	case of.span:
		p.spanRows(env, of)
	case of.collector != model.NoCollector:
		p.callRows(env, of, hover)
	default:
		p.rangeRows(env, of, hover)
	}
}

// stripe draws the color of a collector at the top, and where in the source code it is, and returns the rows
// below.
func (p *Panel) stripe(env *panel.Env, c model.CollectorID) rows {
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	p.Out.Rect(draw.Rect{X0: p.rect.X0 + env.Px(10), Y0: r.y, X1: p.rect.X1 - env.Px(10), Y1: r.y + env.Px(3)},
		env.Palette().Fill(c))
	r.y += env.Px(7)
	if where := env.View.Session().Collector(c).Where(); where != "" {
		r.add("source", where, env.Theme.Text)
	}
	return r
}

// nameOf names a collector; the root that stands for whole frames is none to people.
func nameOf(k *model.Collector) string { return format.Pick(k.IsFrameRoot(), "Whole frame", k.Name) }

// fullTitle names a collector: its own name above, its parent's at the right.
func (p *Panel) fullTitle(of subjectOf) {
	k := of.session.Collector(of.collector)
	p.title = nameOf(k)
	if par := of.session.Collector(k.Parent); k.Parent > 0 && par != nil && k.Parent != of.collector {
		p.mode = par.Title()
	}
}

func (p *Panel) spanRows(env *panel.Env, of subjectOf) {
	t, b, c := env.Theme, env.View.Span(), &p.calls
	p.fullTitle(of)
	r := p.stripe(env, of.collector)
	length := b.End - b.Begin
	took := string(format.AppendDuration(nil, length))
	if b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		took = "≥ " + took
	}
	r.add("took", took, t.Text)
	r.If(c.self >= 0).add("self", string(format.AppendDuration(nil, c.self))+share(c.self, length), t.Text)
	p.spanPlace(&r, env, b)
	if c.called {
		r.add("called by", of.session.Collector(c.caller.Collector).Name, t.Text)
		r.add("of its caller", string(format.AppendPercent(nil, ratio(length, c.caller.End-c.caller.Begin))), t.Text)
	}
	p.uncertain(env, of, &r, b)
	r.arguments(b)
	r.flows(b)
}

// uncertain notes unknown ends of a span.
func (p *Panel) uncertain(env *panel.Env, of subjectOf, r *rows, b spans.Bar) {
	t := env.Theme
	if b.Flags&model.SpanUncertain != 0 {
		r.add("ends known to", "± "+string(format.AppendDuration(nil, of.session.Info().Clock.Step(b.End))), t.Over)
	}
	r.If(b.Flags&model.SpanOpenBegin != 0).note("Its begin was not received.")
	r.If(b.Flags&model.SpanOpenEnd != 0).note("It had not ended yet.")
}

// note writes a line of words.
func (r *rows) note(text string) {
	if r == nil {
		return
	}
	at := draw.Rect{X0: r.p.rect.X0 + r.env.Px(10), X1: r.p.rect.X1 - r.env.Px(10)}
	for _, line := range panel.WrapWords(r.env.Atlas, draw.Regular, text, at.W()) {
		at.Y0, at.Y1 = r.y, r.y+r.env.Px(20)
		r.p.Out.TextIn(draw.Regular, at, draw.Left, line, draw.Color(r.env.Theme.Text2))
		r.y = at.Y1
	}
}

func (p *Panel) callRows(env *panel.Env, of subjectOf, hover int) {
	t, c := env.Theme, &p.calls
	p.fullTitle(of)
	r := p.stripe(env, of.collector)
	var st *spans.Stat
	for i := range c.stats {
		if c.stats[i].Collector == of.collector {
			st = &c.stats[i]
		}
	}
	p.rangeRow(&r, env, of)
	tr := of.session.Track(of.track)
	r.add(tr.Def.Kind.String(), tr.Title(), t.Text) // other panels have several
	if st == nil {
		r.note("No " + subject.CallWordsIn(of.session).Many + " of it in this range on it.")
		return
	}
	duration := func(ns int64) string { return string(format.AppendDuration(nil, ns)) }
	if tr.Def.Kind.Calls() {
		r.If(st.Sampled).add("samples", string(format.AppendCount(nil, st.Samples)), t.Text)
		r.add(subject.CallWordsOf(st.Sampled).Many, string(format.AppendCount(nil, st.Calls)), t.Text)
		r.add("total", duration(st.TotalNs)+share(st.TotalNs, of.t1-of.t0), t.Text)
		r.If(st.Sampled).add("by the samples", "± "+duration(st.ErrorNs()), t.Text)
		r.add("self", duration(st.SelfNs)+share(st.SelfNs, of.t1-of.t0), t.Text)
	} else { // many at the same time: their sum is no share of the time
		r.add("passed", string(format.AppendCount(nil, st.Calls)), t.Text)
		r.add("at a time, mean", string(format.AppendValue(nil, ratio(st.TotalNs, of.t1-of.t0), "")), t.Text)
	}
	of1 := "" // the subject of the mean
	if st.Sampled {
		of1 = " " + subject.CallWordsOf(true).One
	}
	r.add("mean"+of1, duration(int64(st.MeanNs+0.5)), t.Text)
	r.add("shortest"+of1, duration(st.MinNs), t.Text)
	longest := st.Longest
	r.linked("click: go to the longest call", func(env *panel.Env) {
		if b, ok := of.session.Spans().ByRef(longest); ok {
			env.View.SelectSpan(b)
		}
	})
	r.add("longest"+of1, duration(st.MaxNs), t.Text)
	r.If(tr.Def.Kind.Calls()).note("Shares are of the range on this " + tr.Def.Kind.String() + ".")
	r.If(st.Sampled).note(subject.CallWordsOf(true).Warning + ".")
	if len(p.counts) > 0 && tr.Def.Kind.Calls() {
		y := r.y + env.Px(6)
		if p.drawHistogram(env, of, y, 100, hover); !p.bins.Empty() {
			r.y = p.bins.Y1 + env.Px(20)
		}
	}
	r.callers(of)
	r.threads(of)
}

// mostListed is how many waits or callers are listed.
const mostListed = 8

// waits writes the reasons and states of the thread's waits.
func (r *rows) waits(of subjectOf) {
	list := r.p.calls.waits
	if len(list) == 0 {
		return
	}
	r.head("waiting and blocked, share of the time")
	for i := range list[:min(len(list), mostListed)] {
		x, name := &list[i], of.session.Collector(list[i].Collector).Title()
		value := string(format.AppendPercent(nil, ratio(x.Ns, of.t1-of.t0)))
		r.marked(subject.StateColor(r.env.Theme, x.State), name, x.State.String()+" in "+name, value)
	}
}

// marked writes a name behind a square of a color, and a value. With a measure the value is a fact of the panel, too.
func (r *rows) marked(c draw.Color, name, measure, value string) {
	p, env := r.p, r.env
	p.Out.Rect(r.square(), c)
	row := draw.Rect{X0: p.rect.X0 + env.Px(24), Y0: r.y, X1: p.rect.X1 - env.Px(10), Y1: r.y + env.Px(20)}
	r.y += widgets.Pair(p.Out, env, &p.names, row, name, value, env.Theme.Text)
	if measure != "" {
		p.addFact(measure, value)
	}
}

// square is the place of the color in the next row.
func (r *rows) square() draw.Rect {
	x, y, side := r.p.rect.X0+r.env.Px(10), r.y+r.env.Px(6), r.env.Px(8)
	return draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}
}

// rangeRow names the range of the numbers.
func (p *Panel) rangeRow(r *rows, env *panel.Env, of subjectOf) {
	name := subject.Whole(of.session)
	if env.View.RangeB() > env.View.RangeA() {
		name = "selected range"
	}
	r.add(name, string(format.AppendDuration(nil, of.t1-of.t0)), env.Theme.Text)
}

func (p *Panel) rangeRows(env *panel.Env, of subjectOf, hover int) {
	t, c, v := env.Theme, &p.calls, env.View
	whole := subject.Whole(of.session)
	p.title, p.mode = strings.ToUpper(whole[:1])+whole[1:], ""
	if v.RangeB() > v.RangeA() {
		p.title = "Selected range"
	}
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	r.add("length", string(format.AppendDuration(nil, of.t1-of.t0)), t.Text)
	r.add("from", string(format.AppendClock(nil, of.t0, format.ClockStep(of.t0, of.t1))), t.Text)
	tr := of.session.Track(of.track)
	if tr == nil {
		return
	}
	r.add(tr.Def.Kind.String(), tr.Title(), t.Text)
	if of.about != model.NoObject {
		p.threadRows(&r, of)
		p.latencyRows(&r, of, hover)
		p.messageRows(&r)
		return
	}
	r.add("spans", string(format.AppendCount(nil, c.calls)), t.Text)
	if len(c.stats) == 0 {
		r.note("It has no spans then.")
		return
	}
	if !tr.Def.Kind.Calls() { // asynchronous spans have no self time
		return
	}
	r.dearest(ownTimes, 12, len(c.stats), func(i int) (model.CollectorID, int64) {
		return c.stats[i].Collector, c.stats[i].SelfNs
	})
	r.waits(of)
}

func ratio(part, whole int64) float64 { return float64(part) / float64(max(whole, 1)) }

// share is a share in brackets' place: " · 12.3 %".
func share(part, whole int64) string {
	return " · " + string(format.AppendPercent(nil, ratio(part, whole)))
}
