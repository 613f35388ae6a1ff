package workspace

import (
	"cmp"

	"framescope/app/layout"
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
