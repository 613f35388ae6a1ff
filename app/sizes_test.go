package app

import (
	"fmt"
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/internal/testkit"
)

// letters finds text that is painted over, by other text or by what else the same list has.
type letters struct {
	shown []draw.Rect // that nothing lies over
	on    []int       // lists
	lists int
	first string // the first place where there is text over text
}

// list takes what is painted next. A letter is a quad that is small and takes different parts of
// the atlas; what is all but opaque hides those below.
func (t *letters) list(l *draw.List) {
	if t.lists++; l == nil {
		return
	}
	for i := 0; i+6 <= len(l.Indices); i += 6 {
		k := l.Indices[i : i+6]
		if k[1] != k[0]+1 || k[2] != k[0]+2 || k[3] != k[0] || k[4] != k[2] || k[5] != k[0]+3 {
			continue
		}
		a, b := &l.Vertices[k[0]], &l.Vertices[k[2]]
		r := draw.Rect{X0: a.X, Y0: a.Y, X1: b.X, Y1: b.Y}
		switch {
		case a.U == b.U && min(a.A, b.A) > 0.85:
			t.hide(r)
		case a.U != b.U && r.W() <= 24 && r.H() <= 24:
			t.letter(r)
		}
	}
}

// hide takes away what an opaque rectangle covers: of other lists, which is what lies on top for.
func (t *letters) hide(r draw.Rect) {
	n := 0
	for i, s := range t.shown {
		c := s.Intersect(r)
		if t.on[i] == t.lists && t.first == "" && c.W() >= 3 && c.H() >= 3 {
			t.first = fmt.Sprintf("list %d covers what it wrote at %v by %v", t.lists, s, r)
		}
		if c.Empty() || c.W() < s.W()/2 || c.H() < s.H()/2 {
			t.shown[n], t.on[n] = s, t.on[i]
			n++
		}
	}
	t.shown, t.on = t.shown[:n], t.on[:n]
}

// letter adds one. Neighbours in a word touch, and sometimes share a column of pixels.
func (t *letters) letter(r draw.Rect) {
	for i, s := range t.shown {
		if c := s.Intersect(r); t.first == "" && c.W() >= 3 && c.H() >= 3 {
			t.first = fmt.Sprintf("list %d writes at %v over what list %d wrote at %v", t.lists, r, t.on[i], s)
		}
	}
	t.shown, t.on = append(t.shown, r), append(t.on, t.lists)
}

// TestNoTextOverText: no text lies over other text, nor anything over it, in no panel, however small
// the window is.
func TestNoTextOverText(t *testing.T) {
	for _, name := range []string{"nested.pstats", "../gsttrace/leaks-refs.log", "there-is-none.pstats"} {
		g := openedGame(t, name)
		var ids []string
		g.desk.Each(func(tab *workspace.Tab) { ids = append(ids, tab.ID) })
		look := func(w, h int, panel string) {
			t.Helper()
			g.stage.width, g.stage.height = w, h
			var last letters
			for range 3 { // places are taken in one tick and painted in the next
				g.stage.tick++
				g.stage.begin()
				g.stage.env.View = g.View()
				g.stage.env.View.Tick(g.stage.now(), false)
				g.mouse.X, g.mouse.Y = -1, -1
				testkit.NoErr(t, g.answer())
				g.prepare()
				last = letters{}
				g.lists(last.list)
			}
			testkit.Equal(t, last.first, "", "%s at %d × %d, %s", name, w, h, panel)
			testkit.That(t, len(last.shown) != 0, "%s at %d × %d, %s: nothing is written", name, w, h, panel)
		}
		for w := 200; w <= 1300; w += 75 {
			look(w, 150, "")
			look(w, 720, "")
		}
		for _, id := range ids {
			g.desk.Show(id)
			for _, size := range [][2]int{{200, 300}, {320, 240}, {250, 900}, {640, 400}, {1280, 720}} {
				look(size[0], size[1], id)
			}
		}
	}
}

// A remembered window keeps its size unless the screen is smaller.
func TestWindowsFitTheScreen(t *testing.T) {
	for _, c := range [][6]int{{1900, 1000, 1920, 1080, 1900, 1000}, {2560, 1440, 1920, 1080, 1824, 972}, {1280, 1200, 1920, 1080, 1280, 972}} {
		w, h := fitting(c[0], c[1], c[2], c[3])
		testkit.That(t, w == c[4] && h == c[5], "%d×%d on %d×%d becomes %d×%d", c[0], c[1], c[2], c[3], w, h)
	}
}
