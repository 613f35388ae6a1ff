package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/gen"
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

// sampledSession returns ten seconds of a sampled program: main, whose stack is three deep but for
// twenty for a moment at 5 s; a worker that did much until 4 s; and thirty threads that lived for a
// tenth of a second each, the last of them until the end.
func sampledSession() *store.Session {
	const second, shorts = 1_000_000_000, 30
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "main", Role: model.RoleStack, Kind: model.SeriesEvent, Object: model.NoObject, Peer: model.NoObject,
	})
	for c := range model.CollectorID(21) {
		s.Apply(model.CollectorDef{ID: c, Name: fmt.Sprint("m", c)})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Parent: model.PathID(c - 1), Collector: c})
		}
	}
	names := []string{"main", "worker"}
	for i := range shorts {
		names = append(names, fmt.Sprint("short-", i))
	}
	var b model.Batch
	for id, name := range names {
		track := model.TrackID(id)
		s.Apply(model.TrackDef{ID: track, Name: name, Index: id})
		b = model.Batch{Track: track}
		add := func(begin, end int64, lane int) {
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: model.PathID(lane + 1), Lane: uint16(lane)})
		}
		switch id {
		case 0:
			b.Samples = append(b.Samples, model.Sample{Series: 0, Time: 0, Value: 1})
			for lane := range 3 {
				add(0, 10*second, lane)
			}
			for lane := 3; lane < 20; lane++ {
				add(5*second, 5*second+100_000_000, lane)
			}
		case 1:
			for i := range int64(40) {
				add(i*second/10, (i+1)*second/10, 0)
			}
		default:
			at := int64(id-2) * 10 * second / shorts
			add(at, at+second/10, 0)
		}
		b.Begin, b.End = b.Spans[0].Begin, 10*second
		s.Append(&b)
	}
	s.Apply(model.End{})
	return s
}

// Threads of a sampled program that are gone lie in one row, and blocks are as high as what is in
// view; one of them gets a row of its own when it is chosen, all of them by a click.
func TestSampledBlocks(t *testing.T) {
	const second = 1_000_000_000
	s := sampledSession()
	env := chartstest.NewEnv(s, 1)
	tl := timelineOn(env, 0, 10*second)
	env.View.SetTrack(0)
	look := func() (words string) {
		for _, b := range tl.stack.Groups() {
			words += fmt.Sprintf("%s:%d:%d ", s.Track(b.track).Title(), b.lanes, len(b.many))
		}
		return words
	}
	see := func(what, want string) {
		t.Helper()
		chartstest.Settle(env, tl, testRect)
		got := look()
		testkit.MustThat(t, strings.HasPrefix(got, want), "%s: %s, want %s", what, got, want)
	}
	// Of 30 threads the last 3 were heard of in the last second.
	see("all", "worker:1:0 main:20:0 short-27:1:0 short-28:1:0 short-29:1:0 short-0:3:27 ")
	env.View.Steer().PlaceTime(6*second, 7*second)
	see("where the worker is gone", "main:3:0 worker:3:31 ")
	env.View.Steer().PlaceTime(5*second, 5*second+50_000_000)
	see("where main is deep", "main:20:0 worker:3:31 ")
	env.View.Steer().PlaceTime(0, 10*second)
	env.View.SetTrack(7)
	see("one is chosen", "worker:1:0 main:20:0 short-5:1:0 short-27:1:0 short-28:1:0 short-29:1:0 short-0:3:26 ")

	// What lies in the row is the thread's that it is of.
	groups := tl.stack.Groups()
	y := topOf(tl, len(groups)-1)
	found := map[model.TrackID]bool{}
	for row := range tl.spans.rows {
		r := &tl.spans.rows[row]
		if r.y0 < y {
			continue
		}
		d := tl.spans.bars[r.from]
		if hit := tl.HitTest(env, d.x0+1, (r.y0+r.y1)/2); hit.Kind == panel.HitSpan {
			testkit.MustThat(t, hit.Track == hit.Bar.Ref.Track,
				"a span of thread %d is said to be of %d", hit.Bar.Ref.Track, hit.Track)
			found[hit.Track] = true
		}
	}
	testkit.That(t, len(found) == 26, "%d threads are met in their row, want 26", len(found))
	label := tl.HitTest(env, testRect.X0+30, y+5)
	testkit.That(t, strings.HasPrefix(strings.Join(label.Lines, "|"), "26 threads that ended, ") &&
		label.Track == model.NoTrack, "label %+v", label)
	chartstest.Click(env, tl, testRect, testRect.X0+30, y+5)
	testkit.That(t, env.View.Look().GoneShown() && len(tl.stack.Groups()) == 32,
		"a click leaves %d rows", len(tl.stack.Groups()))
}

// tickSession is a thread that was looked at every 10 ms for ten seconds: first in m1, from 5 s on
// waiting. Its spans are those unless others are given.
func tickSession(others ...model.Span) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "main", Role: model.RoleStack, Kind: model.SeriesEvent, Object: model.NoObject, Peer: model.NoObject,
	})
	for c, name := range []string{"All", "m1", "Object.wait()"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: name})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Collector: model.CollectorID(c)})
		}
	}
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	b := model.Batch{End: 10e9, Spans: []model.Span{{End: 5e9, Path: 1}, {Begin: 5e9, End: 10e9, Path: 2}}}
	if others != nil {
		b.Spans = others
	}
	for i := range int64(1000) {
		path := 1.0
		if i >= 500 {
			path = 2
		}
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: i * 10e6, Value: path})
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// Rows with one sampled call for as long as there are samples are low, those below have their height.
func TestConstantRowsAreLow(t *testing.T) {
	below := model.Span{End: 5e9, Path: 2, Lane: 1}
	s := tickSession(model.Span{End: 10e9, Path: 1}, below, model.Span{Begin: 6e9, End: 10e9, Path: 2, Lane: 1})
	env := chartstest.NewEnv(s, 1)
	tl := timelineOn(env, 0, 10e9)
	chartstest.Settle(env, tl, testRect)
	for lane, want := range []float32{foldedLaneH, laneH} {
		y0, y1 := laneY(env, tl, 0, lane)
		testkit.Equal(t, y1+1-y0, want, "height of row %d", lane)
	}
}

// A sampled thread has a tick a sample above its stack, in the color of what it did, as long as these
// can be told apart; a tick tells when it was, and what was innermost.
func TestTicksOfSamples(t *testing.T) {
	rig := chartstest.NewRig(tickSession(), 1, 1000, 200)
	v, x := rig.Env.View, &Timeline{}
	look := func(from, to int64) *tickRow {
		v.Steer().PlaceTime(from, to)
		rig.Ticks(x, 3)
		if len(x.samples.rows) == 0 {
			return nil
		}
		return &x.samples.rows[0]
	}
	if row := look(0, 10e9); row != nil {
		t.Errorf("at a pixel a sample there are %d ticks", row.to-row.from)
	}
	height := x.stack.Height()
	row := look(4.5e9, 5.5e9)
	testkit.MustThat(t, row != nil && x.stack.Height() == height+ticksH,
		"%d rows of ticks, %g high instead of %g", len(x.samples.rows), x.stack.Height(), height+ticksH)
	n := row.to - row.from
	testkit.That(t, n == 101, "%d ticks of 101", n)
	colors := map[[4]float32]int{}
	for _, k := range x.List().Vertices {
		if k.Y > row.y0 && k.Y < row.y1-1 && k.X > x.Plot().X0 && k.X < x.Plot().X1-2 {
			colors[[4]float32{k.R, k.G, k.B, k.A}]++
		}
	}
	testkit.That(t, len(colors) == 2, "ticks of code and of waits have %d colors: %v", len(colors), colors)
	px := x.samples.px[row.from+70]
	hit := x.HitTest(rig.Env, px+1, (row.y0+row.y1)/2)
	text := strings.Join(hit.Lines, "|")
	testkit.That(t, hit.Kind == panel.HitSample && hit.TimeNs == 5.2e9 && strings.Contains(text, "wait") &&
		strings.Contains(text, "10.0 ms"), "a tick is %v at %d: %q", hit.Kind, hit.TimeNs, text)
	chartstest.AllocatesNothing(t, "samples", func() { rig.Tick(x) })
}

// scaleSession makes a session with the structure of a game's: four threads of ten rows.
func scaleSession(spans int64) *store.Session {
	g, err := gen.New(gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1})
	if err != nil {
		panic(err)
	}
	s := store.NewSession()
	g.Fill(s)
	return s
}

// A list of ten times as many spans has no more quads, give or take: what is drawn depends on the
// pixels.
func TestTimelineQuadsDoNotGrow(t *testing.T) {
	sizes := []int64{100_000, 1_000_000}
	if testing.Short() {
		sizes = []int64{80_000, 400_000}
	}
	var quads [2]int
	for i, spans := range sizes {
		s := scaleSession(spans)
		env := chartstest.NewEnv(s, 1)
		var tl Timeline
		env.View.Tick(1, false)
		env.View.Steer().FitAll()
		r := draw.Rect{X1: 500, Y1: 900}
		chartstest.Settle(env, &tl, r)
		quads[i] = tl.List().Quads()
	}
	testkit.That(t, quads[1] <= 2*quads[0],
		"%d spans: %d quads, %d spans: %d quads", sizes[0], quads[0], sizes[1], quads[1])
}

// While frames come in, and all of the session is seen, the longest frame is asked for of the bars
// that are new, not of those that stay.
func TestLongestFramesStay(t *testing.T) {
	s := scaleSession(1_000_000)
	begin, end, _ := s.Bounds()
	env := chartstest.NewEnv(s, 1)
	var tl Timeline
	asked, most := 0, 0
	for tick := range 40 {
		if tick > 0 {
			tr := s.Track(0)
			b := model.Batch{HasFrame: true, Number: tr.FrameNumber(tr.NumFrames()-1) + 1, Begin: end, End: end + 16_000_000}
			b.Spans = append(b.Spans, model.Span{Path: 1, Begin: end, End: end + 16_000_000})
			s.Append(&b)
			end = b.End
		}
		env.View.Tick(int64(tick+1), false)
		env.View.Steer().Set(float64(begin), float64(end), false, 0)
		chartstest.Settle(env, &tl, draw.Rect{X1: 1000, Y1: 640})
		n := len(tl.spans.longest.kept)
		testkit.MustThat(t, n >= 100, "%d bars of merged frames", n)
		for _, k := range tl.spans.longest.kept {
			tr := s.Track(k.track)
			from := max(tr.FrameAt(k.begin), 0)
			want := tr.LongestFrame(from, from+int(k.count)-1)
			testkit.MustThat(t, k.longestNs == want,
				"tick %d: longest of %d frames at %d: %d, want %d", tick, k.count, k.begin, k.longestNs, want)
		}
		if tick > 0 {
			most = max(most, tl.spans.longest.asked-asked)
		}
		asked = tl.spans.longest.asked
	}
	testkit.That(t, most <= 4, "up to %d bars were asked for in a tick", most)
}

// timelineOf returns a timeline of all of a session, as a picture has it.
func timelineOf(s *store.Session, paced bool) (*Timeline, func()) {
	env := chartstest.NewEnv(s, 1)
	env.Paced = paced
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	tl := new(Timeline)
	return tl, func() { chartstest.Settle(env, tl, draw.Rect{X1: 900, Y1: 900}) }
}

// A tick of the window makes as many columns as its budget of work allows, and later ticks the rest; then
// nothing is drawn again.
func TestLoadColumnsAreMadeByAndBy(t *testing.T) {
	s := scaleSession(1_000_000)
	tl, settle := timelineOf(s, true)
	ticks := 0
	for settle(); tl.spans.load.pending; settle() {
		const column = 1 << 14 // at most, in spans looked at
		testkit.MustThat(t, tl.spans.load.work <= loadWork+8*column, "a tick looked at %d spans", tl.spans.load.work)
		ticks++
		testkit.MustThat(t, ticks < 1000, "it does not end")
	}
	testkit.That(t, ticks > 1 && len(tl.spans.load.drawn) == 4, "%d ticks, %d curves", ticks, len(tl.spans.load.drawn))
	turns := tl.spans.load.turns
	settle()
	testkit.That(t, tl.spans.load.turns == turns, "it is drawn again")
	whole, settleWhole := timelineOf(s, false)
	settleWhole()
	for i, d := range whole.spans.load.drawn {
		testkit.That(t, d.columns.ring == tl.spans.load.drawn[i].columns.ring, "track %d differs", d.track)
	}
}
