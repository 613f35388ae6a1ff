package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
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

func (l *testLane) Draw(_ *timepane.Pane, _ *panel.Env, g *string, at timepane.Place) {
	*l.drawn = append(*l.drawn, *g+"/"+l.name)
}

func (l *testLane) Label(*timepane.Pane, *panel.Env, *string, timepane.Place) {}

func (l *testLane) Hit(p *timepane.Pane, _ *panel.Env, g *string, at timepane.Spot, hit *panel.Hit) bool {
	if l.hits && at.PxY >= at.Y && at.PxY < at.Y+l.h {
		p.Tip().Add(*g + "/" + l.name)
		return true
	}
	return false
}

// testChart is a chart of groups with two lanes of 60 px each, "low" ones of half that.
type testChart struct {
	pane  timepane.Pane
	stack timepane.Stack[string]
	drawn []string
	bases int
}

func (c *testChart) update(env *panel.Env, r draw.Rect, in *panel.Input) timepane.Gesture {
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
	p.Place(env, r, timepane.Shape{GutterW: 100, ContentH: c.stack.Height(), Empty: len(c.stack.Groups()) == 0})
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

func (c *testChart) Thing(*panel.Env, *panel.Input) model.CollectorID { return model.NoCollector }
func (c *testChart) DrawOver(env *panel.Env, in *panel.Input)         {}

func TestStackDrawsWhatIsVisibleFirstLaneLast(t *testing.T) {
	env := chartstest.ReadyEnv(chartstest.NewSession(t), 1)
	env.View.Steer().FitAll()
	var c testChart
	r := draw.Rect{X0: 10, Y0: 20, X1: 710, Y1: 20 + timepane.RulerH(env) + 200}
	none := &panel.Input{X: -1, Y: -1}
	c.update(env, r, none)
	want := []string{"a/under", "a/over", "low/under", "low/over", "b/under", "b/over"}
	testkit.That(t, slices.Equal(c.drawn, want), "drawn: %q", c.drawn)
	y, h := c.stack.Band(2)
	testkit.That(t, y == 120+1+60+1 && h == 120, "the third group lies at %g, %g high", y, h)
	c.pane.ScrollTo(1e6)
	c.update(env, r, none)
	testkit.That(t, slices.Equal(c.drawn, []string{"c/under", "c/over", "d/under", "d/over"}),
		"drawn at the end: %q", c.drawn)
	got := c.pane.Scroll()
	testkit.That(t, got == c.stack.Height()-200, "scrolled to %g of %g", got, c.stack.Height())
	plot := c.pane.Plot()
	hit, g, label := c.stack.HitTest(&c.pane, env, plot.X0+5, plot.Y1-10)
	testkit.MustThat(t, g != nil && *g == "d" && !label, "at the lower edge of the plot: %v", g)
	c.stack.Describe(&c.pane, env, plot.X0+5, plot.Y1-10, hit)
	testkit.That(t, len(hit.Lines) == 1 && hit.Lines[0] == "d/under", "described as %q", hit.Lines)
	_, g, label = c.stack.HitTest(&c.pane, env, plot.X0-5, plot.Y1-100)
	testkit.That(t, g != nil && *g == "d" && label, "in the gutter: %v, a label: %v", g, label)
	env.View = view.New(store.NewSession())
	c.update(env, r, none)
	testkit.That(t, len(c.stack.Groups()) == 5 && c.pane.Empty(),
		"%d groups of a session without time, empty: %v", len(c.stack.Groups()), c.pane.Empty())
}

// The base is drawn again when what it depends on changed, and what lies over it alone otherwise.
func TestBaseIsDrawnWhenItChanged(t *testing.T) {
	env := chartstest.ReadyEnv(chartstest.NewSession(t), 1)
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
		drawn := c.bases > before
		testkit.That(t, drawn == step.base, "%s changed, the base was drawn: %v", step.name, drawn)
		chartstest.AllocatesNothing(t, step.name, func() { c.update(env, r, in) })
	}
}

// The wheel scrolls in the gutter; a drag there scrolls and is no click.
func TestGutterScrolls(t *testing.T) {
	env := chartstest.ReadyEnv(chartstest.NewSession(t), 1)
	env.View.Steer().FitAll()
	var c testChart
	r := draw.Rect{X1: 700, Y1: 200}
	step := func(y float32, b panel.Button, wheel float32) timepane.Gesture {
		return c.update(env, r, &panel.Input{X: 50, Y: y, Over: true, Left: b, WheelY: wheel})
	}
	step(100, panel.Button{}, 0)
	step(100, panel.Button{}, -1)
	testkit.That(t, c.pane.Scroll() == panel.WheelRowPx, "the wheel scrolled to %g", c.pane.Scroll())
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

// A tooltip tells the first arguments of a span, and how many there are more.
func TestTipTellsArguments(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "LoadTexture"})
	s.Apply(model.TrackDef{ID: 0, Name: "Streaming"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	b := model.Batch{Spans: []model.Span{{Begin: 0, End: 100, Path: 1}, {Begin: 200, End: 300, Path: 1}, {Begin: 400, End: 500, Path: 1}}}
	for i := range 6 {
		b.Args = append(b.Args, model.Arg{Span: 1, Key: fmt.Sprint("key ", i), Value: model.IntArg(int64(-i) * 1000)})
	}
	b.Args = append(b.Args, model.Arg{Span: 2, Key: "url", Value: model.TextArg(strings.Repeat("https://assets.example/", 30))})
	s.Append(&b)
	env := chartstest.NewEnv(s, 1)
	var tips timepane.SpanTips
	for i, want := range []string{
		"", "key 0 =\t0|key 1 =\t−1000|key 2 =\t−2000|key 3 =\t−3000|2 arguments more", "url =\thttps://assets.example/",
	} {
		var tip panel.TipLines
		bar, _ := s.Spans().ByRef(spans.Ref{Index: int64(i)})
		tip.Begin()
		tips.Span(env, &tip, 0, &bar, 0)
		lines := tip.All()
		_, got, _ := strings.Cut(strings.Join(lines, "|"), "begins\t")
		_, got, _ = strings.Cut(got, "|")
		testkit.That(t, strings.HasPrefix(got, want) && (want != "" || got == "") && len(got) <= 700,
			"span %d: %q", i, lines)
		rect := draw.Rect{X1: 420, Y1: 240}
		l := draw.NewList(env.Atlas)
		l.Reset(rect)
		l.Rect(rect, draw.Color(env.Theme.Panel))
		hit := panel.Hit{Kind: panel.HitSpan, Collector: 1, Bar: bar, Lines: lines}
		panel.DrawTooltip(l, env, &hit, 20, 20, rect)
		golden.Check(t, fmt.Sprintf("../timepane/testdata/golden/tip_%d.png", i), chartstest.Picture(420, 240, l))
	}
}

// A scale puts times where the pane does.
func TestScaleIsThatOfThePane(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	rapid.Check(t, func(t *rapid.T) {
		var p timepane.Pane
		begin, width := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "begin"), rapid.Int64Range(1, 1<<40).Draw(t, "width")
		env.View.Steer().Set(float64(begin), float64(begin+width), false, 0)
		env.View.Tick(1, false)
		p.Place(env, draw.Rect{X0: 10, Y0: 20, X1: 10 + float32(rapid.IntRange(30, 3000).Draw(t, "px")), Y1: 400}, timepane.Shape{GutterW: 12})
		s := p.Scale(env)
		for range 20 {
			a := begin + rapid.Int64Range(-width/4-1, width+width/4+1).Draw(t, "a")
			b := a + rapid.Int64Range(0, width).Draw(t, "b")
			got, want := s.PxOf(a), p.PxOf(env, a)
			testkit.MustThat(t, got-want <= 1 && want-got <= 1, "time %d at %g, want %g", a, got, want)
			x0, x1, seen := s.PxRange(a, b)
			testkit.MustThat(t, x1 >= x0+1 && seen == (x1 > p.Plot().X0 && x0 < p.Plot().X1) && s.PxOf(a) == x0,
				"[%d, %d] from %g to %g, seen %t", a, b, x0, x1, seen)
		}
	})
}

// TestSelectedTime checks what steps back: all that is not in the selected time, wherever one looks,
// but nothing where that time is hardly wide enough to be seen, and nothing while live data move on.
// One frame is where one is: what is far from it does not step back.
func TestSelectedTime(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	v := env.View
	v.Follow(false)
	begin, _, _ := v.Session().Bounds()
	a, b := begin+100_000_000, begin+200_000_000
	v.SelectRange(a, b)
	for _, c := range []struct {
		what     string
		from, to int64
		want     bool
	}{
		{"all of it in view", a - 50_000_000, b + 50_000_000, true},
		{"its begin in view", a - 50_000_000, a + 50_000_000, true},
		{"a part of it in view", a + 10_000_000, a + 20_000_000, true},
		{"a sliver of it in view", a - 50_000_000, a + 1_000_000, true},
		{"a sliver of what is shown", a - 3_000_000_000, b + 3_000_000_000, false},
		{"none of it in view", b + 10_000_000, b + 90_000_000, true},
		{"far from it", b + 1_000_000_000, b + 2_000_000_000, true},
		{"far from what would be a sliver", b + 1_000_000_000, b + 4_000_000_000, false},
	} {
		v.Steer().PlaceTime(c.from, c.to)
		s := timepane.SelectedTime(env)
		testkit.That(t, s.Leaves(b, b+10) == c.want && s.Leaves(a-10, a) == c.want,
			"%s: what is outside steps back: %v", c.what, s.Leaves(b, b+10))
		testkit.That(t, !s.Leaves(a-10, a+1) && !s.Leaves(b-1, b+10) && !s.Leaves(a-10, b+10),
			"%s: what reaches into it steps back", c.what)
		from, to, cut := s.Cut(a-10, a+1)
		testkit.That(t, cut == c.want && (!cut || from == a && to == a+1), "%s: the selected part is %d to %d, %v", c.what, from-a, to-a, cut)
		_, _, cut = s.Cut(a, b)
		testkit.That(t, !cut, "%s: a part of what is selected as a whole", c.what)
	}
	for last := 10; last <= 11; last++ { // one frame, then two
		v.SelectFrames(10, last)
		a, b := v.RangeA(), v.RangeB()
		for _, away := range []int64{0, 100_000_000} {
			v.Steer().PlaceTime(a-10_000_000+away, b+10_000_000+away)
			s := timepane.SelectedTime(env)
			testkit.That(t, s.Leaves(b+away, b+away+10) == (last > 10 || away == 0),
				"frames 10 to %d, %d ns from them: what is outside steps back, or does not", last, away)
		}
	}
	v.SelectRange(a, b)
	v.Steer().PlaceTime(a-50_000_000, b+50_000_000)
	v.Follow(true)
	s := timepane.SelectedTime(env)
	testkit.That(t, !s.Leaves(b, b+10), "something steps back while the view follows live data")
}

// The readout of a range counts the frames that are selected when the mouse is released, and their
// rate is theirs, not that of the part of them that the range is.
func TestReadoutCountsWhatIsSelected(t *testing.T) {
	env := chartstest.ReadyEnv(chartstest.NewSession(t), 1)
	v := env.View
	tr := v.Shown()
	f, next := tr.Frame(20), tr.Frame(21)
	tl := timelineOn(env, f.Begin-5_000_000, tr.Frame(23).End)
	const ms = 1_000_000
	for _, c := range []struct{ a, b int64 }{
		{f.Begin + ms, f.End - ms}, {f.Begin + ms, f.End + ms}, {f.Begin - ms, next.End}, {f.End - ms, tr.Frame(23).Begin + ms},
	} {
		from, to := tl.pane.PxOf(env, c.a), tl.pane.PxOf(env, c.b)
		said := ""
		for i, x := range []float32{from, (from + to) / 2, to, to, to} {
			for _, text := range tl.List().Texts() {
				if i == 4 && strings.Contains(text.Text, " frame") && strings.Contains(text.Text, " · ") {
					said = text.Text
				}
			}
			in := chartstest.MouseAt(x, tl.pane.Plot().Y1-5)
			in.Shift, in.Alt = true, true
			in.Left = panel.Button{Down: i < 4, Pressed: i == 0, Released: i == 4, Dragging: i > 0, DownX: from, DownY: in.Y}
			tl.Update(env, testRect, in)
		}
		first, last, _ := v.FramesOf(v.Track())
		want := string(format.AppendPlural([]byte(" · "), int64(last-first+1), "frame", "frames"))
		if last > first {
			want = string(format.AppendHertz([]byte(want+" · "), tr.FrameRateOf(first, last)))
		}
		testkit.That(t, strings.HasSuffix(said, want) && v.FrameA() >= 0,
			"[%d, %d]: the readout says %q, want %q", c.a, c.b, said, want)
	}
}
