package overview

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model/store"
)

// drawIfChanged draws the bars if anything they depend on changed, and what lies over them if the
// cursors did.
func (s *FrameStrip) drawIfChanged(env *panel.Env, t *store.Track, in *panel.Input) {
	v := env.View
	if s.BeginBase(env, s.rect, framesKey{v.Stamp(), s.endAbs, s.level}) {
		s.drawBase(env, t)
	}
	hover := -1
	if in.Over && s.rect.Contains(in.X, in.Y) && s.drag == dragNone {
		hover = s.columnAt(in.X)
	}
	if s.BeginOver(framesTopKey{v.CursorStamp(), hover, v.Time().BeginNs, v.Time().EndNs}) {
		s.drawOver(env, t, hover)
	}
}

// framesKey is what the bars depend on, framesTopKey what lies over them.
type framesKey struct {
	view  uint64
	end   int64
	level int
}

type framesTopKey struct {
	cursor     uint64
	hover      int
	begin, end float64
}

func (s *FrameStrip) drawEmpty(env *panel.Env) {
	if !s.BeginBase(env, s.rect, framesKey{env.View.Stamp(), -1, 0}) {
		return
	}
	words := panel.NothingLine(env, "Every frame will be a bar here, from the first one received.")
	s.session, s.columns = nil, s.columns[:0]
	s.List().Rect(s.rect, draw.Color(env.Theme.Ground))
	s.List().TextIn(draw.Regular, s.rect.Inset(env.Px(8)), draw.Center, words, draw.Color(env.Theme.TextDim))
}

// yOf returns the top of a bar of ns.
func (s *FrameStrip) yOf(env *panel.Env, ns int64) float32 {
	h := s.rect.H() - env.Px(4)
	y := s.rect.Y1 - float32(float64(ns)/float64(s.top))*h
	return max(s.rect.Y0+env.Px(2), float32(math.Round(float64(y))))
}

func (s *FrameStrip) drawBase(env *panel.Env, t *store.Track) {
	l, th, v := s.List(), env.Theme, env.View
	l.Rect(s.rect, draw.Color(th.Ground))
	pitch, _ := stripLevel(env, s.level)
	space := float32(0)
	if pitch >= 3 {
		space = max(1, float32(int(env.Scale)))
	}
	for i := range s.columns {
		c := &s.columns[i]
		if c.gap {
			l.Hatch(draw.Rect{X0: c.x0, Y0: s.rect.Y0, X1: c.x1, Y1: s.rect.Y1}, draw.Color(th.Hatch))
			continue
		}
		ns := c.bar.WorstNs
		y := min(s.yOf(env, ns), s.rect.Y1-1)
		col := subject.FrameColor(th, ns, v.Look().FrameBudgetNs())
		r := draw.Rect{X0: c.x0, Y0: y, X1: c.x1 - space, Y1: s.rect.Y1}
		l.Rect(r, col)
		if ns > s.top { // cut: a break below the top says that it goes on
			l.Rect(draw.Rect{X0: c.x0, Y0: y + env.Px(4), X1: c.x1, Y1: y + env.Px(6)}, draw.Color(th.Ground))
		}
		if c.bar.Missing > 0 && (i == 0 || !s.columns[i-1].gap) {
			l.Rect(draw.Rect{X0: c.x0, Y0: s.rect.Y0, X1: max(c.x1-space, c.x0+1), Y1: s.rect.Y0 + env.Px(3)}, draw.Color(th.Text2))
		}
	}
	s.drawGapWords(env)
	s.drawBudget(env)
	if n := t.Evicted(); n > 0 && s.firstFrame() == 0 {
		var buf [64]byte
		s.label(env, s.rect.Y0+env.Px(2), panel.ScratchText(subject.AppendLeft(append(buf[:0], "◂ "...), n)))
	}
	l.HLine(s.rect.X0, s.rect.X1, s.rect.Y1-1, 1, draw.Color(th.Separator))
}

// drawGapWords says at each gap how many frames are missing: "8 missing" inside it or at its right
// where there is room, else the number alone inside it.
func (s *FrameStrip) drawGapWords(env *panel.Env) {
	l, th := s.List(), env.Theme
	var words, number [48]byte
	free := s.rect.X0
	top, bottom := s.rect.Y0+env.Px(2), s.rect.Y0+env.Px(4)+env.Atlas.LineHeight(draw.Small)
	for i := range s.columns {
		c := &s.columns[i]
		if !c.gap || c.x1 < free {
			continue
		}
		text := panel.ScratchText(append(format.AppendCount(words[:0], c.bar.Missing), " missing"...))
		w := env.Atlas.Measure(draw.Small, text) + env.Px(8)
		if w > c.x1-c.x0 {
			r := draw.Rect{X0: c.x1 + env.Px(2), Y0: top, X1: c.x1 + env.Px(2) + w, Y1: bottom}
			if r.X0 >= free && r.X1 <= s.rect.X1 && !s.tallBarIn(env, r) {
				l.TextIn(draw.Small, r, draw.Left, text, draw.Color(th.Text2))
				free = r.X1 + env.Px(4)
				continue
			}
			text = panel.ScratchText(format.AppendCount(number[:0], c.bar.Missing))
			if w = env.Atlas.Measure(draw.Small, text) + env.Px(4); w > c.x1-c.x0 || c.x0 < free {
				continue
			}
		}
		mid := (c.x0 + c.x1) / 2
		r := draw.Rect{X0: mid - w/2 + env.Px(1), Y0: top, X1: mid + w/2 - env.Px(1), Y1: bottom}
		l.Rect(r, draw.Color(th.Ground))
		l.TextIn(draw.Small, draw.Rect{X0: r.X0 - env.Px(2), Y0: top, X1: r.X1 + env.Px(2), Y1: bottom}, draw.Center, text, draw.Color(th.Text2))
		free = r.X1 + env.Px(4)
	}
}

// tallBarIn tells whether a bar reaches into r.
func (s *FrameStrip) tallBarIn(env *panel.Env, r draw.Rect) bool {
	for i := max(0, s.columnAt(r.X0)); i < len(s.columns) && s.columns[i].x0 < r.X1; i++ {
		if c := &s.columns[i]; c.gap || s.yOf(env, c.bar.WorstNs) < r.Y1 {
			return true
		}
	}
	return false
}

// drawBudget draws the budget line with its label; where the scale does not reach so far, the label
// names the upper edge instead.
func (s *FrameStrip) drawBudget(env *panel.Env) {
	l, th, v := s.List(), env.Theme, env.View
	var buf [48]byte
	if v.Look().FrameBudgetNs() > s.top {
		b := append(buf[:0], "top "...)
		s.label(env, s.rect.Y0+env.Px(2), panel.ScratchText(format.AppendDuration(b, s.top)))
		return
	}
	y := s.yOf(env, v.Look().FrameBudgetNs())
	l.DashedH(s.rect.X0, s.rect.X1, y, max(1, float32(int(env.Scale))), env.Px(4), env.Px(4), draw.Color(th.Target))
	b := format.AppendDuration(buf[:0], v.Look().FrameBudgetNs())
	top := y - env.Atlas.LineHeight(draw.Small) - env.Px(1)
	if top < s.rect.Y0 {
		top = y + env.Px(2)
	}
	s.label(env, top, panel.ScratchText(b))
}

// label writes at the left edge.
func (s *FrameStrip) label(env *panel.Env, y float32, text string) {
	label(s.List(), env, s.rect.X0, y, text, math.MaxFloat32, 225)
}

// drawOver draws selection, visible range, ghost cursor, playhead and the column under the mouse.
func (s *FrameStrip) drawOver(env *panel.Env, t *store.Track, hover int) {
	l, th, v := s.List(), env.Theme, env.View
	one := max(1, float32(int(env.Scale)))
	if b, e := v.Time().Visible(); v.Time().Valid() {
		x0, x1 := s.xOfTime(t, b), s.xOfTime(t, e)
		if x1 > x0 || x0 > s.rect.X0 && x1 < s.rect.X1 {
			x1 = max(x1, x0+env.Px(2))
			l.Rect(draw.Rect{X0: x0, Y0: s.rect.Y1 - env.Px(3), X1: x1, Y1: s.rect.Y1}, draw.Color(th.Text).WithAlpha(200))
		}
	}
	if hover >= 0 && hover < len(s.columns) {
		c := s.columns[hover]
		l.Rect(draw.Rect{X0: c.x0, Y0: s.rect.Y0, X1: c.x1, Y1: s.rect.Y1}, draw.Color(th.Hover))
	}
	if v.FrameA() >= 0 && v.FrameB() >= v.FrameA() && !v.Live() {
		if x0, x1, ok := s.spanOf(v.FrameA(), v.FrameB()); ok {
			r := draw.Rect{X0: x0 - one, Y0: s.rect.Y0, X1: max(x1, x0+env.Px(2)) + one, Y1: s.rect.Y1}
			l.Rect(r, draw.Color(th.Selection).WithAlpha(58))
			l.Outline(r, one, draw.Color(th.Selection))
		}
	}
	if v.Pointer().HasTime() && hover < 0 {
		x := s.xOfTime(t, v.Pointer().Time())
		l.VLine(x, s.rect.Y0, s.rect.Y1, one, draw.Color(th.Text).WithAlpha(90))
	}
	if x := s.xOfTime(t, v.Playhead()); x > s.rect.X0 && x <= s.rect.X1 {
		w := env.Px(2)
		x = min(max(x-w/2, s.rect.X0), s.rect.X1-w)
		l.Rect(draw.Rect{X0: x, Y0: s.rect.Y0, X1: x + w, Y1: s.rect.Y1}, draw.Color(th.Text))
	}
}

// spanOf returns the room of frames a to b as far as it is visible.
func (s *FrameStrip) spanOf(a, b int) (x0, x1 float32, ok bool) {
	n := len(s.columns)
	if n == 0 {
		return 0, 0, false
	}
	first, lastCol := s.firstFrame(), s.columns[n-1]
	last := int(lastCol.bar.First+lastCol.bar.Count) - 1
	if b < first || a > last {
		return 0, 0, false
	}
	x0, x1 = s.rect.X0, s.rect.X1
	if l, _, in := s.xOfFrame(a); in {
		x0 = l
	}
	if _, r, in := s.xOfFrame(b); in {
		x1 = r
	}
	return x0, x1, true
}

// xOfTime returns the position of a time, between the columns' edges in proportion to the time;
// outside the columns it is their nearest edge.
func (s *FrameStrip) xOfTime(t *store.Track, timeNs int64) float32 {
	n := len(s.columns)
	if n == 0 {
		return s.rect.X0
	}
	i := t.FrameAt(timeNs)
	if i < s.firstFrame() {
		return max(s.rect.X0, s.columns[0].x0)
	}
	f := t.Frame(i)
	if timeNs >= f.End && i+1 < t.NumFrames() {
		if next := t.Frame(i + 1); next.Missing > 0 {
			if x0, _, ok := s.xOfFrame(i + 1); ok { // the gap's column is left of it
				if j := s.columnAt(x0 - 1); j >= 0 && s.columns[j].gap {
					g := s.columns[j]
					return g.x0 + (g.x1-g.x0)*panel.Share(timeNs, f.End, next.Begin)
				}
			}
		}
	}
	x0, x1, ok := s.xOfFrame(i)
	if !ok {
		return s.rect.X1
	}
	j := s.columnAt((x0 + x1) / 2)
	b := s.columns[j].bar
	begin, end := f.Begin, f.End
	if b.Count > 1 {
		begin = t.Frame(int(b.First)).Begin
		end = t.Frame(int(b.First+b.Count) - 1).End
	}
	return x0 + (x1-x0)*panel.Share(timeNs, begin, end)
}
