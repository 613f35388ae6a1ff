package timepane

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

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
