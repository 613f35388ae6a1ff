package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// What a timeline is besides its tracks: an axis of time with ruler, gutter, plot, a scroll position, gestures and cursors. LockChart and ProcessorChart have bands of their own on it.

// band is where a block of lanes or a group of rows lies, in content space: 0 is the top of the first one, whatever is scrolled.
type band struct{ y, h float32 }

func (b band) place() band { return b }

// bandAt returns the index of the band at a window position, -1 none.
func bandAt[B interface{ place() band }](t *Timeline, bands []B, pxY float32) int {
	if pxY < t.plot.Y0 || pxY >= t.plot.Y1 {
		return -1
	}
	y := pxY - t.plot.Y0 + t.scrollY
	for i := range bands {
		if b := bands[i].place(); y >= b.y && y < b.y+b.h {
			return i
		}
	}
	return -1
}

// bandY returns the edges of a band in the window; seen is false where it is scrolled out of the plot.
func (t *Timeline) bandY(b band) (y0, y1 float32, seen bool) {
	y0, y1 = t.screenY(b.y), t.screenY(b.y+b.h)
	return y0, y1, y1 > t.plot.Y0 && y0 < t.plot.Y1
}

// screenY returns the window position of a content position.
func (t *Timeline) screenY(y float32) float32 { return t.plot.Y0 + y - t.scrollY }

// place divides a rectangle among ruler, gutter, plot and a foot, which is the caller's.
func (t *Timeline) place(env *panel.Env, rect draw.Rect, gutterW, footH float32) {
	bottom := rect.Y1 - footH
	t.rect = rect
	t.ruler = draw.Rect{X0: rect.X0 + gutterW, Y0: rect.Y0, X1: rect.X1, Y1: min(rect.Y0+rulerHeight(env), bottom)}
	t.plot = draw.Rect{X0: t.ruler.X0, Y0: t.ruler.Y1, X1: rect.X1, Y1: bottom}
	t.gutter = draw.Rect{X0: rect.X0, Y0: t.ruler.Y1, X1: t.ruler.X0, Y1: bottom}
	env.View.Steer().SetWidthPx(t.plot.W())
}

func rulerHeight(env *panel.Env) float32 { return env.Px(rulerTickH) + env.Px(rulerFrameH) }

// based notes that the base was drawn.
func (t *Timeline) based() {
	t.mark, t.topKey = t.list.Mark(), timelineTopKey{}
	t.baseDraws++
}

// overChanged cuts the list off behind the base, and returns true, where what lies over it must be drawn anew.
func (t *Timeline) overChanged(env *panel.Env, in *panel.Input) bool {
	key := timelineTopKey{valid: true, cursor: env.View.CursorStamp(), ranging: t.ranging, zoom: t.zooming, rangeA: t.rangeA, rangeB: t.rangeB}
	if in.Over {
		key.mouseX, key.mouseY, key.over = in.X, in.Y, true
	}
	if key == t.topKey {
		return false
	}
	t.topKey = key
	t.list.Cut(t.mark)
	return true
}

// twoPixels returns the power of two, in ns, at or above the time of two pixels: what is shorter is merged.
func (t *Timeline) twoPixels() int64 {
	ns := int64(1)
	for float64(ns) < 2*t.nsPerPx && ns < 1<<60 {
		ns *= 2
	}
	return ns
}

// gesture handles the ruler, the edges of the selected range, and the common gestures in the plot. What remains is the caller's: clicks and the menu. done tells that nothing does.
func (t *Timeline) gesture(env *panel.Env, in *panel.Input) (res panel.GestureResult, done bool) {
	v := env.View
	if t.inputRuler(env, in) || t.inputEdge(env, in) {
		return res, true
	}
	area := t.plot
	if t.ruler.Contains(in.X, in.Y) {
		area = draw.Rect{X0: t.ruler.X0, Y0: t.ruler.Y0, X1: t.ruler.X1, Y1: t.plot.Y1} // the wheel works over the ruler, too
	}
	res = t.gestures.Update(env, v.Steer(), area, in)
	if res.ScrollPx != 0 {
		t.scrollTo(t.scrollY + res.ScrollPx)
	}
	if res.Ranging { // what is being pointed at must not run away
		v.Follow(false)
	}
	t.pullRange(env, in, &res)
	return res, false
}

// gutterGesture scrolls by the wheel and by a drag in the gutter. A click there, and the right button, are the caller's. done tells that the gutter has the mouse.
func (t *Timeline) gutterGesture(env *panel.Env, in *panel.Input) (clicked, menu, done bool) {
	over := in.Over && t.gutter.Contains(in.X, in.Y)
	if over && in.Left.Pressed {
		t.gutterDrag, t.lastY = true, in.Y
	}
	if t.gutterDrag {
		if in.Left.Dragging {
			t.scrollTo(t.scrollY + t.lastY - in.Y)
			t.lastY = in.Y
		}
		if in.Left.Released || !in.Left.Down {
			t.gutterDrag = false
			clicked = over && in.Left.Released && !in.Left.Dragging
		}
		return clicked, false, true
	}
	if !over || t.gestures.Drag != panel.DragNone {
		return false, false, false
	}
	t.gutterWheel(env, in)
	return false, in.Right.Released, true
}

func (t *Timeline) gutterWheel(env *panel.Env, in *panel.Input) {
	if in.WheelY != 0 {
		t.scrollTo(t.scrollY - in.WheelY*panel.WheelRowPx*env.Scale)
	}
}

// drawThreadName writes the name of a thread into the gutter, with its colour before it, in the height of its row.
func (t *Timeline) drawThreadName(env *panel.Env, row draw.Rect, track model.TrackID) {
	side, x := env.Px(7), t.gutter.X0+env.Px(18)
	y := row.Y0 + float32(int((row.H()-side)/2))
	fill, _ := subject.ThreadColor(env, track)
	t.list.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, fill)
	row.X0, row.X1 = t.gutter.X0+env.Px(31), t.gutter.X1-env.Px(5)
	t.list.TextIn(draw.Small, row, draw.Left, env.View.Session().Track(track).Title(), draw.Color(env.Theme.Text2))
}

// drawGutterEdge draws the line between gutter and plot.
func (t *Timeline) drawGutterEdge(env *panel.Env) {
	t.list.VLine(t.gutter.X1-max(1, float32(int(env.Scale))), t.rect.Y0, t.gutter.Y1, env.Scale, draw.Color(env.Theme.Separator))
}

// drawCursors draws the hover line, the playhead, the range and the scroll bar.
func (t *Timeline) drawCursors(env *panel.Env, in *panel.Input) {
	if v := env.View; v.HasHoverTime() {
		t.cursorLine(env, v.HoverTime(), max(1, float32(int(env.Scale))), draw.Color(env.Theme.Text).WithAlpha(70), true)
	}
	t.drawPlayhead(env)
	t.drawRange(env, in)
	t.drawScrollBar(env)
}
