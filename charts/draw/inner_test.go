package draw

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// chartLike fills a list as a busy timeline does: bars in rows, some with labels.
func chartLike(l *List, bars, labels int, names []string) {
	l.Reset(Rect{0, 0, 1600, 960})
	for i := range bars {
		x, y := float32(i%400)*4.03, float32(i/400%45)*20
		l.Rect(Rect{x, y, x + 3.4, y + 19}, Color{uint8(i), uint8(i >> 3), 160, 255})
	}
	black := RGB(0, 0, 0)
	for i := range labels {
		x, y := float32(i%15)*106.3, float32(i/15%45)*20
		l.TextIn(Regular, Rect{x + 4, y, x + 100, y + 19}, Left, names[i%len(names)], black)
	}
}

func labelNames() []string {
	names := make([]string, 50)
	for i := range names {
		names[i] = fmt.Sprintf("Collide pass %d of the scene", i*7)
	}
	return names
}

func TestFillingAgainAllocatesNothing(t *testing.T) {
	l := NewList(NewAtlas(1))
	names := append(labelNames(), "日本語の文字", "a\xffb\x00 ▾ →", "Привет")
	fill := func() {
		chartLike(l, 2000, 300, names)
		l.PushClip(Rect{10, 10, 500, 300})
		l.Hatch(Rect{0, 0, 800, 500}, RGB(255, 255, 255))
		l.Line(0, 0, 300, 170, 1.5, RGB(255, 0, 0))
		l.Triangle(0, 0, 700, 20, 300, 800, RGB(255, 0, 0))
		l.Outline(Rect{5, 5, 100, 100}, 1, RGB(255, 0, 0))
		l.DashedH(0, 400, 70, 1, 4, 3, RGB(255, 0, 0))
		l.Gradient(Rect{20, 20, 60, 60}, RGB(0, 0, 0), RGB(255, 0, 0))
		l.PopClip()
		l.Atlas().Measure(Mono, "16.667 ms – 日本")
	}
	fill()
	n := testing.AllocsPerRun(20, fill)
	testkit.That(t, n == 0, "filling a list a second time allocates %v times", n)
}

func TestRenderAllocatesNothing(t *testing.T) {
	l := NewList(NewAtlas(1))
	chartLike(l, 500, 100, labelNames())
	img := image.NewRGBA(image.Rect(0, 0, 800, 600))
	n := testing.AllocsPerRun(5, func() { Render(img, l) })
	testkit.That(t, n == 0, "rendering allocates %v times", n)
}

func BenchmarkRender(b *testing.B) {
	l := NewList(NewAtlas(1))
	chartLike(l, 20000, 300, labelNames())
	img := image.NewRGBA(image.Rect(0, 0, 1600, 960))
	b.ReportAllocs()
	for b.Loop() {
		Render(img, l)
	}
}

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
		other, ok := seen[at]
		testkit.MustThat(t, !ok || other == x, "the revision %x is that of %v, too", at, other)
		seen[at] = x
		return at
	}
	a := fill(1, true)
	testkit.That(t, fill(1, true) == a && fill(1, true) == a, "the same again has another revision")
	b := fill(2, true)
	testkit.That(t, b != a && fill(2, true) == b && fill(1, true) != b, "other content has the same revision")
	for _, x := range []float32{3, 1, 4, 4, 1} { // between others that never tell that they are done
		fill(x, false)
		fill(x+1, true)
		fill(x, true)
	}
}

// A name in which nothing parts it has no second part.
func TestUnqualifiedNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune(`ab1 .:/\$(→_-µ`))).Draw(t, "name")
		testkit.MustThat(t, qualified(name) || nextPart(name, 0) == 0, "%q is parted at %d", name, nextPart(name, 0))
	})
}

func TestWholePx(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-20_000, 20_000).Draw(t, "x")
		got, want := WholePx(x), float32(math.Floor(x+0.5))
		testkit.MustThat(t, got == want, "WholePx(%v) = %v, want %v", x, got, want)
	})
}

// ShownNames returns what Draw would show of the names.
func ShownNames(n *Names, a *Atlas) (shown []string) {
	n.distinguish(a)
	for i := range n.rows {
		shown = append(shown, string(n.shown[n.rows[i].at:n.rows[i].until]))
	}
	return shown
}

// pane is a list with a ground and two words, as panels fill them.
func pane(l *List, r Rect, left, right string) *List {
	l.Reset(r)
	l.Rect(r, RGB(20, 20, 20))
	l.Text(Regular, r.X0+2, r.Y0+2, left, RGB(255, 255, 255))
	l.Text(Regular, r.X0+60, r.Y0+2, right, RGB(255, 255, 255))
	return l
}

// What an atlas adds is in no other, though they begin with the same glyphs.
func TestAtlasesAreApart(t *testing.T) {
	NewAtlas(1).Measure(Regular, "Жé…漢")
	a, fresh := NewAtlas(1), newAtlas(1, 1024)
	testkit.Same(t, a.shelves, fresh.shelves, "room")
	testkit.Same(t, a.changes, fresh.changes, "changes")
	testkit.That(t, bytes.HasPrefix(a.image.Pix, fresh.image.Pix), "another image")
	for f := range a.faces {
		testkit.Same(t, a.faces[f].ascii, fresh.faces[f].ascii, "glyphs")
	}
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

// Hebrew and Arabic stand in the order in which they are seen, joined, as do the vowels of India, and nothing else
// moves; their letters and emoji are no boxes.
func TestLettersStandInOrder(t *testing.T) {
	for s, want := range map[string]string{
		"Draw µ…": "Draw µ…", "12 שלום: 3 ms": "12 םולש: 3 ms", "a שלום עולם b": "a םלוע םולש b", "بب x": "\ufe90\ufe91 x",
		"कि स्थि": "िक िस्थ", "বি": "িব", "கெ": "ெக", "\u093f": "\u093f", "อัปเดต": "อัปเดต",
	} {
		testkit.Equal(t, inOrder(s), want, "%q stands as", s)
	}
	a := NewAtlas(1)
	for _, r := range "ש\ufe90\ufe91م🎮🚀😀अिबிত্অஅอั" {
		g := a.glyph(Regular, r)
		testkit.That(t, g.w > 0 && *g != a.faces[Regular].missing, "%q has no glyph", r)
	}
}
