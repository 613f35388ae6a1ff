package strip

import (
	"framescope/charts/chartstest"
	"framescope/model"
	"testing"
)

// TestLiveStripFollows runs a game and a strip chart together: it ends at the newest frame, its
// scale keeps still, a hover does not stop it, and a drag into the past does.
func TestLiveStripFollows(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	strip := New(model.NoTrack, 0, false)
	tops := map[float64]bool{}
	for range 120 {
		g.Frame()
		rig.Move(strip, 500, 200)
		tops[strip.target.top] = true
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if got := int64(strip.own.EndNs); got != newest.Begin {
			t.Fatalf("the strip chart ends at %d, the newest frame begins at %d", got, newest.Begin)
		}
	}
	if len(tops) > 2 {
		t.Errorf("the scale of a steady game changed %d times", len(tops)-1)
	}
	if !rig.Env.View.Live() {
		t.Error("a hover stopped following")
	}
	rig.Drag(strip, 400, 200, 600, 200)
	before := strip.own.EndNs
	for range 30 {
		g.Frame()
		rig.Tick(strip)
	}
	if rig.Env.View.Live() || strip.own.EndNs > before {
		t.Error("the chart runs on after it was dragged into the past")
	}
}

// A live chart of each thread shows the same time, also of one whose last frame is long ago.
func TestLiveStripsOfAllThreadsShowTheSameTime(t *testing.T) {
	g := chartstest.NewLiveGame(3)
	g.Frame()
	old := g.S.Track(0).Frame(0)
	g.S.Apply(model.TrackDef{ID: 1, Name: "Loader"})
	g.S.Append(&model.Batch{Track: 1, HasFrame: true, Number: 0, Begin: old.Begin, End: old.End})
	for range 50 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.View.Follow(true)
	strip := New(model.NoTrack, 0, false)
	rig.Tick(strip)
	was := strip.own.Window
	rig.Env.View.SetTrack(1)
	rig.Env.View.Follow(true)
	rig.Tick(strip)
	if strip.own.Window != was {
		t.Errorf("the loader's chart shows %v, the main thread's %v", strip.own.Window, was)
	}
}
