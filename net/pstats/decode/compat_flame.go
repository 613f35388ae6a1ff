package decode

import (
	"maps"
	"slices"

	"framescope/net/pstats"
)

// FlameBar is a bar of the official flame graph of one frame.
type FlameBar struct {
	Depth             int
	X0, X1            int // pixels
	Collector, Parent int // parent -1 at the bottom
	Sec               float64
	Count             int
}

type node struct {
	collector int
	sec       float64
	count     int
	start     float64
	kids      map[int]*node
}

func (n *node) child(c int) *node {
	k := n.kids[c]
	if k == nil {
		k = &node{collector: c, kids: map[int]*node{}}
		if n.kids == nil {
			n.kids = map[int]*node{}
		}
		n.kids[c] = k
	}
	return k
}

// Flame returns the bars of the whole thread's flame graph, width pixels wide, as the official viewer
// draws it (section 10): children in order of their index, packed; bars narrower than a pixel are left
// out, with all above them. The frame stands alone: stops of spans from an earlier frame are ignored.
func Flame(f *pstats.Frame, width int) []FlameBar {
	root := &node{collector: -1}
	stack := []*node{root}
	for _, e := range f.Events {
		c, t := int(e.Word&^pstats.StopBit), float64(e.Time)
		top := stack[len(stack)-1]
		if e.Word&pstats.StopBit == 0 {
			k := top.child(c)
			k.start = t
			if len(stack) > 1 {
				k.start = max(t, top.start)
			}
			k.count++
			stack = append(stack, k)
			continue
		}
		for i := len(stack) - 1; i > 0; i-- {
			if stack[i].collector == c {
				for _, n := range stack[i:] {
					n.sec += t - n.start
				}
				stack = stack[:i]
				break
			}
		}
	}
	if n := len(f.Events); n > 0 {
		for _, open := range stack[1:] {
			open.sec += float64(f.Events[n-1].Time) - open.start
		}
	}
	total := 0.0
	for _, k := range root.kids {
		total += k.sec
	}
	if total == 0 {
		total = 1.0 / 30
	}
	var out []FlameBar
	layFlame(root, 0, 0, total, float64(width), &out)
	return out
}

func layFlame(n *node, depth int, x, total, width float64, out *[]FlameBar) {
	for _, c := range slices.Sorted(maps.Keys(n.kids)) {
		k := n.kids[c]
		x0, x1 := int(x/total*width), int((x+k.sec)/total*width)
		if x1 > x0 {
			*out = append(*out, FlameBar{depth, x0, x1, c, n.collector, k.sec, k.count})
			layFlame(k, depth+1, x, total, width, out)
		}
		x += k.sec
	}
}
