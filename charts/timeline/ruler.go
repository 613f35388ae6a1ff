package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// frameLines describes which frame borders are drawn.
type frameLines struct {
	first, last int // indices of the frames that begin in the visible range; last < first: none
	lines       bool
	alpha       uint8 // of the lines: fainter the denser
	every       int   // label every n-th
}

// visibleFrames returns the frames of the view's track that begin in the visible range, and how densely they can be drawn.
func (t *Timeline) visibleFrames(env *panel.Env) (*model.Track, frameLines) {
	v := env.View
	tr := v.Shown()
	if tr == nil || tr.NumFrames() == 0 {
		return nil, frameLines{last: -1}
	}
	begin, end := v.Time().Visible()
	f := frameLines{first: tr.FrameAt(begin-1) + 1, last: tr.FrameAt(end)}
	n := f.last - f.first + 1
	if n <= 0 {
		return tr, f
	}
	perFrame := t.plot.W() / float32(n)
	f.lines = perFrame >= env.Px(7)
	f.alpha = uint8(14 + 32*min(perFrame/env.Px(90), 1))
	widest := env.Atlas.Measure(draw.Small, "#000000") + env.Px(14)
	f.every = int(format.NiceStep(float64(widest / perFrame)))
	return tr, f
}

// drawGrid draws the frame borders, or, where there are none (or too many), the ticks of the ruler, faintly, behind the bars.
func (t *Timeline) drawGrid(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	tr, f := t.visibleFrames(env)
	if tr != nil && f.lines {
		for i := f.first; i <= f.last; i++ {
			x := t.pxOf(tr.Frame(i).Begin, env)
			l.VLine(x, t.plot.Y0, t.plot.Y1, env.Scale, draw.Color(th.Grid).WithAlpha(f.alpha))
		}
		return
	}
	_, t.ticks = format.Ticks(v.Time(), t.plot, env.Px(86), t.ticks[:0])
	for _, at := range t.ticks {
		l.VLine(t.pxOf(at, env), t.plot.Y0, t.plot.Y1, env.Scale, draw.Color(th.Grid).WithAlpha(18))
	}
}

// drawRuler draws the time ticks and, below them, the frames' numbers.
func (t *Timeline) drawRuler(env *panel.Env) {
	l, th := t.list, env.Theme
	l.PushClip(draw.Rect{X0: t.rect.X0, Y0: t.ruler.Y0, X1: t.rect.X1, Y1: t.ruler.Y1 + 1})
	l.Rect(draw.Rect{X0: t.rect.X0, Y0: t.ruler.Y0, X1: t.rect.X1, Y1: t.ruler.Y1}, draw.Color(th.PanelTitle))
	l.HLine(t.rect.X0, t.rect.X1, t.ruler.Y1-env.Px(1), env.Scale, draw.Color(th.Separator))
	t.drawTicks(env)
	t.drawFrameLabels(env)
	l.PopClip()
	sep := t.ruler.X0 - max(1, float32(int(env.Scale)))
	l.VLine(sep, t.ruler.Y0, t.ruler.Y1, env.Scale, draw.Color(th.Separator))
}

func (t *Timeline) drawTicks(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	mid := t.ruler.Y0 + env.Px(rulerTickH)
	var sc format.TickScale
	sc, t.ticks = format.Ticks(v.Time(), t.ruler, env.Px(86), t.ticks[:0])
	l.PushClip(t.ruler)
	for _, at := range t.ticks {
		x := t.pxOf(at, env)
		l.VLine(x, mid-env.Px(5), mid, env.Scale, draw.Color(th.Text2).WithAlpha(120))
		t.buf = sc.AppendLabel(t.buf[:0], at)
		r := draw.Rect{X0: x + env.Px(4), Y0: t.ruler.Y0, X1: x + env.Px(84), Y1: mid}
		l.TextIn(draw.Small, r, draw.Left, panel.ScratchText(t.buf), draw.Color(th.Text2))
	}
	l.PopClip()
	if t.buf = sc.AppendBase(t.buf[:0]); len(t.buf) > 0 {
		r := draw.Rect{X0: t.rect.X0 + env.Px(4), Y0: t.ruler.Y0, X1: t.gutter.X1 - env.Px(5), Y1: mid}
		l.TextIn(draw.Small, r, draw.Right, panel.ScratchText(t.buf), draw.Color(th.Text2))
	}
}

// drawFrameLabels writes the numbers of the frames at their borders, and of the frames missing between them.
func (t *Timeline) drawFrameLabels(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	tr, f := t.visibleFrames(env)
	if tr == nil {
		return
	}
	y0, y1 := t.ruler.Y0+env.Px(rulerTickH), t.ruler.Y1-env.Px(1)
	l.PushClip(t.ruler)
	defer l.PopClip()
	free := t.ruler.X0
	if !f.lines { // too many frames to look at each
		begin, end := v.Time().Visible()
		t.labelGaps = tr.Gaps(begin, end, t.labelGaps[:0])
		for _, g := range t.labelGaps {
			t.drawMissingLabel(env, model.Frame{Number: g.FirstNumber - 1, End: g.Begin}, model.Frame{Number: g.LastNumber + 1, Begin: g.End, Missing: g.Count()}, y0, y1)
		}
	}
	every := int64(max(f.every, 1))
	for i, next := max(f.first-1, 0), 0; i <= f.last; i = next {
		fr := tr.Frame(i)
		next = i + 1
		if !f.lines {
			at, _ := tr.FrameByNumber((format.FloorDiv(fr.Number, every) + 1) * every)
			next = max(next, at)
		}
		x := t.pxOf(fr.Begin, env)
		if f.lines && i >= f.first {
			l.VLine(x, y0, t.ruler.Y1, env.Scale, draw.Color(th.Text2).WithAlpha(min(f.alpha*3, 120)))
		}
		if f.lines && i+1 < tr.NumFrames() {
			t.drawMissingLabel(env, fr, tr.Frame(i+1), y0, y1)
		}
		x = max(x, t.ruler.X0) // the frame that began before keeps its label in view
		if fr.Number%every != 0 || x < free {
			continue
		}
		end := t.ruler.X1
		if i+1 < tr.NumFrames() {
			if next := tr.Frame(i + 1); next.Missing > 0 {
				end = t.pxOf(fr.End, env)
			} else if f.every == 1 {
				end = t.pxOf(next.Begin, env)
			}
		}
		t.buf = format.AppendCount(append(t.buf[:0], '#'), fr.Number)
		col := draw.Color(th.Text2)
		if i >= v.FrameA() && i <= v.FrameB() && !v.Live() {
			col = draw.Color(th.Text)
		}
		r := draw.Rect{X0: x + env.Px(4), Y0: y0, X1: min(end, x+env.Px(110)), Y1: y1}
		if l.TextFit(draw.Small, r, draw.Left, panel.ScratchText(t.buf), col) {
			free = r.X0 + env.Atlas.Measure(draw.Small, panel.ScratchText(t.buf))
			if f.every > 1 {
				free += env.Px(8)
			}
		}
		if f.every > 1 && i < f.first {
			free = t.ruler.X0 // one that began before does not displace regular ones
		}
	}
}

// drawMissingLabel writes the numbers that are missing between two frames over their gap.
func (t *Timeline) drawMissingLabel(env *panel.Env, f, next model.Frame, y0, y1 float32) {
	if next.Missing <= 0 {
		return
	}
	x0, x1 := max(t.pxOf(f.End, env), t.ruler.X0), min(t.pxOf(next.Begin, env), t.ruler.X1)
	r := draw.Rect{X0: x0 + env.Px(4), Y0: y0, X1: x1 - env.Px(4), Y1: y1}
	if r.W() < env.Px(24) {
		return
	}
	col := draw.Color(env.Theme.TextDim)
	b := format.AppendCount(append(t.buf[:0], '#'), next.Number-next.Missing)
	if next.Missing > 1 {
		b = format.AppendCount(append(b, " – #"...), next.Number-1)
	}
	t.buf = b
	t.list.TextFit(draw.Small, r, draw.Center, panel.ScratchText(b), col)
}
