package overview

import (
	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"math"
	"strings"
	"testing"
)

// The gestures of the overview: what each does to playhead, selection and the timeline's window.
func TestOverviewGestures(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 1, 1000, 62)
	v := rig.Env.View
	var o Overview
	rig.Tick(&o)
	at := func(ns int64) float32 { return float32(o.view.ToPx(o.rect, ns)) }
	near := func(what string, got, want int64) {
		t.Helper()
		if d := got - want; d < -20_000_000 || d > 20_000_000 {
			t.Errorf("%s at %d, want %d", what, got, want)
		}
	}
	const s = int64(1e9)
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Click(&o, at(7*s), 40)
	near("playhead", v.Playhead(), 7*s)
	if v.RangeB() > v.RangeA() {
		t.Error("a click selected a range")
	}
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Drag(&o, at(6*s), 40, at(5*s), 45)
	near("range begin", v.RangeA(), 5*s)
	near("range end", v.RangeB(), 6*s)
	rig.In.Shift = true
	rig.Click(&o, at(8*s), 40)
	rig.In.Shift = false
	near("extended range begin", v.RangeA(), 5*s)
	near("extended range end", v.RangeB(), 8*s)
	// the bar moves the window, its edges resize it
	b, e := v.Time().Visible()
	near("window begin", b, 2*s)
	rig.Drag(&o, at(3*s), 4, at(6*s), 4)
	b, e = v.Time().Visible()
	near("moved window begin", b, 5*s)
	near("moved window end", e, 7*s)
	rig.Drag(&o, at(7*s), 40, at(8*s), 40)
	b, e = v.Time().Visible()
	near("window begin", b, 5*s)
	near("resized window end", e, 8*s)
	rig.Drag(&o, at(5*s), 40, at(9*s), 40) // beyond the other edge
	if b, e = v.Time().Visible(); e <= b {
		t.Errorf("the window is empty: %d to %d", b, e)
	}
	// ctrl + drag zooms, and Back returns
	v.Steer().PlaceTime(2*s, 4*s)
	rig.In.Ctrl = true
	rig.Drag(&o, at(6*s), 40, at(8*s), 40)
	rig.In.Ctrl = false
	b, e = v.Time().Visible()
	if b > 6*s || e < 8*s || e-b > 5*s/2 {
		t.Errorf("zoomed to %d to %d", b, e)
	}
	// the wheel zooms around the mouse, shift moves
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Move(&o, at(3*s), 40)
	rig.In.WheelY = 2
	rig.Tick(&o)
	if w := v.Time().Width(); math.Abs(w-2e9/(panel.WheelZoom*panel.WheelZoom)) > 1e6 {
		t.Errorf("the wheel made the window %g wide", w)
	}
	rig.In.WheelX = 1
	rig.Tick(&o)
	if b2, _ := v.Time().Visible(); b2 <= 2*s {
		t.Errorf("the wheel did not move the window: %d", b2)
	}
	rig.In.X = at(8 * s)
	rig.In.DoubleClick = true
	rig.Tick(&o)
	b, e = v.Time().Visible()
	near("centre of the window", (b+e)/2, 8*s)
	// the right button opens the menu
	rig.Move(&o, at(1*s), 40)
	rig.In.Right.Pressed, rig.In.Right.Down = true, true
	rig.Tick(&o)
	rig.In.Right.Down, rig.In.Right.Released = false, true
	if a := rig.Tick(&o); a.Kind != panel.ActionMenu {
		t.Errorf("the right button gave %v", a.Kind)
	}
	hit := o.HitTest(rig.Env, at(9*s), 40)
	if text := strings.Join(hit.Lines, "\n"); !strings.Contains(text, "main") || !strings.Contains(text, "CPU load") {
		t.Errorf("tooltip %q", hit.Lines)
	}
}

// What left memory is hatched, and is no place to go to.
func TestOverviewOfWhatLeftMemory(t *testing.T) {
	w := chartstest.NewCallWriter(false)
	w.Run(2_000_000_000)
	rig := chartstest.NewRig(w.S, 1, 600, 62)
	var o Overview
	rig.Tick(&o)
	o.data.stretch(1_000_000_000, 2_000_000_000) // as if the first second had left
	o.data.changes++
	if o.data.begin >= o.data.from {
		t.Fatal("the overview forgot where the session began")
	}
	rig.Env.View.Steer().PlaceTime(1_200_000_000, 1_900_000_000)
	x := float32(o.view.ToPx(o.rect, 300_000_000))
	hit := o.HitTest(rig.Env, x, 40)
	if len(hit.Lines) < 2 || !strings.Contains(hit.Lines[1], "left memory") {
		t.Errorf("tooltip %q", hit.Lines)
	}
	rig.Click(&o, x, 40)
	if rig.Env.View.Playhead() < 1_000_000_000 {
		t.Errorf("the playhead went to %d, which left", rig.Env.View.Playhead())
	}
}
