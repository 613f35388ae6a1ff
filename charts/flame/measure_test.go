package flame

import (
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timeline"
	"framescope/model"
	"framescope/model/spans"
)

func TestFlameMeasurePictures(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	for _, c := range []struct {
		name  string
		m     spans.Measure
		light bool
		total string
	}{
		{"flame_measure_duration", spans.MeasureDuration, false, "range of 40.0 s · total 40.0 s"},
		{"flame_measure_cpu", spans.MeasureCPU, false, "of CPU, estimated"},
		{"flame_measure_cpu_light", spans.MeasureCPU, true, "of CPU, estimated"},
		{"flame_measure_samples", spans.MeasureSamples, true, " samples"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig := chartstest.NewRig(s, 1, 900, 280)
			if c.light {
				th := assets.Light()
				rig.Env.Theme = &th
			}
			f := New(model.NoCollector)
			f.Track = chartstest.ThreadCalled(t, s, "order-worker-1")
			rig.Env.View.SelectRange(10e9, 50e9)
			rig.Tick(f)
			tools := f.Tools(rig.Env)
			i := slices.IndexFunc(tools, func(t panel.Tool) bool { return t.ID == toolMeasure })
			f.Use(rig.Env, toolMeasure, slices.Index(f.measures.List, c.m))
			if label := tools[i].Label; label == "" || rig.Env.View.Look().Measure() != c.m {
				t.Fatalf("%q gives %v", label, rig.Env.View.Look().Measure())
			}
			rig.Tick(f)
			rig.In.Over = false
			rig.Check(t, f, c.name)
			if got := f.Mode(rig.Env); !strings.Contains(got, c.total) {
				t.Errorf("mode %q", got)
			}
			h := f.HitTest(rig.Env, 300, f.regions.plot.Y0+5)
			if c.m == spans.MeasureCPU && !strings.Contains(strings.Join(h.Lines, "\n"), "Estimated") {
				t.Errorf("the tooltip does not say that CPU time is an estimate: %q", h.Lines)
			}
			t.Logf("%q", h.Lines)
		})
	}
}

// A graph that is locked in one unit is not in another, and what was zoomed to stays zoomed to.
func TestFlameMeasureChangesTheScale(t *testing.T) {
	s := chartstest.LoadFlare(t, "constructed-60s")
	rig := chartstest.NewRig(s, 1, 900, 280)
	f := New(model.NoCollector)
	f.AllTracks = true
	rig.Env.View.SelectRange(0, 60e9)
	rig.Tick(f)
	f.ToggleLock(rig.Env)
	if len(f.nodes) < 5 {
		t.Fatalf("%d nodes", len(f.nodes))
	}
	f.ZoomTo(rig.Env, f.chainOf(2))
	rig.Tick(f)
	want := f.nodes[f.found].Collector
	if m := rig.Env.View.Look().CycleMeasure(); m != spans.MeasureCPU {
		t.Errorf("after duration comes %d", m)
	}
	if m := rig.Env.View.Look().CycleMeasure(); m != spans.MeasureSamples {
		t.Errorf("after CPU time comes %d", m)
	}
	rig.Tick(f)
	if f.Locked || f.found < 0 || f.nodes[f.found].Collector != want {
		t.Errorf("locked %v, zoomed to node %d", f.Locked, f.found)
	}
	if w := f.axis.Width(); w != f.node(int32(f.found)).total {
		t.Errorf("%v units are visible of a bar of %v", w, f.node(int32(f.found)).total)
	}
	rig.Env.View.Look().CycleMeasure()
	rig.Tick(f)
	if f.measure != spans.MeasureDuration {
		t.Errorf("after samples comes %d", f.measure)
	}
	game := chartstest.NewRig(chartstest.NewSession(t), 1, 900, 280)
	game.Env.View.Look().SetMeasure(spans.MeasureCPU) // of another session
	game.Env.View.SelectFrames(3, 3)
	g := New(model.NoCollector)
	game.Tick(g)
	if g.measure != spans.MeasureDuration || g.total <= 0 {
		t.Errorf("a game shows measure %d, %v in all", g.measure, g.total)
	}
}

// Sampled spans: only the part in which each of them ended is hatched.
func TestTimelineSampledPicture(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	for _, light := range []bool{false, true} {
		env := chartstest.NewEnv(s, 1)
		name := "timeline_sampled"
		if light {
			th := assets.Light()
			env.Theme = &th
			name += "_light"
		}
		env.View.Tick(1, false)
		var tl timeline.Timeline
		r := draw.Rect{X1: 1000, Y1: 260}
		chartstest.Settle(env, &tl, r)
		env.View.Steer().PlaceTime(30_000_000_000, 31_200_000_000)
		chartstest.Settle(env, &tl, r)
		golden.Check(t, "../testdata/golden/"+name+".png", chartstest.Picture(1000, 260, tl.List()))
	}
}

// Where nothing is selected a graph of calls is of all that is in view, what comes at the very end of
// the session included: as many samples as tables and reports count.
func TestFlameHasTheLastSample(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	begin, end, _ := s.Bounds()
	samples := func(id model.TrackID, t1 int64) (n int64) {
		for _, st := range s.Spans().Stats([]model.TrackID{id}, begin, t1, nil) {
			n = max(n, st.Samples)
		}
		return n
	}
	seen := 0
	for id := range model.TrackID(s.NumTracks()) {
		all := samples(id, end+1)
		if all == samples(id, end) {
			continue
		}
		seen++
		rig := chartstest.NewRig(s, 1, 900, 280)
		f := New(model.NoCollector)
		f.Track = id
		rig.Env.View.SetTrack(id)
		rig.Env.View.Look().SetMeasure(spans.MeasureSamples)
		rig.Tick(f)
		rig.Tick(f)
		if got := int64(f.total/subject.UnitsOf(f.unit) + 0.5); got != all {
			t.Errorf("%s: the graph is of %d samples, the thread has %d", s.Track(id).Title(), got, all)
		}
	}
	if seen == 0 {
		t.Error("no thread was sampled at the end")
	}
}
