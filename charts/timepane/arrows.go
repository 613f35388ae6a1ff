package timepane

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/spans"
	"framescope/model/store"
)

// OfSpan is the flows of a span: queried once, and again when something changed. The zero value is
// ready.
type OfSpan struct {
	// In leads to the span, Out begins in it, each in order of the time at which it does.
	In, Out []spans.Arrow
	// More means that the span may have others: of a long one not all arrows on its thread are read.
	More bool
	of   asked

	far     []spans.Arrow
	farEnds []Flow
	whole   bool // with the chains
	ends    [2]ends
}

// mostFar bounds the arrows of chains that are shown, mostShown those that a span has either way.
const (
	mostFar   = 64
	mostShown = 64
)

// asked is the key of the answer.
type asked struct {
	session    *store.Session
	rev        uint64
	ref        spans.Ref
	begin, end int64
}

// Flow is an arrow with both its ends.
type Flow struct {
	spans.Arrow
	Begin, End End
}

// End is an end of an arrow.
type End struct {
	Track model.TrackID
	Time  int64 // ns
	Bar   spans.Bar
	Known bool // there is a span: Bar
}

// BeginOf returns where an arrow begins, EndOf where it ends.
func BeginOf(s *store.Session, a *spans.Arrow) End {
	b, ok := a.Begin(s.Spans())
	return End{a.FromTrack, a.From, b, ok}
}

// EndOf returns where an arrow ends.
func EndOf(s *store.Session, a *spans.Arrow) End {
	b, ok := a.End(s.Spans())
	return End{a.ToTrack, a.To, b, ok}
}

// FlowOf returns an arrow with its ends.
func FlowOf(s *store.Session, a spans.Arrow) Flow { return Flow{a, BeginOf(s, &a), EndOf(s, &a)} }

// Ask queries the flows of a span. Merged spans have none.
func (o *OfSpan) Ask(s *store.Session, b *spans.Bar) {
	if !s.Flows().Any() || b.Count > 1 {
		o.Forget()
		return
	}
	of := asked{s, s.Revision(), b.Ref, b.Begin, b.End}
	if of == o.of {
		return
	}
	o.Forget()
	o.of = of
	o.In, o.Out, o.More = s.Flows().OfSpan(s.Spans(), b, o.In, o.Out)
}

// Forget makes it that of no span.
func (o *OfSpan) Forget() {
	o.In, o.Out, o.More, o.of = o.In[:0], o.Out[:0], false, asked{}
	o.far, o.farEnds, o.whole = o.far[:0], o.farEnds[:0], false
	o.ends[0].from, o.ends[1].from = -1, -1
}

// Count returns how many there are.
func (o *OfSpan) Count() int { return len(o.In) + len(o.Out) }

// Far returns the rest of their chains: earlier and later flows, 64 at most.
func (o *OfSpan) Far() []Flow {
	if o.whole || o.Count() == 0 {
		return o.farEnds
	}
	o.whole = true
	x := o.of.session.Flows()
	for i := 0; i < len(o.In) && len(o.far) < mostFar; i++ {
		o.far = x.Along(o.In[i], true, mostFar-len(o.far), o.far)
	}
	for i := 0; i < len(o.Out) && len(o.far) < mostFar; i++ {
		o.far = x.Along(o.Out[i], false, mostFar-len(o.far), o.far)
	}
	slices.SortFunc(o.far, compare)
	o.far = slices.Compact(o.far)
	for _, a := range o.far {
		o.farEnds = append(o.farEnds, FlowOf(o.of.session, a))
	}
	return o.farEnds
}

// ends are the arrows one way that are shown, from one on.
type ends struct {
	from int
	list []Flow
}

// Near returns those that lead to the span, or with out begin in it, at a time or later, 64 at most; and
// where these are fewer, of those before it the last.
func (o *OfSpan) Near(out bool, timeNs int64) []Flow {
	list, e := o.In, &o.ends[0]
	at := func(a spans.Arrow, t int64) int { return cmp.Compare(a.To, t) }
	if out {
		list, e = o.Out, &o.ends[1]
		at = func(a spans.Arrow, t int64) int { return cmp.Compare(a.From, t) }
	}
	from, _ := slices.BinarySearchFunc(list, timeNs, at)
	if from = max(0, min(from, len(list)-mostShown)); e.from != from {
		e.from, e.list = from, e.list[:0]
		for _, a := range list[from:min(from+mostShown, len(list))] {
			e.list = append(e.list, FlowOf(o.of.session, a))
		}
	}
	return e.list
}

func compare(a, b spans.Arrow) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.FromTrack, b.FromTrack),
		cmp.Compare(a.ToTrack, b.ToTrack), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chain, b.Chain))
}

// The arrows between things on lanes along time: their looks, those from signals to the waits that they
// ended, and those of flows from span to span, with the words for their ends. They know no panel.

// ArrowShape is an arrow as it is drawn, from its begin to its head, in pixels. It leaves a bar by its upper
// or lower edge, so that the bar's text stays readable, and comes to another from the left, or with Down by
// such an edge.
type ArrowShape struct {
	X0, Y0, X1, Y1 float32
	Down           bool
}

// ArrowStyle is how an arrow is drawn.
type ArrowStyle struct {
	Color draw.Color
	Width float32 // in pixels
}

// Sizes in scale-1 pixels.
const (
	steepW   = 20  // narrower ones go straight, from edge to edge
	bowH     = 18  // how far an arrow within a lane bends out of it
	farBend  = 120 // how far before its head an arrow from the left is level
	headW    = 3
	headLong = 7
	parts    = 20 // of a curve
)

// Steep reports whether an arrow of a width goes straight.
func Steep(env *panel.Env, width float32) bool { return max(width, -width) < env.Px(steepW) }

// Seam draws the ground around an arrow that is drawn over it, so that it is seen on whatever it crosses. Of
// several all seams come first.
func (a ArrowShape) Seam(l *draw.List, env *panel.Env, st ArrowStyle) {
	a.Draw(l, env, ArrowStyle{draw.Color(env.Theme.Panel).WithAlpha(200), st.Width + env.Px(2)})
}

// Draw draws a line with a head at its end: straight where there is no room beside it, else a curve.
func (a ArrowShape) Draw(l *draw.List, env *panel.Env, st ArrowStyle) {
	clip := l.Clip()
	if max(a.X0, a.X1) < clip.X0-env.Px(80) || min(a.X0, a.X1) > clip.X1+env.Px(80) {
		return
	}
	var buf [parts + 1]draw.Point
	line, ux, uy := a.line(env, &buf)
	l.Polyline(line, st.Width, st.Color)
	a.head(l, env, st.Width, ux, uy, st.Color)
}

// head draws the head, which points along a unit vector.
func (a ArrowShape) head(l *draw.List, env *panel.Env, width, ux, uy float32, c draw.Color) {
	w, long, tip := env.Px(headW)+width/2, env.Px(headLong)+width/2, (width-env.Px(1))/2
	x, y := a.X1-ux*long, a.Y1-uy*long
	l.Triangle(x-uy*w, y+ux*w, x+uy*w, y-ux*w, a.X1+ux*tip, a.Y1+uy*tip, c)
}

// line returns the points of the line, up to the head, and which way that points.
func (a ArrowShape) line(env *panel.Env, buf *[parts + 1]draw.Point) (line []draw.Point, ux, uy float32) {
	c1, c2, straight := a.controls(env)
	ux, uy = unit(a.X1-c2.X, a.Y1-c2.Y)
	end := draw.Point{X: a.X1 - ux*env.Px(headLong-1), Y: a.Y1 - uy*env.Px(headLong-1)}
	if straight {
		line = append(buf[:0], draw.Point{X: a.X0, Y: a.Y0}, end)
		return line, ux, uy
	}
	for i := range buf {
		buf[i] = bezier(draw.Point{X: a.X0, Y: a.Y0}, c1, c2, end, float32(i)/parts)
	}
	return buf[:], ux, uy
}

// controls returns the points that a curve is drawn towards; straight: it is a line.
func (a ArrowShape) controls(env *panel.Env) (c1, c2 draw.Point, straight bool) {
	dx, dy := a.X1-a.X0, a.Y1-a.Y0
	wide := max(dx, -dx)
	switch {
	case max(dy, -dy) < 2:
		h := min(wide/4, env.Px(bowH))
		return draw.Point{X: a.X0 + dx/4, Y: a.Y0 - h}, draw.Point{X: a.X1 - dx/4, Y: a.Y1 - h}, false
	case Steep(env, dx):
		return c1, draw.Point{X: a.X0, Y: a.Y0}, true
	}
	c1, c2 = draw.Point{X: a.X0, Y: a.Y0 + dy*0.6}, draw.Point{X: a.X1 - min(wide/2, env.Px(farBend)), Y: a.Y1}
	if a.Down {
		c2 = draw.Point{X: a.X1, Y: a.Y1 - dy*0.6}
	}
	return c1, c2, false
}

// Mid returns the middle of the arrow.
func (a ArrowShape) Mid(env *panel.Env) draw.Point {
	c1, c2, straight := a.controls(env)
	if straight {
		return draw.Point{X: (a.X0 + a.X1) / 2, Y: (a.Y0 + a.Y1) / 2}
	}
	return bezier(draw.Point{X: a.X0, Y: a.Y0}, c1, c2, draw.Point{X: a.X1, Y: a.Y1}, 0.5)
}

func bezier(a, b, c, d draw.Point, t float32) draw.Point {
	u := 1 - t
	wa, wb, wc, wd := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return draw.Point{X: wa*a.X + wb*b.X + wc*c.X + wd*d.X, Y: wa*a.Y + wb*b.Y + wc*c.Y + wd*d.Y}
}

func unit(dx, dy float32) (ux, uy float32) {
	if n := float32(math.Hypot(float64(dx), float64(dy))); n > 0 {
		return dx / n, dy / n
	}
	return 1, 0
}

// mostSignals is how many arrows are looked at for one picture; where there are more signals in view
// they wait for a closer look.
const mostSignals = 4000

// Signal is a drawn arrow from a signal to the end of the wait that it ended.
type Signal struct {
	locks.Arrow
	ArrowShape
}

// Joins reports whether the arrow belongs to a use of a lock: it begins at the signal, or ends at
// the wait that it ended.
func (a *Signal) Joins(u *locks.Use) bool {
	switch {
	case a.Lock != u.Lock:
	case u.Kind == locks.Condition:
		return a.ToTrack == u.Track && a.ToTime == u.End && a.WaitBegin == u.Begin
	case u.Kind == locks.Signalling:
		return a.FromTrack == u.Track && a.FromTime == u.Begin
	}
	return false
}

// Style returns the look of the arrow: in the color of the selection when it belongs to the selected
// use, else with the strength alpha.
func (a *Signal) Style(env *panel.Env, alpha uint8) ArrowStyle {
	if u, ok := env.View.Thing().Use(); ok && a.Joins(&u) {
		return ArrowStyle{Color: draw.Color(env.Theme.Accent), Width: env.Scale}
	}
	return ArrowStyle{Color: draw.Color(env.Theme.Text).WithAlpha(alpha), Width: env.Scale}
}

// Signals finds the arrows from signals to waits. The zero value is ready.
type Signals struct {
	arrows []locks.Arrow
}

// Visible returns the arrows from signals to waits in the visible range, none if there are too many
// signals to show any. The answer is valid until the next call.
func (g *Signals) Visible(env *panel.Env) []locks.Arrow {
	s := env.View.Session()
	begin, end := env.View.Time().Visible()
	n := s.Locks().SignalsIn(begin, end)
	g.arrows = g.arrows[:0]
	if n > 0 && n <= mostSignals {
		g.arrows = s.Locks().Arrows(begin, end, g.arrows)
	}
	return g.arrows
}

// AppendEnd appends the place of an arrow's end: "Worker · job".
func AppendEnd(dst []byte, s *store.Session, e *End) []byte {
	if t := s.Track(e.Track); t != nil {
		dst = append(dst, format.ClipName(t.Title())...)
	}
	if c := s.Collector(e.Bar.Collector); e.Known && c != nil {
		dst = append(append(dst, " · "...), format.ClipName(c.Name)...)
	}
	return dst
}

// ArrowWord is the word before the source of an arrow of a span, or with out before its target.
func ArrowWord(out bool) string {
	return format.Pick(out, "to ", "from ")
}

// AppendName appends the name of the span at the other end of an arrow: "cull".
func AppendName(dst []byte, s *store.Session, other *End) []byte {
	if c := s.Collector(other.Bar.Collector); other.Known && c != nil {
		return append(dst, escape.Name(c.Name)...)
	}
	return append(dst, "no span that is known"...)
}

// AppendPlace appends its thread, and the name of the flow: " on Worker 1 · job".
func AppendPlace(dst []byte, s *store.Session, a *spans.Arrow, other *End) []byte {
	if t := s.Track(other.Track); t != nil {
		dst = append(append(dst, " on "...), escape.Name(t.Title())...)
	}
	return append(append(dst, " · "...), escape.Name(s.Flows().Name(a.Name))...)
}

// AppendDelay appends how long before the end of an arrow it began, or with out how long after its begin
// it ends: "1.2 ms before". An inexact clock may have it the other way round.
func AppendDelay(dst []byte, a *spans.Arrow, out bool) []byte {
	ns, word := a.Delay(), " before"
	if (ns < 0) != out {
		word = " after"
	}
	if ns == 0 {
		return append(dst, "at once"...)
	}
	return append(format.AppendDuration(dst, max(ns, -ns)), word...)
}

// AppendCounts appends how many flows a span has: "2 to it, 1 from it".
func AppendCounts(dst []byte, o *OfSpan) []byte {
	if n := len(o.In); n > 0 {
		dst = append(format.AppendCount(dst, int64(n)), " to it"...)
	}
	if n := len(o.Out); n > 0 {
		if len(o.In) > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(format.AppendCount(dst, int64(n)), " from it"...)
	}
	if o.More {
		dst = append(dst, " or more"...)
	}
	return dst
}

// Tip adds the number of flows of a span to a tooltip, if it has some.
func (o *OfSpan) Tip(tip *panel.TipLines, s *store.Session, r spans.Ref) {
	if b, ok := s.Spans().ByRef(r); !ok || !s.Flows().Any() {
		return
	} else if o.Ask(s, &b); o.Count() > 0 {
		tip.Text("flows\t")
		tip.Buf = AppendCounts(tip.Buf, o)
		tip.End()
	}
}

// Follow goes to an end of an arrow: selects the span there and brings it into view, also on a thread that
// is hidden; where there is none, it goes to the time.
func Follow(v *view.View, e *End) {
	if v.Look().TrackHidden(e.Track) {
		v.Look().SetTrackHidden(e.Track, false)
	}
	if e.Known {
		v.SelectSpan(e.Bar)
		return
	}
	v.SetTrack(e.Track)
	v.ClearThing()
	v.SetPlayhead(e.Time)
}
