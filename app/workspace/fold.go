package workspace

import "cmp"

// fold folds a pane to its title row, or unfolds it. One that has its title row only for want of room
// gets room for as long as it is not folded again; that is no change of the layout.
func (d *Desk) fold(p *pane) {
	if p == d.alone {
		d.alone = nil
	}
	half := d.root.halfAbove(p.id)
	switch {
	case p.small && !p.folded:
		if half != nil {
			half.grown = p.id
		}
	case !p.folded && half != nil && half.grown != "" && (half.grown == p.id || d.lastOpen(half.Children[1], p)):
		half.grown = ""
	default:
		p.folded = !p.folded
		if half != nil && !p.folded { // if it has room only for its title row, this is a request for more
			half.grown = cmp.Or(half.grown, p.id)
		}
	}
	d.dirty, d.move.asked = true, true
}

// halfAbove returns the cell with at least half of the window for its first child, and the pane below
// that; nil: there is none.
func (n *Node) halfAbove(pane string) *Node {
	if n.Half && len(n.Children) == 2 && n.Children[1].leaf(pane) != nil {
		return n
	}
	for _, c := range n.Children {
		if h := c.halfAbove(pane); h != nil {
			return h
		}
	}
	return nil
}

// lastOpen reports whether of the panes of a cell only this one is open.
func (d *Desk) lastOpen(n *Node, p *pane) bool {
	last := true
	n.leaves(func(c *Node) { last = last && (c.Pane == p.id || d.cell(c.Pane) != cellOpen) })
	return last
}
