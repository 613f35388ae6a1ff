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

// A tooltip stays inside the window and, where there is room above or below, off the thing that it
// describes.
func TestTooltipPlace(t *testing.T) {
	env := plainEnv()
	bounds := draw.Rect{X1: 1000, Y1: 700}
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.Float32Range(20, 500).Draw(t, "w"), rapid.Float32Range(20, 200).Draw(t, "h")
		x, y := rapid.Float32Range(0, 999).Draw(t, "x"), rapid.Float32Range(0, 699).Draw(t, "y")
		thing := draw.Rect{X0: x - 5, Y0: y - 9, X1: x + 40, Y1: y + 10}
		r := placeTip(env, w, h, x, y, thing, bounds)
		if r.X0 < 0 || r.Y0 < 0 || r.X1 > 1001 || r.Y1 > 701 {
			t.Fatalf("%g x %g at %g, %g: %+v", w, h, x, y, r)
		}
		if o := r.Intersect(thing); !o.Empty() && (y+10+h+8 < 700 || y-9-h-8 > 0) {
			t.Fatalf("%g x %g at %g, %g covers the thing: %+v", w, h, x, y, r)
		}
	})
	l := draw.NewList(env.Atlas)
	l.Reset(bounds)
	DrawTooltip(l, env, &Hit{Kind: HitSpan, Lines: []string{strings.Repeat("long name:", 200), strings.Repeat("n", 300) + "\t12 ms"}}, 500, 300, bounds)
	for _, v := range l.Vertices {
		if v.X < 0 || v.X > 1000 {
			t.Fatalf("a vertex at %g", v.X)
		}
	}
}
