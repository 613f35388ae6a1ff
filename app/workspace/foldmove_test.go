package workspace

import (
	"testing"

	"framescope/internal/testkit"
)

// A section folds and unfolds in 120 ms where things move, also when it is pressed again on its way,
// and at once where nothing does.
func TestSectionsFoldInMotion(t *testing.T) {
	r := newRig(t)
	s := &r.d.pane(paneRail).stack
	height := func() float32 { return s.places[1].body.H() }
	press := func() {
		x, y := middleOf(s.places[1].head)
		r.click(x, y)
	}
	after := func(ms int64) float32 {
		r.env.NowNs += ms * 1_000_000
		r.tick()
		return height()
	}
	full := height()
	for _, move := range []bool{true, false} {
		r.env.Animate = move
		if press(); move != (height() == full) {
			t.Errorf("animated %v: pressed, it has %v of %v px", move, height(), full)
		}
		a, b := after(40), after(40)
		testkit.Equal(t, move, a < full && b < a && b > 0, "animated: folding it has %v, then %v of %v px", a, b, full)
		if next := s.places[2].head.Y0; move && next <= s.places[1].head.Y1 {
			t.Errorf("folding, its head ends at %v, the next begins at %v", s.places[1].head.Y1, next)
		}
		end := after(41)
		testkit.That(t, end == 0 && s.move.section == 0, "animated %v: folded it has %v px", move, end)
		press()
		if a, end := after(60), after(61); move != (a > 0 && a < full) || end != full {
			t.Errorf("animated %v: unfolding it has %v, then %v of %v px", move, a, end, full)
		}
	}
	r.env.Animate = true
	press()
	a := after(20)
	if press(); height() != a {
		t.Errorf("pressed again it goes on at %v px, not at %v", height(), a)
	}
	b, end := after(30), after(91)
	testkit.That(t, b > a && end == full, "pressed again it has %v, then %v, then %v of %v px", a, b, end, full)
}
