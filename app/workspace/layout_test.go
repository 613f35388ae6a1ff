package workspace

import (
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/registry"
)

func allOpen(string) cellState { return cellOpen }

// The default layout fills the window without overlap and without a hole wider than the gap, at
// every size that people have.
func TestDefaultLayoutTiles(t *testing.T) {
	for _, size := range [][2]float32{{1280, 586}, {1600, 826}, {2560, 1306}, {640, 300}} {
		rect := draw.Rect{X0: 0, Y0: 100, X1: size[0], Y1: 100 + size[1]}
		got := tile(defaultLayout(), rect, 4, 24, allOpen)
		var area float32
		for name, r := range got.rects {
			if r.Empty() || r.X0 < rect.X0 || r.X1 > rect.X1 || r.Y0 < rect.Y0 || r.Y1 > rect.Y1 {
				t.Errorf("%v: %s lies at %v, outside of %v", size, name, r, rect)
			}
			for other, o := range got.rects {
				if other != name && !r.Intersect(o).Empty() {
					t.Errorf("%v: %s and %s overlap", size, name, other)
				}
			}
			area += r.W() * r.H()
		}
		var gaps float32
		for _, s := range got.splitters {
			gaps += s.rect.W() * s.rect.H()
		}
		if want := rect.W() * rect.H(); area+gaps != want {
			t.Errorf("%v: panes and gaps cover %v of %v square pixels", size, area+gaps, want)
		}
	}
}

// On a large screen the middle gets the room, until the user drags a border: then it stays where it
// was put.
func TestSideColumnsOfLargeWindows(t *testing.T) {
	for _, width := range []float32{1280, 1600, 2560, 5120} {
		n := defaultLayout()
		n.autoColumns(float64(width))
		r := tile(n, draw.Rect{X1: width, Y1: 1000}, 4, 24, allOpen).rects
		for _, side := range []string{PaneSessions, PaneDetails} {
			if w := r[side].W(); w > 331 || w < 200 {
				t.Errorf("%s is %v px wide in a window of %v", side, w, width)
			}
		}
	}
	n := defaultLayout()
	lay := tile(n, draw.Rect{X1: 2560, Y1: 1000}, 4, 24, allOpen)
	for i := range lay.splitters {
		if lay.splitters[i].of == n {
			lay.splitters[i].drag(300, 70)
			break
		}
	}
	before := tile(n, draw.Rect{X1: 2560, Y1: 1000}, 4, 24, allOpen).rects[PaneSessions]
	n.autoColumns(2560)
	if after := tile(n, draw.Rect{X1: 2560, Y1: 1000}, 4, 24, allOpen).rects[PaneSessions]; after != before {
		t.Errorf("a dragged column went from %v to %v by itself", before, after)
	}
}

func TestFoldedPaneGivesItsRoomAway(t *testing.T) {
	rect := draw.Rect{X1: 1280, Y1: 600}
	state := func(p string) cellState {
		switch p {
		case registry.PaneThreads:
			return cellFolded
		case PaneSessions:
			return cellGone
		}
		return cellOpen
	}
	got := tile(defaultLayout(), rect, 4, 24, state)
	if _, ok := got.rects[PaneSessions]; ok {
		t.Error("a pane that floats still has a cell")
	}
	if h := got.rects[registry.PaneThreads].H(); h != 24 {
		t.Errorf("a folded pane is %v px high, want its title row of 24", h)
	}
	if c := got.rects[registry.PaneCollectors]; c.Y0 != 28 || c.Y1 != 600 {
		t.Errorf("the neighbour spans %v to %v, want 28 to 600", c.Y0, c.Y1)
	}
}

func TestSplitterKeepsTheSumAndTheLeastSize(t *testing.T) {
	n := defaultLayout()
	rect := draw.Rect{X1: 1280, Y1: 600}
	before := tile(n, rect, 4, 24, allOpen)
	s := before.splitters[0]
	for i := range before.splitters {
		if before.splitters[i].of == n {
			s = before.splitters[i]
			break
		}
	}
	s.drag(50, 60)
	after := tile(n, rect, 4, 24, allOpen)
	if d := after.rects[PaneSessions].W() - before.rects[PaneSessions].W(); d < 49 || d > 51 {
		t.Errorf("dragging by 50 px made the left column %v px wider", d)
	}
	if after.rects[PaneDetails] != before.rects[PaneDetails] {
		t.Error("the column that is not beside the splitter moved")
	}
	s.drag(-5000, 60)
	if w := tile(n, rect, 4, 24, allOpen).rects[PaneSessions].W(); w < 59 {
		t.Errorf("the left column was dragged down to %v px, least is 60", w)
	}
}

func TestLayoutFromAFileIsChecked(t *testing.T) {
	if !defaultLayout().valid(defaultLayout().panes(nil)) {
		t.Error("the default layout is not valid")
	}
	twice := defaultLayout()
	twice.Children[0].Children[0].Pane = registry.PaneThreads
	missing := defaultLayout()
	missing.Children = missing.Children[1:]
	negative := defaultLayout()
	negative.Weights[0] = -1
	deep := &Node{Pane: "x"}
	for range 20 {
		deep = &Node{Children: []*Node{deep}}
	}
	bad := map[string]*Node{
		"a pane twice": twice, "a pane missing": missing, "a negative weight": negative, "too deep": deep,
		"an empty cell": {}, "a nil child": {Children: []*Node{nil}},
	}
	for name, n := range bad {
		if n.valid(defaultLayout().panes(nil)) {
			t.Errorf("%s passed as valid", name)
		}
	}
}

// A pane that is folded beside another leaves its room to that one, and so does a folded column;
// only the title rows stay, above.
func TestFoldedInARow(t *testing.T) {
	rect := draw.Rect{X1: 1280, Y1: 600}
	lay := func(folded ...string) map[string]draw.Rect {
		return tile(defaultLayout(), rect, 4, 24, func(p string) cellState {
			if slices.Contains(folded, p) {
				return cellFolded
			}
			return cellOpen
		}).rects
	}
	open := lay()
	for _, c := range [][2]string{{registry.PaneFlame, registry.PaneStrip}, {registry.PaneStrip, registry.PaneFlame}} {
		got := lay(c[0])
		row, other := got[c[0]], got[c[1]]
		left, right := open[registry.PaneFlame], open[registry.PaneStrip]
		if row.H() != 24 || row.Y0 != left.Y0 || row.X0 != left.X0 || row.X1 != right.X1 {
			t.Errorf("%s is folded to %v", c[0], row)
		}
		if want := (draw.Rect{X0: left.X0, Y0: row.Y1 + 4, X1: right.X1, Y1: left.Y1}); other != want {
			t.Errorf("beside folded %s %s has %v, want %v", c[0], c[1], other, want)
		}
	}
	side := lay(PaneSessions, registry.PaneThreads, registry.PaneCollectors)
	if c := side[registry.PaneCollectors]; c.H() != 24 || c.Y0 != 56 {
		t.Errorf("the last of a folded column lies at %v", c)
	}
	if m := side[registry.PaneTimeline]; m.X0 != 0 || m.Y0 != 84 {
		t.Errorf("beside a folded column the timeline has %v", m)
	}
}
