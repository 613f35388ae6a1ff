package strip

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/frames"
	"framescope/model/store"
)

// stripDrawKey is the extra inputs of the picture that the view's cursor stamp does not cover.
type stripDrawKey struct {
	cursor            uint64
	begin, end        float64
	scale             scale
	query             stripQueryKey
	refAt             int64
	crumb             int
	head, hz          bool
	fixedTop          float64
	mode              frames.StripMode
	guides, guideDrag int
	guideValue        float64
	zoom              timepane.ZoomRange
	words             string // of the empty chart
}

// thinnest is the height in pixels from which a separator between bands of like colors is drawn.
const thinnest = 6

// drawKey returns the present inputs of the picture.
func (c *Chart) drawKey(env *panel.Env) stripDrawKey {
	a := c.own.Window
	key := stripDrawKey{
		cursor: env.View.CursorStamp(), begin: a.BeginNs, end: a.EndNs, scale: c.scale, query: c.queryKey, refAt: c.ref.atNs,
		crumb: c.crumbs.Hover, head: !c.regions.head.Empty(), hz: c.Hz, fixedTop: c.FixedTop, mode: c.Columns,
		guides: len(c.Guides), guideDrag: c.guideDrag, zoom: c.time.Zoom(),
	}
	if c.guideDrag >= 0 && c.guideDrag < len(c.Guides) {
		key.guideValue = c.Guides[c.guideDrag]
	}
	return key
}

func (c *Chart) draw(env *panel.Env, s *store.Session) {
	l := c.List()
	if head := c.regions.head; !head.Empty() {
		head.X0, head.X1 = head.X0+env.Px(9), head.X1-env.Px(9)
		c.crumbs.Draw(l, env, head)
	}
	l.PushClip(c.regions.plot)
	c.washOver(env, s)
	c.drawBands(env)
	c.drawGaps(env)
	c.drawCut(env, s)
	c.drawNothing(env)
	l.PopClip()
	c.drawGuides(env, s)
	c.drawLimits(env)
	c.time.DrawTimes(l, env, c.own.Window, 46, nil)
	c.drawGapWords(env)
	c.drawLegend(env, s)
	c.drawRuler(env)
}

// drawEmpty describes the panel's content.
func (c *Chart) drawEmpty(env *panel.Env, rect draw.Rect) {
	words := "What the children of a collector take, frame by frame.\n" + panel.NoFrame
	if c.Levels {
		words = "The values of a counter, frame by frame.\n" + panel.NoFrame
	}
	if env.View.None() {
		words = "What the children of a collector take, frame by frame.\nConnect a game or open a recording."
	}
	if c.BeginBase(env, rect, stripDrawKey{words: words}) {
		panel.DrawWords(c.List(), env, rect, words)
	}
}

// drawBands draws the stack. Runs of columns in which a band has the same height become one
// rectangle.
func (c *Chart) drawBands(env *panel.Env) {
	l, v := c.List(), env.View
	cols, n := len(c.strip.Columns), len(c.strip.Bands)+1
	if len(c.edges) < cols*n || len(c.xs) <= cols {
		return
	}
	lineH, below := env.Px(1), draw.Color{}
	for k := range n - 1 {
		fill, found := c.bandFill(env, k)
		plain := fill
		if c.isLit(v, k) {
			fill = draw.Highlight(fill, env.Theme)
		}
		apart := k > 0 && panel.Alike(fill, below)
		below = plain
		// A sent color can be as dark as the ground: such a band gets an edge.
		dark := panel.Sunken(env, fill, found)
		// (Not by panel.EachRun: these are as many cells as a picture has, and half of its cost.)
		edges := c.edges[k:]
		for i, j := 0, 0; i < cols; i = j {
			y0, y1, state := edges[i*n+1], edges[i*n], c.strip.Columns[i].State
			for j = i + 1; j < cols && edges[j*n+1] == y0 && edges[j*n] == y1 && c.strip.Columns[j].State == state; {
				j++
			}
			if y1 <= y0 {
				continue
			}
			color := fill
			if state == frames.ColumnMissing {
				color = draw.Mix(fill, draw.Color(env.Theme.Panel), 140)
			}
			l.Rect(draw.Rect{X0: c.xs[i], Y0: y0, X1: c.xs[j], Y1: y1}, color)
			if apart && y1-y0 >= thinnest*lineH {
				l.HLine(c.xs[i], c.xs[j], y1-lineH, lineH, draw.Mix(color, draw.RGB(0, 0, 0), 90))
			}
			if dark {
				l.HLine(c.xs[i], c.xs[j], y0, lineH, draw.Color(env.Theme.TextDim))
			}
			if found && c.xs[j]-c.xs[i] >= foundWide*lineH && y1-y0 >= foundHigh*lineH {
				l.HLine(c.xs[i], c.xs[j], y0, lineH, draw.Color(env.Theme.Accent))
				l.HLine(c.xs[i], c.xs[j], y1-lineH, lineH, draw.Color(env.Theme.Accent))
			}
		}
	}
}

// foundWide and foundHigh are the least size of a run that has edges when it is found: those of lesser ones would
// be a noise of dots, and their color stands out by itself among the others, which are pale.
const foundWide, foundHigh = 4, 4

// bandFill returns the color of a band, and whether the search finds it: the band of the focus is that
// alone, the others hold their descendants. Waits are grey, each in another step of lightness.
func (c *Chart) bandFill(env *panel.Env, band int) (fill draw.Color, found bool) {
	fill, found = c.plainFill(env, c.strip.Bands[band])
	waits := func(k int) bool { return env.View.Session().Collector(c.strip.Bands[k]).Waits }
	if !waits(band) {
		return fill, found
	}
	n := 0
	for k := range band {
		if below, _ := c.plainFill(env, c.strip.Bands[k]); below == fill && waits(k) {
			n++
		}
	}
	return draw.Mix(fill, draw.Color(env.Theme.Text), waitSteps[n%len(waitSteps)]), found
}

// waitSteps are the shares of the color of text in waits, of 255: those of neighbours are far
// apart.
var waitSteps = [...]uint8{0, 40, 20, 60}

func (c *Chart) plainFill(env *panel.Env, id model.CollectorID) (fill draw.Color, found bool) {
	pal := env.Palette()
	if c.isOwn(env.View.Session(), id) {
		return pal.Drawn(id, false).Fill, pal.Found(id)
	}
	return pal.Group(id)
}

// isLit reports whether a band is the collector under the mouse in some panel, or holds it.
func (c *Chart) isLit(v *view.View, band int) bool {
	id, h := c.strip.Bands[band], v.Pointer().Collector()
	if h == model.NoCollector {
		return false
	}
	return id == h || !c.isOwn(v.Session(), id) && v.Session().Collectors().IsDescendant(h, id)
}

// gapRect returns the part of a plot, and of its sides, that a gap takes.
func gapRect(a format.Window, plot draw.Rect, g frames.Gap) draw.Rect {
	x0, x1 := panel.Snap(float32(a.ToPx(plot, g.Begin))), panel.Snap(float32(a.ToPx(plot, g.End)))
	return draw.Rect{X0: x0, Y0: plot.Y0, X1: x1, Y1: plot.Y1}
}

// drawGaps leaves stops dark, and hatches the missing intervals and the known part of the open frame, over the
// whole height.
func (c *Chart) drawGaps(env *panel.Env) {
	l, plot, a := c.List(), c.regions.plot, c.own.Window
	for _, x := range c.stops {
		r := gapRect(a, plot, frames.Gap{Begin: x.Begin, End: x.End})
		r.X1 = max(r.X1, r.X0+env.Px(5))
		if r = r.Intersect(plot); !r.Empty() {
			panel.DrawStop(l, env, r, x.End-x.Begin)
		}
	}
	var lastX float32 = -1
	for _, g := range c.gaps {
		r := gapRect(a, plot, g)
		r.X1 = max(r.X1, r.X0+env.Px(1))
		if r = r.Intersect(plot); r.Empty() || r.X1 <= lastX {
			continue // several in one pixel column
		}
		lastX = r.X1
		if r.W() < env.Px(3) {
			// Too thin for stripes: a dashed line, so that no gap goes unseen.
			l.DashedV(r.X0, r.Y0, r.Y1, r.W(), env.Px(2), env.Px(3), draw.Color(env.Theme.Hatch))
			continue
		}
		l.Hatch(r, draw.Color(env.Theme.Hatch))
	}
	if c.isOpen {
		if r := gapRect(a, plot, frames.Gap{Begin: c.open.Begin, End: c.open.End}).Intersect(plot); !r.Empty() {
			l.Hatch(r, draw.Color(env.Theme.Hatch))
			l.VLine(r.X0, r.Y0, r.Y1, env.Scale, draw.Color(env.Theme.Hatch))
		}
	}
}

// drawGapWords writes the number of missing frames into every gap with room for it.
func (c *Chart) drawGapWords(env *panel.Env) {
	l, plot, a := c.List(), c.regions.plot, c.own.Window
	for _, g := range c.gaps {
		r := gapRect(a, plot, g).Intersect(plot)
		if r.W() < env.Px(30) {
			continue
		}
		c.buf = append(format.AppendCount(c.buf[:0], g.Count()), " missing"...)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf)) + env.Px(8)
		if w > r.W() {
			continue
		}
		mid := (r.X0 + r.X1) / 2
		tag := draw.Rect{X0: panel.Snap(mid - w/2), Y0: r.Y0 + env.Px(4), X1: panel.Snap(mid + w/2), Y1: r.Y0 + env.Px(20)}
		l.Rect(tag, draw.Color(env.Theme.Panel))
		l.TextFit(draw.Small, tag, draw.Center, panel.ScratchText(c.buf), draw.Color(env.Theme.Text2))
	}
}

// drawCut tears the columns with a stack beyond the upper edge, and writes its height if there is
// room.
func (c *Chart) drawCut(env *panel.Env, s *store.Session) {
	l, plot := c.List(), c.regions.plot
	n := len(c.strip.Bands) + 1
	if len(c.xs) == 0 || n == 1 {
		return
	}
	ground, free := draw.Color(env.Theme.Panel), plot.X0
	panel.EachRun(len(c.strip.Columns), func(i int) bool { return c.edges[i*n+n-1] < plot.Y0 }, func(over bool, i, j int) {
		if !over {
			return
		}
		x1 := max(c.xs[j], c.xs[i]+env.Px(2))
		panel.DrawTorn(l, env, c.xs[i], x1, plot.Y0, ground)
		most := float32(0)
		for k := i; k < j; k++ {
			most = max(most, c.strip.Columns[k].Net)
		}
		c.buf = c.appendSample(c.buf[:0], float64(most), c.unit(s))
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf)) + env.Px(8)
		r := draw.Rect{X0: x1 + env.Px(1), Y0: plot.Y0, X1: x1 + env.Px(1) + w, Y1: plot.Y0 + env.Px(15)}
		if r.X1 > plot.X1 {
			r.X0, r.X1 = c.xs[i]-env.Px(1)-w, c.xs[i]-env.Px(1)
		}
		if r.X0 >= free {
			l.TextPlate(draw.Small, r, draw.Center, panel.ScratchText(c.buf), draw.Color(env.Theme.Over), ground)
			free = r.X1
		}
	})
}

// drawNothing writes a text if frames are in view but nothing has a height.
func (c *Chart) drawNothing(env *panel.Env) {
	if slices.ContainsFunc(c.peaks, func(v float32) bool { return v > 0 }) {
		return
	}
	words := "No frame began in this time."
	if slices.ContainsFunc(c.strip.Columns, func(x frames.StripColumn) bool { return x.State == frames.ColumnData }) {
		words = "Nothing but 0 in this time."
	}
	panel.DrawWords(c.List(), env, c.regions.plot, words)
}

// overBands is the alpha of lines of the grid: they lie on bands of any color.
const overBands = 24

// drawGuides draws the knee, the automatic guide bars, the target and the user's, with their values
// at the right.
func (c *Chart) drawGuides(env *panel.Env, s *store.Session) {
	plot, l := c.regions.plot, c.List()
	if c.scale.top <= 0 || plot.Empty() {
		return
	}
	th, unit := env.Theme, c.unit(s)
	hz := 1e9 / float64(subject.Budget(env))
	c.layGuides(env, hz)
	target := float32(-1e6)
	for _, value := range c.guides {
		if y := c.valueY(value); !c.Levels && isTarget(value, hz) && y > plot.Y0+1 {
			target = y
		}
	}
	lastY := plot.Y0 - env.Px(13)
	if c.scale.knee > 0 {
		c.drawKnee(env)
	} else if panel.Abs32(target-plot.Y0) >= env.Px(13) && c.guideFree(env, plot.Y0) {
		lastY = plot.Y0
		c.drawValue(env, plot.Y0, c.scale.top, unit, draw.Color(th.TextDim))
	}
	for _, value := range slices.Backward(c.guides) {
		y := c.valueY(value)
		if y <= plot.Y0+1 {
			continue // VIEWER.md section 6.4: not within the top pixel row
		}
		if y == target && !isTarget(value, hz) {
			continue // on the target's pixel, with another value
		}
		if y == target {
			l.DashedH(plot.X0, plot.X1, y, env.Px(1), env.Px(5), env.Px(4), draw.Color(th.Target).WithAlpha(200))
			c.drawValue(env, y, value, unit, draw.Color(th.Text))
			lastY = y
			continue
		}
		l.HLine(plot.X0, plot.X1, y, env.Px(1), draw.Color(th.Text).WithAlpha(overBands))
		if y-lastY >= env.Px(13) && panel.Abs32(y-target) >= env.Px(13) && c.guideFree(env, y) {
			c.drawValue(env, y, value, unit, draw.Color(th.Text2))
			lastY = y
		}
	}
	for i, value := range c.Guides {
		if value <= 0 || value > c.scale.top {
			continue
		}
		y := c.valueY(value)
		color := draw.Color(th.Text)
		w := format.Pick(i == c.guideDrag, env.Px(2), env.Px(1))
		l.HLine(plot.X0, plot.X1, y, w, color)
		c.drawValue(env, y, value, unit, color)
	}
	l.HLine(plot.X0, plot.X1, plot.Y1, env.Px(1), draw.Color(th.Separator))
}

// drawKnee draws the line from which the scale is logarithmic, with a mark on the axis.
func (c *Chart) drawKnee(env *panel.Env) {
	l, plot, y := c.List(), c.regions.plot, c.valueY(c.scale.knee)
	color := draw.Color(env.Theme.TextDim)
	l.HLine(plot.X0, plot.X1, y, env.Px(1), color.WithAlpha(110))
	d, w := env.Px(3), max(1, env.Px(1)) // on the plot: beside it are the values
	l.Line(plot.X1-d, y-d, plot.X1, y, w, color)
	l.Line(plot.X1-d, y+d, plot.X1, y, w, color)
}

// layGuides decides the values of the automatic guide bars, ascending: about as many as there is
// room for, at equal distances where the scale is linear and doubling above its knee.
func (c *Chart) layGuides(env *panel.Env, hz float64) {
	c.guides = c.guides[:0]
	plot, full := c.regions.plot, c.scale.top
	height := plot.H()
	if c.scale.knee > 0 {
		full, height = c.scale.knee, height*kneeShare
	}
	n := max(2, min(6, int(height/env.Px(44))))
	step := format.LevelStep(n, full)
	if !c.Levels {
		if step = guideStep(n, full, hz); step*hz < 0.24 && !c.Hz {
			step = format.LevelStep(n, full) // a seventh of the target is no useful mark: round times
		}
		if c.scale.knee*hz > 1.4 && c.scale.knee*hz < 1.6 {
			step = 1 / hz
		}
	}
	if !(step > 0) || full/step >= 64 {
		return
	}
	for k := 1; k <= int(full/step*(1+1e-9)); k++ {
		c.guides = append(c.guides, float64(k)*step)
	}
	if c.scale.knee > 0 {
		for v := 2 * max(step, math.Floor(full/step)*step); v <= c.scale.top; v *= 2 {
			c.guides = append(c.guides, v)
		}
	}
	if target := 1 / hz; !c.Levels && target <= c.scale.top { // is always marked
		at, _ := slices.BinarySearch(c.guides, target*(1-1e-9))
		if at == len(c.guides) || !isTarget(c.guides[at], hz) {
			c.guides = slices.Insert(c.guides, at, target)
		}
	}
}

// guideFree reports whether no user's guide bar has its value near y: automatic labels yield to them.
func (c *Chart) guideFree(env *panel.Env, y float32) bool {
	return !slices.ContainsFunc(c.Guides, func(g float64) bool { return panel.Abs32(c.valueY(g)-y) < env.Px(13) })
}

// unit returns the unit of level values.
func (c *Chart) unit(s *store.Session) string {
	if !c.Levels {
		return ""
	}
	return subject.UnitOf(s, c.Focus)
}

// limits returns the limits of the whole stack: of the focus by name, or with callees.
func (c *Chart) limits(env *panel.Env) []*view.Limit {
	c.limited = c.limited[:0]
	for _, x := range env.Limits.Of(c.track, c.Focus) {
		if m := x.Budget.Measure; c.Levels == (m == budget.Level) && m != budget.Calls && m != budget.Self {
			c.limited = append(c.limited, x)
		}
	}
	return c.limited
}

// drawLimits draws the lines of limits.
func (c *Chart) drawLimits(env *panel.Env) {
	for _, x := range c.limits(env) {
		value := x.Budget.Limit
		if x.Budget.Measure.Times() {
			value /= 1e9
		}
		if value > 0 && value <= c.scale.top {
			subject.DrawLimit(c.List(), env, c.regions.plot, c.valueY(value), x)
		}
	}
}

// washOver lays a wash over the time of frames that are over a limit, below the bands. Frames are those
// that the verdict counts.
func (c *Chart) washOver(env *panel.Env, s *store.Session) {
	t, a, plot := s.Track(c.track), c.own.Window, c.regions.plot
	if !a.Valid() {
		return
	}
	begin, end := a.Visible()
	from := t.FrameAt(begin)
	if from = max(from, 0); from >= t.NumFrames() {
		return
	}
	number := t.Frame(from).Number
	for _, x := range c.limits(env) {
		at, _ := slices.BinarySearch(x.OverAt, number)
		last := plot.X0
		for _, n := range x.OverAt[at:] {
			i, ok := t.FrameByNumber(n)
			if !ok {
				continue // it has left since
			}
			f := t.Frame(i)
			if f.Begin > end {
				break
			}
			x0, x1 := panel.Snap(float32(a.ToPx(plot, f.Begin))), panel.Snap(float32(a.ToPx(plot, f.End)))
			r := draw.Rect{X0: max(x0, last), Y0: plot.Y0, X1: max(x1, x0+1), Y1: plot.Y1}
			if r.X1 > r.X0 {
				c.List().Rect(r, subject.LimitWash(env))
				last = r.X1
			}
		}
	}
}
