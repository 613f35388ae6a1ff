package series

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

func TestSeriesGroups(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	w.Define(model.SeriesDef{Name: "a", Group: "latency", Unit: "ns"})
	w.Define(model.SeriesDef{Name: "b", Group: "bytes", Unit: "B", Kind: model.SeriesCounter})
	w.Define(model.SeriesDef{Name: "c", Group: "latency", Unit: "ns"})
	w.Next += 3 // ids may have holes
	w.Define(model.SeriesDef{Name: "d", Group: "bytes", Unit: "", Kind: model.SeriesCounter})
	var l subject.SeriesGroupList
	want := []subject.SeriesGroup{
		{Name: "latency", Unit: "ns", Count: 2, First: 0, Order: spans.Constant},
		{Name: "bytes", Unit: "B", Kind: model.SeriesCounter, Mixed: true, Count: 2, First: 1, Order: spans.Constant},
	}
	got := l.Groups(w.S)
	testkit.That(t, slices.Equal(got, want), "got %+v", got)
	if got := subject.SeriesGroups(w.S); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	// A series that is defined again in another group leaves the first.
	w.S.Apply(model.SeriesDef{ID: 2, Name: "c", Group: "other"})
	if got := l.Groups(w.S); len(got) != 3 || got[0].Count != 1 || got[2].Name != "other" {
		t.Errorf("got %+v", got)
	}
	chartstest.AllocatesNothing(t, "groups", func() { l.Groups(w.S) })
	testkit.That(t, subject.SeriesGroups(store.NewSession()) == nil, "groups of an empty session")
}

// What changes comes first, numbers before states, and what never changes last: in the groups of a chart,
// also where the samples come after the definitions.
func TestSeriesThatChangeFirst(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	var l subject.SeriesGroupList
	ids := map[string]model.SeriesID{}
	for _, d := range []model.SeriesDef{
		{Name: "api", Group: "runtime", Kind: model.SeriesState, States: []string{"DXGI"}},
		{Name: "fixed", Group: "interval"},
		{Name: "mode", Group: "mode", Kind: model.SeriesState, States: []string{"a", "b"}},
		{Name: "time", Group: "time"},
	} {
		ids[d.Name] = w.Define(d)
	}
	l.Groups(w.S)
	for k := range int64(8) {
		w.Add(ids["api"], k*chartstest.Ms, 0)
		w.Add(ids["fixed"], k*chartstest.Ms, 7)
		w.Add(ids["mode"], k*chartstest.Ms, float64(k%2))
		w.Add(ids["time"], k*chartstest.Ms, float64(k))
	}
	w.Flush()
	w.S.Apply(model.End{Reason: "end of file"})
	var got []string
	for _, g := range l.Groups(w.S) {
		got = append(got, g.Name)
	}
	want := []string{"time", "mode", "runtime", "interval"}
	testkit.That(t, slices.Equal(got, want), "groups %v, want %v", got, want)
}

func TestSeriesUnits(t *testing.T) {
	def := func(kind model.SeriesKind, unit string, role model.SeriesRole) *model.SeriesDef {
		return &model.SeriesDef{Kind: kind, Unit: unit, Role: role}
	}
	for _, c := range []struct {
		d      *model.SeriesDef
		weight bool
		v      float64
		want   string
	}{
		{def(model.SeriesValue, "ns", 0), false, 1.234e6, "1.23 ms"},
		{def(model.SeriesValue, "ns", 0), false, 0.25, "0.25 ns"},
		{def(model.SeriesValue, "ns", 0), false, -5e3, "−5.00 µs"},
		{def(model.SeriesValue, "B", 0), false, 512, "512 B"},
		{def(model.SeriesValue, "B", 0), false, 1536, "1.50 KiB"},
		{def(model.SeriesValue, "B", 0), false, 1023.6 * 1024, "1.00 MiB"},
		{def(model.SeriesValue, "B", 0), false, -3 * 1 << 30, "−3.00 GiB"},
		{def(model.SeriesValue, "%", 0), false, 12.34, "12.3 %"},
		{def(model.SeriesValue, "", 0), false, 12407, "12\u202f407"},
		{def(model.SeriesValue, "", 0), false, 143_210, "143 k"},
		{def(model.SeriesValue, "frames", 0), false, 8.3e6, "8.30 M frames"},
		{def(model.SeriesGauge, "", model.RoleCPULoad), false, 0.375, "37.5 %"},
		{def(model.SeriesCounter, "ns", 0), false, 25e7, "25.0 %"}, // a quarter of a processor
		{def(model.SeriesCounter, "B", 0), false, 2048, "2.00 KiB/s"},
		{def(model.SeriesCounter, "", 0), false, 30, "30 /s"},
		{def(model.SeriesCounter, "frames", 0), false, 30, "30 frames/s"},
		{def(model.SeriesEvent, "B", 0), false, 50, "50 /s"},
		{def(model.SeriesEvent, "B", 0), true, 1 << 20, "1.00 MiB/s"},
		{def(model.SeriesValue, "", 0), false, math.NaN(), "–"},
		{def(model.SeriesValue, "", 0), false, math.Inf(1), "∞"},
		{def(model.SeriesValue, "B", 0), false, math.Inf(-1), "−∞ B"},
	} {
		u := format.UnitOfCurve(c.d, c.weight)
		got := string(u.Append(nil, c.v))
		testkit.That(t, got == c.want, "%v %q %v: %q, want %q", c.d.Kind, c.d.Unit, c.v, got, c.want)
	}
}

// Colors that are seen together must be told apart.
func TestSeriesColorsDiffer(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(12), 760, 300)
	c.Layout = LayoutOverlay
	rig.Tick(c)
	for i := range c.pick.items {
		for k := range i {
			a, b := c.pick.items[i].color, c.pick.items[k].color
			d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
			testkit.That(t, d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) >= 24*24, "%v and %v look alike: %v %v", i, k, a, b)
		}
	}
}

// What a series costs to draw goes by pixels, not by samples.
func TestSeriesCostGoesByPixels(t *testing.T) {
	quads := func(n int, kind model.SeriesKind, series int, w float32) int {
		sw := chartstest.NewSeriesWriter()
		for i := range series {
			id := sw.Define(model.SeriesDef{Name: fmt.Sprint("s", i), Group: "g", Kind: kind})
			for k := range n {
				v := float64(sw.Rng.IntN(1000))
				switch kind {
				case model.SeriesCounter:
					v = float64(k * (1 + k%7))
				case model.SeriesState:
					v = float64(sw.Rng.IntN(5))
				}
				sw.Add(id, int64(k)*5000*chartstest.Ms/int64(n), v)
			}
		}
		rig, c := seriesRig(sw.Flush(), w, 300)
		if kind != model.SeriesState {
			c.Layout = LayoutOverlay
		}
		rig.Tick(c)
		return c.List().Quads()
	}
	for kind := model.SeriesValue; kind <= model.SeriesEvent; kind++ {
		few, many := quads(20_000, kind, 1, 800), quads(120_000, kind, 1, 800)
		testkit.That(t, many <= few*3/2+100 && many <= 4*800+400,
			"kind %d: %d quads for 20 000 samples, %d for 120 000", kind, few, many)
	}
	n := quads(20_000, model.SeriesValue, 12, 1600)
	testkit.That(t, n <= 3*maxSeriesCells+1000, "%d quads for twelve series", n)
}

// Curves allocate nothing while the mouse moves, over labels, too.
func TestSeriesAllocatesNothing(t *testing.T) {
	for name, s := range map[string]*store.Session{
		"latency": chartstest.LatencySession(6), "many": chartstest.LatencySession(30), "load": chartstest.LoadSession(),
		"counter": counterSession(3), "events": eventSession(3), "states": chartstest.StateSession(9), "gaps": gapSession(),
	} {
		rig, c := seriesRig(s, 640, 300)
		i := 0
		chartstest.AllocatesNothing(t, name, func() {
			i++
			rig.Move(c, 300+float32(i%60), 120+float32(i%3)*40)
			c.HitTest(rig.Env, rig.In.X, rig.In.Y)
			c.HitTest(rig.Env, 30, rig.In.Y)
		})
	}
}

func TestSeriesNothingNewIsNotDrawnAgain(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(4), 640, 300)
	rig.Ticks(c, 2)
	rev, base := c.List().Revision(), c.baseN
	rig.Ticks(c, 3)
	testkit.That(t, c.List().Revision() == rev && c.baseN == base, "drawn again though nothing changed")
	rig.Move(c, 400, 250)
	testkit.That(t, c.List().Revision() != rev, "the cursor was not drawn")
	testkit.That(t, c.baseN == base, "the curves were drawn again though only the mouse moved")
	if !rig.Env.View.Pointer().HasTime() || rig.Env.View.Pointer().Time() != rig.Env.View.Time().ToTime(c.regions.plot, 400) {
		t.Error("the other panels were not told of the mouse")
	}
}

func TestSeriesClickAndBrush(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(2), 640, 300)
	rig.Env.View.Steer().PlaceTime(1000*chartstest.Ms, 1120*chartstest.Ms) // few samples
	rig.Tick(c)
	v := rig.Env.View
	// A click near a sample goes to the sample and focuses its series.
	ln := &c.lines[1]
	i := slices.IndexFunc(c.cols(ln), func(col seriesCol) bool { return col.state == colData })
	x, y := (c.fine.xs[i]+c.fine.xs[i+1])/2+1, c.curveY(rig.Env, &c.plots[0], c.cols(ln)[i].mid)
	rig.Click(c, x, y)
	series := v.Session().Series().ByID(c.pick.items[ln.item].id)
	at, ok := series.At(v.Playhead())
	testkit.That(t, ok && at.Time == v.Playhead() && v.Thing().Series() == series.Def.ID,
		"the playhead is at %d, the sample at %d; focus %d", v.Playhead(), at.Time, v.Thing().Series())
	plot := c.regions.plot
	rig.In.Shift = true
	rig.Drag(c, plot.X0+50, y, plot.X0+200, y)
	rig.In.Shift = false
	want := v.Time().ToTime(plot, float64(plot.X0+200))
	testkit.That(t, v.RangeB() > v.RangeA() && abs64(v.RangeB()-want) <= 1, "range %d to %d", v.RangeA(), v.RangeB())
	testkit.That(t, c.stats.span == (statsSpan{v.RangeA(), v.RangeB(), true}),
		"the statistics are of %+v", c.stats.span)
	before := v.Time().BeginNs
	rig.Drag(c, plot.X0+200, y, plot.X0+100, y)
	testkit.That(t, v.Time().BeginNs > before, "a drag does not pan")
}

func abs64(v int64) int64 { return max(v, -v) }

func TestSeriesLayouts(t *testing.T) {
	for _, p := range []struct {
		name    string
		s       *store.Session
		layout  Layout
		overlay bool
	}{
		{"few values", chartstest.LatencySession(3), LayoutAuto, true},
		{"many values", chartstest.LatencySession(20), LayoutAuto, false},
		{"many values, as the user wants", chartstest.LatencySession(20), LayoutOverlay, true},
		{"few values, as the user wants", chartstest.LatencySession(3), LayoutRows, false},
		{"gauges", chartstest.LoadSession(), LayoutAuto, false},
		{"a counter", counterSession(1), LayoutAuto, true},
		{"events", eventSession(3), LayoutAuto, false},
		{"states", chartstest.StateSession(2), LayoutOverlay, false},
		{"two units", gapSession(), LayoutOverlay, false},
	} {
		rig, c := seriesRig(p.s, 640, 300)
		c.Layout = p.layout
		rig.Tick(c)
		testkit.That(t, c.overlaid() == p.overlay, "%s: overlay %v", p.name, c.overlaid())
	}
	rig, c := seriesRig(chartstest.LatencySession(35), 640, 300)
	rig.Tick(c)
	first := c.plots[0].item
	rig.Move(c, 40, 150)
	rig.In.WheelY = -3
	rig.Tick(c)
	testkit.That(t, c.plots[0].item > first && c.scrollY > 0, "the wheel over the labels does not scroll")
	rig.In.WheelY = -1000
	rig.Tick(c)
	last := c.plots[len(c.plots)-1]
	testkit.That(t, last.item == 34 && last.row.Y1 <= c.regions.plot.Y1+1,
		"the end shows %d at %v", last.item, last.row)
	c.ToggleLayout()
	rig.Tick(c)
	testkit.That(t, len(c.lines) == maxOverlay, "%d lines", len(c.lines))
	c.Show("latency")
	c.Filter = "QUEUE"
	rig.Tick(c)
	var names []string
	for i := range c.pick.items {
		names = append(names, rig.Env.View.Session().Series().ByID(c.pick.items[i].id).Def.Name)
	}
	got := strings.Join(names, " ")
	testkit.That(t, got == "queue0.src queue2.src queue10.src", "filtered: %q", got)
}

func TestSeriesOrder(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	for i, name := range []string{"b10", "b9", "A", "empty"} {
		id := w.Define(model.SeriesDef{Name: name, Group: "g"})
		if name == "empty" {
			continue
		}
		w.Add(id, 0, float64(10*i))
		w.Add(id, 1000*chartstest.Ms, float64(30-9*i))
	}
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Env.View.Steer().PlaceTime(0, 1001*chartstest.Ms)
	for order, want := range map[Order]string{OrderName: "A b9 b10 empty", OrderLast: "b10 b9 A empty", OrderMean: "A b9 b10 empty"} {
		c.Order = order
		rig.Tick(c)
		got := ""
		for i := range c.pick.items {
			got += " " + rig.Env.View.Session().Series().ByID(c.pick.items[i].id).Def.Name
		}
		testkit.That(t, got == " "+want, "order %d: %q, want %q", order, got, want)
	}
}

func TestSeriesChoosesAndMovesOn(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	for i, g := range []string{"one", "two", "one", "three"} {
		id := w.Define(model.SeriesDef{Name: fmt.Sprint("s", i), Group: g})
		w.Add(id, 0, 1)
		w.Add(id, 4000*chartstest.Ms, 2)
	}
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Tick(c)
	testkit.That(t, c.Group == "one" && len(c.pick.items) == 2 && c.Title(rig.Env) == "Series: one",
		"shows %q with %d, %q", c.Group, len(c.pick.items), c.Title(rig.Env))
	tool := c.Tools(rig.Env)[0]
	testkit.That(t, tool.Label == "one" && len(tool.Options) == 3, "the choice of groups is %+v", tool)
	c.Use(rig.Env, toolGroup, 1)
	testkit.That(t, c.Group == "two", "the choice leads to %q", c.Group)
	c.NextGroup(rig.Env, -2)
	testkit.That(t, c.Group == "three", "back leads to %q", c.Group)
	c.Show("one")
	rig.Tick(c)
	row := c.legendRow(rig.Env, 1)
	rig.DoubleClick(c, row.X0+40, row.Y0+5)
	testkit.That(t, len(c.pick.items) == 1 && c.pick.items[0].id == 2, "a double click leaves %v", c.pick.items)
	rig.DoubleClick(c, row.X0+40, c.legendRow(rig.Env, 0).Y0+5)
	testkit.That(t, len(c.pick.items) == 2 && c.focused(rig.Env).id == 2,
		"a double click on the only one leaves %v", c.pick.items)
}

func TestSeriesScaleIsKept(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(3), 640, 300)
	rig.Tick(c)
	hi := c.plots[0].scale.Hi
	rig.Move(c, c.regions.values.X0+10, 150)
	rig.In.WheelY = 2
	rig.Tick(c)
	got := c.plots[0].scale.Hi
	testkit.That(t, c.FixedScale && math.Abs(got-hi/1.5625) <= 1, "the wheel made %v of %v", got, hi)
	rig.Env.View.Steer().PlaceTime(0, 300*chartstest.Ms)
	rig.Tick(c)
	if got := c.plots[0].scale.Hi; math.Abs(got-hi/1.5625) > 1 {
		t.Errorf("it is not kept: %v", got)
	}
	rig.Env.View.Steer().PlaceTime(0, 5000*chartstest.Ms)
	rig.DoubleClick(c, c.regions.values.X0+10, 150)
	if got := c.plots[0].scale.Hi; c.FixedScale || got != hi {
		t.Errorf("a double click does not make it automatic: %v", got)
	}
}

// Labels of an axis do not lie over each other, however high the plot is and whatever its values are.
func TestLabelsOfAxesKeepApart(t *testing.T) {
	for _, most := range []float64{1.2e6, 1.05e6, 97, 1010} {
		w := chartstest.NewSeriesWriter()
		w.Sample(model.SeriesDef{Name: "heap", Group: "memory", Kind: model.SeriesGauge}, 100, chartstest.Ms,
			func(k int) float64 { return most * float64(k) / 99 })
		rig := chartstest.NewRig(w.Flush(), 1, 700, 300)
		rig.Env.View.Steer().PlaceTime(0, 99*chartstest.Ms)
		c := NewChart()
		c.Show("memory")
		for h := float32(60); h < 300; h++ {
			rig.R.Y1 = h
			rig.Tick(c)
			var boxes []draw.Rect
			for _, x := range c.List().Texts() {
				if x.Box.X0 >= c.regions.values.X0 && x.Box.Y1 <= c.regions.values.Y1 {
					boxes = append(boxes, x.Box)
				}
			}
			for i, a := range boxes {
				lies := func(b draw.Rect) bool { return !a.Inset(-2).Intersect(b).Empty() } // two pixels apart
				testkit.MustThat(t, !slices.ContainsFunc(boxes[:i], lies), "to %v, %v px high: %v", most, h, boxes)
			}
		}
	}
}

// Hostile and odd sessions, and panels of every size, are drawn without a panic.
func TestSeriesOddities(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	for kind := model.SeriesValue; kind <= model.SeriesEvent+1; kind++ {
		id := w.Define(model.SeriesDef{Name: fmt.Sprint("odd\x00\xff", kind), Group: "odd", Kind: kind, HasRange: true, Min: math.Inf(-1), Max: math.NaN(), States: []string{"", "a"}})
		for i, v := range []float64{math.NaN(), 1e308, -1e308, 5e-324, math.NaN(), math.NaN(), -1, 1e17, 0.5} {
			w.Add(id, int64(i)*700*chartstest.Ms, v)
		}
		w.Add(id, math.MinInt64, 1)
		w.Add(id, math.MaxInt64, 2)
	}
	w.Define(model.SeriesDef{Name: "nothing", Group: "odd"})
	s := w.Flush()
	for _, h := range []float32{0, 1, 20, 90, 200, 400} {
		for _, width := range []float32{0, 3, 40, 150, 250, 320, 900} {
			rig, c := seriesRig(s, width, h)
			for i := range 12 {
				c.Log, c.Weight, c.SameScale = i&1 != 0, i&2 != 0, i&4 != 0
				rig.Env.View.Steer().PlaceTime(0, []int64{5000 * chartstest.Ms, 100, math.MaxInt64 / 4}[i%3])
				rig.Env.View.Select(view.Series(model.SeriesID(i % 7)))
				if i == 11 {
					c.ShowSeries(0, 1, 2, 3, 99, -1)
				}
				rig.Move(c, width/2, h/2)
				for x := float32(0); x < width; x += 37 {
					c.HitTest(rig.Env, x, h/2)
				}
			}
			_, found := chartstest.Outside(c.List(), rig.R)
			testkit.That(t, !found, "%v × %v: something is drawn outside", width, h)
		}
	}
}

// Another session has other series: ids are forgotten, a group of the same name is kept.
func TestSeriesOfAnotherSession(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(3), 640, 300)
	c.ShowSeries(2)
	rig.Tick(c)
	testkit.MustThat(t, len(c.pick.items) == 1, "%d series", len(c.pick.items))
	c.Show("latency")
	rig.Tick(c)
	for _, p := range []struct {
		s     *store.Session
		group string
		n     int
	}{{chartstest.LatencySession(5), "latency", 5}, {counterSession(2), "bytes received", 2}, {store.NewSession(), "", 0}, {chartstest.LatencySession(1), "latency", 1}} {
		rig.Env.View = view.New(p.s)
		rig.Tick(c)
		if p.n == 0 {
			continue
		}
		testkit.That(t, c.Group == p.group && len(c.pick.items) == p.n && len(c.lines) == p.n,
			"%q with %d series, %d lines; want %q with %d", c.Group, len(c.pick.items), len(c.lines), p.group, p.n)
	}
}

// Ten thousand series cost what is on screen.
func TestSeriesVeryMany(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	for i := range 10_000 {
		id := w.Define(model.SeriesDef{Name: fmt.Sprint("pad", i), Group: "g"})
		w.Add(id, int64(i), float64(i))
		w.Add(id, 4000*chartstest.Ms, float64(i))
	}
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Tick(c)
	testkit.That(t, len(c.lines) <= 8 && c.List().Quads() <= 2000, "%d lines, %d quads", len(c.lines), c.List().Quads())
	c.Layout = LayoutOverlay
	rig.Tick(c)
	testkit.That(t, len(c.lines) == maxOverlay, "%d lines", len(c.lines))
}

// One tick of a panel 1600 pixels wide over a million samples in 8 series, while the axis moves.
func BenchmarkSeries(b *testing.B) {
	w := chartstest.NewSeriesWriter()
	for i := range 8 {
		d := model.SeriesDef{Name: fmt.Sprint("queue", i), Group: "latency", Unit: "ns"}
		w.Sample(d, 125_000, 40_000, func(int) float64 { return 1e6 * float64(i+1) * (0.8 + 0.4*w.Rng.Float64()) })
	}
	rig, c := seriesRig(w.Flush(), 1600, 500)
	i := 0
	tick := func() {
		i++
		a := int64(i%100) * 5 * chartstest.Ms
		rig.Env.View.Steer().PlaceTime(a, a+4000*chartstest.Ms)
		rig.Tick(c)
	}
	tick()
	b.ReportAllocs()
	for b.Loop() {
		tick()
	}
	b.ReportMetric(float64(c.List().Quads()), "quads")
}

// With the playhead before the first sample the figures are of there: nothing is known yet.
func TestFiguresBeforeAnyData(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	s := w.Flush()
	s.Apply(model.SeriesDef{ID: 0, Group: "latency", Name: "queue1", Kind: model.SeriesValue, Unit: "ns", Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 100_000_000, Path: 1}}})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{
		{Series: 0, Time: 60_000_000, Value: 300_000}, {Series: 0, Time: 90_000_000, Value: 519_000},
	}})
	rig := chartstest.NewRig(s, 1, 700, 300)
	rig.In.Over, rig.In.X, rig.In.Y = false, -1, -1
	c := NewChart()
	for at, want := range map[int64]string{30_000_000: "–", 70_000_000: "300 µs"} {
		rig.Env.View.SetPlayhead(at)
		rig.Tick(c)
		testkit.MustThat(t, len(c.pick.items) == 1, "%d series are shown", len(c.pick.items))
		got, _ := c.appendFigure(rig.Env, nil, &c.pick.items[0], c.refTime(rig.Env))
		testkit.That(t, string(got) == want, "at %d ns: %q, want %q", at, got, want)
	}
}

func TestCompareNaturalOrders(t *testing.T) {
	name := rapid.StringMatching(`[aB0-9]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		testkit.MustThat(t, format.CompareNatural(a, b) == -format.CompareNatural(b, a) &&
			(format.CompareNatural(a, b) == 0) == (a == b), "%q %q", a, b)
		testkit.MustThat(t, format.CompareNatural(a, b) > 0 || format.CompareNatural(b, c) > 0 ||
			format.CompareNatural(a, c) <= 0, "%q %q %q", a, b, c)
	})
	testkit.That(t, format.CompareNatural("queue9", "queue10") < 0 && format.CompareNatural("Queue2", "queue10") < 0,
		"numbers are not compared by size")
}
