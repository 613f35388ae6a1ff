// Package details has the panel that describes the selection: a frame, a collector or span in it,
// calls in sessions without frames, a lock, an element, a series, a message. It queries the session
// and knows no other panel.
package details

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/widgets"
)

// Panel describes the selection: the frame, and in it the chosen collector or span, with the
// distribution of the collector's times over all frames.
type Panel struct {
	widgets.Sheet[detailsKey]
	rect        draw.Rect
	title, mode string
	stats, here frames.Stats
	of          subjectOf
	strip       frames.Strip
	tree        spans.Tree
	totals      []spans.Inside
	inside      int64 // from start to stop in this frame, whatever ran inside, ns
	counts      []int32
	values      []binned // those that are counted
	looked      int64    // values that are counted
	all         int64    // values that there are
	one         string   // the subject of one of them
	many        string
	lo, hi      float64 // range of the histogram
	at          int     // its bin that holds this frame's value, -1 none
	most        int32
	bins        draw.Rect
	alone       []model.CollectorTime
	longest     []model.CollectorTime // of those that are listed
	calls       detailsCalls
	sums        subject.MeasureSums
	waits       bool // for sums
	passage     passage
	lock        detailsLock
	element     elementDetails
	slow        widgets.Slowly
	known       knownFrames
	told        []panel.Fact // the facts of the rows
	names       draw.Names   // of the rows
	part        string       // the head above them
	section     section
	args        []model.Arg // of the selected span
	links       []link
	hover       int // link under the mouse, -1 none
}

// subjectOf is the subject of the numbers.
type subjectOf struct {
	session     *store.Session
	slow        uint64
	track       model.TrackID
	collector   model.CollectorID
	a, b        int
	frames      int // that the thread has, as of slow
	first, last int
	level       bool
	span        bool       // the selected span itself, too
	thing       view.Thing // the selected element, series, message or use of a lock
	lock        bool       // the collector is a lock: the numbers cover [t0, t1), if that is not empty, and everything
	calls       bool       // the thread has no frames: the numbers cover calls in [t0, t1)
	t0, t1      int64
	around      view.Around    // the kind of [t0, t1), for an element
	about       model.ObjectID // the shown element or pad
	ref         spans.Ref      // of the span, where there are no frames
}

type detailsKey struct {
	seen  draw.Rect // the part of it in sight
	rect  draw.Rect
	scale float32
	of    subjectOf
	span  spans.Ref
	has   bool
	rev   uint64
	hover int
	made  uint64 // measurements so far, where there are no frames
	waits bool   // for messages
}

// slowRevision is the session's revision, but while a session grows it changes now and then only.
func (p *Panel) slowRevision(env *panel.Env) uint64 {
	s := env.View.Session()
	if _, ended := s.Ended(); ended || s != p.of.session {
		return p.slow.Now(env, s.Revision())
	}
	return p.slow.Of(env, s.Revision())
}

// knownFrames is how many frames a thread had when the figures were made.
type knownFrames struct {
	session *store.Session
	track   model.TrackID
	slow    uint64
	n       int
}

// framesOf returns how many frames of the thread the figures know: those that came since wait for all
// figures to be made anew, so that the newest frame is the same wherever it stands.
func (p *Panel) framesOf(of *subjectOf) int {
	t := of.session.Track(of.track)
	if t == nil {
		return 0
	}
	if x := &p.known; x.session != of.session || x.track != of.track || x.slow != of.slow {
		*x = knownFrames{of.session, of.track, of.slow, t.NumFrames()}
	}
	return min(p.known.n, t.NumFrames())
}

// histogramBins is the number of bars of the histogram.
const histogramBins = 40

// noTitle is the title while nothing is selected.
const noTitle = "Details"

// Title implements panel.Panel: the selected thing's name.
func (p *Panel) Title(*panel.Env) string {
	return format.Pick(p.title == "", noTitle, p.title)
}

// Mode implements panel.Panel: where the thing lies.
func (p *Panel) Mode(*panel.Env) string { return p.mode }

// subject chooses the subject of the panel.
func (p *Panel) subject(env *panel.Env) subjectOf {
	v := env.View
	of := subjectOf{
		session: v.Session(), slow: p.slowRevision(env), track: v.Track(), collector: v.Collector(), a: v.FrameA(),
		b: v.FrameB(), thing: v.Thing(), about: model.NoObject,
	}
	if v.None() {
		return of
	}
	if of.alone() {
		of.a, of.b = -1, -1
		if of.t0, of.t1, _ = v.TimeRange(); of.thing.Element() != model.NoObject {
			of.about = of.thing.Element()
			of.t0, of.t1, of.around = v.FigureRange()
		}
		return of
	}
	// else a collector was chosen since
	of.span = v.HasSpan() && (v.Collector() == model.NoCollector || v.Collector() == v.Span().Collector)
	if of.span {
		of.collector, of.track = v.Span().Collector, v.Span().Ref.Track
	}
	if !of.span && of.collector != model.NoCollector && p.lock.isLock(v.Session(), of.collector) {
		of.lock, of.a, of.b = true, -1, -1
		if v.RangeB() > v.RangeA() && !v.Live() {
			of.t0, of.t1 = v.RangeA(), v.RangeB()
		}
		return of
	}
	of.frames = p.framesOf(&of)
	return detailsOver.Of(v)(v, of)
}

// detailsOver chooses details by the unit of time of the view's thread.
var detailsOver = view.PerUnit[func(v *view.View, of subjectOf) subjectOf]{Frames: overFrames, Spans: overCalls}

// overCalls makes details about calls in a range of time.
func overCalls(v *view.View, of subjectOf) subjectOf {
	of.calls, of.a, of.b = true, -1, -1
	of.t0, of.t1, _ = v.TimeRange()
	if of.span {
		of.ref = v.Span().Ref
	} else if t := v.Session().Track(of.track); t != nil && t.Def.Kind == model.TrackElement &&
		of.collector == model.NoCollector {
		of.about = t.Def.Object
	}
	return of
}

// liveStats is how many of the newest frames the statistics are of while live.
const liveStats = 2000

// overFrames makes details about the selected frames.
func overFrames(v *view.View, of subjectOf) subjectOf {
	t := v.Session().Track(of.track)
	if t == nil || of.frames == 0 {
		if of.a, of.b = -1, -1; of.span && t != nil {
			return overCalls(v, of)
		}
		return of
	}
	if of.track != v.Track() { // the same instant on the other thread
		of.a = t.FrameAt(v.Span().Begin)
		of.b = of.a
	}
	n := of.frames
	of.first, of.last = 0, n-1
	if v.Live() {
		of.first = max(0, n-liveStats)
		of.last = n - 1
		of.a, of.b = -1, -1 // numbers of the newest frame, as often as they can be read
		if v.FrameA() != t.NumFrames()-1 {
			of.b = -2 // it was made live in this tick, and follows in the next
		}
	}
	if of.collector != model.NoCollector {
		k := v.Session().Collector(of.collector)
		of.level = k != nil && k.HasLevel && !k.HasTime
	}
	return of
}

// Update implements panel.Panel.
func (p *Panel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	seen := rect
	rect = p.section.whole(env, rect)
	p.rect = rect
	of := p.refresh(env)
	if x := &p.element; x.awaits && x.found != of.session.Messages().FoundStamp() {
		x.findMessages(of)
	}
	p.calls.made += p.calls.threads.Find(env, of.session, p.sampledMethod(of), of.t0, of.t1, of.slow)
	p.clickBin(env, of, in)
	p.hover = -1
	if in.Over {
		p.hover = p.linkAt(in.X, in.Y)
	}
	if p.hover >= 0 && in.Left.Released && !in.Left.Dragging && p.links[p.hover].click != nil {
		p.links[p.hover].click(env)
	}
	hover := -2 - p.hover
	if p.hover < 0 && in.Over && p.bins.Contains(in.X, in.Y) {
		hover = p.binAt(in.X)
	}
	v := env.View
	key := detailsKey{seen: seen, rect: rect, scale: env.Scale, of: of, has: v.HasSpan(), rev: v.Stamp(), hover: hover,
		made:  p.calls.made,
		waits: p.element.awaits}
	if v.Live() {
		key.rev = 0
	}
	if v.HasSpan() {
		key.span = v.Span().Ref
	}
	if !p.Stale(env, rect, key) {
		return panel.Action{}
	}
	p.draw(env, of, hover)
	if p.section.on { // now it is known how high it is
		p.section.measure(env, p.Out, rect)
		p.Out.Reset(seen)
		p.draw(env, of, hover)
	}
	return panel.Action{}
}

// refresh measures the selected thing if that or its data changed since, and returns it. Whoever shows its
// figures calls it first, so that all of them are of the same state in every tick.
func (p *Panel) refresh(env *panel.Env) subjectOf {
	of := p.subject(env)
	if of != p.of || p.waits {
		p.measure(env, of)
	}
	return of
}

// draw fills the list.
func (p *Panel) draw(env *panel.Env, of subjectOf, hover int) {
	p.bins, p.links = draw.Rect{}, p.links[:0]
	p.told, p.part, p.mode = p.told[:0], "", ""
	switch {
	case env.View.None():
		p.title = ""
		p.words(env, "Nothing selected", "click a bar, a name or a frame")
	case of.alone():
		p.drawThing(env, of, hover)
	case of.lock:
		p.drawLock(env, of)
	case of.calls:
		p.drawCalls(env, of, hover)
	case of.collector == model.NoCollector:
		p.frame(env)
	default:
		p.collector(env, of, hover)
	}
	p.names.Draw(p.Out)
}

// words shows that there is no content.
func (p *Panel) words(env *panel.Env, lines ...string) {
	r := p.rect
	if p.section.on {
		r.Y1 = r.Y0 + env.Px(56)
	}
	widgets.Words(p.Out, env, r, lines...)
}

// measure gets the numbers from the model.
func (p *Panel) measure(env *panel.Env, of subjectOf) {
	p.of, p.waits = of, false
	p.counts, p.values = p.counts[:0], p.values[:0]
	if p.measureElement(env, of); of.alone() {
		return
	}
	if of.lock {
		p.measureLock(of)
		return
	}
	if of.calls {
		if !p.measureCalls(env, of) {
			p.of = subjectOf{} // again in the next tick
		}
		return
	}
	if of.collector == model.NoCollector && of.a >= 0 && of.b > of.a {
		p.totals = of.session.FrameTotals(of.track, of.a, of.b, &p.tree, p.totals[:0])
	}
	if of.collector == model.NoCollector {
		return
	}
	t := of.session.Track(of.track)
	if t == nil || t.NumFrames() == 0 {
		p.stats, p.here = frames.Stats{}, frames.Stats{}
		return
	}
	p.stats = of.session.Frames().Stats(of.track, of.collector, of.level, of.first, of.last)
	a, b := of.a, of.b
	if env.View.Live() {
		a, b = of.last, of.last
	}
	p.here, p.inside = frames.Stats{}, 0
	if a >= 0 && b >= a && b < t.NumFrames() {
		p.here = of.session.Frames().Stats(of.track, of.collector, of.level, a, b)
		if !of.level {
			p.inside = p.insideOf(of, a, b)
		}
	}
	p.histogram(t, of, b > a)
}

// insideOf is the time from the collector's starts to its stops in the frames a to b, whatever ran
// inside, per frame: a recursive start counts once.
func (p *Panel) insideOf(of subjectOf, a, b int) int64 {
	p.totals = of.session.FrameTotals(of.track, a, b, &p.tree, p.totals[:0])
	for i := range p.totals {
		if x := &p.totals[i]; x.Collector == of.collector {
			return int64(math.Round(float64(x.Total) / float64(b-a+1)))
		}
	}
	return 0
}

// addFact records the text of a row.
func (p *Panel) addFact(name, value string) {
	p.told = append(p.told, panel.Fact{
		Measure: name, Header: p.part, Row: len(p.told), Of: panel.NoHit(), Name: p.title, Value: math.NaN(), Text: value,
	})
}

// Facts implements panel.Teller: the rows, as they were drawn last, each with the head that it is
// below.
func (p *Panel) Facts(_ *panel.Env, out []panel.Fact) []panel.Fact { return append(out, p.told...) }

// rows writes names and values from y down.
type rows struct {
	p   *Panel
	env *panel.Env
	y   float32
}

// If returns the rows where something holds, else nil, which takes none.
func (r *rows) If(holds bool) *rows {
	if holds {
		return r
	}
	return nil
}

func (r *rows) add(name, value string, c assets.Color) draw.Rect {
	if r == nil {
		return draw.Rect{}
	}
	h := r.env.Px(20)
	rect := draw.Rect{X0: r.p.rect.X0 + r.env.Px(10), Y0: r.y, X1: r.p.rect.X1 - r.env.Px(10), Y1: r.y + h}
	rect.Y1 = r.y + widgets.Pair(r.p.Out, r.env, &r.p.names, rect, name, value, c)
	r.p.addFact(name, value)
	r.y = rect.Y1
	return rect
}

// addDayTime adds the time of day at a time of a session, where it is known.
func (r *rows) addDayTime(s *store.Session, ns int64) {
	known := s.Info().ZeroAt
	if at, ok := known.At(ns); ok {
		r.add(known.By.Label(), at.Round(time.Millisecond).Format("15:04:05.000"), r.env.Theme.Text)
	}
}

// ownTimes is the head of dearest for sums of times.
const ownTimes = "longest self times"

// dearest writes the collectors with the longest self times of n, at most so many and as many as
// fit, below a head. Those of the same name are written with their parents.
func (r *rows) dearest(head string, most, n int, of func(i int) (model.CollectorID, int64)) {
	p, env := r.p, r.env
	r.line()
	part := p.part
	r.head(head)
	p.part = part
	p.longest = longest(p.longest[:0], most, n, of)
	called := func(c model.CollectorID) string { return env.View.Session().Collector(c).Name }
	for i, item := range p.longest {
		if r.y+env.Px(20) > p.rect.Y1 {
			return
		}
		full := env.View.Session().Collector(item.Collector).Title()
		name := called(item.Collector)
		for k, other := range p.longest {
			if k != i && called(other.Collector) == name {
				name = full
				break
			}
		}
		unit := format.TimeUnitOf(float64(p.longest[0].Ns), format.TimeUnit{}) // of all
		value := string(unit.Append(nil, float64(item.Ns))) + " " + unit.Name
		if strings.HasPrefix(value, format.None) { // too little for it
			value = string(format.AppendDuration(nil, item.Ns))
		}
		if env.Palette().Found(item.Collector) {
			square := r.square()
			p.Out.Outline(square.Inset(-env.Px(1)), env.Px(1), draw.Color(env.Theme.Accent))
		}
		r.marked(env.Palette().Fill(item.Collector), name, "self of "+full, value)
	}
}

// longest appends the greatest of n times, at most so many: the next smaller one each time, few of
// many, without sorting them.
func longest(
	out []model.CollectorTime, most, n int, of func(i int) (model.CollectorID, int64),
) []model.CollectorTime {
	last, lastNs := -1, int64(math.MaxInt64)
	for range most {
		best, bestNs := -1, int64(0)
		for i := range n {
			if _, ns := of(i); ns > bestNs && (ns < lastNs || ns == lastNs && i > last) {
				best, bestNs = i, ns
			}
		}
		if best < 0 {
			break
		}
		last, lastNs = best, bestNs
		c, _ := of(best)
		out = append(out, model.CollectorTime{Collector: c, Ns: bestNs})
	}
	return out
}

// value formats a time in seconds or a level.
func (p *Panel) value(of subjectOf, v float64) string {
	if of.level {
		return string(format.AppendValue(nil, v, of.session.Collector(of.collector).Unit))
	}
	return string(format.AppendDuration(nil, int64(math.Round(v*1e9))))
}

// collector describes the chosen collector or span.
func (p *Panel) collector(env *panel.Env, of subjectOf, hover int) {
	v, t := env.View, env.Theme
	p.fullTitle(of)
	r := p.stripe(env, of.collector)
	if of.span {
		p.spanHere(&r, env)
		if r.arguments(v.Span())+r.flows(v.Span()) > 0 {
			r.line()
		}
	}
	single := of.span && !of.level && p.here.Frames > 0 && p.here.Count == 1 // the span already has the rest
	k := of.session.Collector(of.collector)
	if p.part = frameWords(v); !single {
		r.head(p.part + format.Pick(k.IsFrameRoot(), "", ", all of "+k.Name))
	}
	switch {
	case single: // its self time is the net time of the frame
	case p.here.Frames == 0:
		r.add("net", "—", t.TextDim)
	case of.level:
		r.add("value", p.value(of, p.here.Mean), t.Text)
	default:
		r.If(p.inside > 0).add("total", string(format.AppendDuration(nil, p.inside)), t.Text)
		r.add("self", p.value(of, p.here.SelfMean), t.Text)
		r.add("net", p.value(of, p.here.Mean), t.Text)
		r.add("starts", string(format.AppendCount(nil, p.here.Count)), t.Text)
	}
	which := " in all frames"
	if of.first > 0 {
		which = ", newest " + string(format.AppendCount(nil, int64(of.last-of.first+1))) + " frames"
	}
	if !of.level && p.stats.Max == 0 && p.inside > 0 {
		r.head("net" + which)
		r.note("0 in each: its total is the time of callees with other names.")
	} else if p.stats.Frames > 0 {
		if of.level {
			r.head("value" + which)
		} else {
			words := "net"
			if len(of.session.Collectors().Children(of.collector)) == 0 { // nothing is named below it
				words = "net (= self)"
			}
			r.head(words + which)
		}
		ranked := func(name string, v float64) {
			about := ""
			switch {
			case v == 0 && p.stats.Max > 0: // most frames lack it, as "frames with" says
				return
			case p.stats.Estimated && v != 0: // from a histogram, where 0 is exact
				about = "≈ "
			}
			r.add(name, about+p.value(of, v), t.Text)
		}
		if p.stats.Present < p.stats.Frames {
			r.add("frames with", string(format.AppendCount(nil, p.stats.Present))+" of "+
				string(format.AppendCount(nil, p.stats.Frames)), t.Text)
		}
		ranked("median", p.stats.Median)
		ranked("p95", p.stats.P95)
		ranked("p99", p.stats.P99)
		track, number := of.track, p.stats.MaxFrame
		r.linked("click: go to the longest frame", func(env *panel.Env) {
			if i, ok := of.session.Track(track).FrameByNumber(number); ok && track == env.View.Track() {
				env.View.GoToFrame(i)
			}
		})
		r.add("max", p.value(of, p.stats.Max)+"  #"+string(format.AppendCount(nil, p.stats.MaxFrame)), t.Text)
	}
	p.drawHistogram(env, of, r.y+env.Px(6), 150, hover)
}

// spanHere describes the selected span, or several that are one bar.
func (p *Panel) spanHere(r *rows, env *panel.Env) {
	b, s := env.View.Span(), env.View.Session()
	took := string(format.AppendDuration(nil, b.End-b.Begin))
	if b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		took = "≥ " + took
	}
	if b.Count > 1 {
		r.head(string(format.AppendCount(nil, int64(b.Count))) + " spans")
		r.add("within", took, env.Theme.Text)
		return
	}
	words := "this span"
	if t := s.Track(b.Ref.Track); t != nil {
		i := t.FrameOf(b.Ref, b.Begin)
		if v := env.View; v.Track() == b.Ref.Track && v.FrameA() == v.FrameB() {
			i = v.FrameA() // it may have begun before
		}
		if i >= 0 {
			words += ", in f" + string(subject.AppendFrameName(nil, s, b.Ref.Track, t.Frame(i).Number)[1:])
		}
	}
	r.head(words)
	r.add("took", took, env.Theme.Text)
	s.Spans().SpanTree(b.Ref, b.Begin, max(b.End, b.Begin+1), &p.tree)
	for i := range p.tree.Nodes {
		if n := &p.tree.Nodes[i]; n.Path == b.Path {
			r.add("self", string(format.AppendDuration(nil, n.Self))+share(n.Self, b.End-b.Begin), env.Theme.Text)
		}
	}
	p.spanPlace(r, env, b)
}

// spanPlace writes the begin and the thread of a span.
func (p *Panel) spanPlace(r *rows, env *panel.Env, b spans.Bar) {
	s := env.View.Session()
	r.add("begins", string(format.AppendClock(nil, b.Begin, s.Info().Clock.Step(b.Begin))), env.Theme.Text)
	r.addDayTime(s, b.Begin)
	if tr := s.Track(b.Ref.Track); tr != nil {
		r.add(tr.Def.Kind.String(), tr.Title(), env.Theme.Text)
	}
}

// frameWords name the frames of the figures.
func frameWords(v *view.View) string {
	switch {
	case v.Live():
		return "newest frame"
	case v.FrameB() > v.FrameA():
		return "mean of " + strconv.Itoa(v.FrameB()-v.FrameA()+1) + " frames"
	}
	return panel.OneFrame(v)
}

// frame describes the selected frames, as long as no collector is chosen: their numbers and their
// longest collectors.
func (p *Panel) frame(env *panel.Env) {
	v, t := env.View, env.Theme
	track := v.Session().Track(v.Track())
	p.title = "Frame"
	a, b := v.FrameA(), v.FrameB()
	if v.Live() && p.of.last >= 0 {
		a, b = p.of.last, p.of.last
	}
	if track == nil || track.NumFrames() == 0 || a < 0 || b >= track.NumFrames() {
		p.words(env, "No frame selected", "click a bar, a name or a frame")
		p.title = ""
		return
	}
	fa, fb := track.Frame(a), track.Frame(b)
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	number := string(format.AppendCount(nil, fa.Number))
	p.mode = track.Title()
	if a == b {
		p.title = "Frame " + number
		c := t.Text
		if ns := fa.End - fa.Begin; subject.OverBudget(ns, v.Look().FrameBudgetNs()) {
			c = assets.Color(subject.FrameColor(t, ns, v.Look().FrameBudgetNs()))
		}
		r.add("took", string(format.AppendDuration(nil, fa.End-fa.Begin)), c)
		r.add("rate", string(format.AppendRate(nil, fa.End-fa.Begin)), t.Text)
	} else {
		p.title = "Frames " + number + " – " + string(format.AppendCount(nil, fb.Number))
		r.add("frames", string(format.AppendCount(nil, int64(b-a+1))), t.Text)
		r.add("took", string(format.AppendDuration(nil, fb.End-fa.Begin)), t.Text)
	}
	r.add("began at", string(format.AppendClock(nil, fa.Begin, 1e6)), t.Text)
	r.addDayTime(v.Session(), fa.Begin)
	if def := &track.Def; def.ShiftNs != 0 { // a GPU's clock, see model.TrackDef
		r.add("clock moved by", string(format.AppendDuration(nil, def.ShiftNs)), t.Text)
		r.add("known to", "± "+string(format.AppendDuration(nil, def.ShiftSpreadNs/2)), t.Over)
	}
	if a == b {
		r.add("spans", string(format.AppendCount(nil, int64(fa.Spans))), t.Text)
		r.If(fa.Levels > 0).add("counters", string(format.AppendCount(nil, int64(fa.Levels))), t.Text)
	}
	r.If(fa.Missing > 0).add("missing before it", string(format.AppendCount(nil, fa.Missing)), t.Over)
	if a != b {
		n := int64(b - a + 1)
		if p.of.a == a && p.of.b == b {
			r.dearest("longest self times, mean per frame", 8, len(p.totals), func(i int) (model.CollectorID, int64) {
				return p.totals[i].Collector, (p.totals[i].Self + n/2) / n
			})
		}
		return
	}
	p.alone = v.Session().Frames().Self(v.Track(), a, p.alone[:0])
	r.dearest(ownTimes, 8, len(p.alone), func(i int) (model.CollectorID, int64) {
		return p.alone[i].Collector, p.alone[i].Ns
	})
}

// HitTest implements panel.Panel: the content of a bar of the histogram, or the span that a row
// goes to.
func (p *Panel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.NoHit()
	if i := p.linkAt(pxX, pxY); i >= 0 && env.View.Session() == p.of.session {
		hit = p.links[i].hit(env)
		hit.Rect = p.links[i].rect
		return hit
	}
	if !p.bins.Contains(pxX, pxY) || len(p.counts) == 0 {
		return hit
	}
	i := p.binAt(pxX)
	hit.Kind, hit.Rect = panel.HitLabel, p.bins
	hit.Lines = append(hit.Lines, p.lengths(i), p.counted(i))
	if p.counts[i] > 0 {
		hit.Lines = append(hit.Lines, "click: go to the next of them")
	}
	return hit
}

// link is a part of the picture that has a tooltip, and perhaps goes somewhere when it is clicked.
type link struct {
	rect  draw.Rect
	hit   func(*panel.Env) panel.Hit
	click func(*panel.Env)
}

// link adds one, and reports whether it is under the mouse.
func (p *Panel) link(rect draw.Rect, hit func(*panel.Env) panel.Hit, click func(*panel.Env)) (hot bool) {
	p.links = append(p.links, link{rect, hit, click})
	return p.hover == len(p.links)-1
}

// linkAt returns the link at a point, -1 where none is.
func (p *Panel) linkAt(pxX, pxY float32) int {
	return slices.IndexFunc(p.links, func(x link) bool { return x.rect.Contains(pxX, pxY) })
}

// linked makes the next row go somewhere when it is clicked.
func (r *rows) linked(words string, click func(*panel.Env)) {
	row := draw.Rect{X0: r.p.rect.X0, Y0: r.y, X1: r.p.rect.X1, Y1: r.y + r.env.Px(20)}
	if r.p.link(row, labelHit(words), click) {
		r.p.Out.Rect(row, draw.Color(r.env.Theme.Hover))
	}
}

// labelHit is an item with words.
func labelHit(lines ...string) func(*panel.Env) panel.Hit {
	return func(*panel.Env) panel.Hit {
		hit := panel.NoHit()
		hit.Kind, hit.Lines = panel.HitLabel, lines
		return hit
	}
}
