package draw

import "testing"

// A list that is filled with the same again keeps its revision; other content never has one that
// was seen before.
func TestFilledWithTheSame(t *testing.T) {
	l := NewList(nil)
	seen := map[uint64]float32{}
	fill := func(x float32, filled bool) uint64 {
		l.Reset(Rect{X1: 100, Y1: 100})
		l.Rect(Rect{X0: x, X1: x + 10, Y1: 10}, RGB(255, 0, 0))
		if filled {
			l.Filled()
		}
		at := l.Revision()
		if other, ok := seen[at]; ok && other != x {
			t.Fatalf("the revision %x is that of %v, too", at, other)
		}
		seen[at] = x
		return at
	}
	a := fill(1, true)
	if fill(1, true) != a || fill(1, true) != a {
		t.Error("the same again has another revision")
	}
	if b := fill(2, true); b == a || fill(2, true) != b || fill(1, true) == b {
		t.Error("other content has the same revision")
	}
	for _, x := range []float32{3, 1, 4, 4, 1} { // between others that never tell that they are done
		fill(x, false)
		fill(x+1, true)
		fill(x, true)
	}
}
