package panel

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model/store"

	"pgregory.net/rapid"
)

// plainEnv is an environment with an empty session.
func plainEnv() *Env {
	th := assets.Dark()
	return &Env{View: view.New(store.NewSession()), Theme: &th, Atlas: draw.NewAtlas(1), Scale: 1, NowNs: 1}
}

func TestTooltipWaitsAndFollows(t *testing.T) {
	env := plainEnv()
	env.View.Stamp()
	env.Animate, env.Paced = true, true
	bounds := draw.Rect{X1: 800, Y1: 600}
	hit := &Hit{Kind: HitSpan, Collector: 1, Lines: []string{"App", "duration\t4.21 ms"}}
	var tip Tooltip
	if tip.Draw(env, hit, 100, 100, bounds) != nil {
		t.Error("it is there at once")
	}
	env.NowNs += tipDelayNs
	l := tip.Draw(env, hit, 100, 100, bounds)
	if l == nil || l.Quads() == 0 {
		t.Fatal("it does not come")
	}
	if tip.Draw(env, &Hit{Kind: HitSpan, Collector: 2, Lines: []string{"Cull"}}, 300, 100, bounds) == nil {
		t.Error("it does not follow to the next thing")
	}
	if tip.Draw(env, &Hit{}, 300, 100, bounds) != nil {
		t.Error("it stays where nothing is")
	}
	if tip.Draw(env, hit, 100, 100, bounds) != nil {
		t.Error("it does not wait again")
	}
}

// A tooltip stays inside the window and, where there is room at any side, off the thing that it
// describes.
func TestTooltipPlace(t *testing.T) {
	env := plainEnv()
	bounds := draw.Rect{X1: 1000, Y1: 700}
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.Float32Range(20, 500).Draw(t, "w"), rapid.Float32Range(20, 200).Draw(t, "h")
		x, y := rapid.Float32Range(0, 999).Draw(t, "x"), rapid.Float32Range(0, 699).Draw(t, "y")
		wide, high := rapid.Float32Range(10, 300).Draw(t, "wide"), rapid.Float32Range(10, 300).Draw(t, "high")
		thing := draw.Rect{X0: x - 5, Y0: y - 9, X1: x - 5 + wide, Y1: y - 9 + high}
		r := placeTip(env, w, h, x, y, thing, bounds)
		if r.X0 < 0 || r.Y0 < 0 || r.X1 > 1001 || r.Y1 > 701 {
			t.Fatalf("%g x %g at %g, %g: %+v", w, h, x, y, r)
		}
		const off = 8
		room := thing.Y1+h+off < 700 || thing.Y0-h-off > 0 || thing.X1+w+off < 1000 && x+14+w < 1000 || thing.X0-w-off > 0
		if o := r.Intersect(thing); !o.Empty() && room {
			t.Fatalf("%g x %g at %g, %g covers the thing: %+v", w, h, x, y, r)
		}
	})
	// Beside a pane it lies on the side where the mouse is, not far away at another.
	pane := draw.Rect{X0: 100, Y0: 200, X1: 700, Y1: 600}
	if r := placeTip(env, 200, 40, 150, 215, pane, bounds); r.Y1 > pane.Y0 || r.Y1 < pane.Y0-20 {
		t.Errorf("a tooltip of a title row lies at %v", r)
	}
	if r := placeTip(env, 200, 40, 690, 400, pane, bounds); r.X0 < pane.X1 || r.X0 > pane.X1+20 {
		t.Errorf("a tooltip at the right edge lies at %v", r)
	}
	// Of a row it lies beside its list, or of a wide list away from the row and those next to it.
	for _, list := range []draw.Rect{{X0: 740, Y0: 100, X1: 1000, Y1: 690}, {X0: 0, Y0: 100, X1: 240, Y1: 690}, {X0: 0, Y0: 100, X1: 1000, Y1: 690}} {
		for _, y := range []float32{121, 301, 681} {
			row := draw.Rect{X0: list.X0, Y0: y - 5, X1: list.X1, Y1: y + 15}
			r := placeAmong(env, 220, 90, list.X0+100, y, &Hit{Rect: row, Among: list}, bounds)
			if row.Y0, row.Y1 = row.Y0-20, row.Y1+20; list.W() < 500 {
				row = list
			}
			if o := r.Intersect(row); !o.Empty() || r.X0 < 0 || r.X1 > 1000 || r.Y0 < 0 || r.Y1 > 700 {
				t.Errorf("the tooltip of the row at %g of %v lies at %v", y, list, r)
			}
		}
	}
	l := draw.NewList(env.Atlas)
	l.Reset(bounds)
	DrawTooltip(l, env, &Hit{Kind: HitSpan, Lines: []string{strings.Repeat("long name:", 200), strings.Repeat("n", 300) + "\t12 ms"}}, 500, 300, bounds)
	for _, v := range l.Vertices {
		if v.X < 0 || v.X > 1000 {
			t.Fatalf("a vertex at %g", v.X)
		}
	}
}

// Long lines are broken, between words or after signs that part names; nothing of them is lost.
func TestTooltipsWrap(t *testing.T) {
	env := plainEnv()
	const most = 500
	name := "org.example.shop." + strings.Repeat("checkout.pricing.", 8) + "PriceRules.match"
	rows, w := tipRows(env, []string{name, "called by\t" + name, strings.Repeat("some words ", 30), "took\t1 ms"}, 0, 14, most)
	if w > most {
		t.Errorf("%g wide", w)
	}
	var title, value, words string
	for i, r := range rows {
		for f, s := range map[draw.Face]string{draw.Medium: r.name, draw.Regular: r.value} {
			if (f == draw.Regular || r.title) && env.Atlas.Measure(f, s) > most {
				t.Errorf("row %d is too wide: %q", i, s)
			}
		}
		switch {
		case r.title:
			title += r.name
		case strings.HasPrefix(r.name, "some") || strings.HasPrefix(r.name, "words"):
			words += r.name + " "
		case r.name != "took":
			value += r.value
		}
	}
	if title != name || value != name || words != strings.Repeat("some words ", 30) {
		t.Errorf("the title is %q, the value %q, the words %q", title, value, words)
	}
	if last := rows[len(rows)-1]; last != (tipRow{name: "took", value: "1 ms"}) {
		t.Errorf("the last row is %+v", last)
	}
}
