// This file sums values of collectors along the tree of names, frame by frame, as reports list them.

package report

import (
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// Tree gathers values of one track by collector and adds them up in the static hierarchy. A collector
// with any value on the track so far, and its ancestors, stay in it with 0 (VIEWER.md section 4.2).
type Tree struct {
	s     *store.Session
	seen  []bool // by collector
	alone []float64
	given []bool // has a value of its own in this frame
	net   []float64
	whole bool // a value of its own has those below it in it: of levels
}

// begin forgets the values of the last frame.
func (t *Tree) begin() {
	if n := t.s.Collectors().Len(); n > len(t.seen) {
		t.seen = append(t.seen, make([]bool, n-len(t.seen))...)
		t.alone = append(t.alone, make([]float64, n-len(t.alone))...)
		t.given = append(t.given, make([]bool, n-len(t.given))...)
		t.net = append(t.net, make([]float64, n-len(t.net))...)
	}
	clear(t.alone)
	clear(t.given)
	clear(t.net)
}

// NewNets returns a tree of a session, without values.
func NewNets(s *store.Session) Tree { return Tree{s: s} }

// Net returns the net of a collector in the last frame; false where it never had a value.
func (t *Tree) Net(c model.CollectorID) (net float64, ok bool) {
	if !t.seen[c] {
		return 0, false
	}
	return t.net[c], true
}

// Children returns the collectors directly below one.
func (t *Tree) Children(c model.CollectorID) []model.CollectorID { return t.s.Collectors().Children(c) }

// set gives a collector a value.
func (t *Tree) set(c model.CollectorID, value float64) {
	if c < 0 || int(c) >= len(t.seen) {
		return
	}
	t.alone[c], t.given[c] = value, true
	for n := 0; !t.seen[c] && n <= len(t.seen); n++ {
		t.seen[c] = true
		if c == 0 {
			break
		}
		c = t.s.Collector(c).Parent
	}
}

// Times takes the self times of a frame, in seconds, and returns their sum.
func (t *Tree) Times(alone []model.CollectorTime) (sum float64) {
	t.begin()
	for _, a := range alone {
		t.set(a.Collector, float64(a.Ns)/1e9)
		sum += float64(a.Ns)
	}
	return sum / 1e9
}

// Levels takes the levels of a frame. A collector's own value is its net, as it was sent: it includes
// the values below (section 5). Nothing is subtracted and added again, as one huge value would cost the
// others their digits.
func (t *Tree) Levels(levels []model.Level) {
	t.begin()
	t.whole = true
	for _, l := range levels {
		t.set(l.Collector, l.Value)
	}
}

// Sum fills in the nets: a collector's own value and the nets of its children, or only the own value if
// that is whole.
func (t *Tree) Sum() {
	var visit func(c model.CollectorID) float64
	visit = func(c model.CollectorID) float64 {
		net := t.alone[c]
		for _, child := range t.s.Collectors().Children(c) {
			if t.seen[child] {
				below := visit(child)
				if !t.whole || !t.given[c] {
					net += below
				}
			}
		}
		t.net[c] = net
		return net
	}
	if len(t.seen) > 0 {
		visit(0)
	}
}

// Top returns the collectors directly below the root that have values, in the order of their
// definition.
func (t *Tree) Top() []model.CollectorID {
	var out []model.CollectorID
	for _, c := range t.s.Collectors().Children(0) {
		if t.seen[c] {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}
