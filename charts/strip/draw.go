package strip

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
)

// stripDrawKey is everything that the picture depends on, besides what the view's cursor revision covers.
type stripDrawKey struct {
	rect       draw.Rect
	scale      float32
	cursor     uint64
	begin, end float64
	top        float64
	query      stripQueryKey
	refAt      int64
	crumb      int
	chip       int
	hz         bool
	scaleMode  ScaleMode
	mode       model.StripMode
	guides     int
	guideDrag  int
	guideValue float64
	zoom       timepane.ZoomRange
	linked     bool
	theme      *assets.Theme
	valid      bool
}

// thinnest is the height in pixels from which a separator between bands of like colours is drawn.
const thinnest = 6

func (c *Chart) drawIfChanged(env *panel.Env, s *model.Session, track *model.Track, in *panel.Input) {
	a := c.window(env)
	key := stripDrawKey{
		rect: c.regions.all, scale: env.Scale, cursor: env.View.CursorStamp(), begin: a.BeginNs, end: a.EndNs, top: c.top, query: c.queryKey, refAt: c.ref.atNs,
		crumb: c.crumbs.Hover, chip: c.chips.Hover, hz: c.Hz, scaleMode: c.Scale, mode: c.Columns, guides: len(c.Guides), guideDrag: c.guideDrag,
		zoom: c.time.Zoom(), linked: c.Linked, theme: env.Theme, valid: true,
	}
	if c.guideDrag >= 0 && c.guideDrag < len(c.Guides) {
		key.guideValue = c.Guides[c.guideDrag]
	}
	if key == c.drawKey {
		return
	}
	c.drawKey = key
	c.draw(env, s, track)
}

func (c *Chart) draw(env *panel.Env, s *model.Session, track *model.Track) {
	l, r := c.list, &c.regions
	l.Reset(r.all)
	l.Rect(r.all, draw.Color(env.Theme.Panel))
	c.drawHead(env)
	l.PushClip(r.plot)
	c.drawBands(env)
	c.drawGaps(env)
	c.drawCut(env)
	c.drawNothing(env)
	l.PopClip()
	c.drawGuides(env, s)
	c.drawTime(env)
	c.drawGapWords(env)
	c.drawLabels(env, s)
	c.drawRuler(env)
}

// drawEmpty says what the panel will show.
func (c *Chart) drawEmpty(env *panel.Env, rect draw.Rect) {
	key := stripDrawKey{rect: rect, scale: env.Scale, theme: env.Theme, valid: true}
	if key == c.drawKey {
		return
	}
	c.drawKey = key
	c.list.Reset(rect)
	c.list.Rect(rect, draw.Color(env.Theme.Panel))
	words := "What the children of a collector take, frame by frame.\n" + panel.NoFrame
	if c.Levels {
		words = "The values of a counter, frame by frame.\n" + panel.NoFrame
	}
	if env.View.Session() == nil {
		words = "What the children of a collector take, frame by frame.\nConnect a game or open a recording."
	}
	panel.DrawWords(c.list, env, rect, words)
}

// chip ids of the strip chart.
const (
	chipUnit = iota
	chipColumns
	chipScale
)

// layHead lays the switches out; before input, so that they can be pressed where they are.
func (c *Chart) layHead(env *panel.Env) {
	c.chips.Begin()
	if !c.Levels {
		if c.Hz {
			c.chips.Add(chipUnit, "Hz", false)
		} else {
			c.chips.Add(chipUnit, "ms", false)
		}
	}
	switch c.Columns {
	case model.StripHold:
		c.chips.Add(chipColumns, "hold", false)
	case model.StripMax:
		c.chips.Add(chipColumns, "max", false)
	default:
		c.chips.Add(chipColumns, "smooth", true)
	}
	if c.Scale == ScaleAuto {
		c.chips.Add(chipScale, "auto scale", false)
	} else {
		c.chips.Add(chipScale, "fixed scale", true)
	}
	h := c.regions.head
	h.X1 -= env.Px(6)
	h.X0 += env.Px(80) // for the way back
	c.chips.LayOut(env, h)
}

func (c *Chart) drawHead(env *panel.Env) {
	h := c.regions.head
	h.X0 += env.Px(9)
	h.X1 -= env.Px(6)
	for i := range c.chips.Chips {
		if r := c.chips.Chips[i].Rect; !r.Empty() {
			h.X1 = min(h.X1, r.X0-env.Px(8))
		}
	}
	c.crumbs.Draw(c.list, env, h)
	c.chips.Draw(c.list, env)
}

// drawBands draws the stack. Runs of columns in which a band has the same height become one rectangle.
func (c *Chart) drawBands(env *panel.Env) {
	l, v := c.list, env.View
	pal := v.Palette()
	cols, n := len(c.strip.Columns), len(c.strip.Bands)+1
	if len(c.edges) < cols*n || len(c.xs) <= cols {
		return
	}
	lineH := env.Px(1)
	for k := range n - 1 {
		id := c.strip.Bands[k]
		fill := pal.Fill(id)
		if c.isLit(v, k) {
			fill = draw.Highlight(fill)
		}
		apart := k > 0 && panel.Alike(fill, pal.Fill(c.strip.Bands[k-1]))
		// A sent colour can be as dark as the ground: such a band gets an edge.
		dark := panel.Alike(fill, draw.Color(env.Theme.Panel))
		for i := 0; i < cols; {
			y1, y0, state := c.edges[i*n+k], c.edges[i*n+k+1], c.strip.Columns[i].State
			j := i + 1
			for j < cols && c.edges[j*n+k] == y1 && c.edges[j*n+k+1] == y0 && c.strip.Columns[j].State == state {
				j++
			}
			if y1 > y0 {
				color := fill
				if state == model.ColumnMissing {
					color = draw.Mix(fill, draw.Color(env.Theme.Panel), 140)
				}
				bar := draw.Rect{X0: c.xs[i], Y0: y0, X1: c.xs[j], Y1: y1}
				l.Rect(bar, color)
				if apart && y1-y0 >= thinnest*lineH {
					l.HLine(bar.X0, bar.X1, bar.Y1-lineH, lineH, draw.Mix(color, draw.RGB(0, 0, 0), 90))
				}
				if dark {
					l.HLine(bar.X0, bar.X1, bar.Y0, lineH, draw.Color(env.Theme.TextDim))
				}
			}
			i = j
		}
	}
}

// isLit tells whether a band is what is under the mouse in some panel, or holds it.
func (c *Chart) isLit(v *view.View, band int) bool {
	id, h := c.strip.Bands[band], v.HoverCollector()
	if h == model.NoCollector {
		return false
	}
	return id == h || id != c.Focus && v.Session().IsDescendant(h, id)
}

// drawGaps hatches the missing intervals, over the whole height, and says how much is missing where there is room.
func (c *Chart) drawGaps(env *panel.Env) {
	l, plot, a := c.list, c.regions.plot, c.window(env)
	var lastX float32 = -1
	for _, g := range c.gaps {
		r := draw.Rect{X0: panel.Snap(float32(a.ToPx(plot, g.Begin))), Y0: plot.Y0, X1: panel.Snap(float32(a.ToPx(plot, g.End))), Y1: plot.Y1}
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
}

// drawGapWords says in every gap with room for it how many frames are missing.
func (c *Chart) drawGapWords(env *panel.Env) {
	l, plot, a := c.list, c.regions.plot, c.window(env)
	for _, g := range c.gaps {
		r := draw.Rect{X0: panel.Snap(float32(a.ToPx(plot, g.Begin))), Y0: plot.Y0, X1: panel.Snap(float32(a.ToPx(plot, g.End))), Y1: plot.Y1}.Intersect(plot)
		if r.W() < env.Px(30) {
			continue
		}
		c.buf = appendMissing(c.buf[:0], g)
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

// appendMissing appends "8 missing".
func appendMissing(dst []byte, g model.Gap) []byte {
	return append(format.AppendCount(dst, g.Count()), " missing"...)
}

// drawCut marks the columns whose stack goes beyond the upper edge.
func (c *Chart) drawCut(env *panel.Env) {
	l, plot := c.list, c.regions.plot
	n := len(c.strip.Bands) + 1
	if len(c.xs) == 0 || n == 1 {
		return
	}
	for i := 0; i < len(c.strip.Columns); i++ {
		if c.edges[i*n+n-1] >= plot.Y0 {
			continue
		}
		j := i + 1
		for j < len(c.strip.Columns) && c.edges[j*n+n-1] < plot.Y0 {
			j++
		}
		x0, x1 := c.xs[i], max(c.xs[j], c.xs[i]+env.Px(2))
		l.Rect(draw.Rect{X0: x0, Y0: plot.Y0, X1: x1, Y1: plot.Y0 + env.Px(3)}, draw.Color(env.Theme.Over))
		i = j
	}
}

// drawNothing says so where frames are in view but nothing has a height.
func (c *Chart) drawNothing(env *panel.Env) {
	for k := range c.peaks {
		if c.peaks[k] > 0 {
			return
		}
	}
	words := "No frame began in this time."
	for i := range c.strip.Columns {
		if c.strip.Columns[i].State == model.ColumnData {
			words = "Nothing but 0 in this time."
			break
		}
	}
	panel.DrawWords(c.list, env, c.regions.plot, words)
}

// drawGuides draws the automatic guide bars, the target and the user's, with their values at the right.
func (c *Chart) drawGuides(env *panel.Env, s *model.Session) {
	plot := c.regions.plot
	if c.top <= 0 || plot.Empty() {
		return
	}
	th := env.Theme
	lastY := plot.Y0 // the full scale's label keeps its place
	unit := c.unit(s)
	c.drawValue(env, plot.Y0, c.top, unit, draw.Color(th.TextDim))
	n := max(2, min(6, int(plot.H()/env.Px(44))))
	step, hz := format.LevelStep(n, c.top), 0.0
	if !c.Levels {
		hz = 1e9 / float64(subject.Budget(env))
		if step = guideStep(n, c.top, hz); step*hz < 0.24 && !c.Hz {
			step = format.LevelStep(n, c.top) // a seventh of the target says nothing to anybody: round times
		}
	}
	if step > 0 && c.top/step < 64 {
		for k := int(c.top / step * (1 + 1e-9)); k >= 1; k-- {
			value := float64(k) * step
			y := c.valueY(value)
			if y <= plot.Y0+1 {
				continue // pstats-viewer section 6.4: not within the top pixel row
			}
			if !c.Levels && isTarget(value, hz) {
				c.list.DashedH(plot.X0, plot.X1, y, env.Px(1), env.Px(5), env.Px(4), draw.Color(th.Target).WithAlpha(200))
				c.drawValue(env, y, value, unit, draw.Color(th.Text))
				lastY = y
				continue
			}
			c.list.HLine(plot.X0, plot.X1, y, env.Px(1), draw.Color(th.Grid))
			if y-lastY >= env.Px(13) && c.guideFree(env, y) {
				c.drawValue(env, y, value, unit, draw.Color(th.Text2))
				lastY = y
			}
		}
	}
	for i, value := range c.Guides {
		if value <= 0 || value > c.top {
			continue
		}
		y := c.valueY(value)
		color := draw.Color(th.Accent)
		w := env.Px(1)
		if i == c.guideDrag {
			w = env.Px(2)
		}
		c.list.HLine(plot.X0, plot.X1, y, w, color)
		c.drawValue(env, y, value, unit, color)
	}
	c.list.HLine(plot.X0, plot.X1, plot.Y1, env.Px(1), draw.Color(th.Separator))
}

// guideFree tells whether no user's guide bar has its value near y: automatic labels yield to them.
func (c *Chart) guideFree(env *panel.Env, y float32) bool {
	for _, g := range c.Guides {
		if panel.Abs32(c.valueY(g)-y) < env.Px(13) {
			return false
		}
	}
	return true
}

// valueY returns the whole pixel of a value.
func (c *Chart) valueY(value float64) float32 {
	plot := c.regions.plot
	return plot.Y1 - panel.Snap(float32(value/c.top*float64(plot.H())))
}

// unit returns the unit of level values.
func (c *Chart) unit(s *model.Session) string {
	if !c.Levels {
		return ""
	}
	return subject.UnitOf(s, c.Focus)
}
