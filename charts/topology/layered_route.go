package topology

import (
	"math"
	"slices"

	"framescope/charts/format"
)

// route makes the curves of the edges of a part, once everything in it has its place.
func (lv *level) route(c *component) {
	if len(c.arcs) == 0 {
		return
	}
	// The sides of the ranks: edges run straight over the ranks and turn between them.
	var left, right []float32
	for _, v := range c.vs {
		x := &lv.vs[v]
		for int(x.rank) >= len(left) {
			left, right = append(left, float32(math.Inf(1))), append(right, float32(math.Inf(-1)))
		}
		left[x.rank], right[x.rank] = min(left[x.rank], float32(x.x)), max(right[x.rank], float32(x.x+x.w))
	}
	for _, i := range c.arcs {
		a := &lv.arcs[i]
		u, v := &lv.vs[a.u], &lv.vs[a.v]
		from := Point{float32(u.x), float32(u.y + a.yu)}
		if a.uRight {
			from.X = float32(u.x + u.w)
		}
		to := Point{float32(v.x + v.w), float32(v.y + a.yv)}
		if a.vLeft {
			to.X = float32(v.x)
		}
		r := routed{step: a.step, level: lv.id, points: []Point{from}}
		switch {
		case a.direct:
			r.points = curveTo(r.points, to, bulge(a.uRight, lv.opt.GapX), bulge(!a.vLeft, lv.opt.GapX))
		case a.back:
			lv.routeBack(&r, a, to, left, right)
		default:
			if a.uRight {
				r.points = lineTo(r.points, Point{right[u.rank], from.Y})
			}
			for _, b := range a.chain {
				x := &lv.vs[b]
				y := float32(x.y)
				r.points = turnTo(r.points, Point{left[x.rank], y})
				r.points = lineTo(r.points, Point{right[x.rank], y})
				r.bends = append(r.bends, x.y)
			}
			if a.vLeft {
				r.points = turnTo(r.points, Point{left[v.rank], to.Y})
				r.points = lineTo(r.points, to)
			} else {
				r.points = curveTo(r.points, to, bulge(true, lv.opt.GapX), bulge(true, lv.opt.GapX))
			}
		}
		r.first, r.last = lv.sideOf(u), lv.sideOf(v)
		if r.step < 0 {
			slices.Reverse(r.points)
			r.step = -1 - r.step
			r.first, r.last = r.last, r.first
		}
		lv.sections[a.edge] = append(lv.sections[a.edge], r)
		slices.SortFunc(lv.sections[a.edge], func(x, y routed) int { return int(x.step - y.step) })
	}
}

// sideOf returns the side of the frame at which a vertex is a port, 0 if it is none.
func (lv *level) sideOf(v *vertex) int8 {
	switch v.kind {
	case vertexLeft:
		return -1
	case vertexRight:
		return 1
	}
	return 0
}

// routeBack makes the curve of an edge that turns back: out to the right, around its source, back
// over the ranks, around its target, and in from the left.
func (lv *level) routeBack(r *routed, a *arc, to Point, left, right []float32) {
	u, v := &lv.vs[a.u], &lv.vs[a.v]
	out := min(lv.opt.GapX*0.4, lv.opt.Pad*1.2) // three quarters of it stand out: still inside the frame
	r.points = lineTo(r.points, Point{right[u.rank], r.points[0].Y})
	for k, b := range a.chain {
		x := &lv.vs[b]
		y := float32(x.y)
		if k == 0 {
			r.points = curveTo(r.points, Point{right[x.rank], y}, out, out)
		} else {
			r.points = turnTo(r.points, Point{right[x.rank], y})
		}
		r.points = lineTo(r.points, Point{left[x.rank], y})
		r.bends = append(r.bends, x.y)
	}
	r.points = curveTo(r.points, Point{left[v.rank], to.Y}, -out, -out)
	r.points = lineTo(r.points, to)
}

func bulge(right bool, gap float32) float32 {
	return format.Pick(right, gap, -gap)
}

// turnTo adds a curve that begins and ends level.
func turnTo(p []Point, to Point) []Point {
	from := p[len(p)-1]
	if from.Y == to.Y {
		return lineTo(p, to)
	}
	half := (to.X - from.X) / 2
	return append(p, Point{from.X + half, from.Y}, Point{to.X - half, to.Y}, to)
}

// curveTo adds a curve that leaves by so much to the right (negative: left) and arrives from there.
func curveTo(p []Point, to Point, out, in float32) []Point {
	from := p[len(p)-1]
	return append(p, Point{from.X + out, from.Y}, Point{to.X + in, to.Y}, to)
}

// lineTo adds a level line, or makes the one before longer.
func lineTo(p []Point, to Point) []Point {
	n := len(p)
	from := p[n-1]
	if from.X == to.X && from.Y == to.Y {
		return p
	}
	if n >= 4 && p[n-4].Y == to.Y && p[n-3].Y == to.Y && p[n-2].Y == to.Y && from.Y == to.Y && (from.X-p[n-4].X)*(to.X-from.X) > 0 {
		p[n-1] = to
		p[n-3], p[n-2] = between(p[n-4], to)
		return p
	}
	c1, c2 := between(from, to)
	return append(p, c1, c2, to)
}

// between returns the two thirds of a line.
func between(a, b Point) (Point, Point) {
	return Point{a.X + (b.X-a.X)/3, a.Y + (b.Y-a.Y)/3}, Point{a.X + (b.X-a.X)*2/3, a.Y + (b.Y-a.Y)*2/3}
}

// At returns the point at t, 0…1, of the curve that begins at points[i].
func At(points []Point, i int, t float32) Point {
	a, b, c, d := points[i], points[i+1], points[i+2], points[i+3]
	s := 1 - t
	wa, wb, wc, wd := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
	return Point{wa*a.X + wb*b.X + wc*c.X + wd*d.X, wa*a.Y + wb*b.Y + wc*c.Y + wd*d.Y}
}

// Straight reports whether the curve that begins at points[i] is a level line.
func Straight(points []Point, i int) bool {
	y := points[i].Y
	return points[i+1].Y == y && points[i+2].Y == y && points[i+3].Y == y
}
