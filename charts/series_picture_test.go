package charts

import (
	"fmt"
	"math"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/model"
)

func counterSession(n int) *model.Session {
	w := newSeriesWriter()
	for i := range n {
		id := w.define(model.SeriesDef{Name: fmt.Sprintf("sink%d bytes", i), Group: "bytes received", Kind: model.SeriesCounter, Unit: "B"})
		total := 0.0
		for t := int64(100 * ms); t < 4800*ms; t += 40 * ms {
			if t > 1500*ms && t < 1900*ms {
				continue // the sender paused and told nothing
			}
			total += (1 + 0.6*math.Sin(float64(t)/6e8+float64(i))) * 190_000 * (0.8 + 0.4*w.rng.Float64())
			w.add(id, t, math.Floor(total))
		}
	}
	return w.flush()
}

func eventSession(n int) *model.Session {
	w := newSeriesWriter()
	for i := range n {
		id := w.define(model.SeriesDef{Name: fmt.Sprintf("src_%d → sink", i), Group: "buffers", Kind: model.SeriesEvent, Unit: "B", Role: model.RoleFlow, Description: "buffers and their size"})
		for t := int64(300 * ms); t < 4700*ms; {
			w.add(id, t, float64(600+w.rng.IntN(4000)))
			gap := 5 * ms
			if t > 2000*ms && t < 2300*ms {
				gap = 60 * ms
			}
			t += int64(gap/2 + w.rng.IntN(gap))
		}
	}
	return w.flush()
}

// gapSession returns values with two gaps, few samples here and many there, and a late begin and an early end.
func gapSession() *model.Session {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "jitter", Group: "qos", Unit: "ns", Description: "optional values are left out where there were none"})
	other := w.define(model.SeriesDef{Name: "frames shown", Group: "qos", Unit: ""})
	w.add(other, 0, 20)
	w.add(other, 5000*ms, 24)
	for t := int64(600 * ms); t < 1600*ms; t += 50 * ms {
		w.add(id, t, 2e6+1.5e6*w.rng.Float64())
	}
	w.add(id, 1600*ms, math.NaN())
	for t := int64(2400 * ms); t < 3000*ms; t += ms / 4 {
		w.add(id, t, 3e6+2e6*w.rng.Float64()+1e6*math.Sin(float64(t)/5e7))
	}
	w.add(id, 3000*ms, math.NaN())
	w.add(id, 3200*ms, 4e6)
	w.add(id, 3900*ms, 2e6)
	w.add(id, 4300*ms, 2.4e6)
	return w.flush()
}

// overlaidGaps returns two series of one unit with gaps, one of them where both have none.
func overlaidGaps() *model.Session {
	w := newSeriesWriter()
	for i := range 2 {
		id := w.define(model.SeriesDef{Name: fmt.Sprintf("jitter of sink%d", i), Group: "jitter", Unit: "ns"})
		for t := int64(200 * ms); t < 4800*ms; t += 5 * ms {
			v := 2e6 + 1.5e6*math.Sin(float64(t)/3e8+float64(i)) + 2e5*w.rng.Float64()
			if t > int64(1000+500*i)*ms && t < int64(2000+500*i)*ms {
				v = math.NaN()
			}
			w.add(id, t, v)
		}
	}
	return w.flush()
}

func seriesRig(s *model.Session, w, h float32) (*panelRig, *SeriesChart) {
	rig := newPanelRig(s, 1, w, h)
	rig.env.View.PlaceTime(0, 5000*ms)
	return rig, NewSeriesChart()
}

func TestGoldenSeries(t *testing.T) {
	for _, p := range []struct {
		name  string
		s     *model.Session
		w, h  float32
		light bool
		set   func(rig *panelRig, c *SeriesChart)
	}{
		{"latency", latencySession(4), 760, 320, false, func(rig *panelRig, c *SeriesChart) { rig.env.View.SelectRange(2000*ms, 2800*ms); c.Focus = 1 }},
		{"latency_light", latencySession(4), 760, 320, true, func(rig *panelRig, c *SeriesChart) { c.Log = true; c.Focus = 1 }},
		{"latency_near", latencySession(2), 640, 260, false, func(rig *panelRig, c *SeriesChart) { rig.env.View.PlaceTime(1000*ms, 1120*ms) }},
		{"latency_near_light", latencySession(2), 640, 260, true, func(rig *panelRig, c *SeriesChart) { rig.env.View.PlaceTime(1000*ms, 1120*ms) }},
		{"load", loadSession(), 760, 300, false, nil},
		{"load_light", loadSession(), 760, 300, true, func(rig *panelRig, c *SeriesChart) { rig.env.View.SetPlayhead(1700 * ms) }},
		{"counter", counterSession(1), 640, 240, false, nil},
		{"counter_light", counterSession(3), 640, 280, true, func(rig *panelRig, c *SeriesChart) { c.Layout = LayoutRows }},
		{"counters_overlaid", counterSession(3), 640, 240, false, nil},
		{"events", eventSession(1), 640, 240, false, nil},
		{"events_light", eventSession(1), 640, 240, true, func(rig *panelRig, c *SeriesChart) { c.Weight = true }},
		{"events_rows", eventSession(5), 640, 320, false, func(rig *panelRig, c *SeriesChart) { c.Weight, c.SameScale = true, true }},
		{"states", stateSession(7), 760, 260, false, nil},
		{"states_light", stateSession(30), 760, 260, true, func(rig *panelRig, c *SeriesChart) { rig.env.View.PlaceTime(0, 2500*ms) }},
		{"gaps", gapSession(), 760, 280, false, nil},
		{"gaps_light", gapSession(), 760, 280, true, func(rig *panelRig, c *SeriesChart) { c.ShowSeries(0) }},
		{"gaps_overlaid", overlaidGaps(), 640, 240, false, nil},
		{"many", latencySession(35), 760, 360, false, nil},
		{"many_overlaid", latencySession(35), 760, 360, false, func(rig *panelRig, c *SeriesChart) { c.Layout = LayoutOverlay }},
		{"many_light", latencySession(35), 760, 360, true, func(rig *panelRig, c *SeriesChart) { c.Order, c.SameScale = OrderMean, true }},
		{"histogram", latencySession(4), 760, 300, false, func(rig *panelRig, c *SeriesChart) { c.Distribution, c.Focus = true, 1 }},
		{"histogram_light", latencySession(4), 640, 260, true, func(rig *panelRig, c *SeriesChart) { c.Distribution, c.Log, c.Focus = true, true, 1 }},
		{"histogram_states", stateSession(7), 640, 240, false, func(rig *panelRig, c *SeriesChart) { c.Distribution = true }},
		{"empty", model.NewSession(), 480, 200, false, nil},
		{"empty_light", latencySession(2), 480, 200, true, func(rig *panelRig, c *SeriesChart) { c.Filter = "nobody" }},
		{"narrow", latencySession(3), 280, 240, false, nil},
		{"narrow_load", loadSession(), 280, 240, true, nil},
		{"narrow_states", stateSession(7), 330, 200, false, nil},
		{"tiny", counterSession(1), 160, 90, false, nil},
		{"tiny_states", stateSession(3), 190, 100, true, nil},
	} {
		t.Run(p.name, func(t *testing.T) {
			rig, c := seriesRig(p.s, p.w, p.h)
			if p.light {
				light := assets.Light()
				rig.env.Theme = &light
			}
			if p.set != nil {
				p.set(rig, c)
			}
			rig.tick(c)
			rig.check(t, c, "series_"+p.name)
			t.Logf("%d quads", c.List().Quads())
		})
	}
}

func TestGoldenSeriesHover(t *testing.T) {
	rig, c := seriesRig(latencySession(4), 760, 300)
	rig.below()
	rig.tick(c)
	rig.move(c, 520, 226)
	rig.tick(c)
	hit := c.HitTest(rig.env, 520, 226)
	var tip Tooltip
	img := rig.picture(c)
	draw.Render(img, tip.Draw(rig.env, &hit, 520, 226, rig.r))
	golden.Check(t, "testdata/golden/series_hover.png", img)
	atScales(t, "series_scale", func(t *testing.T, scale float32, name string) {
		if scale == 1 {
			return
		}
		rig := newPanelRig(loadSession(), scale, 560, 240)
		rig.env.View.PlaceTime(0, 5000*ms)
		rig.check(t, NewSeriesChart(), name)
	})
}

func TestGoldenSeriesTable(t *testing.T) {
	w := newSeriesWriter()
	for i := range 4 {
		id := w.define(model.SeriesDef{Name: fmt.Sprintf("queue%d.src", i*5), Group: "latency", Unit: "ns"})
		for k := range 200 {
			w.add(id, int64(k)*ms, 1e6+5e5*w.rng.Float64()*float64(i+1))
		}
	}
	total := w.define(model.SeriesDef{Name: "sink0", Group: "bytes", Kind: model.SeriesCounter, Unit: "B"})
	flow := w.define(model.SeriesDef{Name: "src → sink", Group: "buffers", Kind: model.SeriesEvent, Unit: "B"})
	for k := range 200 {
		w.add(total, int64(k)*ms, float64(k)*4096)
		w.add(flow, int64(k)*ms, 4096)
	}
	state := w.define(model.SeriesDef{Name: "sink0", Group: "state", Kind: model.SeriesState, States: []string{"null", "playing"}})
	w.add(state, 5*ms, 1)
	w.define(model.SeriesDef{Name: "never", Group: "latency", Unit: "ns"})
	rig := newPanelRig(w.flush(), 1, 800, 240)
	src := NewSeriesTable()
	c := NewSeriesChart()
	src.Chart = c
	c.ShowSeries(1)
	rig.check(t, NewTable("Series", src), "series_table")
	light := assets.Light()
	rig.env.Theme = &light
	rig.r.X1 = 420
	rig.check(t, NewTable("Series", src), "series_table_light")
}
