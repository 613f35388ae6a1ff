package workspace

import (
	"fmt"
	"testing"

	"framescope/app/layout"
	"framescope/internal/testkit"
)

// layoutOf is all that folding must leave as it was: what is kept, and where the panes lie.
func (r *rig) layoutOf() (kept layout.Arrangement, places string) {
	for _, p := range r.d.docked() {
		places += fmt.Sprint(p.id, p.rect, p.folded, " ")
	}
	return r.d.arrangement(), places
}

// Folding a pane and unfolding it again, and the other way round, leaves the layout as it was, in
// every window, at every scale, in every workspace, whether the pane was folded or had its title row
// only for want of room.
func TestFoldingKeepsTheLayout(t *testing.T) {
	small := 0
	for _, size := range [][2]float32{{1280, 720}, {1366, 768}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		for _, scale := range []float32{1, 1.25, 1.5, 1.75, 2, 3} {
			r := newRig(t)
			for _, name := range r.d.Workspaces() {
				r.d.Use(name)
				r.at(size[0], size[1], scale)
				for _, p := range r.d.docked() {
					if p.side != "" || p.rect.Empty() {
						continue
					}
					what := fmt.Sprintf("%v at %v, %s, %s", size, scale, name, p.id)
					kept, places := r.layoutOf()
					title := func() (x, y float32) { return p.rect.X1 - r.env.Px(60), p.rect.Y0 + r.env.Px(12) }
					if p.small {
						small++
						r.click(title())
						if !p.shown && scale < 3 { // at that scale it would be no panel
							t.Errorf("%s: a click on its title row does not open it", what)
						}
						now, _ := r.layoutOf()
						testkit.That(t, now.Equal(kept), "%s: a click on its title row changed the layout", what)
						r.m.DoubleClick = false
						r.doubleClickOn(title)
					} else {
						r.doubleClickOn(title)
						testkit.That(t, !p.shown, "%s: a double click does not fold it", what)
						r.click(title())
					}
					now, at := r.layoutOf()
					testkit.That(t, now.Equal(kept) && at == places, "%s: before %s, after %s", what, places, at)
				}
			}
		}
	}
	testkit.That(t, small != 0, "no window has too little room")
}

// doubleClickOn double clicks a place, wherever it is by the second click.
func (r *rig) doubleClickOn(at func() (x, y float32)) {
	r.click(at())
	x, y := at()
	r.doubleClick2(x, y)
}

// A window that becomes large, and small again, has forgotten that there was too little room.
func TestRoomIsAskedForOnce(t *testing.T) {
	r := newRig(t)
	r.at(1366, 768, 2)
	p := r.d.pane(layout.PaneLeft)
	was := p.rect
	r.click(middleOf(p.row.names[0].rect))
	testkit.MustThat(t, p.shown, "a click does not open it")
	r.at(2560, 1440, 1)
	fresh := newRig(t)
	fresh.at(2560, 1440, 1)
	testkit.That(t, p.rect == fresh.rect(layout.PaneLeft),
		"in a large window it lies at %v, in a new one at %v", p.rect, fresh.rect(layout.PaneLeft))
	r.at(1366, 768, 2)
	testkit.Equal(t, p.rect, was, "in the small window again it lies at %v, before at %v", p.rect, was)
}

// Where one of two panes in a row is folded and there is no room for the other, both have their title
// rows in sight.
func TestNoTitleRowIsLost(t *testing.T) {
	r := newRig(t)
	r.at(1366, 768, 2)
	left, right := r.d.pane(layout.PaneLeft), r.d.pane(layout.PaneRight)
	r.click(middleOf(left.row.names[0].rect))
	r.doubleClickOn(func() (x, y float32) { return right.rect.X1 - 100, right.rect.Y0 + 20 })
	testkit.MustThat(t, right.folded && left.shown, "the right one is not folded")
	r.doubleClickOn(func() (x, y float32) { return left.rect.X1 - 100, left.rect.Y0 + 20 })
	for _, p := range []*pane{left, right} {
		testkit.That(t, p.rect.H() == 56 && !p.shown, "%s lies at %v", p.id, p.rect)
	}
}

// Panes fold and unfold in 120 ms where things move, without a hole on the way, and at once where
// nothing does.
func TestPanesFoldInMotion(t *testing.T) {
	r := newRig(t)
	p, main := r.d.pane(layout.PaneLeft), r.d.pane(layout.PaneMain)
	after := func(ms int64) (left, timeline float32) {
		r.env.NowNs += ms * 1_000_000
		r.tick()
		return p.rect.H(), main.rect.H()
	}
	for _, move := range []bool{true, false} {
		r.env.Animate = move
		full, high := after(500)
		r.d.fold(p)
		r.tick()
		a, _ := after(40)
		testkit.That(t, move == (a > 28 && a < full), "animated %v: folding it has %v of %v px", move, a, full)
		testkit.That(t, !move || p.shown, "its panel vanishes before it is folded")
		a, _ = after(80)
		testkit.That(t, a == 28 && !p.shown && !r.d.move.on, "animated %v: folded it has %v px", move, a)
		r.d.fold(p)
		r.tick()
		a, _ = after(60)
		testkit.That(t, move == (a > 28 && a < full), "animated %v: unfolding it has %v of %v px", move, a, full)
		if a, b := after(60); a != full || b != high {
			t.Errorf("animated %v: unfolded it has %v px, the timeline %v, want %v and %v", move, a, b, full, high)
		}
	}
}

// A section folds and unfolds in 120 ms where things move, also when it is pressed again on its way,
// and at once where nothing does.
func TestSectionsFoldInMotion(t *testing.T) {
	r := newRig(t)
	s := &r.d.pane(layout.PaneRail).stack
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
