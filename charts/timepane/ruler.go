package timepane

import (
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model/frames"
	"framescope/model/store"
)

// frameLines describes which frame borders are drawn.
type frameLines struct {
	first, last int  // indices of the frames that begin in the visible range; last < first: none
	lines       bool // else they are too many to look at each
	alpha       uint8
	every       int // label every n-th
}

// visibleFrames returns the frames of the view's track that begin in the visible range, and how
// densely they can be drawn: fainter the denser.
func (p *Pane) visibleFrames(env *panel.Env) (*store.Track, frameLines) {
	v := env.View
	tr := v.Lead()
	if tr == nil || tr.NumFrames() == 0 {
		return nil, frameLines{last: -1}
	}
	begin, end := v.Time().Visible()
	f := frameLines{first: tr.FrameAt(begin-1) + 1, last: tr.FrameAt(end)}
	n := f.last - f.first + 1
	if n <= 0 {
		return tr, f
	}
	perFrame := p.plot.W() / float32(n)
	f.lines = perFrame >= env.Px(7)
	f.alpha = uint8(80 + 175*min(perFrame/env.Px(90), 1))
	widest := env.Atlas.Measure(draw.Small, "#000000") + env.Px(14)
	f.every = int(format.NiceStep(float64(widest / perFrame)))
	return tr, f
}

// drawGrid draws the frame borders, or, where there are none (or too many), the ticks of the ruler,
// faintly.
func (p *Pane) drawGrid(env *panel.Env) {
	l, grid := p.List(), draw.Color(env.Theme.Grid)
	tr, f := p.visibleFrames(env)
	if tr != nil && f.lines {
		for i := f.first; i <= f.last; i++ {
			l.VLine(p.PxOf(env, tr.Frame(i).Begin), p.plot.Y0, p.plot.Y1, env.Scale, grid.WithAlpha(f.alpha))
		}
		if o, ok := tr.OpenFrame(); ok {
			l.VLine(p.PxOf(env, o.Begin), p.plot.Y0, p.plot.Y1, env.Scale, grid.WithAlpha(f.alpha))
		}
		return
	}
	p.layTicks(env)
	for _, at := range p.ticks {
		l.VLine(p.PxOf(env, at), p.plot.Y0, p.plot.Y1, env.Scale, grid)
	}
}

// drawRuler draws the time ticks and, below them, the frames' numbers.
func (p *Pane) drawRuler(env *panel.Env) {
	l, th := p.List(), env.Theme
	whole := draw.Rect{X0: p.rect.X0, Y0: p.ruler.Y0, X1: p.rect.X1, Y1: p.ruler.Y1}
	l.PushClip(draw.Rect{X0: whole.X0, Y0: whole.Y0, X1: whole.X1, Y1: whole.Y1 + 1})
	l.Rect(whole, draw.Color(th.PanelTitle))
	l.HLine(whole.X0, whole.X1, whole.Y1-env.Px(1), env.Scale, draw.Color(th.Separator))
	p.placeFlags(env)
	p.drawTicks(env)
	p.drawFrameLabels(env)
	p.drawFlags(env)
	l.PopClip()
	l.VLine(p.ruler.X0-One(env), p.ruler.Y0, p.ruler.Y1, env.Scale, draw.Color(th.Separator))
}

// layTicks chooses the ruler's marks: times from the begin of the selected frame on, or of the
// session while it is live, if no frame is selected, or if that is so far away that only its
// distance would be visible.
func (p *Pane) layTicks(env *panel.Env) {
	v := env.View
	p.relative, p.clock = p.shape.Ruler.Fixed, false
	if p.relative {
		p.tickFrom = p.shape.Ruler.ZeroNs
		p.countTicks(env)
		return
	}
	if s := v.Session(); v.Look().ShowDayTime() {
		if at, ok := s.Info().ZeroAt.At(0); ok {
			p.tickFrom = -int64(at.Sub(at.Truncate(24 * time.Hour)))
			p.countTicks(env)
			p.clock = p.scale.StepNs >= 1e9
			return
		}
	}
	if tr := v.Lead(); tr != nil && !v.Live() && v.LeadA() >= 0 && v.LeadA() < tr.NumFrames() {
		p.tickFrom = tr.Frame(v.LeadA()).Begin
		if p.countTicks(env); p.scale.BaseNs == 0 {
			p.relative = true
			return
		}
	}
	p.tickFrom = 0
	p.countTicks(env)
}

// countTicks lays ticks that count from tickFrom.
func (p *Pane) countTicks(env *panel.Env) {
	w := env.View.Time()
	w.BeginNs, w.EndNs = w.BeginNs-float64(p.tickFrom), w.EndNs-float64(p.tickFrom)
	p.scale, p.ticks = format.Ticks(w, p.ruler, env.Px(86), p.ticks[:0])
	for i := range p.ticks {
		p.ticks[i] += p.tickFrom
	}
}

func (p *Pane) drawTicks(env *panel.Env) {
	l, th := p.List(), env.Theme
	if p.labels = p.labels[:0]; p.shape.Ruler.Bare {
		return
	}
	mid := p.ruler.Y0 + p.tickH(env)
	p.layTicks(env)
	sc := p.scale
	l.PushClip(p.ruler)
	for _, at := range p.ticks {
		x := p.PxOf(env, at)
		l.VLine(x, mid-env.Px(5), mid, env.Scale, draw.Color(th.Text2).WithAlpha(120))
		switch ns := at - p.tickFrom; {
		case p.relative:
			p.buf = sc.AppendOffset(p.buf[:0], ns)
		case p.clock:
			p.buf = format.AppendClock(p.buf[:0], ns%int64(24*time.Hour), 1e9)
		default:
			p.buf = sc.AppendLabel(p.buf[:0], ns)
		}
		r := draw.Rect{X0: x + env.Px(4), Y0: p.ruler.Y0, X1: min(x+env.Px(84), p.ruler.X1), Y1: mid}
		text := panel.ScratchText(p.buf)
		words := draw.Rect{X0: r.X0, Y0: r.Y0, X1: min(r.X1, r.X0+env.Atlas.Measure(draw.Small, text)), Y1: r.Y1}
		if r.X0 >= p.ruler.X0 && !p.flags.Meets(words) && l.TextFit(draw.Small, r, draw.Left, text, draw.Color(th.Text2)) {
			p.labels = append(p.labels, words)
		}
	}
	l.PopClip()
	switch p.buf = p.buf[:0]; {
	case p.relative:
		p.buf = append(p.buf, sc.Unit()...)
	case !p.clock:
		p.buf = sc.AppendBase(p.buf)
	}
	if len(p.buf) > 0 {
		r := draw.Rect{X0: p.rect.X0 + env.Px(4), Y0: p.ruler.Y0, X1: p.gutter.X1 - env.Px(5), Y1: mid}
		if over := env.Atlas.Measure(draw.Small, panel.ScratchText(p.buf)) - r.W(); over > 0 { // its last digits matter
			r.X1 += over
			l.Rect(draw.Rect{X0: p.rect.X0, Y0: r.Y0, X1: r.X1 + env.Px(5), Y1: r.Y1 - env.Px(5)}, draw.Color(th.PanelTitle))
		}
		l.TextIn(draw.Small, r, draw.Right, panel.ScratchText(p.buf), draw.Color(th.Text2))
	}
}

// drawFrameLabels writes the numbers of the frames at their borders, and of those missing between.
func (p *Pane) drawFrameLabels(env *panel.Env) {
	l, th, v := p.List(), env.Theme, env.View
	tr, f := p.visibleFrames(env)
	if tr == nil {
		return
	}
	y0, y1 := p.ruler.Y0+p.tickH(env), p.ruler.Y1-env.Px(1)
	if id := tr.Def.ID; id != v.Session().MainTrack() { // its frames have numbers of their own
		r := draw.Rect{X0: p.rect.X0 + env.Px(4), Y0: y0, X1: p.gutter.X1 - env.Px(5), Y1: y1}
		l.TextIn(draw.Small, r, draw.Right, subject.ThreadName(v.Session(), id), draw.Color(th.Text2))
	}
	l.PushClip(p.ruler)
	defer l.PopClip()
	if !f.lines {
		begin, end := v.Time().Visible()
		p.labelGaps = tr.Gaps(begin, end, p.labelGaps[:0])
		for _, g := range p.labelGaps {
			before := frames.Frame{Number: g.FirstNumber - 1, End: g.Begin}
			after := frames.Frame{Number: g.LastNumber + 1, Begin: g.End, Missing: g.Count()}
			p.drawMissingLabel(env, before, after, y0, y1)
		}
	}
	if f.lines { // below all numbers: those reach into the cells behind theirs
		p.drawFrameCells(env, tr, f, y0)
	}
	behind := p.drawOpenFrame(env, tr, y0, y1)
	free, every := p.ruler.X0, int64(max(f.every, 1))
	for i, next := max(f.first-1, 0), 0; i <= f.last; i = next {
		fr := tr.Frame(i)
		next = i + 1
		if !f.lines {
			at, _ := tr.FrameByNumber((format.FloorDiv(fr.Number, every) + 1) * every)
			next = max(next, at)
		}
		x := p.PxOf(env, fr.Begin)
		if f.lines && i+1 < tr.NumFrames() {
			p.drawMissingLabel(env, fr, tr.Frame(i+1), y0, y1)
		}
		x = max(x, p.ruler.X0) // the frame that began before keeps its label in view
		wide := f.every == 1 || p.wideFrame(env, fr)
		if !wide && (fr.Number%every != 0 || i < f.first) || x < free {
			continue
		}
		end := behind
		if i+1 < tr.NumFrames() {
			if next := tr.Frame(i + 1); next.Missing > 0 {
				end = p.PxOf(env, fr.End)
			} else if wide {
				end = p.PxOf(env, next.Begin)
			}
		}
		for k := i + 1; !wide && f.lines && k <= f.last && p.PxOf(env, tr.Frame(k).Begin) < x+env.Px(wideFramePx); k++ {
			if p.wideFrame(env, tr.Frame(k)) {
				end = p.PxOf(env, tr.Frame(k).Begin)
				break
			}
		}
		p.buf = format.AppendCount(append(p.buf[:0], '#'), fr.Number)
		col := draw.Mix(draw.Color(th.Text2), draw.Color(th.Text), 60) // legible on the ground of a slow frame
		if i >= v.LeadA() && i <= v.LeadB() && !v.Live() {
			col = draw.Color(th.Text)
		}
		if wide && f.lines && end-x >= env.Px(40) && p.drawCause(env, i, fr, x+env.Px(9), (y0+y1)/2) {
			x += env.Px(12)
		}
		r := draw.Rect{X0: x + env.Px(4), Y0: y0, X1: min(end, x+env.Px(110), p.ruler.X1), Y1: y1}
		if p.shape.Ruler.Bare && p.flags.Meets(r) {
			continue
		}
		if l.TextFit(draw.Small, r, draw.Left, panel.ScratchText(p.buf), col) {
			free = r.X0 + env.Atlas.Measure(draw.Small, panel.ScratchText(p.buf))
			if wide && f.lines {
				p.drawFrameTime(env, i, fr, draw.Rect{X0: free + env.Px(8), Y0: y0, X1: min(end, p.ruler.X1), Y1: y1}, col)
			}
			if f.every > 1 {
				free += env.Px(8)
			}
		}
	}
}

// wideFramePx is how wide a frame is at least that has its number and time in its own cell, though others have not.
const wideFramePx = 70

func (p *Pane) wideFrame(env *panel.Env, f frames.Frame) bool {
	return p.PxOf(env, f.End)-max(p.PxOf(env, f.Begin), p.ruler.X0) >= env.Px(wideFramePx)
}

// drawOpenFrame draws the cell of the frame that is open, as far as it is known, and returns where that begins.
func (p *Pane) drawOpenFrame(env *panel.Env, t *store.Track, y0, y1 float32) (x0 float32) {
	o, ok := t.OpenFrame()
	if x0 = p.ruler.X1; !ok {
		return x0
	}
	r := draw.Rect{X0: p.PxOf(env, o.Begin), Y0: y0, X1: min(p.PxOf(env, o.End), p.ruler.X1), Y1: p.ruler.Y1 - env.Px(1)}
	if r.X0 >= p.ruler.X1 || r.X1 <= p.ruler.X0 {
		return min(r.X0, x0)
	}
	l, color := p.List(), draw.Color(env.Theme.TextDim)
	l.Hatch(r, draw.Color(env.Theme.Hatch))
	l.VLine(r.X0, y0, p.ruler.Y1, env.Scale, color)
	p.buf = append(format.AppendCount(append(p.buf[:0], '#'), o.Number), " open, at least "...)
	p.buf = format.AppendDuration(p.buf, o.End-o.Begin)
	l.TextFit(draw.Small, draw.Rect{X0: max(r.X0, p.ruler.X0) + env.Px(4), Y0: y0, X1: p.ruler.X1, Y1: y1}, draw.Left,
		panel.ScratchText(p.buf), color)
	return r.X0
}

// drawFrameCells draws the grounds of the frames in view, and the lines between them.
func (p *Pane) drawFrameCells(env *panel.Env, t *store.Track, f frameLines, y0 float32) {
	color := draw.Color(env.Theme.Text2).WithAlpha(min(f.alpha*3, 120))
	for i := max(f.first-1, 0); i <= f.last; i++ {
		fr := t.Frame(i)
		p.drawFrameCell(env, i, fr, y0)
		if i >= f.first {
			p.List().VLine(p.PxOf(env, fr.Begin), y0, p.ruler.Y1, env.Scale, color)
		}
	}
}

// drawFrameCell draws the ground of a frame's cell below the ruler: tinted where the frame is slow,
// brighter where it is selected.
func (p *Pane) drawFrameCell(env *panel.Env, i int, f frames.Frame, y0 float32) {
	th, v := env.Theme, env.View
	ground, tint := draw.Color(th.PanelTitle), uint8(60)
	selected := i >= v.LeadA() && i <= v.LeadB() && !v.Live()
	if selected {
		tint = 130
	}
	r := draw.Rect{X0: p.PxOf(env, f.Begin), Y0: y0, X1: p.PxOf(env, f.End), Y1: p.ruler.Y1 - env.Px(1)}
	switch ns := f.End - f.Begin; {
	case v.Lead().Stopped(i):
		p.List().Hatch(r, draw.Color(th.Hatch))
		return
	case v.Session().Frames().Hitch(v.LeadTrack(), i):
		ground = draw.Mix(ground, draw.Color(th.Bad), tint)
	case subject.OverBudget(ns, v.Look().FrameBudgetNs()):
		ground = draw.Mix(ground, draw.Color(th.Over), tint/2)
	case selected:
		ground = draw.Mix(ground, draw.Color(th.Text), 36)
	default:
		return
	}
	p.List().Rect(r, ground)
}

// drawCause draws the mark of a hitch's cause before the number of its frame; false: it is none.
func (p *Pane) drawCause(env *panel.Env, i int, f frames.Frame, x, y float32) bool {
	v := env.View
	if !v.Session().Frames().Hitch(v.LeadTrack(), i) {
		return false
	}
	shape, color := subject.GroupMark(env, panel.Causes(env).Group(f.Number))
	color = draw.Mix(color, draw.Color(env.Theme.Text), 200) // legible on the ground of a slow frame
	subject.DrawMark(p.List(), shape, color, x, y, env.Px(9))
	return true
}

// drawFrameTime writes behind a frame's number how long it took, and how much longer than typical
// where it stands out, as far as there is room.
func (p *Pane) drawFrameTime(env *panel.Env, i int, f frames.Frame, r draw.Rect, color draw.Color) {
	l, ns := p.List(), f.End-f.Begin
	p.buf = p.buf[:0]
	if env.View.Lead().Stopped(i) {
		p.buf = append(p.buf, "stopped "...)
	}
	p.buf = format.AppendDuration(p.buf, ns)
	x, track := env.View.Session().Frames(), env.View.LeadTrack()
	if !l.TextFit(draw.Small, r, draw.Left, panel.ScratchText(p.buf), color) || !x.Hitch(track, i) {
		return
	}
	r.X0 += env.Atlas.Measure(draw.Small, panel.ScratchText(p.buf)) + env.Px(8)
	p.buf = append(format.AppendBeside(append(p.buf[:0], '+'), ns-x.Around(track, i).MedianNs, ns), " over typical"...)
	l.TextFit(draw.Small, r, draw.Left, panel.ScratchText(p.buf), color)
}

// drawMissingLabel writes the numbers that are missing between two frames over their gap.
func (p *Pane) drawMissingLabel(env *panel.Env, f, next frames.Frame, y0, y1 float32) {
	if next.Missing <= 0 {
		return
	}
	x0, x1 := max(p.PxOf(env, f.End), p.ruler.X0), min(p.PxOf(env, next.Begin), p.ruler.X1)
	r := draw.Rect{X0: x0 + env.Px(4), Y0: y0, X1: x1 - env.Px(4), Y1: y1}
	if r.W() < env.Px(24) {
		return
	}
	p.buf = format.AppendCount(append(p.buf[:0], '#'), next.Number-next.Missing)
	if next.Missing > 1 {
		p.buf = format.AppendCount(append(p.buf, " – #"...), next.Number-1)
	}
	p.List().TextFit(draw.Small, r, draw.Center, panel.ScratchText(p.buf), draw.Color(env.Theme.TextDim))
}

// placeFlags gives the bookmarks their places at the top of the ruler.
func (p *Pane) placeFlags(env *panel.Env) {
	p.flags.Reset()
	for _, m := range env.View.Bookmarks() {
		p.flags.Place(env, &m, p.PxOf(env, m.Found.BeginNs), p.ruler.Y0+env.Px(1), p.ruler.X0, p.ruler.X1)
	}
}

// drawFlags draws the bookmarks, and below each a line as long as its place.
func (p *Pane) drawFlags(env *panel.Env) {
	y, color := p.ruler.Y0+p.tickH(env), draw.Color(env.Theme.Accent)
	for _, m := range env.View.Bookmarks() {
		x0, x1, seen := p.PxRange(env, m.Found.BeginNs, m.Found.EndNs)
		if seen && m.Found.EndNs > m.Found.BeginNs {
			p.List().HLine(max(x0, p.ruler.X0), min(x1, p.ruler.X1), y-env.Px(2), env.Px(2), color.WithAlpha(150))
		}
	}
	p.flags.Draw(p.List(), env, y)
}

// hitRuler describes the frame of the view's track over which the mouse is, or the bookmark.
func (p *Pane) hitRuler(env *panel.Env, hit *panel.Hit, pxX, pxY float32) {
	if flag, ok := p.flags.Hit(env, pxX, pxY); ok {
		*hit = flag
		return
	}
	v := env.View
	hit.Kind, hit.Track = panel.HitAxis, v.LeadTrack()
	tr := v.Lead()
	if tr == nil {
		return
	}
	if hit.Frame = tr.FrameCovering(hit.TimeNs); hit.Frame < 0 {
		if o, ok := tr.OpenFrame(); ok && hit.TimeNs >= o.Begin && hit.TimeNs <= o.End {
			subject.OpenTip(&p.tip, tr, o)
			hit.Lines = p.tip.All()
		}
		return
	}
	f := tr.Frame(hit.Frame)
	if hit.TimeNs > f.End {
		return
	}
	p.tip.Text("Frame ").Count(f.Number).Text(" of ").Text(tr.Title()).End()
	subject.FrameTip(&p.tip, f, v.Look().FrameBudgetNs())
	hit.Lines = p.tip.All()
}

// Scale turns times into positions, for pictures of many bars. It serves as long as the pane shows the
// same time.
type Scale struct {
	base              int64
	left, frac, perNs float64
	least, most       float64
	plotX0, plotX1    float32
}

// Scale returns the scale of the pane.
func (p *Pane) Scale(env *panel.Env) Scale {
	w, left, right := env.View.Time(), float64(p.plot.X0), float64(p.plot.X1)
	s := Scale{left: left, least: left - 8, most: right + 8, plotX0: p.plot.X0, plotX1: p.plot.X1}
	if w.Valid() {
		s.base = int64(w.BeginNs)
		s.frac, s.perNs = w.BeginNs-float64(s.base), float64(p.plot.W())/w.Width()
	}
	return s
}

// PxOf is PxOf of the pane.
func (s *Scale) PxOf(timeNs int64) float32 {
	x := s.left + (float64(timeNs-s.base)-s.frac)*s.perNs
	if x < s.least { // by hand: min and max handle NaN
		x = s.least
	}
	if x > s.most {
		x = s.most
	}
	return draw.WholePx(x)
}

// PxRange is PxRange of the pane.
func (s *Scale) PxRange(beginNs, endNs int64) (x0, x1 float32, seen bool) {
	x0, x1 = s.PxOf(beginNs), s.PxOf(endNs)
	if x1 < x0+1 {
		x1 = x0 + 1
	}
	return x0, x1, x1 > s.plotX0 && x0 < s.plotX1
}
