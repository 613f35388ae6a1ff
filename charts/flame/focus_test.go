package flame

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// mid returns the middle of the first bar of a collector.
func mid(t testing.TB, f *Graph, c model.CollectorID) (x, y float32) {
	t.Helper()
	for got, r := range f.nodeRects {
		if got == c {
			return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2
		}
	}
	t.Fatalf("collector %d is not on the screen", c)
	return 0, 0
}

// A click selects and leaves what is shown as it is; a double click, Enter and the menu focus.
func TestClickSelectsDoubleClickFocuses(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 720, 300)
	v := rig.Env.View
	v.SelectFrames(50, 50)
	f := New(model.NoCollector)
	rig.Tick(f)
	whole := f.axis.Window
	x, y := mid(t, f, chartstest.CDraw)
	rig.Click(f, x, y)
	rig.Tick(f)
	if v.Collector() != chartstest.CDraw || !v.Focus().None() || f.axis.Window != whole {
		t.Fatalf("a click: collector %d, focus %v, window %v of %v", v.Collector(), v.Focus(), f.axis.Window, whole)
	}
	if _, taken := f.Key(rig.Env, "enter"); !taken {
		t.Error("Enter is not taken")
	}
	rig.Tick(f)
	if v.Focus().Last() != chartstest.CDraw || f.axis.Window == whole {
		t.Fatalf("Enter: focus on %d", v.Focus().Last())
	}
	v.FocusOn(view.Path{})
	rig.Tick(f)
	if f.axis.Window != whole {
		t.Error("the whole is not shown again")
	}
	rig.DoubleClick(f, x, y)
	rig.Tick(f)
	if v.Focus().Last() != chartstest.CDraw || f.axis.Window == whole {
		t.Fatalf("a double click: focus on %d", v.Focus().Last())
	}
	x, y = mid(t, f, chartstest.CDraw)
	rig.Move(f, x, y)
	rig.In.Right = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	rig.Tick(f)
	rig.In.Right = panel.Button{Released: true, DownX: x, DownY: y}
	act := rig.Tick(f)
	if act.Kind != panel.ActionMenu || act.Hit.Path != v.Focus() {
		t.Errorf("the menu is about %v", act.Hit.Path)
	}
}

// The focus is of its thread: another one is shown as a whole, and a frame in which it did not run
// says so.
func TestFocusIsOfItsThread(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	v := rig.Env.View
	v.SelectFrames(50, 50)
	f := New(model.NoCollector)
	rig.Tick(f)
	f.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw})
	rig.Tick(f)
	main := v.Track()
	other := model.NoTrack
	for id := range model.TrackID(s.NumTracks()) {
		if id != main && s.Track(id).NumSpans() > 0 {
			other = id
			break
		}
	}
	v.SetTrack(other)
	rig.Tick(f)
	if len(f.bars) == 0 || len(f.zoom) != 0 || f.axis.Width() != f.wholeNs() {
		t.Errorf("another thread: %d bars, zoom %v, %v of %v", len(f.bars), f.zoom, f.axis.Width(), f.wholeNs())
	}
	v.SetTrack(main)
	rig.Tick(f)
	if f.found < 0 || len(f.zoom) != 2 {
		t.Errorf("back on the thread the focus is gone: %v", f.zoom)
	}
	f.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw, chartstest.CDraw}) // never runs
	rig.Tick(f)
	if len(f.bars) == 0 || f.axis.Width() != f.wholeNs() {
		t.Errorf("what does not run: %d bars, %v of %v", len(f.bars), f.axis.Width(), f.wholeNs())
	}
	last := f.crumbs.Items[len(f.crumbs.Items)-1].Text
	if want := s.Collector(chartstest.CDraw).Name + " did not run here"; last != want {
		t.Errorf("the crumb says %q, want %q", last, want)
	}
}

// Keys select what they go to, and Back brings the focus along.
func TestKeysSelectAndBackRefocuses(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 720, 300)
	v := rig.Env.View
	v.SelectFrames(50, 50)
	f := New(model.NoCollector)
	rig.Tick(f)
	tick := func() {
		rig.Env.NowNs += 1e9
		v.Tick(rig.Env.NowNs, false)
		rig.Tick(f)
	}
	x, y := mid(t, f, chartstest.CApp)
	rig.Click(f, x, y)
	tick()
	var at []model.CollectorID
	for range 2 {
		if !f.FirstChild(rig.Env) {
			t.Fatal("no callee")
		}
		tick()
		if v.Focus().Last() != v.Collector() || f.zoom[len(f.zoom)-1] != v.Collector() {
			t.Fatalf("collector %d, focus %d", v.Collector(), v.Focus().Last())
		}
		at = append(at, v.Collector())
	}
	if f.zoom[1] != chartstest.CApp {
		t.Errorf("the keys did not go on from the bar that was clicked: %v", f.zoom)
	}
	if f.Caller(rig.Env); v.Collector() != at[0] {
		t.Errorf("the caller is %d, want %d", v.Collector(), at[0])
	}
	tick()
	v.Back()
	tick()
	if got := f.zoom[len(f.zoom)-1]; got != at[1] || v.Collector() != at[1] {
		t.Errorf("after Back: zoom %v, collector %d, want %d", f.zoom, v.Collector(), at[1])
	}
	for v.CanBack() && !v.Focus().None() {
		v.Back()
		tick()
	}
	if len(f.zoom) != 0 || v.Collector() != chartstest.CApp {
		t.Errorf("at the beginning: zoom %v, collector %d", f.zoom, v.Collector())
	}
	if before := slices.Clone(f.zoom); f.Parent(rig.Env) {
		t.Errorf("of the whole there is no parent: %v", before)
	}
}
