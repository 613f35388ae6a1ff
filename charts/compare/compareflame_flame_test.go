package compare

import (
	"math"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/subject"
	"framescope/model/compare"
)

func TestGoldenDifferentialFlame(t *testing.T) {
	chartstest.AtScales(t, "compare_flame", func(t *testing.T, scale float32, name string) {
		chartstest.NewComparedRig(scale, 720, 190).Check(t, NewFlame(), name)
	})
	t.Run("light", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 720, 190)
		light := assets.Light()
		rig.Env.Theme = &light
		g := NewFlame()
		g.Use(rig.Env, toolWidth, 0)
		rig.Check(t, g, "compare_flame_light")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 720, 120)
		rig.Env.Comparing = nil
		rig.Check(t, NewFlame(), "compare_flame_empty")
	})
}

// Bars are as wide as what they stand for took, callees lie in their callers, and colours are of what
// changed alone.
func TestBarsSayWhatTheComparisonSays(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 1000, 300)
	g := NewFlame()
	rig.Tick(g)
	r := rig.Env.Comparing.Result()
	if len(g.bars) != len(r.Paths) || len(g.threads) != 2 {
		t.Fatalf("%d bars of %d paths, %d threads", len(g.bars), len(r.Paths), len(g.threads))
	}
	perPx := g.total / float64(g.plot.W())
	for i := range g.bars {
		b := &g.bars[i]
		f := &b.row.Total
		if want := g.widthOf(f); b.width < want-1 || b.depth == 1 && math.Abs(b.width-want) > 1 {
			t.Errorf("%s: %v wide, want %v", b.row.Name(), b.width, want)
		}
		if px := float64(b.rect.W()) * perPx; math.Abs(px-b.width) > 1.5*perPx {
			t.Errorf("%s: %v px wide", b.row.Name(), b.rect.W())
		}
		if p := b.row.Parent; p >= 0 && (b.rect.X0 < g.bars[p].rect.X0 || b.rect.X1 > g.bars[p].rect.X1) {
			t.Errorf("%s sticks out of its caller", b.row.Name())
		}
		grey := g.fillOf(rig.Env, f) == draw.Color(rig.Env.Theme.Wait)
		if grey == f.Verdict.Changed() {
			t.Errorf("%s: %v, grey: %v", b.row.Name(), f.Verdict, grey)
		}
		hit := g.HitTest(rig.Env, (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2)
		lines := strings.Join(hit.Lines, "\n")
		want := string(subject.AppendDelta(nil, f.Delta()))
		if hit.Lines[0] != b.row.Name() || !strings.Contains(lines, want) {
			t.Errorf("the tooltip of %s says %q, want %s", b.row.Name(), lines, want)
		}
	}
}

// A click selects, a double click lets a bar fill the width, and another beside all bars brings back the
// whole.
func TestClicksOnBars(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 1000, 300)
	g := NewFlame()
	rig.Tick(g)
	var at int
	for i := range g.bars {
		if g.bars[i].row.Total.Verdict == compare.Slower && g.bars[i].depth == 1 {
			at = i
		}
	}
	r := g.bars[at].rect
	rig.Click(g, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	if got := rig.Env.View.Collector(); got != g.bars[at].row.Collectors[1] {
		t.Errorf("selected is %d", got)
	}
	rig.DoubleClick(g, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	rig.Tick(g)
	if r = g.bars[at].rect; g.zoom != at || math.Abs(float64(r.W()-g.plot.W())) > 2 {
		t.Errorf("zoomed to %d, %v of %v wide", g.zoom, r.W(), g.plot.W())
	}
	g.Use(rig.Env, toolWhole, 0)
	if rig.Tick(g); g.bars[at].rect.W() >= g.plot.W() {
		t.Error("the whole is not shown again")
	}
}
