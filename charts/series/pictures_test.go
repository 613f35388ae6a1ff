package series

import (
	"fmt"
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

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
