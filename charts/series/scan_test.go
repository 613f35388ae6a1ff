package series

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"
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
