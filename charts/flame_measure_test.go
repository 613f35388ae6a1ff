package charts

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/model"
)

// chipRect returns the middle of a switch.
func chipAt(t testing.TB, r *chipRow, id int) (x, y float32) {
	t.Helper()
	for i := range r.chips {
		if c := &r.chips[i]; c.id == id {
			return (c.rect.X0 + c.rect.X1) / 2, (c.rect.Y0 + c.rect.Y1) / 2
		}
	}
	t.Fatalf("no switch %d", id)
	return 0, 0
}

func TestFlameMeasurePictures(t *testing.T) {
	s := loadFlare(t, "recorded-60s")
	for _, c := range []struct {
		name  string
		m     model.Measure
		light bool
		total string
	}{
		{"flame_measure_duration", model.MeasureDuration, false, "range of 40.0 s · 40.0 s"},
		{"flame_measure_cpu", model.MeasureCPU, false, "of CPU, estimated"},
		{"flame_measure_cpu_light", model.MeasureCPU, true, "of CPU, estimated"},
		{"flame_measure_samples", model.MeasureSamples, true, " samples"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig := newPanelRig(s, 1, 900, 280)
			if c.light {
				th := assets.Light()
				rig.env.Theme = &th
			}
			f := NewFlameGraph(model.NoCollector)
			f.Track = threadCalled(t, s, "order-worker-1")
			rig.env.View.SelectRange(10e9, 50e9)
			rig.tick(f)
			for rig.env.View.Measure() != c.m {
				x, y := chipAt(t, &f.chips, flameChipMeasure)
				rig.click(f, x, y)
			}
			rig.in.Over = false
			rig.check(t, f, c.name)
			if got := f.Mode(rig.env); !strings.Contains(got, c.total) {
				t.Errorf("mode %q", got)
			}
			h := f.HitTest(rig.env, 300, f.regions.plot.Y0+5)
			if c.m == model.MeasureCPU && !strings.Contains(strings.Join(h.Lines, "\n"), "Estimated") {
				t.Errorf("the tooltip does not say that CPU time is an estimate: %q", h.Lines)
			}
			t.Logf("%q", h.Lines)
		})
	}
}

// A graph that is locked in one unit is not in another, and what was zoomed to stays zoomed to.
func TestFlameMeasureChangesTheScale(t *testing.T) {
	s := loadFlare(t, "constructed-60s")
	rig := newPanelRig(s, 1, 900, 280)
	f := NewFlameGraph(model.NoCollector)
	f.AllTracks = true
	rig.env.View.SelectRange(0, 60e9)
	rig.tick(f)
	f.ToggleLock(rig.env)
	if len(f.nodes) < 5 {
		t.Fatalf("%d nodes", len(f.nodes))
	}
	f.chainOf(2)
	f.ZoomTo(rig.env, f.zoom)
	rig.tick(f)
	want := f.nodes[f.found].collector
	if m := rig.env.View.CycleMeasure(); m != model.MeasureCPU {
		t.Errorf("after duration comes %d", m)
	}
	if m := rig.env.View.CycleMeasure(); m != model.MeasureSamples {
		t.Errorf("after CPU time comes %d", m)
	}
	rig.tick(f)
	if f.Locked || f.found < 0 || f.nodes[f.found].collector != want {
		t.Errorf("locked %v, zoomed to node %d", f.Locked, f.found)
	}
	if w := f.axis.Width(); w != f.nodes[f.found].total {
		t.Errorf("%v units are visible of a bar of %v", w, f.nodes[f.found].total)
	}
	rig.env.View.CycleMeasure()
	rig.tick(f)
	if f.measure != model.MeasureDuration {
		t.Errorf("after samples comes %d", f.measure)
	}
	game := newPanelRig(newTestSession(t), 1, 900, 280)
	game.env.View.SetMeasure(model.MeasureCPU) // of another session
	game.env.View.SelectFrames(3, 3)
	g := NewFlameGraph(model.NoCollector)
	game.tick(g)
	if g.measure != model.MeasureDuration || g.total <= 0 {
		t.Errorf("a game shows measure %d, %v in all", g.measure, g.total)
	}
}

// Sampled spans: only the part in which each of them ended is hatched.
func TestTimelineSampledPicture(t *testing.T) {
	s := loadFlare(t, "recorded-60s")
	for _, light := range []bool{false, true} {
		env := testEnv(s, 1)
		name := "timeline_sampled"
		if light {
			th := assets.Light()
			env.Theme = &th
			name += "_light"
		}
		env.View.Tick(1, false)
		var tl Timeline
		r := draw.Rect{X1: 1000, Y1: 260}
		settle(env, &tl, r)
		env.View.PlaceTime(30_000_000_000, 31_200_000_000)
		settle(env, &tl, r)
		golden.Check(t, "testdata/golden/"+name+".png", picture(1000, 260, tl.List()))
	}
}
