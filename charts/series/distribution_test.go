package series

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

func TestSeriesDistribution(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	w.Sample(model.SeriesDef{Name: "v", Group: "g", Unit: "ns"}, 1000, chartstest.Ms, func(k int) float64 {
		if k%100 == 50 {
			return math.NaN()
		}
		return float64(k % 10 * 1000)
	})
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Env.View.Steer().PlaceTime(0, 1000*chartstest.Ms)
	c.Distribution = true
	rig.Tick(c)
	sum := int32(0)
	for _, n := range c.dist.h.bins {
		sum += n
	}
	testkit.That(t, sum == 990 && len(c.dist.h.values) == 990,
		"%d in columns, %d values, want 990", sum, len(c.dist.h.values))
	// A click on the highest values goes from one to the next.
	last := len(c.dist.h.bins) - 1
	r := c.dist.h.column(last)
	hit := c.HitTest(rig.Env, r.X0+1, r.Y1-5)
	want := fmt.Sprintf("%d of 990", c.dist.h.bins[last])
	testkit.That(t, len(hit.Lines) >= 2 && strings.HasPrefix(hit.Lines[1], want), "tooltip %q", hit.Lines)
	rig.Click(c, r.X0+1, r.Y1-5)
	first := rig.Env.View.Playhead()
	rig.Click(c, r.X0+1, r.Y1-5)
	second := rig.Env.View.Playhead()
	testkit.That(t, first == 9*chartstest.Ms && second == 19*chartstest.Ms, "clicks go to %d, %d", first, second)
}

// Of more samples than are looked at, equal parts of the range give equal numbers.
func TestSeriesDistributionThinsOut(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	const n = 3 * distributionSamples
	w.Sample(model.SeriesDef{Name: "v", Group: "g"}, n, 1000, func(k int) float64 { return float64(k) })
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Env.View.Steer().PlaceTime(0, n*1000)
	c.Distribution = true
	rig.Tick(c)
	got := len(c.dist.h.values)
	testkit.That(t, got <= distributionSamples && got >= distributionSamples*9/10, "%d values", got)
	for i, b := range c.dist.h.bins[:len(c.dist.h.bins)-1] {
		mean := int32(len(c.dist.h.values) / len(c.dist.h.bins))
		testkit.That(t, b >= mean/2 && b <= 2*mean, "column %d holds %d, the mean is %d", i, b, mean)
	}
}

func TestSeriesStateTimes(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	id := w.Define(model.SeriesDef{Name: "s", Group: "g", Kind: model.SeriesState, States: []string{"null", "ready", "playing"}})
	w.Add(id, 100*chartstest.Ms, 0)
	w.Add(id, 300*chartstest.Ms, 1)
	w.Add(id, 400*chartstest.Ms, 2)
	w.Add(id, 700*chartstest.Ms, math.NaN())
	w.Add(id, 800*chartstest.Ms, 2)
	w.Add(id, 900*chartstest.Ms, 0)
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Env.View.Steer().PlaceTime(200*chartstest.Ms, 1000*chartstest.Ms)
	c.Distribution = true
	rig.Tick(c)
	want := []spans.StateTime{{Value: 2, Ns: 400 * chartstest.Ms}, {Value: 0, Ns: 100 * chartstest.Ms}, {Value: 1, Ns: 100 * chartstest.Ms}}
	testkit.That(t, slices.Equal(c.dist.states, want) && c.dist.total == 600*chartstest.Ms,
		"%v of %d", c.dist.states, c.dist.total)
}

// A counter that began anew has no rate over the time between.
func TestSeriesCounterThatBeganAnew(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	id := w.Define(model.SeriesDef{Name: "c", Group: "g", Kind: model.SeriesCounter})
	for k, v := range []float64{0, 100, 200, 10, 110} {
		w.Add(id, int64(k)*1000*chartstest.Ms, v)
	}
	rig, c := seriesRig(w.Flush(), 640, 300)
	rig.Env.View.Steer().PlaceTime(0, 4000*chartstest.Ms)
	rig.Tick(c)
	for at, want := range map[int64]float64{500: 100, 1500: 100, 2500: math.NaN(), 3500: 100} {
		col, ok := c.columnAt(id, at*chartstest.Ms)
		testkit.That(t, ok && (col.mid == want || math.IsNaN(want) && math.IsNaN(col.mid)),
			"at %d ms: %+v, want %v", at, col, want)
		testkit.That(t, math.IsNaN(want) == (col.state == colGap), "at %d ms: state %d", at, col.state)
	}
}

// While live, the newest samples come into view, and numbers change no faster than can be read.
func TestSeriesLive(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	id := w.Define(model.SeriesDef{Name: "v", Group: "g", Unit: "ns"})
	w.Add(id, 0, 1e6)
	w.Add(id, 1000*chartstest.Ms, 1e6)
	s := w.Flush()
	rig := chartstest.NewRig(s, 1, 640, 300)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	rig.Env.View.Steer().PlaceTime(0, 1000*chartstest.Ms)
	c := NewChart()
	rig.Tick(c)
	statsAt := map[uint64]bool{}
	hi := map[float64]bool{}
	for k := range int64(120) {
		w.Add(id, 1000*chartstest.Ms+k*16*chartstest.Ms, 1e6+1e4*float64(k%9))
		w.Flush()
		rig.Tick(c)
		statsAt[c.stats.fresh.Key.Revision] = true
		hi[c.plots[0].scale.Hi] = true
	}
	testkit.That(t, len(statsAt) <= 12 && len(statsAt) >= 4,
		"the statistics were made %d times in two seconds", len(statsAt))
	if len(hi) > 5 { // from one value to nine
		t.Errorf("the scale changed %d times", len(hi))
	}
	cols := c.cols(&c.lines[0])
	known := 0
	for _, col := range cols[len(cols)-12:] {
		if col.known() {
			known++
		}
	}
	testkit.That(t, known >= 10, "only %d of the newest columns are drawn", known)
}

// What a distribution marks as percentiles is what the statistics state: of values that hold by time, and
// of all samples, however many of them the columns are of.
func TestMarkedPercentilesAreThoseOfTheStatistics(t *testing.T) {
	for _, kind := range []model.SeriesKind{model.SeriesValue, model.SeriesGauge} {
		w := chartstest.NewSeriesWriter()
		id := w.Define(model.SeriesDef{Name: "v", Group: "g", Kind: kind})
		at := int64(0)
		for i := range int64(3 * distributionSamples) {
			at += 1 + i%7*(i%11)*1000 // held for quite different times
			w.Add(id, at, float64(i*7919%10007))
		}
		s := w.Flush()
		rig, c := seriesRig(s, 640, 300)
		rig.Env.View.Steer().PlaceTime(0, at)
		c.Distribution = true
		rig.Tick(c)
		span := c.statsRange(rig.Env)
		st := s.Series().ByID(id).Stats(span.a, span.b)
		for percent, want := range map[int64]float64{50: st.P50, 90: st.P90, 99: st.P99} {
			got := c.dist.percentile(percent)
			testkit.That(t, got.value == want && got.about == st.Estimated,
				"kind %v: p%d is %v, the statistics have %v", kind, percent, got, want)
		}
	}
}

// Statistics of what is in view have the last sample, too, as tables and reports have.
func TestSeriesStatisticsHaveTheLastSample(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	id := w.Sample(model.SeriesDef{Name: "v", Group: "g"}, 10, chartstest.Ms, func(int) float64 { return 1 })
	rig := chartstest.NewRig(w.Flush(), 1, 640, 300)
	c := NewChart()
	rig.Tick(c)
	rig.Env.View.Steer().PlaceTime(0, 9*chartstest.Ms)
	rig.Tick(c)
	span := c.statsRange(rig.Env)
	st := rig.Env.View.Session().Series().ByID(id).Stats(span.a, span.b)
	testkit.That(t, st.N == 10, "%d of 10 samples", st.N)
	rig.Env.View.Steer().PlaceTime(0, 5*chartstest.Ms)
	rig.Tick(c)
	span = c.statsRange(rig.Env)
	testkit.That(t, span.b == 5*chartstest.Ms, "in view is all up to %d", span.b)
}
