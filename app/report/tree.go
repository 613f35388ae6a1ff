package report

import (
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// tree gathers values of one track by collector and adds them up in the static hierarchy. A
// collector that ever had a value on the track, and those above it, stay in it with 0 (VIEWER.md
// section 4.2).
type tree struct {
	s     *store.Session
	seen  []bool // by collector
	alone []float64
	given []bool // has a value of its own in this frame
	net   []float64
	near  []model.CollectorID // the nearest above with a value of its own in this frame, plus one; -1 none, 0 not known
	walk  []model.CollectorID
}

// begin forgets the values of the last frame.
func (t *tree) begin() {
	if n := t.s.Collectors().Len(); n > len(t.seen) {
		t.seen = append(t.seen, make([]bool, n-len(t.seen))...)
		t.alone = append(t.alone, make([]float64, n-len(t.alone))...)
		t.given = append(t.given, make([]bool, n-len(t.given))...)
		t.net = append(t.net, make([]float64, n-len(t.net))...)
		t.near = append(t.near, make([]model.CollectorID, n-len(t.near))...)
	}
	clear(t.alone)
	clear(t.given)
	clear(t.net)
	clear(t.near)
}

// set gives a collector a value.
func (t *tree) set(c model.CollectorID, value float64) {
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

// times takes the exclusive times of a frame, in seconds, and returns their sum.
func (t *tree) times(alone []model.CollectorTime) (sum float64) {
	t.begin()
	for _, a := range alone {
		t.set(a.Collector, float64(a.Ns)/1e9)
		sum += float64(a.Ns)
	}
	return sum / 1e9
}

// levels takes the levels of a frame. A value is taken out of that of the nearest collector above
// that has one of its own, so that totals are not counted twice (section 5).
func (t *tree) levels(levels []model.Level) {
	t.begin()
	for _, l := range levels {
		t.set(l.Collector, l.Value)
	}
	for _, l := range levels {
		if l.Collector < 0 || int(l.Collector) >= len(t.seen) {
			continue
		}
		if c := t.nearest(l.Collector); c >= 0 {
			t.alone[c] -= l.Value
		}
	}
}

// nearest returns the nearest collector above c with a value of its own, -1 if there is none. None is
// passed twice in a frame, however deep the hierarchy is.
func (t *tree) nearest(c model.CollectorID) model.CollectorID {
	at := model.CollectorID(-1)
	t.walk = t.walk[:0]
	for c > 0 {
		if n := t.near[c]; n != 0 {
			at = max(n-1, -1)
			break
		}
		t.walk = append(t.walk, c)
		if c = t.s.Collector(c).Parent; c >= 0 && t.given[c] {
			at = c
			break
		}
	}
	for _, w := range t.walk {
		if t.near[w] = -1; at >= 0 {
			t.near[w] = at + 1
		}
	}
	return at
}

// sum fills in the nets: a collector's own value and the nets of those below it.
func (t *tree) sum() {
	var visit func(c model.CollectorID) float64
	visit = func(c model.CollectorID) float64 {
		net := t.alone[c]
		for _, child := range t.s.Collectors().Children(c) {
			if t.seen[child] {
				net += visit(child)
			}
		}
		t.net[c] = net
		return net
	}
	if len(t.seen) > 0 {
		visit(0)
	}
}

// top returns the collectors directly below the root that have values, in the order of their
// definition.
func (t *tree) top() []model.CollectorID {
	var out []model.CollectorID
	for _, c := range t.s.Collectors().Children(0) {
		if t.seen[c] {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}
