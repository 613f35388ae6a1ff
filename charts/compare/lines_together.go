package compare

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// views gives both sides their views: that of the window to the side that it shows, to the other the
// view of its session, or a twin if it is the same session. A click or wheel turn in a side makes it
// near.
func (l *Lines) views(env *panel.Env) {
	var of [2]*store.Session
	for i := range l.sides {
		m, _ := env.Comparing.Marked(i)
		of[i] = m.Side.Session
	}
	shown := env.View.Session()
	if of[l.near] != shown && of[1-l.near] == shown {
		l.near = 1 - l.near
	}
	for i := range l.sides {
		x := &l.sides[i]
		v := env.View
		switch {
		case of[i] != shown:
			v = l.viewOf(env, x, of[i])
			if i != l.near && of[i] == of[l.near] { // neither is shown, and both are one session
				v = l.twinOf(env, v)
			}
		case i != l.near:
			v = l.twinOf(env, v)
		}
		limits := env.Limits
		if of[i] != shown {
			limits = &noLimits
		}
		x.env = *env
		x.env.View, x.env.Limits, x.env.Kept = v, limits, env.Kept && of[i] == shown
		x.zero, _ = env.Comparing.Zero(i)
	}
}

// noLimits are those of a session that is not shown.
var noLimits view.State

// viewOf returns the view of a session that the window does not show, brought up to the present.
func (l *Lines) viewOf(env *panel.Env, x *side, s *store.Session) (v *view.View) {
	if env.ViewOf != nil {
		v = env.ViewOf(s)
	}
	if v == nil {
		if x.own == nil || x.own.Session() != s {
			x.own = view.New(s)
			x.own.Follow(false)
		}
		v = x.own
	}
	v.Tick(env.NowNs, env.Animate)
	v.Look().MeasuredBy(env.Comparing.BaselineRevision())
	return v
}

// twinOf returns the second view of the session of a view.
func (l *Lines) twinOf(env *panel.Env, v *view.View) *view.View {
	if l.twin == nil || !l.twin.IsTwin(v) {
		l.twin = v.Twin()
		l.were = were{} // it is nowhere yet
	}
	l.twin.TickTwin(env.NowNs, env.Animate)
	return l.twin
}

// give passes mouse and keys to their side. It returns the session to show, after a press in its
// timeline; nil: unchanged.
func (l *Lines) give(env *panel.Env, in *panel.Input) (ask *store.Session) {
	at := -1
	for i := range l.sides {
		if in.Over && l.sides[i].rect.Contains(in.X, in.Y) {
			at = i
		}
	}
	pressed := in.Left.Pressed || in.Right.Pressed || in.Middle.Pressed
	if pressed {
		l.held = at
	}
	if l.held >= 0 {
		at = l.held
	}
	turned := in.WheelX != 0 || in.WheelY != 0 || in.ZoomIn || in.ZoomOut || in.PanLeft || in.PanRight
	if at >= 0 && at != l.near && (pressed || turned) {
		if to := l.sides[at].env.View; to == l.twin {
			l.exchange()
		} else if pressed && env.View.Session() != to.Session() {
			ask = to.Session()
		}
	}
	for i := range l.sides {
		x := &l.sides[i]
		if x.in = *in; i != at {
			x.in = panel.Input{X: -1, Y: -1, DtNs: in.DtNs, Shift: in.Shift, Ctrl: in.Ctrl, Alt: in.Alt}
		}
		x.in.Over = x.in.Over && x.rect.Contains(in.X, in.Y)
	}
	if !in.Left.Down && !in.Right.Down && !in.Middle.Down {
		l.held = -1
	}
	return ask
}

// exchange makes the other side of one session the one that keys and steps move: the view of the
// window goes there, and both keep their windows.
func (l *Lines) exchange() {
	a, b := &l.sides[view.SideA], &l.sides[view.SideB]
	a.env.View, b.env.View = b.env.View, a.env.View
	wa, wb := a.env.View.Time(), b.env.View.Time()
	a.env.View.Steer().Match(wb)
	b.env.View.Steer().Match(wa)
	l.near = 1 - l.near
}

// align lays both sides on one ruler anew when the sides, or the alignment, changed.
func (l *Lines) align(env *panel.Env) {
	a, b := &l.sides[view.SideA], &l.sides[view.SideB]
	plot := l.sides[l.near].line.Plot()
	by, call := env.Comparing.Aligned()
	now := were{env.Comparing, env.Comparing.SidesRevision(), by, call, [2]int64{a.zero.AtNs, b.zero.AtNs}, plot.W() > 0}
	if now == l.were {
		return
	}
	near := &l.sides[l.near]
	v := near.env.View
	before := l.were
	l.were = now
	others := before.state != now.state || before.sides != now.sides
	if !others && (before.by != now.by || before.call != now.call) {
		v.Steer().Push() // the alignment may find its point later
	}
	var begin, end float64
	switch {
	case others: // whoever changed them made that a step
		begin, end = l.opening(env)
	case before.zero != now.zero: // the scale stays, and the aligned point comes into view
		w := v.Time().Width()
		begin, end = -leadShare*w, (1-leadShare)*w
	default:
		return
	}
	v.Steer().Set(begin+float64(near.zero.AtNs), end+float64(near.zero.AtNs), false, env.NowNs)
	l.follow(l.near)
}

// leadShare is the share of the width left of the aligned point.
const leadShare = 0.04

// fewFrames is how many frames of a range are seen first.
const fewFrames = 2

// opening returns the first view, from time 0 on: for frames the first two of the longer side, else
// all of the longer side.
func (l *Lines) opening(env *panel.Env) (beginNs, endNs float64) {
	longest := int64(0)
	for i := range l.sides {
		x := &l.sides[i]
		m, _ := env.Comparing.Marked(i)
		_, end, _ := view.Extent(&m.Side)
		track := m.Side.Track
		if track == model.NoTrack {
			track = m.Side.Session.MainTrack()
		}
		if t := m.Side.Session.Track(track); t != nil && x.zero.Framed {
			if first, ok := t.FrameByNumber(x.zero.Frame); ok {
				_, until, _ := t.FrameTimes(first, min(first+fewFrames-1, t.NumFrames()-1))
				end = min(end, until)
			}
		}
		longest = max(longest, end-x.zero.AtNs)
	}
	w := float64(max(longest, format.MinNs))
	return -leadShare * w, w * (1 + leadShare)
}

// match brings both timelines to one scale after a tick: that which was moved leads, that of the window
// where both were.
func (l *Lines) match() {
	lead := l.near
	if far := &l.sides[1-l.near]; l.sides[lead].env.View.Time() == l.sides[lead].left && far.env.View.Time() != far.left {
		lead = 1 - l.near
	}
	l.follow(lead)
}

// follow makes the other side show the same range.
func (l *Lines) follow(lead int) {
	x, o := &l.sides[lead], &l.sides[1-lead]
	w, d := x.env.View.Time(), float64(o.zero.AtNs-x.zero.AtNs)
	o.env.View.Steer().Match(format.Window{BeginNs: w.BeginNs + d, EndNs: w.EndNs + d})
	x.env.View.Steer().Beside()
	o.env.View.Steer().Beside()
	x.left, o.left = x.env.View.Time(), o.env.View.Time()
}

// point mirrors the hovered item of one side in the other: the time, and the collector of the same
// name. Items hovered elsewhere in the window count for the near side.
func (l *Lines) point(env *panel.Env, in *panel.Input) {
	at := l.near
	for i := range l.sides {
		l.sides[i].env.View.Pointer().Clear(l)
		if l.sides[i].in.Over {
			at = i
		}
	}
	x, o := &l.sides[at], &l.sides[1-at]
	p := x.env.View.Pointer()
	if !p.HasTime() && p.Collector() == model.NoCollector {
		return
	}
	c := l.counterpart(x.env.View.Session(), o.env.View.Session(), p.Collector())
	o.env.View.Pointer().Set(l, c, p.Time()+o.zero.AtNs-x.zero.AtNs, p.HasTime())
}

// counterpart returns the collector of another session with the name of one, NoCollector where it has
// none.
func (l *Lines) counterpart(from, to *store.Session, c model.CollectorID) model.CollectorID {
	if from == to || c == model.NoCollector {
		return c
	}
	if l.lit.from != from || l.lit.to != to || l.lit.of != c {
		l.lit = lit{from, to, c, model.NoCollector}
		if of := from.Collector(c); of != nil {
			l.lit.is = view.CollectorNamed(to, of.Title())
		}
	}
	return l.lit.is
}

// The tools.
const (
	toolAlign = iota
	toolFit
)

// Tools implements panel.Tooled.
func (l *Lines) Tools(env *panel.Env) []panel.Tool {
	b := &l.tools
	b.Begin()
	if !l.ready(env) {
		return b.All()
	}
	by, call := env.Comparing.Aligned()
	name, _ := selected(env)
	b.Action(toolFit, "Fit", "Show both sides in full")
	b.Choice(toolAlign, int(by), l.opts.listFor(call, name), "Align",
		"What of A and of B lies at time 0: where each begins, its frame of median length, or the "+
			"first call of the selected collector")
	return b.All()
}

// options are the possible alignments, made anew when another collector is selected.
type options struct {
	call, name string
	list       []string
}

// listFor returns the options: call is the present alignment, name the selected collector.
func (o *options) listFor(call, name string) []string {
	if o.list != nil && o.call == call && o.name == name {
		return o.list
	}
	o.call, o.name = call, name
	o.list = append(o.list[:0], "Begin", "Median frame")
	if call != "" {
		o.list = append(o.list, "First call of "+call)
	}
	if name != "" && name != call {
		o.list = append(o.list, "First call of "+name)
	}
	return o.list
}

// Use implements panel.Tooled.
func (l *Lines) Use(env *panel.Env, id, option int) {
	switch id {
	case toolAlign:
		by, _ := env.Comparing.Aligned()
		switch {
		case option < int(view.AlignCall):
			env.Comparing.Align(view.Alignment(option), "", "")
		case option > int(view.AlignCall) || by != view.AlignCall:
			l.AlignCall(env)
		}
	case toolFit:
		l.fit(env)
	}
}

// AlignBegin aligns both sides at where they begin, AlignMedian at the frame of median length.
func (l *Lines) AlignBegin(env *panel.Env) { env.Comparing.Align(view.AlignBegin, "", "") }

// AlignMedian is AlignBegin at the frame with a length nearest to the median.
func (l *Lines) AlignMedian(env *panel.Env) { env.Comparing.Align(view.AlignMedian, "", "") }

// AlignCall aligns both sides at the first call of the selected collector in the compared ranges;
// without one it does nothing.
func (l *Lines) AlignCall(env *panel.Env) {
	if name, thread := selected(env); name != "" {
		env.Comparing.Align(view.AlignCall, name, thread)
	}
}

// selected returns the full name of the selected collector, empty for none, and the title of its thread.
func selected(env *panel.Env) (name, thread string) {
	v := env.View
	if v.Collector() == model.NoCollector {
		return "", ""
	}
	if c := v.Session().Collector(v.Collector()); c != nil {
		name = c.Title()
	}
	if t := v.Shown(); t != nil {
		thread = t.Title()
	}
	return name, thread
}

// fit shows both compared ranges completely.
func (l *Lines) fit(env *panel.Env) {
	if !l.ready(env) || l.sides[0].env.View == nil {
		return
	}
	from, until := int64(0), int64(0)
	for i := range l.sides {
		m, _ := env.Comparing.Marked(i)
		begin, end, _ := view.Extent(&m.Side)
		from, until = min(from, begin-l.sides[i].zero.AtNs), max(until, end-l.sides[i].zero.AtNs)
	}
	near := &l.sides[l.near]
	near.env.View.Steer().ZoomTo(from+near.zero.AtNs, until+near.zero.AtNs)
}
