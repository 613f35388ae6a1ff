package series

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
)

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

// Statistics of the view include the last sample, as tables and reports do.
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
