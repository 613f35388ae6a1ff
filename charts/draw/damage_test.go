package draw

import (
	"testing"

	"framescope/internal/testkit"
)

// pane is a list with a ground and two words, as panels fill them.
func pane(l *List, r Rect, left, right string) *List {
	l.Reset(r)
	l.Rect(r, RGB(20, 20, 20))
	l.Text(Regular, r.X0+2, r.Y0+2, left, RGB(255, 255, 255))
	l.Text(Regular, r.X0+60, r.Y0+2, right, RGB(255, 255, 255))
	return l
}

// Only what differs from the last picture is painted.
func TestDamage(t *testing.T) {
	a := NewAtlas(1)
	top, bottom, tip := NewList(a), NewList(a), NewList(a)
	atTop, atBottom, over := Rect{X1: 200, Y1: 20}, Rect{Y0: 100, X1: 200, Y1: 120}, Rect{X0: 40, Y0: 90, X1: 80, Y1: 110}
	pane(top, atTop, "a", "1")
	pane(bottom, atBottom, "b", "2")
	pane(tip, over, "c", "")
	var d Damage
	area := func(lists ...*List) (n float32) {
		for _, p := range d.Changed(lists) {
			n += p.W() * p.H()
		}
		return n
	}
	testkit.Equal(t, area(top, bottom), 2*200*20, "the first picture")
	testkit.Equal(t, area(top, bottom), 0, "nothing changed")
	pane(top, atTop, "a", "1")
	testkit.Equal(t, area(top, bottom), 0, "a list filled again with the same")
	pane(bottom, atBottom, "b", "3")
	parts := d.Changed([]*List{top, bottom})
	testkit.MustEqual(t, len(parts), 1, "parts of one number")
	p := parts[0]
	testkit.That(t, p.X0 >= 60 && p.X1 <= 70 && p.Y0 >= 100 && p.Y1 <= 120, "one number changed: %v", p)
	pane(top, atTop, "a", "1234")
	p = d.Changed([]*List{top, bottom})[0]
	testkit.That(t, p.X0 >= 60 && p.Y1 <= 20, "a number became longer: %v", p)
	testkit.Equal(t, area(top, bottom, tip), 40*20, "a tooltip came")
	testkit.Equal(t, area(top, bottom), 40*20, "a tooltip went")
	testkit.That(t, len(d.of) == 2, "%d lists are kept", len(d.of))
	testkit.Equal(t, area(bottom, top), 2*200*20, "another order")
	pane(top, atTop, "x", "1234")
	pane(bottom, atBottom, "x", "3")
	testkit.Equal(t, len(d.Changed([]*List{bottom, top})), 2, "parts far from each other")
	for n := range 100 {
		pane(bottom, Rect{X0: float32(n), Y0: 100, X1: float32(n) + 200, Y1: 120}, "b", "3")
		parts := d.Changed([]*List{bottom, top})
		testkit.MustThat(t, len(parts) <= partsMax, "%d parts", len(parts))
	}
}

// Steadily nothing is allocated.
func TestDamageAllocatesNothing(t *testing.T) {
	l := NewList(NewAtlas(1))
	lists, r := []*List{l}, Rect{X1: 200, Y1: 20}
	var d Damage
	n := 0
	testkit.Equal(t, testing.AllocsPerRun(100, func() {
		n++
		pane(l, r, "a", [...]string{"1", "22"}[n%2])
		d.Changed(lists)
	}), 0, "allocations a picture")
}
