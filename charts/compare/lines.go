// Lines shows the timelines of both compared sides below each other on one ruler, to one scale: time
// counts from the begin of each side, or from an event in it. Both are moved and zoomed together. The
// timelines draw their own content.

package compare

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// Timeline is the panel of one side.
type Timeline interface {
	panel.Panel
	panel.Sized
	// Align makes its ruler count from where that of the other does, and its gutter at least so many
	// pixels wide; Gutter is how wide it is by itself, and Plot where time is drawn.
	Align(ruler timepane.Ruler, gutter float32)
	Gutter() float32
	Plot() draw.Rect
	// Reveal scrolls to the thread of a choice that is out of view.
	Reveal(env *panel.Env, c view.Choice)
}

// Lines is the panel.
type Lines struct {
	sides [2]side
	near  int // the side with the window's view
	held  int // the side in which a button went down, -1 none
	were  were
	shown *compare.Result // its explaining thread was brought into view
	twin  *view.View      // of the view of the window, if both sides share a session
	list  *draw.List
	drawn drawn
	lit   lit
	tools panel.Toolbox
	opts  options
	mode  panel.CachedText
	tip   panel.TipLines
	buf   []byte
}

// side is one of both timelines.
type side struct {
	line       Timeline
	env        panel.Env  // of the window, with the view of the side
	own        *view.View // if no one else has one of its session
	in         panel.Input
	head, rect draw.Rect
	zero       view.Zero
	left       format.Window // the window after the last tick
}

// were is the inputs of the alignment.
type were struct {
	state *view.Comparing
	sides uint64
	by    view.Alignment
	call  string
	zero  [2]int64
	size  bool // the plot had a width
}

// drawn is the inputs of the list.
type drawn struct {
	rect  draw.Rect
	scale float32
	theme draw.Color
	sides uint64
	zero  [2]view.Zero
	lists [2]uint64
	near  int
}

// lit is a collector of a side, and which one is that of the other side.
type lit struct {
	from, to *store.Session
	of, is   model.CollectorID
}

// NewLines returns the panel; timeline makes that of a side.
func NewLines(timeline func() Timeline) *Lines {
	l := &Lines{near: view.SideB, held: -1}
	for i := range l.sides {
		l.sides[i].line = timeline()
	}
	return l
}

// Title implements panel.Panel.
func (l *Lines) Title(*panel.Env) string { return "Timelines" }

// Mode describes time 0 of both sides, and the shown width in time.
func (l *Lines) Mode(env *panel.Env) string {
	if !l.ready(env) || l.sides[0].env.View == nil {
		return ""
	}
	by, call := env.Comparing.Aligned()
	b := l.buf[:0]
	lacks := env.Comparing.Lacks(view.SideA) || env.Comparing.Lacks(view.SideB)
	switch {
	case lacks && by == view.AlignCall:
		b = append(append(append(b, "not aligned: no "...), call...), lackWords(env.Comparing)...)
	case lacks:
		b = append(append(b, "not aligned: no frames"...), lackWords(env.Comparing)...)
	case by == view.AlignCall:
		b = append(append(b, "aligned at the first call of "...), call...)
	case by == view.AlignMedian:
		b = append(b, "aligned at the median frame"...)
	default:
		b = append(b, "aligned at the start"...)
	}
	b = append(format.AppendDuration(append(b, " · "...), int64(l.sides[l.near].env.View.Time().Width())), " / screen"...)
	l.buf = b
	return l.mode.Set(b)
}

// lackWords names the side without one.
func lackWords(s *view.Comparing) string {
	switch a, b := s.Lacks(view.SideA), s.Lacks(view.SideB); {
	case a && b:
		return " in A and B"
	case a:
		return " in A"
	}
	return " in B"
}

// ready reports whether both sides are there, and have times.
func (l *Lines) ready(env *panel.Env) bool {
	if env.Comparing.Timeless() {
		return false
	}
	for i := range l.sides {
		if _, ok := env.Comparing.Zero(i); !ok {
			return false
		}
	}
	return true
}

// Update implements panel.Panel.
func (l *Lines) Update(env *panel.Env, rect draw.Rect, in *panel.Input) (act panel.Action) {
	if panel.ListFor(&l.list, env) {
		l.drawn = drawn{}
	}
	if !l.ready(env) {
		l.drawWords(env, rect)
		return act
	}
	l.views(env)
	l.place(env, rect)
	ask := l.give(env, in)
	l.align(env)
	for i := range l.sides {
		x := &l.sides[i]
		x.line.Align(timepane.Ruler{Fixed: true, ZeroNs: x.zero.AtNs, Bare: i == view.SideB, Of: framesOf(env, i)},
			l.gutter())
		if a := x.line.Update(&x.env, x.rect, &x.in); a.Kind != panel.ActionNone {
			act = a
		}
	}
	l.match()
	l.reveal(env)
	l.point(env, in)
	l.draw(env, rect)
	if ask != nil {
		return panel.Action{Kind: panel.ActionShow, Session: ask}
	}
	return act
}

// reveal scrolls both sides, once for each result, to the thread that explains the difference of two single frames.
func (l *Lines) reveal(env *panel.Env) {
	r := env.Comparing.Result()
	if r == nil || r == l.shown {
		return
	}
	if l.shown = r; !r.Single() || r.Explains < 0 {
		return
	}
	of := &r.Threads[r.Collectors[r.Explains].Thread]
	for i, track := range of.Tracks {
		l.sides[i].line.Reveal(&l.sides[i].env, view.Choice{Track: track})
	}
}

// framesOf returns the frames of a side, shown beside its names whatever is selected; for a side
// without frames the selected ones.
func framesOf(env *panel.Env, i int) timepane.Frames {
	m, ok := env.Comparing.Marked(i)
	if !ok || m.Side.Track == model.NoTrack || m.Side.Session.Track(m.Side.Track) == nil {
		return timepane.Frames{}
	}
	return timepane.Frames{Some: true, Track: m.Side.Track, First: m.Side.First, Last: m.Side.Last}
}

// gutter is how wide the names of both sides are.
func (l *Lines) gutter() float32 {
	return max(l.sides[view.SideA].line.Gutter(), l.sides[view.SideB].line.Gutter())
}

// place divides the panel among both sides: in halves, but each gets the room that the other does
// not need.
func (l *Lines) place(env *panel.Env, rect draw.Rect) {
	headH := env.Px(headPx)
	room := rect.H() - 2*headH
	h := panel.Snap(room / 2)
	a, b := l.sides[view.SideA].line.Extent(env, rect.W()), l.sides[view.SideB].line.Extent(env, rect.W())
	switch {
	case a > 0 && a < h && b > room-h:
		h = panel.Snap(max(a, room-b))
	case b > 0 && b < room-h && a > h:
		h = panel.Snap(min(room-b, a))
	}
	y := rect.Y0
	for i := range l.sides {
		x := &l.sides[i]
		x.head = draw.Rect{X0: rect.X0, Y0: y, X1: rect.X1, Y1: min(y+headH, rect.Y1)}
		x.rect = draw.Rect{X0: rect.X0, Y0: x.head.Y1, X1: rect.X1, Y1: rect.Y1}
		if i == view.SideA {
			x.rect.Y1 = min(x.rect.Y0+h, rect.Y1)
		}
		y = x.rect.Y1
	}
}

// headPx is how high the row above a timeline is, at scale 1.
const headPx = 20

// drawWords gives advice while a side is missing.
func (l *Lines) drawWords(env *panel.Env, rect draw.Rect) {
	now := drawn{rect: rect, scale: env.Scale, theme: draw.Color(env.Theme.Panel), sides: env.Comparing.SidesRevision(),
		near: -1}
	if l.drawn == now {
		return
	}
	l.drawn, l.were, l.twin = now, were{}, nil
	for i := range l.sides {
		l.sides[i].env, l.sides[i].own = panel.Env{}, nil
	}
	l.list.Reset(rect)
	l.list.Rect(rect, draw.Color(env.Theme.Panel))
	words := env.Comparing.Words("The timelines of A and B on one ruler.")
	if env.Comparing.Timeless() {
		words = "A recording without times has no timeline: sums are compared."
	}
	panel.DrawWords(l.list, env, rect, words)
}

// draw puts both timelines and their heads into one picture.
func (l *Lines) draw(env *panel.Env, rect draw.Rect) {
	now := drawn{rect: rect, scale: env.Scale, theme: draw.Color(env.Theme.Panel), sides: env.Comparing.SidesRevision(),
		near: l.near}
	for i := range l.sides {
		now.lists[i], now.zero[i] = l.sides[i].line.List().Revision(), l.sides[i].zero
	}
	if l.drawn == now {
		return
	}
	l.drawn = now
	l.list.Reset(rect)
	l.list.Rect(rect, draw.Color(env.Theme.Panel))
	for i := range l.sides {
		l.list.Add(l.sides[i].line.List())
		l.drawHead(env, i)
	}
}

// drawHead names the side of a timeline, and its time 0.
func (l *Lines) drawHead(env *panel.Env, i int) {
	x, th := &l.sides[i], env.Theme
	l.list.Rect(x.head, draw.Color(th.PanelTitle))
	if i == view.SideB {
		l.list.HLine(x.head.X0, x.head.X1, x.head.Y0, env.Scale, draw.Color(th.Separator))
	}
	subject.DrawSide(env, l.list, x.head, i, string(l.appendZero(nil, i)))
}

// appendZero describes time 0 of a side.
func (l *Lines) appendZero(b []byte, i int) []byte {
	z := &l.sides[i].zero
	b = append(b, "0 is "...)
	switch {
	case z.Call != "":
		b = append(append(b, z.Call...), " at "...)
	case z.Framed:
		b = append(format.AppendCount(append(b, "frame #"...), z.Frame), " at "...)
	}
	return format.AppendClock(b, z.AtNs, 1e3)
}

// List implements panel.Panel.
func (l *Lines) List() *draw.List { return l.list }

// Extent implements panel.Sized.
func (l *Lines) Extent(env *panel.Env, width float32) float32 {
	if !l.ready(env) {
		return 0
	}
	h := 2 * env.Px(headPx)
	for i := range l.sides {
		h += l.sides[i].line.Extent(&l.sides[i].env, width)
	}
	return h
}

// HitTest implements panel.Panel. It describes items in the timeline of a session that is not
// shown, but the window has no name for them.
func (l *Lines) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if !l.ready(env) || l.sides[0].env.View == nil {
		return panel.NoHit()
	}
	for i := range l.sides {
		x := &l.sides[i]
		if x.head.Contains(pxX, pxY) {
			return l.hitHead(env, i)
		}
		if !x.rect.Contains(pxX, pxY) {
			continue
		}
		hit := x.line.HitTest(&x.env, pxX, pxY)
		if x.env.View.Session() != env.View.Session() {
			of := panel.NoHit()
			of.Kind, of.Rect, of.Lines = panel.HitAxis, hit.Rect, hit.Lines
			return of
		}
		return hit
	}
	return panel.NoHit()
}

// hitHead describes the head of a side.
func (l *Lines) hitHead(env *panel.Env, i int) panel.Hit {
	m, _ := env.Comparing.Marked(i)
	l.tip.Begin()
	l.tip.Text(subject.SideLetter(i)).Text(": ").Text(format.ClipName(m.Name)).End()
	l.tip.Text(m.What).End()
	l.tip.With(l.appendZero(l.tip.Buf, i)).End()
	hit := panel.NoHit()
	hit.Kind, hit.Rect, hit.Lines = panel.HitLabel, l.sides[i].head, l.tip.All()
	return hit
}

// Facts implements panel.Teller: where time 0 of each side is, and how much time both show.
func (l *Lines) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	if !l.ready(env) || l.sides[0].env.View == nil {
		return out
	}
	for i := range l.sides {
		x := &l.sides[i]
		of := panel.NoHit()
		if x.zero.Framed {
			of.Frame = int(x.zero.Frame)
		}
		out = append(out,
			panel.Fact{Measure: "zero", Row: i, Of: of, Name: x.zero.Call, Value: float64(x.zero.AtNs), Unit: "ns",
				Text: string(l.appendZero(nil, i))},
			panel.Fact{Measure: "begin", Row: i, Of: of, Value: x.env.View.Time().BeginNs - float64(x.zero.AtNs), Unit: "ns"},
			panel.Fact{Measure: "width", Row: i, Of: of, Value: x.env.View.Time().Width(), Unit: "ns"},
			panel.Fact{Measure: "plot", Row: i, Of: of, Value: float64(x.line.Plot().W()), Unit: "px"})
	}
	return out
}
