package series

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/chartstest"
	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/series"
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
		{Name: "latency", Unit: "ns", Count: 2, First: 0, Order: series.Constant},
		{Name: "bytes", Unit: "B", Kind: model.SeriesCounter, Mixed: true, Count: 2, First: 1, Order: series.Constant},
	}
	if got := l.Groups(w.S); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := subject.SeriesGroups(w.S); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	// A series that is defined again in another group leaves the first.
	w.S.Apply(model.SeriesDef{ID: 2, Name: "c", Group: "other"})
	if got := l.Groups(w.S); len(got) != 3 || got[0].Count != 1 || got[2].Name != "other" {
		t.Errorf("got %+v", got)
	}
	chartstest.AllocatesNothing(t, "groups", func() { l.Groups(w.S) })
	if subject.SeriesGroups(nil) != nil {
		t.Error("groups without a session")
	}
}

// What changes comes first, numbers before states, and what never changes last: in the groups of a chart and
// in the table, also where the samples come after the definitions.
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
	if want := []string{"time", "mode", "runtime", "interval"}; !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	rig := chartstest.NewRig(w.S, 1, 800, 300)
	tab := table.New("series", NewTable())
	if got, want := cells(rig, tab, "series"), []string{"time", "mode", "fixed", "api"}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
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
		if got := string(u.Append(nil, c.v)); got != c.want {
			t.Errorf("%v %q %v: %q, want %q", c.d.Kind, c.d.Unit, c.v, got, c.want)
		}
	}
}

// Colours that are seen together must be told apart.
func TestSeriesColoursDiffer(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(12), 760, 300)
	c.Layout = LayoutOverlay
	rig.Tick(c)
	for i := range c.pick.items {
		for k := range i {
			a, b := c.pick.items[i].color, c.pick.items[k].color
			d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
			if d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) < 24*24 {
				t.Errorf("%v and %v look alike: %v %v", i, k, a, b)
			}
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
		if many > few*3/2+100 || many > 4*800+400 {
			t.Errorf("kind %d: %d quads for 20 000 samples, %d for 120 000", kind, few, many)
		}
	}
	if n := quads(20_000, model.SeriesValue, 12, 1600); n > 3*maxSeriesCells+1000 {
		t.Errorf("%d quads for twelve series", n)
	}
}

// Neither curves nor distributions allocate anything while the mouse moves, over labels, too.
func TestSeriesAllocatesNothing(t *testing.T) {
	for name, s := range map[string]*store.Session{
		"latency": chartstest.LatencySession(6), "many": chartstest.LatencySession(30), "load": chartstest.LoadSession(),
		"counter": counterSession(3), "events": eventSession(3), "states": chartstest.StateSession(9), "gaps": gapSession(),
	} {
		for _, dist := range []bool{false, true} {
			rig, c := seriesRig(s, 640, 300)
			c.Distribution = dist
			i := 0
			chartstest.AllocatesNothing(t, name, func() {
				i++
				rig.Move(c, 300+float32(i%60), 120+float32(i%3)*40)
				c.HitTest(rig.Env, rig.In.X, rig.In.Y)
				c.HitTest(rig.Env, 30, rig.In.Y)
			})
		}
	}
}

func TestSeriesNothingNewIsNotDrawnAgain(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(4), 640, 300)
	rig.Ticks(c, 2)
	rev, base := c.List().Revision(), c.baseN
	rig.Ticks(c, 3)
	if c.List().Revision() != rev || c.baseN != base {
		t.Error("drawn again though nothing changed")
	}
	rig.Move(c, 400, 250)
	if c.List().Revision() == rev {
		t.Error("the cursor was not drawn")
	}
	if c.baseN != base {
		t.Error("the curves were drawn again though only the mouse moved")
	}
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
	if at, ok := series.At(v.Playhead()); !ok || at.Time != v.Playhead() || v.Thing().Series() != series.Def.ID {
		t.Errorf("the playhead is at %d, the sample at %d; focus %d", v.Playhead(), at.Time, v.Thing().Series())
	}
	plot := c.regions.plot
	rig.In.Shift = true
	rig.Drag(c, plot.X0+50, y, plot.X0+200, y)
	rig.In.Shift = false
	if want := v.Time().ToTime(plot, float64(plot.X0+200)); v.RangeB() <= v.RangeA() || abs64(v.RangeB()-want) > 1 {
		t.Errorf("range %d to %d", v.RangeA(), v.RangeB())
	}
	if c.stats.span != (statsSpan{v.RangeA(), v.RangeB(), true}) {
		t.Errorf("the statistics are of %+v", c.stats.span)
	}
	before := v.Time().BeginNs
	rig.Drag(c, plot.X0+200, y, plot.X0+100, y)
	if v.Time().BeginNs <= before {
		t.Error("a drag does not pan")
	}
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
		if c.overlaid() != p.overlay {
			t.Errorf("%s: overlay %v", p.name, c.overlaid())
		}
	}
	rig, c := seriesRig(chartstest.LatencySession(35), 640, 300)
	rig.Tick(c)
	first := c.plots[0].item
	rig.Move(c, 40, 150)
	rig.In.WheelY = -3
	rig.Tick(c)
	if c.plots[0].item <= first || c.scrollY <= 0 {
		t.Error("the wheel over the labels does not scroll")
	}
	rig.In.WheelY = -1000
	rig.Tick(c)
	if last := c.plots[len(c.plots)-1]; last.item != 34 || last.row.Y1 > c.regions.plot.Y1+1 {
		t.Errorf("the end shows %d at %v", last.item, last.row)
	}
	c.ToggleLayout()
	rig.Tick(c)
	if len(c.lines) != maxOverlay {
		t.Errorf("%d lines", len(c.lines))
	}
	c.Show("latency")
	c.Filter = "QUEUE"
	rig.Tick(c)
	var names []string
	for i := range c.pick.items {
		names = append(names, rig.Env.View.Session().Series().ByID(c.pick.items[i].id).Def.Name)
	}
	if got := strings.Join(names, " "); got != "queue0.src queue2.src queue10.src" {
		t.Errorf("filtered: %q", got)
	}
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
		if got != " "+want {
			t.Errorf("order %d: %q, want %q", order, got, want)
		}
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
	if c.Group != "one" || len(c.pick.items) != 2 || c.Title(rig.Env) != "Series: one" {
		t.Errorf("shows %q with %d, %q", c.Group, len(c.pick.items), c.Title(rig.Env))
	}
	if tool := c.Tools(rig.Env)[0]; tool.Label != "one" || len(tool.Options) != 3 {
		t.Errorf("the choice of groups is %+v", tool)
	}
	if c.Use(rig.Env, toolGroup, 1); c.Group != "two" {
		t.Errorf("the choice leads to %q", c.Group)
	}
	c.NextGroup(rig.Env, -2)
	if c.Group != "three" {
		t.Errorf("back leads to %q", c.Group)
	}
	c.Show("one")
	rig.Tick(c)
	row := c.legendRow(rig.Env, 1)
	rig.DoubleClick(c, row.X0+40, row.Y0+5)
	if len(c.pick.items) != 1 || c.pick.items[0].id != 2 {
		t.Errorf("a double click leaves %v", c.pick.items)
	}
	rig.DoubleClick(c, row.X0+40, c.legendRow(rig.Env, 0).Y0+5)
	if len(c.pick.items) != 2 || c.focused(rig.Env).id != 2 {
		t.Errorf("a double click on the only one leaves %v", c.pick.items)
	}
}

func TestSeriesScaleIsKept(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(3), 640, 300)
	rig.Tick(c)
	hi := c.plots[0].scale.Hi
	rig.Move(c, c.regions.values.X0+10, 150)
	rig.In.WheelY = 2
	rig.Tick(c)
	if got := c.plots[0].scale.Hi; !c.FixedScale || math.Abs(got-hi/1.5625) > 1 {
		t.Errorf("the wheel made %v of %v", got, hi)
	}
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
				c.Log, c.Distribution, c.Weight, c.SameScale = i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0
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
			if _, found := chartstest.Outside(c.List(), rig.R); found {
				t.Errorf("%v × %v: something is drawn outside", width, h)
			}
		}
	}
}

// Another session has other series: ids are forgotten, a group of the same name is kept.
func TestSeriesOfAnotherSession(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(3), 640, 300)
	c.ShowSeries(2)
	rig.Tick(c)
	if len(c.pick.items) != 1 {
		t.Fatalf("%d series", len(c.pick.items))
	}
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
		if c.Group != p.group || len(c.pick.items) != p.n || len(c.lines) != p.n {
			t.Errorf("%q with %d series, %d lines; want %q with %d", c.Group, len(c.pick.items), len(c.lines), p.group, p.n)
		}
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
	if len(c.lines) > 8 || c.List().Quads() > 2000 {
		t.Errorf("%d lines, %d quads", len(c.lines), c.List().Quads())
	}
	c.Layout = LayoutOverlay
	rig.Tick(c)
	if len(c.lines) != maxOverlay {
		t.Errorf("%d lines", len(c.lines))
	}
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
		if len(c.pick.items) != 1 {
			t.Fatalf("%d series are shown", len(c.pick.items))
		}
		if got, _ := c.appendFigure(rig.Env, nil, &c.pick.items[0], c.refTime(rig.Env)); string(got) != want {
			t.Errorf("at %d ns: %q, want %q", at, got, want)
		}
	}
}

func counterSession(n int) *store.Session {
	w := chartstest.NewSeriesWriter()
	for i := range n {
		id := w.Define(model.SeriesDef{Name: fmt.Sprintf("sink%d bytes", i), Group: "bytes received", Kind: model.SeriesCounter, Unit: "B"})
		total := 0.0
		for t := int64(100 * chartstest.Ms); t < 4800*chartstest.Ms; t += 40 * chartstest.Ms {
			if t > 1500*chartstest.Ms && t < 1900*chartstest.Ms {
				continue // the sender paused and told nothing
			}
			total += (1 + 0.6*math.Sin(float64(t)/6e8+float64(i))) * 190_000 * (0.8 + 0.4*w.Rng.Float64())
			w.Add(id, t, math.Floor(total))
		}
	}
	return w.Flush()
}

func eventSession(n int) *store.Session {
	w := chartstest.NewSeriesWriter()
	for i := range n {
		id := w.Define(model.SeriesDef{Name: fmt.Sprintf("src_%d → sink", i), Group: "buffers", Kind: model.SeriesEvent, Unit: "B", Role: model.RoleFlow, Description: "buffers and their size"})
		for t := int64(300 * chartstest.Ms); t < 4700*chartstest.Ms; {
			w.Add(id, t, float64(600+w.Rng.IntN(4000)))
			gap := 5 * chartstest.Ms
			if t > 2000*chartstest.Ms && t < 2300*chartstest.Ms {
				gap = 60 * chartstest.Ms
			}
			t += int64(gap/2 + w.Rng.IntN(gap))
		}
	}
	return w.Flush()
}

// gapSession returns values with two gaps, few samples here and many there, and a late begin and an
// early end.
func gapSession() *store.Session {
	w := chartstest.NewSeriesWriter()
	id := w.Define(model.SeriesDef{Name: "jitter", Group: "qos", Unit: "ns", Description: "optional values are left out where there were none"})
	other := w.Define(model.SeriesDef{Name: "frames shown", Group: "qos", Unit: ""})
	w.Add(other, 0, 20)
	w.Add(other, 5000*chartstest.Ms, 24)
	for t := int64(600 * chartstest.Ms); t < 1600*chartstest.Ms; t += 50 * chartstest.Ms {
		w.Add(id, t, 2e6+1.5e6*w.Rng.Float64())
	}
	w.Add(id, 1600*chartstest.Ms, math.NaN())
	for t := int64(2400 * chartstest.Ms); t < 3000*chartstest.Ms; t += chartstest.Ms / 4 {
		w.Add(id, t, 3e6+2e6*w.Rng.Float64()+1e6*math.Sin(float64(t)/5e7))
	}
	w.Add(id, 3000*chartstest.Ms, math.NaN())
	w.Add(id, 3200*chartstest.Ms, 4e6)
	w.Add(id, 3900*chartstest.Ms, 2e6)
	w.Add(id, 4300*chartstest.Ms, 2.4e6)
	return w.Flush()
}

// overlaidGaps returns two series of one unit with gaps, one of them where both have none.
func overlaidGaps() *store.Session {
	w := chartstest.NewSeriesWriter()
	for i := range 2 {
		id := w.Define(model.SeriesDef{Name: fmt.Sprintf("jitter of sink%d", i), Group: "jitter", Unit: "ns"})
		for t := int64(200 * chartstest.Ms); t < 4800*chartstest.Ms; t += 5 * chartstest.Ms {
			v := 2e6 + 1.5e6*math.Sin(float64(t)/3e8+float64(i)) + 2e5*w.Rng.Float64()
			if t > int64(1000+500*i)*chartstest.Ms && t < int64(2000+500*i)*chartstest.Ms {
				v = math.NaN()
			}
			w.Add(id, t, v)
		}
	}
	return w.Flush()
}

func seriesRig(s *store.Session, w, h float32) (*chartstest.Rig, *Chart) {
	rig := chartstest.NewRig(s, 1, w, h)
	rig.Env.View.Steer().PlaceTime(0, 5000*chartstest.Ms)
	return rig, NewChart()
}

func TestGoldenSeries(t *testing.T) {
	for _, p := range []struct {
		name  string
		s     *store.Session
		w, h  float32
		light bool
		set   func(rig *chartstest.Rig, c *Chart)
	}{
		{"latency", chartstest.LatencySession(4), 760, 320, false, func(rig *chartstest.Rig, c *Chart) {
			rig.Env.View.SelectRange(2000*chartstest.Ms, 2800*chartstest.Ms)
			rig.Env.View.Select(view.Series(1))
		}},
		{"latency_light", chartstest.LatencySession(4), 760, 320, true, func(rig *chartstest.Rig, c *Chart) { c.Log = true; rig.Env.View.Select(view.Series(1)) }},
		{"latency_near", chartstest.LatencySession(2), 640, 260, false, func(rig *chartstest.Rig, c *Chart) {
			rig.Env.View.Steer().PlaceTime(1000*chartstest.Ms, 1120*chartstest.Ms)
		}},
		{"latency_near_light", chartstest.LatencySession(2), 640, 260, true, func(rig *chartstest.Rig, c *Chart) {
			rig.Env.View.Steer().PlaceTime(1000*chartstest.Ms, 1120*chartstest.Ms)
		}},
		{"load", chartstest.LoadSession(), 760, 300, false, nil},
		{"load_light", chartstest.LoadSession(), 760, 300, true, func(rig *chartstest.Rig, c *Chart) { rig.Env.View.SetPlayhead(1700 * chartstest.Ms) }},
		{"counter", counterSession(1), 640, 240, false, nil},
		{"counter_light", counterSession(3), 640, 280, true, func(rig *chartstest.Rig, c *Chart) { c.Layout = LayoutRows }},
		{"counters_overlaid", counterSession(3), 640, 240, false, nil},
		{"events", eventSession(1), 640, 240, false, nil},
		{"events_light", eventSession(1), 640, 240, true, func(rig *chartstest.Rig, c *Chart) { c.Weight = true }},
		{"events_rows", eventSession(5), 640, 320, false, func(rig *chartstest.Rig, c *Chart) { c.Weight, c.SameScale = true, true }},
		{"states", chartstest.StateSession(7), 760, 260, false, nil},
		{"states_light", chartstest.StateSession(30), 760, 260, true, func(rig *chartstest.Rig, c *Chart) { rig.Env.View.Steer().PlaceTime(0, 2500*chartstest.Ms) }},
		{"gaps", gapSession(), 760, 280, false, nil},
		{"gaps_light", gapSession(), 760, 280, true, func(rig *chartstest.Rig, c *Chart) { c.ShowSeries(0) }},
		{"gaps_overlaid", overlaidGaps(), 640, 240, false, nil},
		{"many", chartstest.LatencySession(35), 760, 360, false, nil},
		{"many_overlaid", chartstest.LatencySession(35), 760, 360, false, func(rig *chartstest.Rig, c *Chart) { c.Layout = LayoutOverlay }},
		{"many_light", chartstest.LatencySession(35), 760, 360, true, func(rig *chartstest.Rig, c *Chart) { c.Order, c.SameScale = OrderMean, true }},
		{"histogram", chartstest.LatencySession(4), 760, 300, false, func(rig *chartstest.Rig, c *Chart) { c.Distribution = true; rig.Env.View.Select(view.Series(1)) }},
		{"histogram_light", chartstest.LatencySession(4), 640, 260, true, func(rig *chartstest.Rig, c *Chart) {
			c.Distribution, c.Log = true, true
			rig.Env.View.Select(view.Series(1))
		}},
		{"histogram_states", chartstest.StateSession(7), 640, 240, false, func(rig *chartstest.Rig, c *Chart) { c.Distribution = true }},
		{"empty", store.NewSession(), 480, 200, false, nil},
		{"empty_light", chartstest.LatencySession(2), 480, 200, true, func(rig *chartstest.Rig, c *Chart) { c.Filter = "nobody" }},
		{"narrow", chartstest.LatencySession(3), 280, 240, false, nil},
		{"narrow_load", chartstest.LoadSession(), 280, 240, true, nil},
		{"narrow_states", chartstest.StateSession(7), 330, 200, false, nil},
		{"tiny", counterSession(1), 160, 90, false, nil},
		{"tiny_states", chartstest.StateSession(3), 190, 100, true, nil},
	} {
		t.Run(p.name, func(t *testing.T) {
			rig, c := seriesRig(p.s, p.w, p.h)
			chartstest.Light(rig.Env, p.light)
			if p.set != nil {
				p.set(rig, c)
			}
			rig.Tick(c)
			rig.Check(t, c, "series_"+p.name)
			t.Logf("%d quads", c.List().Quads())
		})
	}
}

func TestGoldenSeriesHover(t *testing.T) {
	rig, c := seriesRig(chartstest.LatencySession(4), 760, 300)
	rig.Below()
	rig.Tick(c)
	rig.Move(c, 520, 226)
	rig.Tick(c)
	hit := c.HitTest(rig.Env, 520, 226)
	var tip panel.Tooltip
	p := rig.Picture(c)
	p.Lists = append(p.Lists, tip.Draw(rig.Env, &hit, 520, 226, rig.R))
	golden.Check(t, "../testdata/golden/series_hover.png", p)
	chartstest.AtScales(t, "series_scale", func(t *testing.T, scale float32, name string) {
		if scale == 1 {
			return
		}
		rig := chartstest.NewRig(chartstest.LoadSession(), scale, 560, 240)
		rig.Env.View.Steer().PlaceTime(0, 5000*chartstest.Ms)
		rig.Check(t, NewChart(), name)
	})
}

func TestGoldenSeriesTable(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	for i := range 4 {
		d := model.SeriesDef{Name: fmt.Sprintf("queue%d.src", i*5), Group: "latency", Unit: "ns"}
		w.Sample(d, 200, chartstest.Ms, func(int) float64 { return 1e6 + 5e5*w.Rng.Float64()*float64(i+1) })
	}
	w.Sample(model.SeriesDef{Name: "sink0", Group: "bytes", Kind: model.SeriesCounter, Unit: "B"}, 200, chartstest.Ms,
		func(k int) float64 { return float64(k) * 4096 })
	w.Sample(model.SeriesDef{Name: "src → sink", Group: "buffers", Kind: model.SeriesEvent, Unit: "B"}, 200, chartstest.Ms,
		func(int) float64 { return 4096 })
	state := w.Define(model.SeriesDef{Name: "sink0", Group: "state", Kind: model.SeriesState, States: []string{"null", "playing"}})
	w.Add(state, 5*chartstest.Ms, 1)
	w.Define(model.SeriesDef{Name: "never", Group: "latency", Unit: "ns"})
	rig := chartstest.NewRig(w.Flush(), 1, 800, 240)
	src := NewTable()
	c := NewChart()
	src.Chart = c
	c.ShowSeries(1)
	rig.Check(t, table.New("Series", src), "series_table")
	chartstest.Light(rig.Env, true)
	rig.R.X1 = 420
	rig.Check(t, table.New("Series", src), "series_table_light")
}

// Every group of a real pipeline's trace is drawn, described and summed up.
func TestSeriesOfARealTrace(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	groups := subject.SeriesGroups(s)
	if len(groups) == 0 {
		t.Fatal("no group of series")
	}
	rig := chartstest.NewRig(s, 1, 760, 300)
	rig.Env.View.Steer().FitAll()
	c := NewChart()
	for _, g := range groups {
		c.Show(g.Name)
		for _, dist := range []bool{false, true} {
			c.Distribution = dist
			rig.Tick(c)
		}
		c.Distribution = false
		rig.Tick(c)
		samples, known := int64(0), 0
		for k := range c.lines {
			samples += s.Series().ByID(c.pick.items[c.lines[k].item].id).Len()
			for _, col := range c.cols(&c.lines[k]) {
				if col.known() {
					known++
				}
			}
		}
		if len(c.pick.items) != g.Count || samples > 1 && known == 0 && g.Kind != model.SeriesCounter {
			t.Errorf("%s: %d series of %d, %d samples, %d columns drawn", g.Name, len(c.pick.items), g.Count, samples, known)
		}
		h := c.HitTest(rig.Env, 40, c.regions.labels.Y0+8)
		if text := strings.Join(h.Lines, "\n"); len(h.Lines) < 2 || !strings.Contains(text, g.Name) {
			t.Errorf("%s: tooltip %q", g.Name, h.Lines)
		}
		if n := c.List().Quads(); n > 4*760+2000 {
			t.Errorf("%s: %d quads", g.Name, n)
		}
	}
	table := table.New("Series", NewTable())
	rig.Tick(table)
	if table.NumRows() < len(groups) {
		t.Errorf("%d rows for %d groups", table.NumRows(), len(groups))
	}
}

// scan is a plain summary of the samples in [a, b), and of what holds before.
type scan struct {
	n, gaps       int64
	min, max, sum float64
	last          model.Sample // of all before b, gaps too
	lastValue     model.Sample // the last one in [a, b) with a value
	before        model.Sample
	hasBefore     bool // a value holds at a
	hasLast       bool
	first, end    int64 // of all samples
}

func scanSamples(all []model.Sample, a, b int64) (sc scan) {
	sc.first, sc.end = all[0].Time, all[len(all)-1].Time
	for _, x := range all {
		gap := math.IsNaN(x.Value)
		if x.Time < b {
			sc.last, sc.hasLast = x, !gap
		}
		switch {
		case x.Time < a:
			sc.before, sc.hasBefore = x, !gap
		case x.Time >= b:
		case gap:
			sc.gaps++
		default:
			if sc.n == 0 {
				sc.min, sc.max = x.Value, x.Value
			}
			sc.n++
			sc.min, sc.max, sc.sum, sc.lastValue = min(sc.min, x.Value), max(sc.max, x.Value), sc.sum+x.Value, x
		}
	}
	return sc
}

// held is what was in force in [a, b) of what holds until the next sample: the least, the greatest,
// and the mean by time.
func (sc *scan) held(all []model.Sample, a, b int64) (least, most, mean float64) {
	least, most, mean = sc.min, sc.max, sc.sum/float64(sc.n)
	area, held := 0.0, 0.0
	for i := range len(all) - 1 {
		if ns := min(all[i+1].Time, b) - max(all[i].Time, a); ns > 0 && !math.IsNaN(all[i].Value) {
			area, held = area+all[i].Value*float64(ns), held+float64(ns)
			least, most = min(least, all[i].Value), max(most, all[i].Value)
		}
	}
	if held > 0 {
		mean = area / held
	}
	return least, most, mean
}

// What is drawn in a column, and what the tooltip says there, is what a plain scan of the samples
// says.
func TestSeriesTooltipIsAPlainScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := model.SeriesKind(rapid.IntRange(0, 4).Draw(t, "kind"))
		w := chartstest.NewSeriesWriter()
		id := w.Define(model.SeriesDef{Name: "it", Group: "g", Kind: kind, States: []string{"a", "b", "c"}})
		var all []model.Sample
		at, total := int64(rapid.IntRange(0, 1000).Draw(t, "begin")), 0.0
		for range rapid.IntRange(1, 400).Draw(t, "samples") {
			at += int64(rapid.SampledFrom([]int{0, 1, 3, 40, 900, 20_000}).Draw(t, "step"))
			v := float64(rapid.IntRange(-50, 200).Draw(t, "value"))
			switch {
			case rapid.IntRange(0, 9).Draw(t, "gap") == 0:
				v = math.NaN()
			case kind == model.SeriesCounter:
				total += max(v, 0)
				v = total
			case kind == model.SeriesState:
				v = float64(int(v) & 3)
			}
			all = append(all, model.Sample{Series: id, Time: at, Value: v})
			w.Add(id, at, v)
		}
		rig := chartstest.NewRig(w.Flush(), 1, 500, 260)
		c := NewChart()
		c.Weight = rapid.Bool().Draw(t, "weight")
		end := at + 1
		if rapid.Bool().Draw(t, "near") {
			end = all[0].Time + (at-all[0].Time)/8 + 200
		}
		rig.Env.View.Steer().PlaceTime(all[0].Time-100, end)
		rig.Tick(c)
		if len(c.lines) != 1 {
			t.Fatalf("%d lines", len(c.lines))
		}
		ln := &c.lines[0]
		g, it := c.grid(ln), &c.pick.items[0]
		for range 12 {
			x := rapid.Float32Range(c.regions.plot.X0, c.regions.plot.X1-1).Draw(t, "x")
			i := g.at(x)
			hit := c.HitTest(rig.Env, x, (c.plots[0].rect.Y0+c.plots[0].rect.Y1)/2)
			if i < 0 {
				continue
			}
			sc := scanSamples(all, g.times[i], g.times[i+1])
			checkColumn(t, kind, c, &c.cols(ln)[i], &sc, all, g.times[i], g.times[i+1])
			has := func(name string, u format.Unit, v float64) {
				if want := name + "\t" + string(u.Append(nil, v)); !slices.Contains(hit.Lines, want) {
					t.Fatalf("kind %d, column %d to %d, %+v: no %q in %q", kind, g.times[i], g.times[i+1], sc, want, hit.Lines)
				}
			}
			if len(hit.Lines) == 0 || hit.Lines[0] != "it" {
				t.Fatalf("lines %q", hit.Lines)
			}
			switch {
			case sc.n == 0 && g.times[i] > sc.end:
				if state := kind == model.SeriesState && sc.hasLast; !state && !strings.HasPrefix(hit.Lines[1], "after") {
					t.Fatalf("after the end: %q", hit.Lines)
				}
			case sc.n == 0 && g.times[i+1] <= sc.first:
				if !strings.HasPrefix(hit.Lines[1], "before") {
					t.Fatalf("before the begin: %q", hit.Lines)
				}
			case sc.n == 0 && (!sc.hasBefore || sc.gaps > 0):
				// A column that begins before the first sample, which is a gap, is before the first value, too.
				early := !strings.HasPrefix(hit.Lines[1], "no data") && firstValue(all) >= g.times[i+1]
				if !early && !strings.HasPrefix(hit.Lines[1], "no data") {
					t.Fatalf("in a gap: %q", hit.Lines)
				}
			case kind == model.SeriesEvent:
				has("rate", format.Unit{Factor: 1, Per: true}, float64(sc.n)*(1e9/float64(g.times[i+1]-g.times[i])))
				if sc.n > 0 && (sc.min != sc.max || sc.max != 1) {
					has("sum", it.value, sc.sum)
				}
			case kind == model.SeriesCounter:
				if sc.hasLast {
					has("total", it.value, sc.last.Value)
				}
			case kind == model.SeriesState:
				if sc.hasLast {
					want := "state\t" + string(subject.AppendState(nil, &rig.Env.View.Session().Series().ByID(id).Def, sc.last.Value))
					if !slices.Contains(hit.Lines, want) {
						t.Fatalf("no %q in %q", want, hit.Lines)
					}
				}
			case sc.n > 1 && kind == model.SeriesGauge:
				least, most, mean := sc.held(all, g.times[i], g.times[i+1])
				has("min", it.value, least)
				has("max", it.value, most)
				has("mean by time", it.value, mean)
			case sc.n > 1:
				has("min", it.value, sc.min)
				has("max", it.value, sc.max)
				has("mean", it.value, sc.sum/float64(sc.n))
			case sc.n == 1:
				has("value", it.value, sc.lastValue.Value)
			default:
				has("value", it.value, sc.before.Value)
			}
		}
	})
}

// firstValue returns the time of the first value, the greatest time there is without one.
func firstValue(all []model.Sample) int64 {
	for _, x := range all {
		if !math.IsNaN(x.Value) {
			return x.Time
		}
	}
	return math.MaxInt64
}

// checkColumn compares a drawn column with a scan.
func checkColumn(t *rapid.T, kind model.SeriesKind, c *Chart, col *seriesCol, sc *scan, all []model.Sample, a, b int64) {
	fail := func(why string) { t.Fatalf("kind %d, column %d to %d: %+v, %+v: %s", kind, a, b, *col, *sc, why) }
	known := col.known()
	if known && col.state != colLast && (a > sc.end || b <= sc.first) {
		fail("drawn as if it were known")
	}
	if known && sc.n == 0 && !sc.hasBefore {
		fail("drawn in a gap")
	}
	if !known && kind != model.SeriesCounter && (sc.n > 0 || sc.hasBefore && sc.gaps == 0 && a <= sc.end) {
		fail("not drawn")
	}
	if !known || sc.n == 0 {
		return
	}
	switch kind {
	case model.SeriesValue:
		if col.lo != sc.min || col.hi != sc.max || math.Abs(col.mid-sc.sum/float64(sc.n)) > 1e-9*math.Abs(sc.sum)+1e-12 {
			fail("another summary")
		}
	case model.SeriesGauge, model.SeriesState:
		if col.mid != sc.lastValue.Value {
			fail("not the last value")
		}
	case model.SeriesEvent:
		want := float64(sc.n)
		if c.Weight {
			want = sc.sum
		}
		if math.Abs(col.mid-want*1e9/float64(b-a)) > 1e-6*math.Abs(col.mid)+1e-9 {
			fail("another rate")
		}
	case model.SeriesCounter:
		// The growth since the last sample before the column, by the time since then.
		if !sc.hasBefore || !sc.hasLast || sc.last.Time == sc.before.Time {
			return
		}
		want := (sc.last.Value - sc.before.Value) * 1e9 / float64(sc.last.Time-sc.before.Time)
		if math.Abs(col.mid-want) > 1e-9*math.Abs(want) {
			fail("another rate")
		}
	}
}

func TestCompareNaturalOrders(t *testing.T) {
	name := rapid.StringMatching(`[aB0-9]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if format.CompareNatural(a, b) != -format.CompareNatural(b, a) || (format.CompareNatural(a, b) == 0) != (a == b) {
			t.Fatalf("%q %q", a, b)
		}
		if format.CompareNatural(a, b) <= 0 && format.CompareNatural(b, c) <= 0 && format.CompareNatural(a, c) > 0 {
			t.Fatalf("%q %q %q", a, b, c)
		}
	})
	if format.CompareNatural("queue9", "queue10") >= 0 || format.CompareNatural("Queue2", "queue10") >= 0 {
		t.Error("numbers are not compared by size")
	}
}
