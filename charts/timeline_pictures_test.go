package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/model"
	"testing"
)

func TestTimelinePictures(t *testing.T) {
	s := newTestSession(t)
	rect := draw.Rect{X0: 0, Y0: 0, X1: 1060, Y1: 420}
	main := s.Track(tMain)
	frames := func(env *Env, a, b int) {
		env.View.PlaceTime(main.Frame(a).Begin-2_000_000, main.Frame(b).End)
	}
	for _, c := range []struct {
		name  string
		scale float64
		set   func(env *Env, tl *Timeline)
		then  func(env *Env, tl *Timeline) *draw.List
	}{
		{"timeline_frames", 1, func(env *Env, _ *Timeline) { frames(env, 104, 108); env.View.SelectFrames(106, 106) }, nil},
		{"timeline_frames_2x", 2, func(env *Env, _ *Timeline) { frames(env, 104, 108); env.View.SelectFrames(106, 106) }, nil},
		{"timeline_far", 1, func(env *Env, _ *Timeline) { env.View.FitAll() }, nil},
		{"timeline_50_frames", 1, func(env *Env, _ *Timeline) { frames(env, 130, 180) }, nil},
		{"timeline_near", 1, func(env *Env, _ *Timeline) {
			f := main.Frame(150)
			env.View.PlaceTime(f.Begin+4_000_000, f.Begin+7_000_000)
		}, nil},
		{"timeline_folded", 1, func(env *Env, _ *Timeline) {
			frames(env, 158, 163)
			env.View.SetTrackFolded(tCull, true)
			env.View.SetTrackFolded(tGPU, true)
			env.View.SetTrackHidden(tLoader, true)
		}, nil},
		{"timeline_tooltip", 1, func(env *Env, _ *Timeline) { frames(env, 150, 150) }, func(env *Env, tl *Timeline) *draw.List {
			y0, y1 := tl.laneY(env, &tl.blocks[0], 2)
			y := (y0 + y1) / 2
			click(env, tl, rect, 500, y)
			env.NowNs += 1e9
			tl.Update(env, rect, mouseAt(500, y))
			tl.Update(env, rect, mouseAt(500, y))
			hit := tl.HitTest(env, 500, y)
			var tip Tooltip
			return tip.Draw(env, &hit, 500, y, rect)
		}},
		{"timeline_counters", 1, func(env *Env, _ *Timeline) {
			frames(env, 140, 170)
			env.View.SetShowCounters(true)
			env.View.SetDepthLimit(3)
			env.View.SelectFrames(150, 150)
		}, nil},
		{"timeline_range", 1, func(env *Env, _ *Timeline) { frames(env, 104, 108) }, func(env *Env, tl *Timeline) *draw.List {
			down := mouseAt(300, 200)
			down.Shift, down.Left = true, Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
			tl.Update(env, rect, down)
			drag := mouseAt(640, 220)
			drag.Shift, drag.Left = true, Button{Down: true, Dragging: true, DownX: 300, DownY: 200}
			tl.Update(env, rect, drag)
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := testEnv(s, c.scale)
			env.View.Tick(1, false)
			var tl Timeline
			r := rect
			r.X1, r.Y1 = r.X1*float32(c.scale), r.Y1*float32(c.scale)
			settle(env, &tl, r)
			c.set(env, &tl)
			settle(env, &tl, r)
			lists := []*draw.List{nil}
			if c.then != nil {
				if l := c.then(env, &tl); l != nil {
					lists = append(lists, l)
				}
			}
			lists[0] = tl.List()
			golden.Check(t, "testdata/golden/"+c.name+".png", picture(int(r.X1), int(r.Y1), lists...))
			t.Logf("%d quads, %s", tl.List().Quads(), tl.Mode(env))
		})
	}
}

// The theme for bright rooms, at a scale between whole numbers.
func TestTimelineLightPicture(t *testing.T) {
	s := newTestSession(t)
	env := testEnv(s, 1.5)
	th := assets.Light()
	env.Theme = &th
	env.View.Tick(1, false)
	m := s.Track(tMain)
	env.View.PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.SelectFrames(159, 159)
	env.View.PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.SetHover(nil, cTravers, 0, false)
	var tl Timeline
	var fs FrameStrip
	r := draw.Rect{X1: 1500, Y0: 93, Y1: 700}
	settle(env, &tl, r)
	settle(env, &fs, draw.Rect{X1: 1500, Y1: 93})
	golden.Check(t, "testdata/golden/timeline_light.png", picture(1500, 700, tl.List(), fs.List()))
}

// Spans of which one end or both were not received, and some whose ends are only known to a sampling interval.
func TestTimelineOpenEndsPicture(t *testing.T) {
	w := newTestWriter(6)
	w.track(0, "Main", model.TrackThread)
	const at = 3_000_000_000
	for i := range int64(3) {
		b := at + i*20_000_000
		w.begin(0, i, b, b+16_000_000)
		w.flags = []model.SpanFlags{model.SpanOpenEnd, model.SpanOpenBegin, 0}[i]
		p := w.span(0, 0, cApp, 0, b+1_000_000, b+9_000_000)
		w.flags = []model.SpanFlags{model.SpanOpenBegin | model.SpanOpenEnd, model.SpanUncertain, model.SpanOpenEnd}[i]
		w.span(p, cApp, 5, 1, b+2_000_000, b+8_000_000)
		w.span(0, 0, cCull, 0, b+10_000_000, b+15_000_000)
		w.end()
	}
	env := testEnv(w.s, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 100}
	env.View.PlaceTime(at-1_000_000, at+60_000_000)
	settle(env, &tl, r)
	golden.Check(t, "testdata/golden/timeline_open_ends.png", picture(900, 100, tl.List()))
}

func TestTimelineEmptyPicture(t *testing.T) {
	env := testEnv(model.NewSession(), 1)
	var tl Timeline
	r := draw.Rect{X1: 700, Y1: 160}
	settle(env, &tl, r)
	golden.Check(t, "testdata/golden/timeline_empty.png", picture(700, 160, tl.List()))
}
