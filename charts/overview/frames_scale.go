package overview

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
)

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
	for ns := s.doubled(target); ns > s.axis.Lo; ns /= 2 {
		y := s.yOf(ns)
		color := draw.Color(th.TextDim)
		room := y-taken >= h-env.Px(2) && y+h/2 <= bottom
		if ns == target {
			color = draw.Color(th.Text)
			l.DashedH(s.plot.X0, s.plot.X1, y, one, env.Px(4), env.Px(4), draw.Color(th.Target))
		} else {
			l.HLine(s.plot.X0, s.plot.X1, y, one, draw.Color(th.Grid))
			if ty := s.yOf(target); panel.Abs32(ty-y) < h-env.Px(2) {
				room = false // the target's label has its place
			}
		}
		if room {
			taken = y
			var buf [24]byte
			s.axisLabel(env, y-h/2, panel.ScratchText(format.AppendDigits3(buf[:0], float64(ns)/float64(unitNs))), color)
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

// mark finds the columns with a worst frame that stands out. If several are too near to each other
// for a mark each, the worst gets it.
func (s *FrameStrip) mark(env *panel.Env) {
	s.marks = s.marks[:0]
	v := env.View
	frames, track := v.Session().Frames(), v.LeadTrack()
	for i := range s.columns {
		c := &s.columns[i]
		if c.hitch = !c.gap && frames.Hitch(track, int(c.bar.Worst)); !c.hitch {
			continue
		}
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
}
