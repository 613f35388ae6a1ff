package view

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/store"
)

func TestPalette(t *testing.T) {
	s := game()
	s.Apply(model.CollectorDef{ID: cGeom, Name: "Geom", Color: model.RGB{R: 10, G: 20, B: 30, Set: true}})
	v, th := viewOf(s), assets.Dark()
	sent := assets.LChOf(assets.RGB(10, 20, 30))
	got := assets.LChOf(assets.Color(v.Palette(&th).Fill(cGeom)))
	if assets.HueDistance(got.Hue, sent.Hue) > 5 || got.L < th.Data.MinL-0.002 || got.C > sent.C+0.002 {
		t.Errorf("the sender's %+v is shown as %+v", sent, got)
	}
	v.Look().SetColorsAsSent(true)
	if b := v.Palette(&th).Bar(cGeom); b.Fill != draw.RGB(10, 20, 30) || b.Text.R != 255 || !v.Look().ColorsAsSent() {
		t.Errorf("as it was sent it is shown as %+v", b)
	}
	v.Look().SetColorsAsSent(false)
	v.Look().SetColor("Geom", assets.RGB(200, 210, 220))
	if c := v.Palette(&th).Fill(cGeom); c.R != 200 || !v.Look().HasColor("Geom") {
		t.Errorf("the user's colour is not used: %v", c)
	}
	v.Look().ResetColor("Geom")
	if c := assets.LChOf(assets.Color(v.Palette(&th).Fill(cGeom))); c != got || v.Look().HasColor("Geom") {
		t.Errorf("the user's colour stays: %v", c)
	}
	light := assets.Light()
	if c := assets.LChOf(assets.Color(v.Palette(&light).Fill(cGeom))); c == got {
		t.Error("another theme has the same colours")
	}
	if c := v.Palette(&th).Fill(99_999); c.A != 255 {
		t.Error("an unknown collector has no colour")
	}
	if b := v.Palette(&th).Bar(0); b.Fill != draw.Color(th.FrameBar) || b.Text != draw.Color(th.Text) {
		t.Errorf("what stands for everything has the colours %+v", b)
	}
	v.Pointer().Set(t, cGeom, 0, false)
	if p := v.Palette(&th); p.Drawn(cGeom, false) == p.Bar(cGeom) || p.Drawn(cApp, false) != p.Bar(cApp) {
		t.Error("what is under the mouse, and nothing else, is lit")
	}
}

func TestWhatWaitsIsGrey(t *testing.T) {
	s := game()
	loud := model.RGB{G: 255, B: 188, Set: true}
	s.Apply(model.CollectorDef{ID: 40, Name: "Wait", Color: loud})
	s.Apply(model.CollectorDef{ID: 41, Name: "Thread sync", Parent: 40, Color: loud})
	s.Apply(model.CollectorDef{ID: 42, Name: "Whatever", Parent: 41})
	v := viewOf(s)
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		for id := model.CollectorID(40); id <= 42; id++ {
			if b := v.Palette(&th).Bar(id); b != (Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}) {
				t.Errorf("%s: collector %d is drawn in %+v", name, id, b)
			}
		}
		v.Look().SetColorsAsSent(true)
		if c := v.Palette(&th).Fill(41); c != draw.RGB(0, 255, 188) {
			t.Errorf("%s: as it was sent it is %v", name, c)
		}
		v.Look().SetColorsAsSent(false)
	}
}

func TestRuntimesStandBack(t *testing.T) {
	s := game()
	s.Apply(model.CollectorDef{ID: 40, Name: "java.util"})
	s.Apply(model.CollectorDef{ID: 41, Name: "shop.order"})
	for id := model.CollectorID(50); id < 80; id++ {
		s.Apply(model.CollectorDef{ID: id, Name: fmt.Sprint("HashMap.resize", id), Parent: 40})
	}
	v, th := viewOf(s), assets.Dark()
	for id := model.CollectorID(50); id < 80; id++ {
		if c := assets.LChOf(assets.Color(v.Palette(&th).Fill(id))); c.C < 0.022 || c.C > 0.058 {
			t.Errorf("a method of the runtime has a chroma of %.3f", c.C)
		}
	}
	if c := assets.LChOf(assets.Color(v.Palette(&th).Fill(41))); c.C < 0.09 {
		t.Errorf("a package of the program has a chroma of %.3f", c.C)
	}
}

// toldApart is what a stack asks of neighbours. A grey, which has no hue, is told from what has one.
func toldApart(a, b draw.Color) bool {
	x, y := assets.LChOf(assets.Color(a)), assets.LChOf(assets.Color(b))
	d := x.L - y.L
	if grey := min(x.C, y.C) < 0.03; grey && max(x.C, y.C)-min(x.C, y.C) > 0.03 {
		return true
	}
	return d >= 0.06 || d <= -0.06 || assets.HueDistance(x.Hue, y.Hue) >= 25-1.5 // rounded to 8 bits
}

// TestColorsOfAnyTree gives trees of any shape, some with colours that were sent: all are within the
// bounds, a child is told from its parent, and from the sibling before it where neither was sent.
func TestColorsOfAnyTree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		s := store.NewSession()
		n := 2 + rnd.IntN(80)
		before := map[model.CollectorID]draw.Color{}
		for id := range model.CollectorID(n) {
			d := model.CollectorDef{ID: id, Name: fmt.Sprint("c", rnd.IntN(50)), Sort: rnd.IntN(5)}
			if id > 0 {
				d.Parent = model.CollectorID(rnd.IntN(int(id)))
			}
			if round%2 == 1 && rnd.IntN(3) == 0 {
				d.Color = model.RGB{R: uint8(rnd.Uint32()), G: uint8(rnd.Uint32()), B: uint8(rnd.Uint32()), Set: true}
			}
			s.Apply(d)
		}
		v := New(s)
		for _, name := range assets.ThemeNames() {
			th, _ := assets.ThemeNamed(name)
			pal, h := v.Palette(&th), s.Collectors().Tree()
			for at := range h.All {
				c := &h.All[at]
				if c.ID == 0 {
					continue
				}
				fill := pal.Fill(c.ID)
				x := assets.LChOf(assets.Color(fill))
				if x.L < th.Data.MinL-0.003 || x.L > th.Data.MaxL+0.003 || x.C > th.Data.C+0.002 ||
					x.C > 0.035 && x.Hue > assets.AccentFrom && x.Hue < assets.AccentTo {
					t.Fatalf("%s: collector %d has %+v, out of bounds", name, c.ID, x)
				}
				checkNeighbours(t, name, pal, h, c)
			}
			if name == "dark" {
				for id := range model.CollectorID(n) {
					before[id] = pal.Fill(id)
				}
			}
		}
		// What is defined later takes nobody's colour away.
		s.Apply(model.CollectorDef{ID: model.CollectorID(n), Name: "late", Parent: model.CollectorID(rnd.IntN(n))})
		th := assets.Dark()
		for id, c := range before {
			if now := v.Palette(&th).Fill(id); now != c {
				t.Fatalf("collector %d was %v and is %v after another was defined", id, c, now)
			}
		}
	}
}

func checkNeighbours(t *testing.T, name string, pal *Palette, h *collectors.Hierarchy, c *collectors.Collector) {
	t.Helper()
	if c.Parent > 0 && !toldApart(pal.Fill(c.ID), pal.Fill(c.Parent)) {
		t.Fatalf("%s: %d has %v, its parent %d %v", name, c.ID, pal.Fill(c.ID), c.Parent, pal.Fill(c.Parent))
	}
	if Sent(c) {
		return
	}
	last := model.NoCollector
	for _, id := range h.Children[h.Slot(c.Parent)] {
		if id < c.ID && id > last {
			last = id
		}
	}
	if last != model.NoCollector && !Sent(&h.All[h.Slot(last)]) && c.Parent > 0 && !toldApart(pal.Fill(c.ID), pal.Fill(last)) {
		t.Fatalf("%s: %d has %v, its sibling %d %v", name, c.ID, pal.Fill(c.ID), last, pal.Fill(last))
	}
}

func TestPaletteIsMadeOnce(t *testing.T) {
	v, th := viewOf(game()), assets.Dark()
	v.Palette(&th)
	if n := testing.AllocsPerRun(50, func() { v.Palette(&th).Drawn(cApp, true) }); n != 0 {
		t.Errorf("asking for a colour allocates %v times", n)
	}
}

// Text on bars reads, whether they stand out or step back, and on what is lit by the mouse.
func TestTextOnBarsReads(t *testing.T) {
	least := [numStrengths]float64{Whole: 5.8, Outside: 4.5, Missed: 4.5}
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		check := func(what string, b Bar, want float64) {
			t.Helper()
			if got := assets.Contrast(assets.Color(b.Fill), assets.Color(b.Text)); got < want {
				t.Errorf("%s: text on %s has a contrast of %.2f, want %.1f", name, what, got, want)
			}
		}
		for hue := range 72 {
			free, _ := assets.FreeHue(float64(hue * 5))
			for _, level := range []assets.Level{assets.Bright, assets.Deep} {
				whole := barOf(draw.Color(th.Data.Color(free, level)))
				for s := range numStrengths {
					check(fmt.Sprintf("hue %.0f at strength %d", free, s), faded(whole, &th, s), least[s])
				}
				check(fmt.Sprintf("hue %.0f under the mouse", free), Bar{draw.Highlight(whole.Fill, &th), whole.Text}, 4.5)
			}
		}
		wait := Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}
		for s := range numStrengths {
			check(fmt.Sprintf("what waits at strength %d", s), faded(wait, &th, s), 4.5)
		}
		other := Bar{draw.Color(th.FrameBar), draw.Color(th.Text)}
		for s := range numStrengths {
			check(fmt.Sprintf("what has no colour at strength %d", s), faded(other, &th, s), 5.8)
		}
	}
}
