// Package timepane is a plot along time: a ruler with ticks and frames, a gutter for names, a plot
// with scrolling content, the gestures of an axis of time, cursors, and the selected range with its
// edges. A chart has a Pane, and on it a Stack of groups of lanes. The package owns the chart's
// draw list: its base is filled again only when its inputs changed, the overlay when the mouse or
// the playhead moved. It knows the view, but not the content of lanes.
package timepane

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
)

// Sizes in scale-1 pixels.
const (
	rulerTickH  = 17
	rulerFrameH = 16
)

// Pane is a plot along the time of a session. In each tick its chart calls Place, Input and Show.
// The zero value is ready.
type Pane struct {
	panel.Layers[baseKey, overKey]

	rect, plot, gutter, ruler draw.Rect
	shape                     Shape
	scrollY                   float32 // pixels above the plot's top edge
	nsPerPx                   float64

	gestures              panel.Gestures
	gutterDrag, rulerDrag bool
	lastX, lastY          float32
	edge                  rangeEdge
	pulled                pulledRange
	readout               rangeReadout

	ticks     []int64
	labels    []draw.Rect // places of the ruler's tick times
	scale     format.TickScale
	tickFrom  int64 // ticks count from here
	relative  bool
	clock     bool    // ticks are times of day, seconds or more apart
	edges     []int64 // near the end of a range, to snap to
	labelGaps []frames.Gap
	flags     subject.Flags // of bookmarks, on the ruler
	names     draw.Names    // in the gutter
	buf       []byte
	tip       panel.TipLines
	hit       panel.Hit
}

// Shape is how a chart divides its rectangle, sizes in pixels.
type Shape struct {
	GutterW  float32 // of the names at the left
	FootH    float32 // below plot and gutter, the chart's own
	ContentH float32 // of the scrolled content
	Empty    bool    // there is nothing to show
	Threads  []Thread
	Ruler    Ruler
	Turn     uint64 // another one draws the content again
}

// Ruler sets the origin of a ruler, for panes on a common scale. The zero value chooses the best
// one for a single pane.
type Ruler struct {
	Fixed  bool  // it counts from ZeroNs
	ZeroNs int64 // on the session's clock
	Bare   bool  // it has no row of times: that of another pane is above it
	Of     Frames
}

// Frames are the frames First to Last of a thread, by number, for the figures beside names; the zero
// value: the selected ones.
type Frames struct {
	Some        bool
	Track       model.TrackID
	First, Last int64
}

// Thread is a thread that the readout of a range sums up. OffsetNs is added to its times.
type Thread struct {
	Track    model.TrackID
	OffsetNs int64
}

// Content is a chart on a Pane.
type Content interface {
	// DrawBase draws the content of the plot, until EndPlot, and the parts beside it.
	DrawBase(env *panel.Env)
	// Thing returns the hovered item, or NoCollector.
	Thing(env *panel.Env, in *panel.Input) model.CollectorID
	// DrawOver draws the parts that move with the mouse.
	DrawOver(env *panel.Env, in *panel.Input)
}

// Show draws the chart of the pane if anything changed, and publishes its hovered item to the other
// panels.
func (p *Pane) Show(env *panel.Env, in *panel.Input, c Content) {
	if p.beginBase(env) {
		c.DrawBase(env)
		p.endBase(env)
	}
	thing := model.NoCollector
	if p.Pointing(in) {
		thing = c.Thing(env, in)
	}
	p.reportHover(env, in, c, thing)
	if p.beginOver(env, in) {
		c.DrawOver(env, in)
		p.endOver(env, in)
	}
}

// baseKey is the extra inputs of the list's base.
type baseKey struct {
	view       uint64
	begin, end float64
	scrollY    float32
	empty      bool
	ruler      Ruler
	turn       uint64
}

// overKey is the inputs of the overlay.
type overKey struct {
	cursor         uint64
	pulled         pulledRange
	mouseX, mouseY float32
	over           bool
}

// Plot returns the rectangle of the plot in the window.
func (p *Pane) Plot() draw.Rect { return p.plot }

// Gutter returns the rectangle of the names at the left of the plot.
func (p *Pane) Gutter() draw.Rect { return p.gutter }

// Empty reports whether the pane is empty, as of the last Place.
func (p *Pane) Empty() bool { return p.shape.Empty }

// RulerH returns the height of the ruler.
func RulerH(env *panel.Env) float32 { return env.Px(rulerTickH) + env.Px(rulerFrameH) }

// tickH returns the height of the row of times.
func (p *Pane) tickH(env *panel.Env) float32 {
	return format.Pick(p.shape.Ruler.Bare, 0, env.Px(rulerTickH))
}

// rulerH is RulerH of this pane.
func (p *Pane) rulerH(env *panel.Env) float32 { return p.tickH(env) + env.Px(rulerFrameH) }

// One returns the width of the thinnest line, a whole number of pixels.
func One(env *panel.Env) float32 { return max(1, float32(int(env.Scale))) }

// Place divides a rectangle among ruler, gutter, plot and foot, and scrolls back where there is
// less content than before.
func (p *Pane) Place(env *panel.Env, rect draw.Rect, s Shape) {
	v, x, bottom := env.View, rect.X0+s.GutterW, rect.Y1-s.FootH
	p.rect, p.shape = rect, s
	p.ruler = draw.Rect{X0: x, Y0: rect.Y0, X1: rect.X1, Y1: min(rect.Y0+p.rulerH(env), bottom)}
	p.plot = draw.Rect{X0: x, Y0: p.ruler.Y1, X1: rect.X1, Y1: bottom}
	p.gutter = draw.Rect{X0: rect.X0, Y0: p.ruler.Y1, X1: x, Y1: bottom}
	p.shape.Empty = s.Empty || !v.Time().Valid()
	v.Steer().SetWidthPx(p.plot.W())
	p.nsPerPx = v.Time().NsPerPx(p.plot)
	p.ScrollTo(p.scrollY)
}

// Extent returns how high ruler, content and foot are together, as of the last Place; 0 where the
// pane is empty.
func (p *Pane) Extent(env *panel.Env) float32 {
	if p.shape.Empty {
		return 0
	}
	return p.rulerH(env) + p.shape.ContentH + p.shape.FootH
}

// Scroll returns how many pixels of the content are above the plot.
func (p *Pane) Scroll() float32 { return p.scrollY }

// ScrollTo scrolls, as far as there is content.
func (p *Pane) ScrollTo(y float32) {
	p.scrollY = float32(int(min(max(y, 0), max(p.shape.ContentH-p.plot.H(), 0))))
}

// ScreenY returns the position in the window of one in the content.
func (p *Pane) ScreenY(y float32) float32 { return p.plot.Y0 + y - p.scrollY }

// NsPerPx returns how much time a pixel is.
func (p *Pane) NsPerPx() float64 { return p.nsPerPx }

// PowerOf returns the power of two, in ns, at or above the time of n pixels. Spans shorter than
// that of two pixels are merged, so that nothing shimmers in a zoom.
func (p *Pane) PowerOf(n float32) int64 {
	ns := int64(1)
	for float64(ns) < float64(n)*p.nsPerPx && ns < 1<<60 {
		ns *= 2
	}
	return ns
}

// PxOf returns the whole-pixel position of a time, bounded to just outside the plot.
func (p *Pane) PxOf(env *panel.Env, timeNs int64) float32 {
	x := env.View.Time().ToPx(p.plot, timeNs)
	return float32(math.Round(min(max(x, float64(p.plot.X0)-8), float64(p.plot.X1)+8)))
}

// PxRange returns the edges of a stretch of time in whole pixels, at least one apart. seen is false
// where it is outside the plot.
func (p *Pane) PxRange(env *panel.Env, beginNs, endNs int64) (x0, x1 float32, seen bool) {
	x0, x1 = p.PxOf(env, beginNs), p.PxOf(env, endNs)
	x1 = max(x1, x0+1)
	return x0, x1, x1 > p.plot.X0 && x0 < p.plot.X1
}

// Inside returns the part of a rectangle that is inside the plot, less a margin at either side.
func (p *Pane) Inside(r draw.Rect, left, right float32) draw.Rect {
	r.X0, r.X1 = max(r.X0, p.plot.X0)+left, min(r.X1, p.plot.X1)-right
	return r
}

// Beside returns the part of the gutter beside a stretch of the plot, less a margin at either side.
func (p *Pane) Beside(y0, y1, left, right float32) draw.Rect {
	return draw.Rect{X0: p.gutter.X0 + left, Y0: y0, X1: p.gutter.X1 - right, Y1: y1}
}

// Name writes a name into the gutter, shortened so that names of the same list differ; for the
// Label of a Lane.
func (p *Pane) Name(list NameList, f draw.Face, r draw.Rect, name string, c draw.Color) {
	p.names.Add(int(list), f, r, draw.Left, name, c)
}

// NameList is a kind of names in the gutter.
type NameList int

// The kinds of names.
const (
	GroupNames NameList = iota // of groups of lanes
	RowNames                   // of rows in them
)

// TimeAt returns the time at a position in the window.
func (p *Pane) TimeAt(env *panel.Env, pxX float32) int64 {
	return env.View.Time().ToTime(p.plot, float64(pxX))
}

// beginBase reports whether the base must be drawn, and has begun it if so: with the ground, and
// unless the pane is empty with the selected range and the grid, clipped to the plot until EndPlot.
func (p *Pane) beginBase(env *panel.Env) bool {
	w := env.View.Time()
	p.nsPerPx = w.NsPerPx(p.plot)
	key := baseKey{
		view: env.View.Stamp(), begin: w.BeginNs, end: w.EndNs, scrollY: p.scrollY, empty: p.shape.Empty,
		ruler: p.shape.Ruler, turn: p.shape.Turn,
	}
	if !p.BeginBase(env, p.rect, key) {
		return false
	}
	if !p.shape.Empty {
		p.List().PushClip(p.plot)
		p.drawSelectedRange(env)
		p.drawGrid(env)
	}
	return true
}

// EndPlot ends the clipping to the plot.
func (p *Pane) EndPlot() { p.List().PopClip() }

// endBase ends the base, with the edge of the gutter and the ruler.
func (p *Pane) endBase(env *panel.Env) {
	if !p.shape.Empty {
		x := p.gutter.X1 - One(env)
		p.List().VLine(x, p.rect.Y0, p.gutter.Y1, env.Scale, draw.Color(env.Theme.Separator))
		p.drawRuler(env)
	}
}

// beginOver reports whether the overlay must be drawn, and has cut it off if so.
func (p *Pane) beginOver(env *panel.Env, in *panel.Input) bool {
	key := overKey{cursor: env.View.CursorStamp(), pulled: p.pulled}
	if in.Over {
		key.mouseX, key.mouseY, key.over = in.X, in.Y, true
	}
	return p.BeginOver(key) && !p.shape.Empty
}

// Gesture is the chart's part of a tick's input: a click or the menu at X, Y.
type Gesture struct {
	Click, DoubleClick, MiddleClick, Menu bool
	Label                                 bool // in the gutter, else in the plot
	X, Y                                  float32
}

// Snapper provides further times that the ends of a range snap to, besides frames.
type Snapper interface {
	// Edges appends times near a point at which something begins or ends.
	Edges(pxX, pxY float32, out []int64) []int64
}

// Input handles a tick's mouse and held keys: the playhead on the ruler, the edges of the selected
// range, scrolling in the gutter, and the gestures of the axis in the plot. snap may be nil.
func (p *Pane) Input(env *panel.Env, in *panel.Input, snap Snapper) (g Gesture) {
	if p.shape.Empty || p.inputGutter(env, in, &g) || p.inputRuler(env, in) || p.inputEdge(env, in, snap) {
		return g
	}
	area := p.plot
	if p.ruler.Contains(in.X, in.Y) { // the wheel works over the ruler, too
		area.Y0 = p.ruler.Y0
	}
	res := p.gestures.Update(env, env.View.Steer(), area, in)
	if res.ScrollPx != 0 {
		p.ScrollTo(p.scrollY + res.ScrollPx)
	}
	if res.Ranging { // pointed-at data must not run away
		env.View.Follow(false)
	}
	p.pullRange(env, in, &res, snap)
	return Gesture{
		Click: res.Click && p.plot.Contains(res.X, res.Y), DoubleClick: res.DoubleClick, MiddleClick: res.MiddleClick,
		Menu: res.Menu, X: res.X, Y: res.Y,
	}
}

// inputGutter scrolls by the wheel and by a drag in the gutter. done means that it has the mouse.
func (p *Pane) inputGutter(env *panel.Env, in *panel.Input, g *Gesture) (done bool) {
	over := in.Over && p.gutter.Contains(in.X, in.Y)
	*g = Gesture{Label: true, X: in.X, Y: in.Y}
	if over && in.Left.Pressed {
		p.gutterDrag, p.lastY = true, in.Y
	}
	if p.gutterDrag {
		if in.Left.Dragging {
			p.ScrollTo(p.scrollY + p.lastY - in.Y)
			p.lastY = in.Y
		}
		if in.Left.Released || !in.Left.Down {
			p.gutterDrag = false
			g.Click = over && in.Left.Released && !in.Left.Dragging
		}
		return true
	}
	if !over || p.gestures.Drag != panel.DragNone {
		return false
	}
	if in.WheelY != 0 {
		p.ScrollTo(p.scrollY - in.WheelY*panel.WheelRowPx*env.Scale)
	}
	g.Menu = in.Right.Released
	return true
}

// inputRuler moves the playhead while the left button is held on the ruler. done means that it is.
func (p *Pane) inputRuler(env *panel.Env, in *panel.Input) (done bool) {
	begins := in.Over && in.Left.Pressed && p.ruler.Contains(in.X, in.Y) && !in.Shift && !in.Ctrl
	if begins && p.gestures.Drag == panel.DragNone {
		if p.flags.Press(env, in.X, in.Y) {
			return true
		}
		p.rulerDrag = true
	}
	if !p.rulerDrag {
		return false
	}
	x := min(max(in.X, p.plot.X0), p.plot.X1-1)
	if in.Left.Pressed || x != p.lastX {
		p.lastX = x
		env.View.PlacePlayhead(p.TimeAt(env, x))
	}
	if in.Left.Released || !in.Left.Down {
		p.rulerDrag = false
	}
	return true
}

// ZoomToFrame zooms to the frame at a position, to everything where there are no frames.
func (p *Pane) ZoomToFrame(env *panel.Env, pxX float32) {
	v := env.View
	tr := v.Shown()
	if tr == nil || tr.NumFrames() == 0 {
		v.Steer().FitAll()
		return
	}
	if i := tr.FrameCovering(p.TimeAt(env, pxX)); i >= 0 {
		f := tr.Frame(i)
		v.Steer().ZoomTo(f.Begin, f.End)
	}
}

// MenuOf opens the context menu of a hit; there is none in the gutter beside the labels.
func (g Gesture) MenuOf(hit panel.Hit) panel.Action {
	if g.Label && hit.Kind == panel.HitNothing {
		return panel.Action{}
	}
	return panel.MenuOf(hit, g.X, g.Y)
}

// Pointing reports whether the mouse points at the chart, and no drag is under way.
func (p *Pane) Pointing(in *panel.Input) bool {
	return in.Over && !p.gestures.Busy() && !p.shape.Empty && p.rect.Contains(in.X, in.Y) && in.Y < p.plot.Y1
}

// reportHover publishes the hovered item to the other panels: a thing, or NoCollector, and the time.
// owner is the chart.
func (p *Pane) reportHover(env *panel.Env, in *panel.Input, owner any, thing model.CollectorID) {
	timed := in.X >= p.plot.X0
	if !p.Pointing(in) || !timed && thing == model.NoCollector {
		env.View.Pointer().Clear(owner)
		return
	}
	env.View.Pointer().Set(owner, thing, p.TimeAt(env, in.X), timed)
}

// Tip returns the lines of the tooltip that HitTest began.
func (p *Pane) Tip() *panel.TipLines { return &p.tip }

// HitTest begins a hit test at a point: its time, and on the ruler the frame. more means that the
// point is in the plot, the gutter or the foot, which the chart has to test. The answer is the
// pane's, valid until the next call.
func (p *Pane) HitTest(env *panel.Env, pxX, pxY float32) (hit *panel.Hit, more bool) {
	hit = &p.hit
	*hit = panel.NoHit()
	if p.shape.Empty || !env.View.Time().Valid() || !p.rect.Contains(pxX, pxY) {
		return hit, false
	}
	hit.TimeNs = p.TimeAt(env, pxX)
	p.tip.Begin()
	if p.ruler.Contains(pxX, pxY) {
		p.hitRuler(env, hit, pxX, pxY)
		return hit, false
	}
	return hit, true
}
