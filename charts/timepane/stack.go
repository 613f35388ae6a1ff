package timepane

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Lane is a kind of row in the groups of a Stack: bars of spans, a counter, waits for a lock. One
// Lane serves all groups, so that its drawn items lie in few slices. G is a chart's data of a
// group.
type Lane[G any] interface {
	// Layout returns how high the lane is in a group, in pixels, 0 where the group has none of it.
	// y is how far below the top of the group it begins.
	Layout(env *panel.Env, g *G, y float32) float32
	// Draw draws the visible part of a group's lane into the plot.
	Draw(p *Pane, env *panel.Env, g *G, at Place)
	// Label draws the label beside it in the gutter.
	Label(p *Pane, env *panel.Env, g *G, at Place)
	// Hit reports whether something was drawn at a point of the plot, and describes it with p.Tip.
	Hit(p *Pane, env *panel.Env, g *G, at Spot, hit *panel.Hit) bool
}

// Place is where a lane of a group lies in the window.
type Place struct {
	Y      float32 // top of the lane
	Y0, Y1 float32 // of the group
}

// Spot is a point of the plot, and the place of the lane of its group.
type Spot struct {
	Place
	PxX, PxY float32
}

// Stack is the scrolled content of a Pane's plot: groups below each other, a thread or a lock each,
// and in each of them lanes below each other. The first lane lies over the others: it is drawn
// last.
type Stack[G any] struct {
	lanes  []Lane[G]
	groups []G
	bands  []band
	tops   []float32 // of the lanes of a group, for each group, below its top
	height float32
	fill   fillKey
}

// fillKey is the inputs of the groups of a session.
type fillKey struct {
	session   *store.Session
	rev, maps uint64
	scale     float32
}

// Refill reports whether the groups of the view's session must be made anew, after removing the old
// ones; other means that the session changed. Without a session there are none.
func (s *Stack[G]) Refill(env *panel.Env) (anew, other bool) {
	v := env.View
	key := fillKey{session: v.Session(), rev: v.Session().Revision(), maps: v.Look().ShownStamp(), scale: env.Scale}
	if key == s.fill {
		return false, false
	}
	other = key.session != s.fill.session
	s.fill = key
	s.Reset()
	return true, other
}

// band is the place of a group in the content: 0 is the top of the first one, however it is
// scrolled.
type band struct{ y, h float32 }

// New reports whether the stack has no lanes yet.
func (s *Stack[G]) New() bool { return s.lanes == nil }

// Use sets the lanes of the groups, from the top.
func (s *Stack[G]) Use(lanes ...Lane[G]) { s.lanes = lanes }

// Reset takes all groups away.
func (s *Stack[G]) Reset() { s.groups, s.bands, s.height = s.groups[:0], s.bands[:0], 0 }

// Add adds a group at the end. Layout places it.
func (s *Stack[G]) Add(g G) { s.groups = append(s.groups, g) }

// Groups returns the groups.
func (s *Stack[G]) Groups() []G { return s.groups }

// Layout places the groups and their lanes below each other, a line apart.
func (s *Stack[G]) Layout(env *panel.Env) {
	s.bands, s.tops, s.height = s.bands[:0], s.tops[:0], 0
	for i := range s.groups {
		h := float32(0)
		for _, lane := range s.lanes {
			s.tops = append(s.tops, h)
			h += lane.Layout(env, &s.groups[i], h)
		}
		s.bands = append(s.bands, band{s.height, h})
		s.height += h + One(env)
	}
}

// Height returns how high all groups are together.
func (s *Stack[G]) Height() float32 { return s.height }

// Band returns where a group lies in the content.
func (s *Stack[G]) Band(group int) (y, h float32) { return s.bands[group].y, s.bands[group].h }

// Find returns the group at a position in the window, nil without one.
func (s *Stack[G]) Find(p *Pane, pxY float32) *G {
	if i := s.At(p, pxY); i >= 0 {
		return &s.groups[i]
	}
	return nil
}

// At returns the index of the group at a position in the window, -1 none.
func (s *Stack[G]) At(p *Pane, pxY float32) int {
	if pxY < p.plot.Y0 || pxY >= p.plot.Y1 {
		return -1
	}
	y := pxY - p.plot.Y0 + p.scrollY
	for i, b := range s.bands {
		if y >= b.y && y < b.y+b.h {
			return i
		}
	}
	return -1
}

// place returns where a group is in the window; seen is false where it is scrolled out of the plot.
func (s *Stack[G]) place(p *Pane, group int) (at Place, seen bool) {
	b := s.bands[group]
	at.Y0, at.Y1 = p.ScreenY(b.y), p.ScreenY(b.y+b.h)
	return at, at.Y1 > p.plot.Y0 && at.Y0 < p.plot.Y1
}

// Draw draws the visible part of the lanes, and a line below each group.
func (s *Stack[G]) Draw(p *Pane, env *panel.Env) {
	s.each(p, env, p.plot, func(lane Lane[G], g *G, at Place) { lane.Draw(p, env, g, at) })
}

// DrawLabels draws the labels of the visible groups into the gutter.
func (s *Stack[G]) DrawLabels(p *Pane, env *panel.Env) {
	p.List().PushClip(p.gutter)
	s.each(p, env, p.gutter, func(lane Lane[G], g *G, at Place) { lane.Label(p, env, g, at) })
	p.names.Draw(p.List())
	p.List().PopClip()
}

// each draws the lanes of the visible groups, the first last, and a line below each group from side
// to side.
func (s *Stack[G]) each(p *Pane, env *panel.Env, sides draw.Rect, draws func(lane Lane[G], g *G, at Place)) {
	for i := range s.groups {
		at, seen := s.place(p, i)
		if !seen {
			continue
		}
		for k := len(s.lanes) - 1; k >= 0; k-- {
			at.Y = at.Y0 + s.tops[i*len(s.lanes)+k]
			draws(s.lanes[k], &s.groups[i], at)
		}
		p.List().HLine(sides.X0, sides.X1, at.Y1, env.Scale, draw.Color(env.Theme.Separator))
	}
}

// HitTest begins a hit test at a point, see Pane.HitTest, and returns the group there, nil without
// one. label means that the point is in the gutter: the chart describes labels. In the plot
// Describe adds the rest.
func (s *Stack[G]) HitTest(p *Pane, env *panel.Env, pxX, pxY float32) (hit *panel.Hit, g *G, label bool) {
	hit, more := p.HitTest(env, pxX, pxY)
	i := s.At(p, pxY)
	if !more || i < 0 {
		return hit, nil, false
	}
	at, _ := s.place(p, i)
	if label = p.gutter.Contains(pxX, pxY); label {
		hit.Rect = p.Beside(at.Y0, at.Y1, 0, 0)
	}
	return hit, &s.groups[i], label
}

// Describe describes the item at a point of the plot: that of the first lane with one.
func (s *Stack[G]) Describe(p *Pane, env *panel.Env, pxX, pxY float32, hit *panel.Hit) {
	i := s.At(p, pxY)
	if i < 0 || !p.plot.Contains(pxX, pxY) {
		return
	}
	at := Spot{PxX: pxX, PxY: pxY}
	at.Place, _ = s.place(p, i)
	for k, lane := range s.lanes {
		at.Y = at.Y0 + s.tops[i*len(s.lanes)+k]
		if lane.Hit(p, env, &s.groups[i], at, hit) {
			hit.Lines = p.tip.All()
			return
		}
	}
}

// AppendMode appends how many groups there are and how much time the panel shows: "3 locks · 20 ms
// / screen"; nothing where there are none.
func (s *Stack[G]) AppendMode(dst []byte, env *panel.Env, one, many string) []byte {
	n := len(s.groups)
	if n == 0 || !env.View.Time().Valid() {
		return dst
	}
	dst = append(format.AppendPlural(dst, int64(n), one, many), " · "...)
	return append(format.AppendDuration(dst, int64(env.View.Time().Width())), " / screen"...)
}

// Nearest returns the last item drawn at a point of the plot, or nil. As narrow items are hard to
// hit, the nearest within two pixels counts.
func Nearest[D any](p *Pane, drawn []D, rect func(*D) draw.Rect, pxX, pxY float32) (near *D) {
	best := float32(2)
	if !p.plot.Contains(pxX, pxY) {
		return near
	}
	for i := len(drawn) - 1; i >= 0; i-- {
		r := rect(&drawn[i])
		if pxY < r.Y0 || pxY >= r.Y1 {
			continue
		}
		if pxX >= r.X0 && pxX < r.X1 {
			return &drawn[i]
		}
		if far := max(r.X0-pxX, pxX-r.X1); far < best {
			near, best = &drawn[i], far
		}
	}
	return near
}
