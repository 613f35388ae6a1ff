package overview

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// input handles a tick's mouse: click and left drag scrub, shift extends the selection to a run,
// ctrl + left drag or middle drag zooms the time panels to a run, right drag and shift + wheel pan,
// the wheel zooms.
func (s *FrameStrip) input(env *panel.Env, t *store.Track, in *panel.Input) panel.Action {
	v := env.View
	over := in.Over && s.rect.Contains(in.X, in.Y)
	if len(s.columns) == 0 {
		return panel.Action{}
	}
	if over && s.drag == dragNone && !in.DoubleClick {
		s.begin(env, in)
	}
	act := s.dragged(env, t, in)
	if over {
		s.wheel(env, t, in)
		if in.DoubleClick {
			x, _ := s.markAt(env, in.X, in.Y)
			if i := s.frameAt(x); i >= 0 && i < t.NumFrames() {
				f := t.Frame(i)
				v.Steer().ZoomTo(f.Begin, f.End)
			}
		}
	}
	if over && s.drag == dragNone {
		v.Pointer().Set(s, model.NoCollector, s.timeAt(t, in.X), true)
	} else {
		v.Pointer().Clear(s)
	}
	return act
}

func (s *FrameStrip) begin(env *panel.Env, in *panel.Input) {
	v := env.View
	if !s.hand.begin(in) {
		return
	}
	if s.drag == dragBrush && s.flags.Press(env, in.X, in.Y) {
		s.hand = hand{}
		return
	}
	if s.drag != dragPan {
		v.TakeLead()
	}
	s.anchor, s.panRest = s.frameAt(in.X), 0
	if a := v.LeadA(); s.drag == dragExtend && a >= 0 && !v.Live() { // nobody chose the newest frame
		if s.anchor < a {
			a = v.LeadB()
		}
		s.anchor = a
	}
	if s.drag != dragPan {
		s.follow = false // the hovered frame stays there, whatever comes in
	}
}

func (s *FrameStrip) dragged(env *panel.Env, t *store.Track, in *panel.Input) panel.Action {
	v := env.View
	if s.drag == dragNone {
		return panel.Action{}
	}
	b, up := s.hold(env, in)
	if s.drag != dragPan && s.moved {
		s.scrollAtEdges(env, in)
	}
	var act panel.Action
	switch s.drag {
	case dragBrush:
		if x, ok := s.markAt(env, in.X, in.Y); b.Pressed && ok {
			v.SelectHitch(s.frameAt(x))
		} else if b.Pressed {
			v.SetPlayhead(s.timeAt(t, in.X))
		} else if in.X != s.x || s.moved && (in.X < s.plot.X0 || in.X >= s.plot.X1) {
			v.ScrubTo(s.timeAt(t, in.X))
		}
		s.seenA = v.LeadA()
	case dragExtend:
		v.SelectFrames(s.anchor, s.frameAt(in.X))
		s.seenA = v.LeadA()
	case dragZoom:
		if s.moved {
			v.Follow(false)
			v.SelectFrames(s.anchor, s.frameAt(in.X))
			s.seenA = v.LeadA()
			if up {
				v.Steer().ZoomTo(v.RangeA(), v.RangeB())
			}
		}
	case dragPan:
		if s.moved {
			s.pan(env, s.x-in.X)
		} else if b.Released {
			act = panel.MenuOf(s.HitTest(env, in.X, in.Y), in.X, in.Y)
		}
	}
	if s.moved || s.drag == dragBrush {
		s.x = in.X
	}
	if up {
		s.hand = hand{}
	}
	return act
}

// scrollAtEdges moves the strip while a drag is held outside it, faster the farther away.
func (s *FrameStrip) scrollAtEdges(env *panel.Env, in *panel.Input) {
	out := float32(0)
	if in.X < s.plot.X0 {
		out = in.X - s.plot.X0
	} else if in.X >= s.plot.X1 {
		out = in.X - s.plot.X1 + 1
	}
	if out != 0 {
		dt := float32(min(in.DtNs, 100_000_000)) / 1e9
		s.pan(env, min(max(out*6, -2000*env.Scale), 2000*env.Scale)*dt)
	}
}

// pan moves the strip by px pixels (positive: newer frames come into view), in whole columns; the
// rest is kept.
func (s *FrameStrip) pan(env *panel.Env, px float32) {
	pitch, merge := stripLevel(env, s.level)
	s.panRest += px
	cols := float32(math.Trunc(float64(s.panRest / pitch)))
	s.panRest -= cols * pitch
	if cols == 0 {
		return
	}
	s.chosen, s.follow = true, false
	s.endAbs = min(max(s.endAbs+int64(cols)*merge, 1), s.numTotal)
}

func (s *FrameStrip) wheel(env *panel.Env, t *store.Track, in *panel.Input) {
	dx, dy := in.WheelX, in.WheelY
	if in.Shift && dx == 0 {
		dx, dy = -dy, 0
	}
	if dx != 0 && panel.Abs32(dx) > panel.Abs32(dy) {
		s.pan(env, dx*panel.WheelPanPx*env.Scale)
		return
	}
	if dy == 0 {
		return
	}
	if in.Ctrl {
		dy /= 4
	}
	s.wheelRest += dy
	steps := int(s.wheelRest)
	if steps == 0 {
		return
	}
	s.wheelRest -= float32(steps)
	if steps < 0 && s.firstFrame() == 0 && s.endAbs == s.numTotal && s.columns[0].x0 >= s.plot.X0 {
		return // all is visible already
	}
	level := min(max(s.level+steps, stripMinLevel), len(stripPitches)-1)
	if level == s.level {
		return
	}
	at := int64(s.frameAt(in.X)) + t.Evicted()
	s.level, s.chosen = level, true
	if !s.follow || !env.View.Live() {
		pitch, merge := stripLevel(env, level)
		s.follow = false
		s.endAbs = min(max(at+int64((s.plot.X1-in.X)/pitch)*merge+1, 1), s.numTotal)
		// Gaps take room, too: look where the frame came to lie, and move it back under the mouse.
		s.layout(env, t)
		if x0, x1, ok := s.xOfFrame(int(at - t.Evicted())); ok {
			s.endAbs += int64(math.Round(float64(((x0+x1)/2-in.X)/pitch))) * merge
		}
	}
}

// timeAt returns the time at x: within the frame or gap there, of a merged column within its worst
// frame.
func (s *FrameStrip) timeAt(t *store.Track, pxX float32) int64 {
	i := s.columnAt(pxX)
	if i < 0 {
		return 0
	}
	c := &s.columns[i]
	at := min(max((pxX-c.x0)/(c.x1-c.x0), 0), 1)
	if c.gap {
		next := t.Frame(int(c.bar.First))
		if c.bar.First == 0 {
			return next.Begin
		}
		before := t.Frame(int(c.bar.First) - 1)
		return before.End + int64(float64(at)*float64(max(next.Begin-before.End-1, 0)))
	}
	f := t.Frame(s.frameAt(pxX))
	if c.bar.Count > 1 {
		at = 0
	}
	return f.Begin + int64(float64(at)*float64(max(f.End-f.Begin-1, 0)))
}

// HitTest returns the frame or gap under a point, as of the last Update.
func (s *FrameStrip) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	v := env.View
	hit := panel.Hit{Track: v.LeadTrack(), Collector: model.NoCollector, Frame: -1}
	if flag, ok := s.flags.Hit(env, pxX, pxY); ok {
		return flag
	}
	t := v.Lead()
	if t != nil && s.opens() && s.openAt().Contains(pxX, pxY) {
		o, _ := t.OpenFrame()
		s.tip.Begin()
		subject.OpenTip(&s.tip, t, o)
		hit.Kind, hit.Rect, hit.TimeNs, hit.Lines = panel.HitAxis, s.openAt(), o.Begin, s.tip.All()
		return hit
	}
	pxX, _ = s.markAt(env, pxX, pxY)
	i := s.columnAt(pxX)
	if t == nil || i < 0 || !s.rect.Contains(pxX, pxY) || pxX < s.columns[i].x0 || pxX >= s.columns[i].x1 {
		return hit
	}
	c := &s.columns[i]
	hit.Rect = draw.Rect{X0: c.x0, Y0: s.rect.Y0, X1: c.x1, Y1: s.rect.Y1}
	hit.TimeNs = s.timeAt(t, pxX)
	tip := &s.tip
	tip.Begin()
	if c.gap {
		hit.Kind = panel.HitGap
		hit.Gap = frames.Gap{FirstNumber: c.number, LastNumber: c.number + c.bar.Missing - 1,
			End: t.Frame(int(c.bar.First)).Begin}
		if c.bar.First > 0 {
			hit.Gap.Begin = t.Frame(int(c.bar.First) - 1).End
		}
		if stop, ok := t.LastPause(int(c.bar.First)-1, int(c.bar.First)); ok && c.pause > 0 {
			subject.StopTip(tip, stop)
		} else {
			subject.GapTip(tip, hit.Gap)
		}
		hit.Lines = tip.All()
		return hit
	}
	hit.Kind, hit.Frame = panel.HitFrame, s.frameAt(pxX)
	f := t.Frame(hit.Frame)
	tip.Text("Frame ").Count(f.Number).End()
	tip.Text("thread\t").Text(t.Title()).End()
	if c.bar.Count > 1 {
		tip.Text("the worst of\t").Count(int64(c.bar.Count)).End()
		if c.bar.Sampled() {
			tip.Text("their median, of some\t≈ ").Duration(c.bar.MedianNs).End()
		} else {
			tip.Text("their median\t").Duration(c.bar.MedianNs).End()
		}
	}
	if stop, ok := subject.StopOf(t, hit.Frame); ok {
		subject.StopTip(tip, stop)
		hit.Lines = tip.All()
		return hit
	}
	tip.If(c.bar.Stops > 0).Text("stopped among them\t").Duration(s.stoppedNs(t, c)).End()
	subject.FrameTip(tip, f, v.Look().FrameBudgetNs())
	subject.LimitTip(tip, env.Limits.Frames(hit.Track))
	tip.If(c.narrow > 0).Text("missing among them\t").Count(c.narrow).End()
	hit.Lines = tip.All()
	return hit
}

// The parts of the strip around its columns, at scale 1.
const (
	axisPx  = 44 // left of them
	marksPx = 12 // above
	timesPx = 15 // below
	openPx  = 8  // right of them, where a frame is open
	stopPx  = 7  // a column with a stop, at least
)

// place divides the strip: a low one goes without times, then without marks; a narrow one goes
// without the axis.
func (s *FrameStrip) place(env *panel.Env, rect draw.Rect, t *store.Track) {
	s.rect, s.plot, s.open = rect, rect, draw.Rect{}
	if rect.W() >= env.Px(240) {
		s.plot.X0 += env.Px(axisPx)
	}
	if rect.H() >= env.Px(48) {
		s.plot.Y1 -= env.Px(timesPx)
	}
	s.plot.Y0 += env.Px(format.Pick[float32](rect.H() >= env.Px(36), marksPx, 2))
	if t == nil {
		return
	}
	if _, ok := t.OpenFrame(); ok {
		s.plot.X1 -= env.Px(openPx)
		s.open = draw.Rect{X0: s.plot.X1, Y0: s.plot.Y0, X1: rect.X1, Y1: s.plot.Y1}
	}
}

// The axis by default: games at 30 to 120 Hz, with their hitches.
const axisLoNs, axisHiNs = 7_000_000, 90_000_000

// scale chooses the axis, and how high the columns stand on it. All that is shown lies on it, but
// for a tenth of the medians, which may lie below; it is made wider or narrower by doubling, so that
// it does not breathe.
func (s *FrameStrip) scale(env *panel.Env) {
	worst := int64(1)
	for i := range s.columns {
		worst = max(worst, s.columns[i].bar.WorstNs)
	}
	a := format.LogNs{Lo: axisLoNs, Hi: axisHiNs}
	for a.Lo > 1000 && !s.mostly(a.Lo+a.Lo/6) {
		a.Lo /= 2
	}
	for s.mostly(a.Lo * 8) {
		a.Lo *= 2
	}
	a.Hi = max(a.Hi, a.Lo*4)
	for a.Hi > 8*a.Lo && worst < a.Hi/8 {
		a.Hi /= 2
	}
	for a.Hi < worst && a.Hi < math.MaxInt64/4 {
		a.Hi *= 2
	}
	s.axis = a
	s.yBudget = s.yOf(env.View.Look().FrameBudgetNs())
	for i := range s.columns {
		c := &s.columns[i]
		c.yMedian, c.yWorst = min(s.yOf(c.bar.MedianNs), s.plot.Y1-1), min(s.yOf(c.bar.WorstNs), s.plot.Y1-1)
	}
}

// mostly reports whether nine tenths of the columns have a median above ns.
func (s *FrameStrip) mostly(ns int64) bool {
	n, above := 0, 0
	for i := range s.columns {
		if c := &s.columns[i]; !c.gap && c.bar.Stops < c.bar.Count {
			n++
			if c.bar.MedianNs > ns {
				above++
			}
		}
	}
	return n > 0 && above*10 >= n*9
}

// yOf returns the height of a duration on the axis.
func (s *FrameStrip) yOf(ns int64) float32 {
	return panel.Snap(s.plot.Y1 - float32(s.axis.Share(ns))*s.plot.H())
}

// drawAxis draws the target with its label, lines at its doubles and halves with theirs where there
// is room, and the unit.
func (s *FrameStrip) drawAxis(env *panel.Env) {
	l, th, target := s.List(), env.Theme, env.View.Look().FrameBudgetNs()
	unit, unitNs := s.axis.Unit()
	one := max(1, float32(int(env.Scale)))
	h := env.Atlas.LineHeight(draw.Small)
	taken := s.plot.Y0 - 2*h // the middle of the label above
	bottom := s.rect.Y1 - env.Px(2)
	named := s.plot.Y1 < s.rect.Y1 && s.plot.X0 > s.rect.X0 // the unit stands below
	if named {
		bottom = s.rect.Y1 - env.Px(3) - h
	}
	targetY := min(s.yOf(target), bottom-h/2) // of its label, which always has its place
	for ns := s.doubled(target); ns > s.axis.Lo; ns /= 2 {
		y, at := s.yOf(ns), s.yOf(ns)
		color := draw.Color(th.TextDim)
		if ns == target {
			at, color = targetY, draw.Color(th.Text)
			l.DashedH(s.plot.X0, s.plot.X1, y, one, env.Px(4), env.Px(4), draw.Color(th.Target))
		} else {
			l.HLine(s.plot.X0, s.plot.X1, y, one, draw.Color(th.Grid))
		}
		clear := ns == target || panel.Abs32(targetY-y) >= h-env.Px(2)
		if clear && at-taken >= h-env.Px(2) && at+h/2 <= bottom {
			taken = at
			var buf [24]byte
			s.axisLabel(env, at-h/2, panel.ScratchText(format.AppendDigits3(buf[:0], float64(ns)/float64(unitNs))), color)
		}
	}
	if named {
		var buf [16]byte
		words := append(append(buf[:0], unit...), " log"...)
		s.axisLabel(env, s.rect.Y1-env.Px(1)-h, panel.ScratchText(words), draw.Color(th.TextDim))
	}
}

// doubled returns the greatest of the target's doubles, or of its halves, on the axis.
func (s *FrameStrip) doubled(target int64) int64 {
	target = max(target, 1)
	for target > s.axis.Hi {
		target /= 2
	}
	for target <= s.axis.Hi/2 {
		target *= 2
	}
	return target
}

// axisLabel writes left of the columns, or over them where the axis has no room.
func (s *FrameStrip) axisLabel(env *panel.Env, y float32, text string, color draw.Color) {
	r := draw.Rect{X0: s.rect.X0, Y0: y, X1: s.plot.X0 - env.Px(6), Y1: y + env.Atlas.LineHeight(draw.Small)}
	if r.Empty() {
		label(s.List(), env, s.rect.X0, y, text, math.MaxFloat32, 225)
		return
	}
	s.List().TextIn(draw.Small, r, draw.Right, text, color)
}

// stripMark is the mark of a frame that stands out.
type stripMark struct{ column int }

// markPx is how far apart marks are at least, at scale 1.
const markPx = 11

// Where marks would take more than a third of the room, they are those of the worst frames alone, over bars for what
// all of them lost.
const (
	denseMarks = 3
	mostMarks  = 8
)

// mark finds the columns with a worst frame that stands out. If several are too near to each other
// for a mark each, the worst gets it.
func (s *FrameStrip) mark(env *panel.Env) {
	s.marks = s.marks[:0]
	v := env.View
	frames, track := v.Session().Frames(), v.LeadTrack()
	for i := range s.columns {
		c := &s.columns[i]
		worst := int(c.bar.Worst)
		if c.gap || !frames.Hitch(track, worst) {
			continue
		}
		c.lostNs = c.bar.WorstNs - frames.Around(track, worst).MedianNs
		if n := len(s.marks); n > 0 {
			before := &s.columns[s.marks[n-1].column]
			if c.x0-before.x0 < env.Px(markPx) {
				if c.bar.WorstNs > before.bar.WorstNs {
					s.marks[n-1].column = i
				}
				continue
			}
		}
		s.marks = append(s.marks, stripMark{column: i})
	}
	s.lost = s.lost[:0]
	if n := len(s.marks); n <= mostMarks || float32(n)*env.Px(markPx)*denseMarks < s.plot.W() {
		return
	}
	slices.SortStableFunc(s.marks, func(a, b stripMark) int {
		return cmp.Compare(s.columns[b.column].lostNs, s.columns[a.column].lostNs)
	})
	least := s.columns[s.marks[mostMarks].column].lostNs
	s.marks = slices.DeleteFunc(s.marks, func(m stripMark) bool { return s.columns[m.column].lostNs <= least })
	pitch, merge := stripLevel(env, s.level)
	place := merge * int64(math.Ceil(float64(env.Px(markPx)/pitch))) // frames of it
	last := int64(-1)
	for i := range s.columns {
		c := &s.columns[i]
		if at := (v.Lead().Evicted() + int64(c.bar.First)) / place; at != last {
			s.lost, last = append(s.lost, lost{worst: i, x0: c.x0}), at
		}
		p := &s.lost[len(s.lost)-1]
		p.ns, p.x1 = model.AddSat(p.ns, c.lostNs), c.x1
		if c.lostNs > s.columns[p.worst].lostNs {
			p.worst = i
		}
	}
}

// lost is a place of the strip as wide as a mark where marks are dense.
type lost struct {
	x0, x1 float32
	ns     int64 // by how much the worst frames of its columns are longer than is typical around them
	worst  int   // the column with the most
}
