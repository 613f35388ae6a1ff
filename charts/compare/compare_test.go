package compare

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/tabletest"
	"framescope/model/compare"
)

// Pictures of the comparison, in every way that tools offer, and of nothing.
func TestGoldenCompared(t *testing.T) {
	used := func(p panel.Panel, tools ...int) panel.Panel {
		for _, id := range tools {
			p.(panel.Tooled).Use(nil, id, 0)
		}
		return p
	}
	for _, c := range []struct {
		name  string
		w, h  float32
		scale float32
		light bool
		panel panel.Panel
	}{
		{"compare_flame", 720, 190, 1, false, NewFlame()},
		{"compare_flame_2x", 720, 190, 2, false, NewFlame()},
		{"compare_flame_light", 720, 190, 1, true, used(NewFlame(), toolWidth)},
		{"compare_flame_empty", 720, 120, 1, false, NewFlame()},
		{"compare_table", 620, 330, 1, false, NewTable()},
		{"compare_table_2x", 620, 330, 2, false, NewTable()},
		{"compare_table_paths", 460, 260, 1, false, used(NewTable(), toolPaths, toolSelf, comparetableToolNoise)},
		{"compare_times", 760, 330, 1, false, NewTable()},
		{"compare_times_frames", 760, 330, 1, false, NewTable()},
		{"compare_table_empty", 620, 120, 1, false, NewTable()},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig := chartstest.NewComparedRig(c.scale, c.w, c.h)
			chartstest.Light(rig.Env, c.light)
			switch {
			case strings.HasSuffix(c.name, "_empty"):
				rig.Env.Comparing = new(view.Comparing)
			case strings.HasSuffix(c.name, "_frames"):
				rig = chartstest.ComparedFrames(c.scale, c.w, c.h)
			}
			rig.Check(t, c.panel, c.name)
		})
	}
}

// Bars are as wide as what they stand for took, callees lie in their callers, and colors are of what
// changed alone.
func TestBarsSayWhatTheComparisonSays(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 1000, 300)
	g := NewFlame()
	rig.Tick(g)
	r := rig.Env.Comparing.Result()
	testkit.MustThat(t, len(g.bars) == len(r.Paths) && len(g.threads) == 2,
		"%d bars of %d paths, %d threads", len(g.bars), len(r.Paths), len(g.threads))
	perPx := g.total / float64(g.plot.W())
	for i := range g.bars {
		b := &g.bars[i]
		f := &b.row.Total
		if want := g.widthOf(f); b.width < want-1 || b.depth == 1 && math.Abs(b.width-want) > 1 {
			t.Errorf("%s: %v wide, want %v", b.row.Name(), b.width, want)
		}
		px := float64(b.rect.W()) * perPx
		testkit.That(t, math.Abs(px-b.width) <= 1.5*perPx, "%s: %v px wide", b.row.Name(), b.rect.W())
		if p := b.row.Parent; p >= 0 && (b.rect.X0 < g.bars[p].rect.X0 || b.rect.X1 > g.bars[p].rect.X1) {
			t.Errorf("%s sticks out of its caller", b.row.Name())
		}
		grey := g.fillOf(rig.Env, f) == draw.Color(rig.Env.Theme.Even)
		testkit.That(t, grey != f.Verdict.Changed(), "%s: %v, grey: %v", b.row.Name(), f.Verdict, grey)
		hit := g.HitTest(rig.Env, (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2)
		lines := strings.Join(hit.Lines, "\n")
		want := string(subject.AppendDelta(nil, f.Delta()))
		testkit.That(t, hit.Lines[0] == b.row.Name() && strings.Contains(lines, want),
			"the tooltip of %s says %q, want %s", b.row.Name(), lines, want)
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
	got := rig.Env.View.Collector()
	testkit.That(t, got == g.bars[at].row.Collectors[1], "selected is %d", got)
	rig.DoubleClick(g, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	rig.Tick(g)
	if r = g.bars[at].rect; g.zoom != at || math.Abs(float64(r.W()-g.plot.W())) > 2 {
		t.Errorf("zoomed to %d, %v of %v wide", g.zoom, r.W(), g.plot.W())
	}
	g.Use(rig.Env, toolWhole, 0)
	rig.Tick(g)
	testkit.That(t, g.bars[at].rect.W() < g.plot.W(), "the whole is not shown again")
}

// The table says of each row what the comparison does, those that changed first, and a click selects the
// collector where its session is shown.
func TestTableSaysWhatTheComparisonSays(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 500)
	p := NewTable()
	rig.Tick(p)
	r := rig.Env.Comparing.Result()
	testkit.MustThat(t, p.NumRows() == len(r.Collectors), "%d rows of %d", p.NumRows(), len(r.Collectors))
	want := map[string]compare.Verdict{
		"App:Show code:Physics": compare.Slower, "App:Collide": compare.Faster, "Draw:Flush:Texture": compare.New,
		"Draw:Flush": compare.Gone,
	}
	changed := 0
	for row := range p.NumRows() {
		name, verdict := p.CellText(rig.Env, row, "name"), ""
		verdict = p.CellText(rig.Env, row, "verdict")
		if v, ok := want[name]; ok {
			changed++
			testkit.That(t, verdict == v.String() && row < len(want), "row %d, %s: %s, want %v", row, name, verdict, v)
		} else if verdict != "noise" && verdict != "untested" && verdict != "identical" {
			t.Errorf("%s: %s", name, verdict)
		}
	}
	testkit.That(t, changed == len(want), "%d of %d changes are listed", changed, len(want))
	const physics = 2
	c := p.CellRect(physics, "name")
	name := p.CellText(rig.Env, physics, "name")
	rig.Click(p, c.X0+40, (c.Y0+c.Y1)/2)
	got := rig.Env.View.Session().Collector(rig.Env.View.Collector()).FullName
	testkit.That(t, got == name, "selected is %s, clicked was %s", got, name)
	p.SetFilter("collide")
	rig.Tick(p)
	testkit.That(t, p.NumRows() == 1, "%d rows with the filter", p.NumRows())
}

// Noise can be left out, and rows can be call paths.
func TestToolsOfTheTable(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 500)
	p := NewTable()
	p.Use(rig.Env, comparetableToolNoise, 0)
	rig.Tick(p)
	testkit.That(t, p.NumRows() == 4, "%d rows changed", p.NumRows())
	p.Use(rig.Env, comparetableToolNoise, 0)
	p.Use(rig.Env, toolPaths, 0)
	rig.Tick(p)
	testkit.That(t, p.NumRows() == len(rig.Env.Comparing.Result().Paths), "%d call paths", p.NumRows())
	rig.Env.Comparing.Stop()
	if rig.Tick(p); p.NumRows() != 0 || rig.Env.Comparing.ShownSide(rig.Env.View.Session()) >= 0 {
		t.Errorf("%d rows of nothing", p.NumRows())
	}
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	_, b, state := chartstest.NewCompared()
	tabletest.Unharmed(t, func() tabletest.Shown[line] {
		p := NewTable()
		rig := chartstest.NewRig(b, 1, 1000, 300)
		rig.Env.Comparing = state
		return tabletest.Shown[line]{Rig: rig, Table: p.Table, Columns: &p.src.columns}
	})
}

// Columns are the shares of both sides, and add up to all frames. A comparison anew is shown anew, and of one side
// alone there are none.
func TestColumnsAreShares(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 760, 330)
	p := NewTable()
	rig.Tick(p)
	c, f := &p.times, frames(rig.Env)
	for side := range f.Sides {
		sum := 0.0
		for k := range c.columns() {
			sum += c.share(f, side, k)
		}
		testkit.That(t, math.Abs(sum-1) <= 1e-9, "side %d: %v of all", side, sum)
	}
	hit := p.HitTest(rig.Env, c.plot.X1-1, (c.plot.Y0+c.plot.Y1)/2)
	lines := strings.Join(hit.Lines, "\n")
	testkit.That(t, strings.Contains(lines, "and longer") && strings.Contains(lines, "of 600 frames"),
		"the last column says %q", lines)
	s, a := rig.Env.Comparing, f.Sides[0].Median
	s.Swap()
	for s.Result() == nil {
		s.Tick(1000)
	}
	rig.Tick(p)
	testkit.That(t, frames(rig.Env).Sides[1].Median == a && c.columns() > 0, "A is not B now")
	m, _ := s.Marked(view.SideB)
	s.Stop()
	s.Set(view.SideB, m, 0)
	words := s.Words("")
	testkit.That(t, strings.Contains(words, "B is marked") && strings.Contains(words, "Shift+A"), "%q", words)
	rig.Tick(p)
	testkit.That(t, c.columns() == 0 && c.rect.Empty(), "columns of nothing")
}

// Of a single frame there is no median, and no percentile: it is what it is.
func TestFramesHaveNoMedian(t *testing.T) {
	rig, p := chartstest.ComparedFrames(1, 760, 330), NewTable()
	rig.Tick(p)
	for _, x := range p.List().Texts() {
		for _, word := range []string{"median", "p95", "p99", "longest"} {
			testkit.That(t, !strings.Contains(x.Text, word), "of a frame it says %q", x.Text)
		}
	}
}

// Which stretch is A and which is B stands above, whole, in panels down to those of a small window.
func TestSidesAreNamedWhole(t *testing.T) {
	for _, width := range []float32{340, 420, 760} {
		rig, p := chartstest.ComparedFrames(1, width, 230), NewTable()
		rig.Tick(p)
		said := map[string]bool{}
		for _, x := range p.List().Texts() {
			said[x.Text] = true
		}
		for _, words := range []string{"A", "B", "before", "after", "frame 20 of Main", "frame 21 of Main"} {
			testkit.That(t, said[words], "a panel of %v px does not say %q: %v", width, words, said)
		}
	}
}
