package truth

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
	"framescope/widgets/details"
)

// While a game runs, what stands below the names of its threads is of the newest frame, which is the
// selected one; of a thread that has not sent it yet, of one before.
func TestLiveFrameIsOne(t *testing.T) {
	for _, c := range []struct {
		name   string
		moved  int64 // by which the other thread's frames begin later
		behind int64 // frames that it sends later
	}{{"together", 0, 0}, {"a little later", 200_000, 0}, {"half a frame later", 8e6, 0}, {"half a frame before", -8e6, 0}, {"one frame late", 1e6, 1}} {
		t.Run(c.name, func(t *testing.T) { liveFrame(t, c.moved, c.behind) })
	}
}

func liveFrame(t *testing.T, moved, behind int64) {
	const long = 16_000_000
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Main: true})
	s.Apply(model.TrackDef{ID: 1, Name: "Draw"})
	send := func(id model.TrackID, n, at int64) {
		if n >= 0 {
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: n, Begin: 1e9 + at, End: 1e9 + at + long})
		}
	}
	n := int64(0)
	tick := func() {
		send(0, n, n*long)
		send(1, n-behind, (n-behind)*long+moved)
		n++
	}
	for range 100 {
		tick()
	}
	rig := chartstest.NewRig(s, 1, 900, 400)
	v := rig.Env.View
	v.Follow(true)
	for range 60 {
		tick()
		rig.Env.NowNs += long
		v.Tick(rig.Env.NowNs, false)
		newest := v.Shown().Frame(v.FrameA()).Number
		for id, want := range []int64{newest, newest - behind} {
			first, last := v.FramesShown(model.TrackID(id), 0)
			if first > last && behind == 0 {
				t.Fatalf("%s: no frame beside its name, %d is selected", s.Track(model.TrackID(id)).Title(), newest)
			}
			if first <= last {
				if got := s.Track(model.TrackID(id)).Frame(first).Number; first != last || got != want {
					t.Fatalf("%s: frame %d beside its name, want %d", s.Track(model.TrackID(id)).Title(), got, want)
				}
			}
		}
	}
}

// What the inspector says while a game runs is of one frame, in its headline and below, also where it
// is drawn anew for another reason, and changes as seldom as all figures do.
func TestLiveInspectorIsOfOneFrame(t *testing.T) {
	g := chartstest.NewLiveGame(4)
	for range 100 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Paced = true
	v := rig.Env.View
	v.Follow(true)
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	said := map[string]bool{}
	for i := range 120 {
		g.Frame()
		rig.Env.NowNs += 16_000_000
		v.Tick(rig.Env.NowNs, false)
		rect := draw.Rect{X1: 300, Y1: 400 + float32(i%3)} // its size changes
		pane.Update(rig.Env, rect, &panel.Input{DtNs: 16_000_000})
		head.Update(rig.Env, rect, &panel.Input{DtNs: 16_000_000})
		title := ""
		for _, f := range head.Facts(rig.Env, nil) {
			if title == "" {
				title = f.Name
			}
		}
		if i > 0 && title != pane.Title(rig.Env) {
			t.Fatalf("the headline is of %q, what is below of %q", title, pane.Title(rig.Env))
		}
		said[title] = true
	}
	if len(said) > 10 {
		t.Errorf("the frame changed %d times in two seconds", len(said))
	}
}
