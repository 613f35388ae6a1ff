package details

import (
	"math"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/why"
	"framescope/widgets"
)

// Why shows the name of the selection and its time, large, and the distance from the usual time. It
// takes the figures of one selected thing from the details.
type Why struct {
	widgets.Sheet[whyKey]
	details *Panel
	head    headline
	section section
	in      whyInput // the inputs of head
	buf     []byte
	chain   chain
	typical why.Answer // of a frame, without causes
	burn    burning
	rect    draw.Rect // of the drawn chain
	thing   spans.Ref // the thing of the chain, on a way
}

// whyInput is the inputs of the headline.
type whyInput struct {
	stamp, revision, causes, searched uint64
	baseline, sums                    uint64
	of                                subjectOf
	newest                            int // how many frames there are, while live
	title, mode                       string
}

// headline is the shown text.
type headline struct {
	what, name, value string
	over              bool  // the value is over budget
	usualNs           int64 // of the same thing; 0: not known
	ns                int64
	leastNs           int64  // of a hitch, where frames hardly vary
	noHitch           string // why it is none
	of                string // the source of usualNs
	about             bool   // usualNs is estimated
	usual             bool   // it is no hitch: such frames are usual here
	chain             uint64 // the chain below it, 0: none
	share             string // its part of the way, with words; empty: none
	part              float64
	sample            string // the base of the value
	under, beside     string // the text below the name, and at its right
	bar               bool   // of the parts own and all of 1
	own, all          float64
}

type whyKey struct {
	seen         draw.Rect
	shift, scale float32
	head         headline
	look         uint64
	side         int // the side of the comparison with the selection, -1: none
	sides        uint64
	hover        int // rows of the chain
	chose        int
}

// Meet implements panel.Acquainted.
func (p *Why) Meet(others func(id string) panel.Panel) { p.details, _ = others("details").(*Panel) }

// Title implements panel.Panel: the name of the selection.
func (p *Why) Title(*panel.Env) string {
	if p.head.name == "" || p.details == nil {
		return noTitle
	}
	return p.details.Title(nil)
}

// Mode implements panel.Panel.
func (p *Why) Mode(*panel.Env) string { return "" }

// HitTest implements panel.Panel: the item of a link of the chain.
func (p *Why) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if i := p.linkAt(pxX, pxY); i >= 0 && env.View.Session() == p.in.of.session {
		r := &p.chain.rows[i]
		hit := p.chain.hit(r, draw.Rect{X0: p.rect.X0, Y0: p.rect.Y0 + r.y0, X1: p.rect.X1, Y1: p.rect.Y0 + r.y1})
		hit.Among = p.rect
		return hit
	}
	return panel.NoHit()
}

// linkAt returns the row of the chain at a point, -1 where none is.
func (p *Why) linkAt(pxX, pxY float32) int {
	if p.head.chain == 0 || !p.rect.Contains(pxX, pxY) {
		return -1
	}
	return p.chain.at(pxY - p.rect.Y0)
}

// Facts implements panel.Teller: the long item, the rows of the chain, and before them the frame's
// own figures.
func (p *Why) Facts(_ *panel.Env, out []panel.Fact) []panel.Fact {
	h := &p.head
	if h.bar {
		out = append(out, panel.Fact{Measure: "own_share", Row: -1, Of: panel.NoHit(), Name: h.name, Value: h.own,
			Unit: "share", Text: h.value})
	}
	if h.usualNs > 0 {
		out = append(out,
			panel.Fact{Measure: "took", Row: -1, Of: panel.NoHit(), Name: h.name, Value: float64(h.ns), Unit: "ns",
				Text: h.value},
			panel.Fact{Measure: h.of, Row: -1, Of: panel.NoHit(), Name: h.name, Value: float64(h.usualNs), Unit: "ns"})
	}
	if h.chain == 0 {
		return out
	}
	return p.chain.facts(out)
}

// Heights at scale 1: of the headline, and of the row on the distance from the usual time.
const whyHeight, whyUsual = 46, 34

// whySide is the room at both sides.
const whySide = 12

// Extent implements panel.Section.
func (p *Why) Extent(env *panel.Env, pxWidth float32) float32 {
	h := p.now(env)
	y := env.Px(whyHeight)
	switch {
	case h.name == "":
		return 0
	case h.second():
		y += env.Px(whyUsual)
	}
	if h.chain != 0 {
		y += p.chain.lay(env, pxWidth-2*env.Px(whySide))
	}
	return y
}

// Shift implements panel.Section.
func (p *Why) Shift(px float32) { p.section.on, p.section.shift = px >= 0, max(px, 0) }

// Reveal implements panel.Section.
func (p *Why) Reveal() (y0, y1 float32, ok bool) { return 0, 0, false }

// Update implements panel.Panel.
func (p *Why) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	hover := -1
	if in.Over {
		hover = p.linkAt(in.X, in.Y)
	}
	if hover >= 0 && in.Left.Released && !in.Left.Dragging {
		p.chain.follow(env.View, &p.chain.rows[hover])
	}
	key := whyKey{
		seen: rect, shift: p.section.shift, scale: env.Scale, head: p.now(env), look: env.View.LookStamp(),
		hover: hover, chose: -1, side: env.Comparing.SideOf(env.View.Session(), env.View.Asked()),
		sides: env.Comparing.SidesRevision(),
	}
	if key.head.chain != 0 {
		key.chose = p.chain.chosen(env.View)
	}
	if p.Stale(env, rect, key) && p.head.name != "" {
		p.draw(env, rect, &key)
	}
	return panel.Action{}
}

// now returns the headline, made anew when something changed; while frames come, as seldom as it can
// be read.
func (p *Why) now(env *panel.Env) headline {
	v, d := env.View, p.details
	if d == nil || v.None() {
		return headline{}
	}
	in := whyInput{of: d.refresh(env), title: d.title, mode: d.mode, stamp: v.LookStamp(), revision: v.Causes().AsOf()}
	p.burn.goOn(env)
	in.searched, in.baseline, in.sums = p.burn.ended, env.Comparing.BaselineRevision(), d.sums.Made()
	if v.FrameB() > v.FrameA() || v.Causes().OfWays(v.Track()) {
		in.causes = panel.Causes(env).Revision()
	}
	if v.Live() {
		in.of.slow, in.stamp, in.newest = 0, 0, in.of.frames
	}
	if pending := p.head.chain != 0 && p.chain.answer.Pending; in != p.in || p.head.name == "" || pending {
		p.in = in
		p.head = p.headline(env)
	}
	return p.head
}

// headline describes the selection.
func (p *Why) headline(env *panel.Env) headline {
	v := env.View
	d := p.details
	if d == nil || d.of.session != v.Session() {
		return headline{}
	}
	if track, i, ok := v.Hitch(); ok && !v.Live() {
		if h := p.ofFrame(env, track, i); p.chain.chosen(v) >= 0 {
			return h
		}
	}
	if a := &p.chain.answer; p.head.chain != 0 && p.chain.of == v.Causes() && !v.Live() && p.chain.chosen(v) >= 0 {
		if p.chain.tells.where {
			return p.head
		}
		if v.Session().Track(a.Track).Def.Kind == model.TrackStream {
			return p.ofThing(v, p.thing)
		}
		if i, ok := v.Session().Track(a.Track).FrameByNumber(a.Number); ok {
			return p.ofFrame(env, a.Track, i)
		}
	}
	duration := func(ns int64) string {
		p.buf = format.AppendDuration(p.buf[:0], ns)
		return string(p.buf)
	}
	switch of := &d.of; {
	case of.thing != view.Thing{} && of.alone():
		if h := p.ofFlow(v, of); h.name != "" {
			return h
		}
		return headline{what: d.mode, name: d.title}
	case of.collector != model.NoCollector && of.span && v.HasSpan():
		b := v.Span()
		if h := p.ofThing(v, b.Ref); h.name != "" {
			return h
		}
		what := frameWords(v)
		if of.calls { // it has no frames
			what = "this " + subject.CallWordsIn(v.Session()).One
		}
		return headline{what: what, name: d.title, value: duration(b.End - b.Begin)}
	case of.calls && !of.span && v.Session().Spans().Sampled(of.track):
		return p.ofSamples(env, of)
	case of.collector != model.NoCollector:
		h := headline{what: "net, " + frameWords(v), name: nameOf(of.session.Collector(of.collector))}
		if of.lock {
			return p.ofLock(v, of)
		} else if of.calls {
			h.what = d.mode
			return h
		}
		if d.here.Frames > 0 {
			if h.value = d.value(*of, d.here.Mean); !of.level && d.stats.Frames > 0 {
				h.ns, h.usualNs, h.of = wholeNs(d.here.Mean), wholeNs(d.stats.Median), "median"
				h.about = d.stats.Estimated
			}
		}
		return h
	case of.calls:
		if h := p.ofFlow(v, of); h.name != "" {
			return h
		}
		h := headline{what: d.mode, name: d.title}
		if of.t1 > of.t0 {
			h.value = duration(of.t1 - of.t0)
		}
		return h
	}
	t := v.Session().Track(v.Track())
	a, b := v.FrameA(), v.FrameB()
	if v.Live() && t != nil {
		a, b = p.in.newest-1, p.in.newest-1 // those of the details are figures of an earlier tick until they are updated
	}
	if t == nil || a < 0 || b >= t.NumFrames() {
		return headline{}
	}
	if a == b {
		return p.ofFrame(env, v.Track(), a)
	}
	fa, fb := t.Frame(a), t.Frame(b)
	numbers := string(format.AppendCount(nil, fa.Number)) + " – " + string(format.AppendCount(nil, fb.Number))
	p.chain.readRange(panel.Causes(env), fa.Number, fb.Number)
	return headline{what: t.Title(), name: "Frames " + numbers, value: duration(fb.End - fa.Begin), chain: p.chain.stamp}
}

// ofFrame describes the length of a frame, and the reason if it stands out: a hitch; while a baseline
// is pinned, the excess over that. It explains no newest ones as they come, since they change too fast
// to read.
func (p *Why) ofFrame(env *panel.Env, track model.TrackID, index int) headline {
	v := env.View
	t, budget := v.Session().Track(track), v.Look().FrameBudgetNs()
	f := t.Frame(index)
	ns, base := f.End-f.Begin, subject.Baseline(env)
	v.Causes().Typical(base, track, index, &p.typical)
	stands := p.typical.Stands
	if v.Live() || !stands {
		p.chain.forget()
		p.chain.answer = p.typical
	} else {
		p.chain.read(v.Causes(), base, track, index)
	}
	h := headline{
		what: t.Title(), name: "Frame " + string(format.AppendCount(nil, f.Number)),
		value: string(format.AppendDuration(nil, ns)), over: subject.OverBudget(ns, budget), ns: ns,
		usualNs: p.chain.answer.TypicalNs, of: "typical", usual: !stands,
	}
	h.leastNs, h.noHitch = v.Session().Frames().HitchLimit().LeastNs(h.usualNs), subject.NoHitch(v.Session(),
		&p.chain.answer)
	if p.chain.answer.Baseline {
		h.of = "baseline"
	}
	if stands && !v.Live() {
		h.chain = p.chain.stamp
	}
	return h
}

// drawSide shows at the right of a row the side of the comparison with the selection. It returns where
// that begins.
func (p *Why) drawSide(env *panel.Env, r draw.Rect, side int) float32 {
	m, _ := env.Comparing.Marked(side)
	badge := draw.Rect{X0: r.X1 - env.Px(14), Y0: r.Y0 + env.Px(1), X1: r.X1, Y1: r.Y0 + env.Px(15)}
	subject.SideBadge(env, p.Out, badge, side)
	name := draw.Rect{X0: (r.X0 + r.X1) / 2, Y0: r.Y0, X1: badge.X0 - env.Px(5), Y1: r.Y1}
	name.X0 = max(name.X0, name.X1-env.Atlas.Measure(draw.Small, m.Name)-env.Px(1))
	p.Out.NameIn(draw.Small, name, draw.Left, m.Name, draw.Color(env.Theme.Text2))
	return name.X0 - env.Px(6)
}

// draw fills the list.
func (p *Why) draw(env *panel.Env, seen draw.Rect, key *whyKey) {
	l, t, h := p.Out, env.Theme, &p.head
	x0, x1, y := seen.X0+env.Px(whySide), seen.X1-env.Px(whySide), seen.Y0-p.section.shift+env.Px(6)
	line := func(height float32) draw.Rect {
		r := draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + env.Px(height)}
		y = r.Y1
		return r
	}
	what := line(16)
	if key.side >= 0 {
		what.X1 = p.drawSide(env, what, key.side)
	}
	l.TextIn(draw.Small, what, draw.Left, h.what, draw.Color(t.Text2))
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
	if h.second() {
		p.drawSecond(env, line(20), line(8), draw.Color(c))
	}
	if p.rect = (draw.Rect{}); key.head.chain == 0 {
		return
	}
	y = seen.Y0 - p.section.shift + env.Px(whyHeight)
	if h.second() {
		y += env.Px(whyUsual)
	}
	p.rect = draw.Rect{X0: seen.X0, Y0: y, X1: seen.X1, Y1: y + p.chain.lay(env, x1-x0)}
	p.chain.draw(l, env, x0, x1, y, key.hover, key.chose)
}

// second reports whether there is a second line, with a bar below it.
func (h *headline) second() bool { return h.usualNs > 0 || h.bar || h.share != "" }

// wholeNs is a time in seconds in ns.
func wholeNs(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }

// barPart is a bar up to a share of the longest.
type barPart struct {
	to    float64
	color draw.Color
}

// drawSecond draws the second line, and a bar of its parts below it: the part of the way, the distance from
// the usual time, or the self part and in a quieter color the callees. over is the color of the value.
func (p *Why) drawSecond(env *panel.Env, row, bar draw.Rect, over draw.Color) {
	l, t, h := p.Out, env.Theme, &p.head
	left, right, color := h.under, h.beside, draw.Color(t.Text2)
	parts := [2]barPart{{h.all, draw.Color(t.TextDim)}, {h.own, color}}
	switch {
	case h.share != "":
		left, right, color = h.share, h.sample, draw.Color(format.Pick(h.part >= flow.Much, t.Over, t.Text2))
		parts = [2]barPart{{h.part, color}}
	case h.usualNs > 0:
		if h.over && !h.usual && h.ns >= h.usualNs {
			color = over
		}
		longest := float64(max(h.ns, h.usualNs))
		parts = [2]barPart{{float64(h.ns) / longest, color}, {float64(min(h.ns, h.usualNs)) / longest, draw.Color(t.TextDim)}}
		right = h.usualWords()
		left = h.beyond(func(words string) bool {
			return env.Atlas.Measure(draw.Regular, words)+env.Atlas.Measure(draw.Regular, right)+env.Px(10) <= row.W()
		})
	}
	if w := env.Atlas.Measure(draw.Regular, right) + env.Px(10); env.Atlas.Measure(draw.Regular, left)+w <= row.W() {
		l.TextIn(draw.Regular, row, draw.Right, right, draw.Color(t.Text2))
		row.X1 -= w
	}
	l.NameIn(draw.Regular, row, draw.Left, left, color)
	bar.Y1 = bar.Y0 + env.Px(5)
	l.Rect(bar, draw.Color(t.Well))
	for _, part := range parts {
		r := bar
		r.X1 = panel.Snap(bar.X0 + bar.W()*float32(min(part.to, 1)))
		l.Rect(r, part.color)
	}
}

// usualWords returns the usual value and its source.
func (h *headline) usualWords() string {
	usual := string(format.AppendDuration(nil, h.usualNs))
	if h.of == "baseline" { // the text before it ends with that word
		return usual
	}
	return h.of + " " + format.Pick(h.about, "≈ ", "") + usual
}

// beyond returns the distance of the value from the usual one, in more words where these fit.
func (h *headline) beyond(fits func(words string) bool) string {
	sign, delta := "+", h.ns-h.usualNs
	if delta < 0 {
		sign, delta = "−", -delta
	}
	words := format.Pick(h.about, "≈ ", "") + sign + string(format.AppendBeside(nil, delta, max(h.ns, h.usualNs)))
	brief, more := words, " against "+h.of
	switch said := h.usually(); {
	case said != "":
		brief, more = said, ", "+said
	case h.of == "typical":
		more = " over typical"
	case h.of == "baseline":
		more = format.Pick(sign == "+", " over", " under") + " the baseline"
	}
	return format.Pick(fits(words+more), words+more, brief)
}

// usually explains why a frame is no hitch, or that it took less; else it returns nothing.
func (h *headline) usually() string {
	switch {
	case h.of != "typical" || !h.usual:
		return ""
	case h.ns >= h.leastNs:
		return "no hitch: " + h.noHitch
	case h.ns < 2*h.usualNs-h.leastNs:
		return "less than usual here"
	}
	return "as usual here"
}
