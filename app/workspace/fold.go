package workspace

import (
	"cmp"

	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// fold folds a pane to its title row, or unfolds it. One that has its title row only for want of room
// gets room for as long as it is not folded again; that is no change of the layout.
func (d *Desk) fold(p *pane) {
	if p == d.alone {
		d.alone = nil
	}
	half := d.root.HalfAbove(p.id)
	switch {
	case p.small && !p.folded:
		if half != nil {
			half.Grown = p.id
		}
	case !p.folded && half != nil && half.Grown != "" && (half.Grown == p.id || d.lastOpen(half.Children[1], p)):
		half.Grown = ""
	default:
		p.folded = !p.folded
		if half != nil && !p.folded { // if it has room only for its title row, this is a request for more
			half.Grown = cmp.Or(half.Grown, p.id)
		}
	}
	d.dirty, d.move.asked = true, true
}

// lastOpen reports whether of the panes of a cell only this one is open.
func (d *Desk) lastOpen(n *layout.Node, p *pane) bool {
	last := true
	n.Leaves(func(c *layout.Node) { last = last && (c.Pane == p.id || d.cell(c.Pane) != layout.Open) })
	return last
}

// foldNs is how long a section or a pane takes to fold or unfold, where things move.
const foldNs = 120_000_000

// foldMove is the motion of a section that was folded or unfolded by a press on its head. There is
// one at a time: where another begins, the one before is at its end.
type foldMove struct {
	section int // from 1; 0: none moves
	beganNs int64
	from    float32 // the share of its height that it had
	at      float32 // that it has now
}

// moveFold begins the motion of a section that was just folded or unfolded, from the share of its
// height that it had.
func (s *stack) moveFold(env *panel.Env, i int, from float32) {
	s.move = foldMove{}
	if env.Animate {
		s.move = foldMove{section: i + 1, beganNs: env.NowNs, from: from, at: from}
	}
}

// stepFold moves it on.
func (s *stack) stepFold(env *panel.Env) {
	m := &s.move
	if m.section == 0 {
		return
	}
	u := float32(env.NowNs-m.beganNs) / foldNs
	if u >= 1 || u < 0 || !env.Animate {
		*m = foldMove{}
		return
	}
	u = 1 - (1-u)*(1-u)*(1-u) // ease out
	m.at = m.from + (s.aim(m.section-1)-m.from)*u
}

// aim is the share of its height that a section has at rest.
func (s *stack) aim(i int) float32 {
	return format.Pick[float32](s.folds(i), 0, 1)
}

// paneMove is the motion of all docked panes from where they lay to where they lie since one was folded
// or unfolded. Where another is meanwhile, they set out from where they are.
type paneMove struct {
	asked   bool // a pane was folded or unfolded, and the panes have no new places yet
	on      bool
	beganNs int64
}

// beginMove remembers where the panes are, before they get new places.
func (d *Desk) beginMove(env *panel.Env) {
	if !d.move.asked {
		return
	}
	d.move = paneMove{on: env.Animate, beganNs: env.NowNs}
	for _, p := range d.panes {
		p.from = p.rect
	}
}

// stepMove puts the panes where they are on their way to their places.
func (d *Desk) stepMove(env *panel.Env) {
	if !d.move.on {
		return
	}
	u := float32(env.NowNs-d.move.beganNs) / foldNs
	if u >= 1 || u < 0 || !env.Animate {
		d.move.on = false
		return
	}
	u = 1 - (1-u)*(1-u)*(1-u) // ease out
	for _, p := range d.panes {
		if p.docked && !p.float && !p.from.Empty() && !p.rect.Empty() {
			p.rect = between(p.from, p.rect, u)
		}
	}
}

// between returns the rectangle that is a share of the way from one to another, in whole pixels.
func between(a, b draw.Rect, u float32) draw.Rect {
	at := func(a, b float32) float32 { return float32(int(a + (b-a)*u + 0.5)) }
	return draw.Rect{X0: at(a.X0, b.X0), Y0: at(a.Y0, b.Y0), X1: at(a.X1, b.X1), Y1: at(a.Y1, b.Y1)}
}

// share is the share of its height that a section has now.
func (s *stack) share(i int) float32 {
	if s.move.section == i+1 {
		return s.move.at
	}
	return s.aim(i)
}
