package series

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/store"
)

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
		testkit.MustThat(t, len(c.lines) == 1, "%d lines", len(c.lines))
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
				want := name + "\t" + string(u.Append(nil, v))
				testkit.MustThat(t, slices.Contains(hit.Lines, want),
					"kind %d, column %d to %d, %+v: no %q in %q", kind, g.times[i], g.times[i+1], sc, want, hit.Lines)
			}
			testkit.MustThat(t, len(hit.Lines) != 0 && hit.Lines[0] == "it", "lines %q", hit.Lines)
			switch {
			case sc.n == 0 && g.times[i] > sc.end:
				state := kind == model.SeriesState && sc.hasLast
				testkit.MustThat(t, state || strings.HasPrefix(hit.Lines[1], "after"), "after the end: %q", hit.Lines)
			case sc.n == 0 && g.times[i+1] <= sc.first:
				testkit.MustThat(t, strings.HasPrefix(hit.Lines[1], "before"), "before the begin: %q", hit.Lines)
			case sc.n == 0 && (!sc.hasBefore || sc.gaps > 0):
				// A column that begins before the first sample, which is a gap, is before the first value, too.
				early := !strings.HasPrefix(hit.Lines[1], "no data") && firstValue(all) >= g.times[i+1]
				testkit.MustThat(t, early || strings.HasPrefix(hit.Lines[1], "no data"), "in a gap: %q", hit.Lines)
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
					testkit.MustThat(t, slices.Contains(hit.Lines, want), "no %q in %q", want, hit.Lines)
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
