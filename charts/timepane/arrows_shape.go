// The arrows between things on lanes along time: their looks, those from signals to the waits that they
// ended, and those of flows from span to span, with the words for their ends. They know no panel.

package timepane

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// ArrowShape is an arrow as it is drawn, from its begin to its head, in pixels. It leaves a bar by its upper
// or lower edge, so that the bar's text stays readable, and comes to another from the left, or with Down by
// such an edge.
type ArrowShape struct {
	X0, Y0, X1, Y1 float32
	Down           bool
}

// ArrowStyle is how an arrow is drawn.
type ArrowStyle struct {
	Color draw.Color
	Width float32 // in pixels
}

// Sizes in scale-1 pixels.
const (
	steepW   = 20  // narrower ones go straight, from edge to edge
	bowH     = 18  // how far an arrow within a lane bends out of it
	farBend  = 120 // how far before its head an arrow from the left is level
	headW    = 3
	headLong = 7
	parts    = 20 // of a curve
)

// Steep reports whether an arrow of a width goes straight.
func Steep(env *panel.Env, width float32) bool { return max(width, -width) < env.Px(steepW) }

// Seam draws the ground around an arrow that is drawn over it, so that it is seen on whatever it crosses. Of
// several all seams come first.
func (a ArrowShape) Seam(l *draw.List, env *panel.Env, st ArrowStyle) {
	a.Draw(l, env, ArrowStyle{draw.Color(env.Theme.Panel).WithAlpha(200), st.Width + env.Px(2)})
}

// Draw draws a line with a head at its end: straight where there is no room beside it, else a curve.
func (a ArrowShape) Draw(l *draw.List, env *panel.Env, st ArrowStyle) {
	clip := l.Clip()
	if max(a.X0, a.X1) < clip.X0-env.Px(80) || min(a.X0, a.X1) > clip.X1+env.Px(80) {
		return
	}
	var buf [parts + 1]draw.Point
	line, ux, uy := a.line(env, &buf)
	l.Polyline(line, st.Width, st.Color)
	a.head(l, env, st.Width, ux, uy, st.Color)
}

// head draws the head, which points along a unit vector.
func (a ArrowShape) head(l *draw.List, env *panel.Env, width, ux, uy float32, c draw.Color) {
	w, long, tip := env.Px(headW)+width/2, env.Px(headLong)+width/2, (width-env.Px(1))/2
	x, y := a.X1-ux*long, a.Y1-uy*long
	l.Triangle(x-uy*w, y+ux*w, x+uy*w, y-ux*w, a.X1+ux*tip, a.Y1+uy*tip, c)
}

// line returns the points of the line, up to the head, and which way that points.
func (a ArrowShape) line(env *panel.Env, buf *[parts + 1]draw.Point) (line []draw.Point, ux, uy float32) {
	c1, c2, straight := a.controls(env)
	ux, uy = unit(a.X1-c2.X, a.Y1-c2.Y)
	end := draw.Point{X: a.X1 - ux*env.Px(headLong-1), Y: a.Y1 - uy*env.Px(headLong-1)}
	if straight {
		line = append(buf[:0], draw.Point{X: a.X0, Y: a.Y0}, end)
		return line, ux, uy
	}
	for i := range buf {
		buf[i] = bezier(draw.Point{X: a.X0, Y: a.Y0}, c1, c2, end, float32(i)/parts)
	}
	return buf[:], ux, uy
}

// controls returns the points that a curve is drawn towards; straight: it is a line.
func (a ArrowShape) controls(env *panel.Env) (c1, c2 draw.Point, straight bool) {
	dx, dy := a.X1-a.X0, a.Y1-a.Y0
	wide := max(dx, -dx)
	switch {
	case max(dy, -dy) < 2:
		h := min(wide/4, env.Px(bowH))
		return draw.Point{X: a.X0 + dx/4, Y: a.Y0 - h}, draw.Point{X: a.X1 - dx/4, Y: a.Y1 - h}, false
	case Steep(env, dx):
		return c1, draw.Point{X: a.X0, Y: a.Y0}, true
	}
	c1, c2 = draw.Point{X: a.X0, Y: a.Y0 + dy*0.6}, draw.Point{X: a.X1 - min(wide/2, env.Px(farBend)), Y: a.Y1}
	if a.Down {
		c2 = draw.Point{X: a.X1, Y: a.Y1 - dy*0.6}
	}
	return c1, c2, false
}

// Mid returns the middle of the arrow.
func (a ArrowShape) Mid(env *panel.Env) draw.Point {
	c1, c2, straight := a.controls(env)
	if straight {
		return draw.Point{X: (a.X0 + a.X1) / 2, Y: (a.Y0 + a.Y1) / 2}
	}
	return bezier(draw.Point{X: a.X0, Y: a.Y0}, c1, c2, draw.Point{X: a.X1, Y: a.Y1}, 0.5)
}

func bezier(a, b, c, d draw.Point, t float32) draw.Point {
	u := 1 - t
	wa, wb, wc, wd := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return draw.Point{X: wa*a.X + wb*b.X + wc*c.X + wd*d.X, Y: wa*a.Y + wb*b.Y + wc*c.Y + wd*d.Y}
}

func unit(dx, dy float32) (ux, uy float32) {
	if n := float32(math.Hypot(float64(dx), float64(dy))); n > 0 {
		return dx / n, dy / n
	}
	return 1, 0
}
