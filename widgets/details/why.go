package details

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/widgets/paint"
)

// Why names what is selected and how long it took, large, and how far that is from what is usual. It
// takes the figures of one selected thing from the details.
type Why struct {
	paint.Sheet[whyKey]
	details *Panel
	head    headline
	section section
	in      whyInput // what head was made for
	slow    paint.Slowly
	buf     []byte
}

// whyInput is what the headline follows from.
type whyInput struct {
	stamp, revision uint64
	of              subjectOf
	title, mode     string
}

// headline is what is said.
type headline struct {
	what, name, value string
	over              bool  // the value is over budget
	usualNs           int64 // of the same thing; 0: not known
	ns                int64
	of                string // what usualNs is of
}

type whyKey struct {
	seen  draw.Rect
	shift float32
	scale float32
	head  headline
	look  uint64
}

// Meet implements panel.Acquainted.
func (p *Why) Meet(others func(id string) panel.Panel) { p.details, _ = others("details").(*Panel) }

// Title implements panel.Panel: the name of what is selected.
func (p *Why) Title(*panel.Env) string {
	if p.head.name == "" {
		return "Selected"
	}
	return p.head.name
}

// Mode implements panel.Panel.
func (p *Why) Mode(*panel.Env) string { return "" }

// HitTest implements panel.Panel.
func (p *Why) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// Heights at scale 1: of the headline, and of what says how far it is from what is usual.
const whyHeight, whyUsual = 46, 34

// Extent implements panel.Section.
func (p *Why) Extent(env *panel.Env, _ float32) float32 {
	switch h := p.now(env); {
	case h.name == "":
		return 0
	case h.usualNs > 0:
		return env.Px(whyHeight + whyUsual)
	}
	return env.Px(whyHeight)
}

// Shift implements panel.Section.
func (p *Why) Shift(px float32) { p.section.on, p.section.shift = px >= 0, max(px, 0) }

// Reveal implements panel.Section.
func (p *Why) Reveal() (y0, y1 float32, ok bool) { return 0, 0, false }

// Update implements panel.Panel.
func (p *Why) Update(env *panel.Env, rect draw.Rect, _ *panel.Input) panel.Action {
	key := whyKey{
		seen: rect, shift: p.section.shift, scale: env.Scale, head: p.now(env), look: uint64(env.View.Look().FrameBudgetNs()),
	}
	if p.Stale(env, rect, key) && p.head.name != "" {
		p.draw(env, rect)
	}
	return panel.Action{}
}

// now returns the headline, made anew when something changed; while frames come, as seldom as it can
// be read.
func (p *Why) now(env *panel.Env) headline {
	v, d := env.View, p.details
	if d == nil || v.Session() == nil {
		return headline{}
	}
	in := whyInput{of: d.of, title: d.title, mode: d.mode}
	if in.stamp = v.Stamp(); v.Live() {
		in.of.slow, in.stamp = 0, 0
		in.revision = p.slow.Of(env, v.Session().Revision())
	}
	if in != p.in || p.head.name == "" {
		p.in, p.head = in, p.headline(env)
	}
	return p.head
}

// headline says what is selected.
func (p *Why) headline(env *panel.Env) headline {
	v := env.View
	d := p.details
	if v.Session() == nil || d == nil || d.of.session != v.Session() {
		return headline{}
	}
	duration := func(ns int64) string {
		p.buf = format.AppendDuration(p.buf[:0], ns)
		return string(p.buf)
	}
	switch of := &d.of; {
	case of.thing != view.Thing{} && of.alone():
		return headline{what: d.mode, name: d.title}
	case of.collector != model.NoCollector && of.span && v.HasSpan():
		b := v.Span()
		what := frameWords(v)
		if of.calls { // it has no frames
			what = "this " + subject.CallWordsIn(v.Session()).One
		}
		return headline{what: what, name: d.title, value: duration(b.End - b.Begin)}
	case of.collector != model.NoCollector:
		h := headline{what: "net, " + frameWords(v), name: d.title}
		if of.lock || of.calls {
			h.what = d.mode
			return h
		}
		if d.here.Frames > 0 {
			if h.value = d.value(*of, d.here.Mean); !of.level && d.stats.Frames > 0 {
				h.ns, h.usualNs, h.of = int64(d.here.Mean*1e9), int64(d.stats.Median*1e9), "median"
			}
		}
		return h
	case of.calls:
		h := headline{what: d.mode, name: d.title}
		if of.t1 > of.t0 {
			h.value = duration(of.t1 - of.t0)
		}
		return h
	}
	t := v.Session().Track(v.Track())
	a, b := v.FrameA(), v.FrameB()
	if v.Live() && t != nil {
		a, b = t.NumFrames()-1, t.NumFrames()-1
	}
	if t == nil || a < 0 || b >= t.NumFrames() {
		return headline{}
	}
	fa, fb := t.Frame(a), t.Frame(b)
	number := string(format.AppendCount(nil, fa.Number))
	if a != b {
		return headline{
			what: t.Title(), name: "Frames " + number + " – " + string(format.AppendCount(nil, fb.Number)), value: duration(fb.End - fa.Begin),
		}
	}
	ns := fa.End - fa.Begin
	return headline{
		what: t.Title(), name: "Frame " + number, value: duration(ns), over: subject.OverBudget(ns, v.Look().FrameBudgetNs()), ns: ns,
		usualNs: v.Session().Frames().Around(v.Track(), a).MedianNs, of: "typical",
	}
}

// draw fills the list.
func (p *Why) draw(env *panel.Env, seen draw.Rect) {
	l, t, h := p.Out, env.Theme, &p.head
	x0, x1, y := seen.X0+env.Px(12), seen.X1-env.Px(12), seen.Y0-p.section.shift+env.Px(6)
	line := func(height float32) draw.Rect {
		r := draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + env.Px(height)}
		y = r.Y1
		return r
	}
	l.TextIn(draw.Small, line(16), draw.Left, h.what, draw.Color(t.Text2))
	name := line(24)
	c := t.Text
	if h.over {
		c = assets.Color(subject.FrameColor(t, h.ns, env.View.Look().FrameBudgetNs()))
	}
	if w := env.Atlas.Measure(draw.Large, h.value); h.value != "" {
		l.TextIn(draw.Large, name, draw.Right, h.value, draw.Color(c))
		name.X1 -= w + env.Px(10)
	}
	face := draw.Large
	if env.Atlas.Measure(face, h.name) > name.W() {
		face = draw.Medium
	}
	l.TextIn(face, name, draw.Left, h.name, draw.Color(t.Text))
	if h.usualNs <= 0 {
		return
	}
	row := line(20)
	sign, delta := "+", h.ns-h.usualNs
	more := draw.Color(t.Text2)
	if delta < 0 {
		sign, delta = "−", -delta
	} else if h.over {
		more = draw.Color(c)
	}
	words := sign + string(format.AppendDuration(nil, delta)) + " against " + h.of
	usual := h.of + " " + string(format.AppendDuration(nil, h.usualNs))
	if w := env.Atlas.Measure(draw.Regular, words) + env.Px(10); w+env.Atlas.Measure(draw.Regular, usual) <= row.W() {
		l.TextIn(draw.Regular, row, draw.Right, usual, draw.Color(t.Text2))
		row.X1 = row.X0 + w
	}
	l.TextIn(draw.Regular, row, draw.Left, words, more)
	bar := line(8)
	bar.Y1 = bar.Y0 + env.Px(5)
	longest := float32(max(h.ns, h.usualNs))
	part := func(from, to int64, c draw.Color) {
		r := bar
		r.X0, r.X1 = panel.Snap(bar.X0+bar.W()*float32(from)/longest), panel.Snap(bar.X0+bar.W()*float32(to)/longest)
		l.Rect(r, c)
	}
	part(0, max(h.ns, h.usualNs), draw.Color(t.Well))
	part(0, min(h.ns, h.usualNs), draw.Color(t.TextDim))
	if h.ns > h.usualNs {
		part(h.usualNs, h.ns, more)
	}
}
