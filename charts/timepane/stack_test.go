package timepane

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// testLane is a lane of a height that notes in which groups it was drawn.
type testLane struct {
	name  string
	h     float32
	drawn *[]string
	hits  bool
}

func (l *testLane) Layout(_ *panel.Env, g *string, _ float32) float32 {
	if *g == "low" {
		return l.h / 2
	}
	return l.h
}

func (l *testLane) Draw(_ *Pane, _ *panel.Env, g *string, at Place) {
	*l.drawn = append(*l.drawn, *g+"/"+l.name)
}

func (l *testLane) Label(*Pane, *panel.Env, *string, Place) {}

func (l *testLane) Hit(p *Pane, _ *panel.Env, g *string, at Spot, hit *panel.Hit) bool {
	if l.hits && at.PxY >= at.Y && at.PxY < at.Y+l.h {
		p.Tip().Add(*g + "/" + l.name)
		return true
	}
	return false
}

// testChart is a chart of groups with two lanes of 60 px each, "low" ones of half that.
type testChart struct {
	pane  Pane
	stack Stack[string]
	drawn []string
	bases int
}

func (c *testChart) update(env *panel.Env, r draw.Rect, in *panel.Input) Gesture {
	p := &c.pane
	if c.stack.New() {
		c.stack.Use(&testLane{"over", 60, &c.drawn, true}, &testLane{"under", 60, &c.drawn, true})
	}
	if anew, _ := c.stack.Refill(env); anew {
		for _, g := range []string{"a", "low", "b", "c", "d"} {
			c.stack.Add(g)
		}
		c.stack.Layout(env)
	}
	p.Place(env, r, Shape{GutterW: 100, ContentH: c.stack.Height(), Empty: len(c.stack.Groups()) == 0})
	g := p.Input(env, in, nil)
	p.Show(env, in, c)
	return g
}

func (c *testChart) DrawBase(env *panel.Env) {
	c.drawn = c.drawn[:0]
	c.bases++
	if p := &c.pane; !p.Empty() {
		c.stack.Draw(p, env)
		p.EndPlot()
		c.stack.DrawLabels(p, env)
	}
}

func (c *testChart) Thing(*panel.Input) model.CollectorID     { return model.NoCollector }
func (c *testChart) DrawOver(env *panel.Env, in *panel.Input) {}

func TestStackDrawsWhatIsVisibleFirstLaneLast(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	var c testChart
	r := draw.Rect{X0: 10, Y0: 20, X1: 710, Y1: 20 + RulerH(env) + 200}
	none := &panel.Input{X: -1, Y: -1}
	c.update(env, r, none)
	want := []string{"a/under", "a/over", "low/under", "low/over", "b/under", "b/over"}
	if !slices.Equal(c.drawn, want) {
		t.Errorf("drawn: %q", c.drawn)
	}
	if y, h := c.stack.Band(2); y != 120+1+60+1 || h != 120 {
		t.Errorf("the third group lies at %g, %g high", y, h)
	}
	c.pane.ScrollTo(1e6)
	c.update(env, r, none)
	if !slices.Equal(c.drawn, []string{"c/under", "c/over", "d/under", "d/over"}) {
		t.Errorf("drawn at the end: %q", c.drawn)
	}
	if got := c.pane.Scroll(); got != c.stack.Height()-200 {
		t.Errorf("scrolled to %g of %g", got, c.stack.Height())
	}
	plot := c.pane.Plot()
	hit, g, label := c.stack.HitTest(&c.pane, env, plot.X0+5, plot.Y1-10)
	if g == nil || *g != "d" || label {
		t.Fatalf("at the lower edge of the plot: %v", g)
	}
	c.stack.Describe(&c.pane, env, plot.X0+5, plot.Y1-10, hit)
	if len(hit.Lines) != 1 || hit.Lines[0] != "d/under" {
		t.Errorf("described as %q", hit.Lines)
	}
	if _, g, label = c.stack.HitTest(&c.pane, env, plot.X0-5, plot.Y1-100); g == nil || *g != "d" || !label {
		t.Errorf("in the gutter: %v, a label: %v", g, label)
	}
	env.View = view.New(store.NewSession())
	c.update(env, r, none)
	if len(c.stack.Groups()) != 5 || !c.pane.Empty() {
		t.Errorf("%d groups of a session without time, empty: %v", len(c.stack.Groups()), c.pane.Empty())
	}
}

// The base is drawn again when what it depends on changed, and what lies over it alone otherwise.
func TestBaseIsDrawnWhenItChanged(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	var c testChart
	r := draw.Rect{X1: 700, Y1: 300}
	in := &panel.Input{X: 300, Y: 150, Over: true}
	c.update(env, r, in)
	for _, step := range []struct {
		name string
		do   func()
		base bool
	}{
		{"nothing", func() {}, false},
		{"the mouse", func() { in.X++ }, false},
		{"the playhead", func() { env.View.PlacePlayhead(env.View.Playhead() + 1e6) }, false},
		{"the window", func() { env.View.Steer().PlaceTime(0, 1e8) }, true},
		{"the scroll position", func() { c.pane.ScrollTo(40) }, true},
		{"the rectangle", func() { r.Y1 -= 10 }, true},
	} {
		before := c.bases
		step.do()
		c.update(env, r, in)
		if drawn := c.bases > before; drawn != step.base {
			t.Errorf("%s changed, the base was drawn: %v", step.name, drawn)
		}
		if n := testing.AllocsPerRun(10, func() { c.update(env, r, in) }); n > 0 {
			t.Errorf("%g allocations while nothing changes", n)
		}
	}
}

// The wheel scrolls in the gutter; a drag there scrolls and is no click.
func TestGutterScrolls(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	var c testChart
	r := draw.Rect{X1: 700, Y1: 200}
	step := func(y float32, b panel.Button, wheel float32) Gesture {
		return c.update(env, r, &panel.Input{X: 50, Y: y, Over: true, Left: b, WheelY: wheel})
	}
	step(100, panel.Button{}, 0)
	step(100, panel.Button{}, -1)
	if c.pane.Scroll() != panel.WheelRowPx {
		t.Errorf("the wheel scrolled to %g", c.pane.Scroll())
	}
	step(100, panel.Button{Down: true, Pressed: true}, 0)
	step(80, panel.Button{Down: true, Dragging: true}, 0)
	if g := step(80, panel.Button{Released: true, Dragging: true}, 0); g.Click || c.pane.Scroll() != panel.WheelRowPx+20 {
		t.Errorf("a drag is a click: %v, it scrolled to %g", g.Click, c.pane.Scroll())
	}
	step(80, panel.Button{Down: true, Pressed: true}, 0)
	if g := step(80, panel.Button{Released: true}, 0); !g.Click || !g.Label {
		t.Errorf("a click on a label is %+v", g)
	}
}
