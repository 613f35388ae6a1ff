package timeline

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

func TestTimelinePictures(t *testing.T) {
	s := chartstest.NewSession(t)
	rect := draw.Rect{X0: 0, Y0: 0, X1: 1060, Y1: 420}
	main := s.Track(chartstest.TMain)
	frames := func(env *panel.Env, a, b int) {
		env.View.Steer().PlaceTime(main.Frame(a).Begin-2_000_000, main.Frame(b).End)
	}
	for _, c := range []struct {
		name  string
		scale float64
		set   func(env *panel.Env, tl *Timeline)
		then  func(env *panel.Env, tl *Timeline) *draw.List
	}{
		{"timeline_frames", 1, func(env *panel.Env, _ *Timeline) { frames(env, 104, 108); env.View.SelectFrames(106, 106) }, nil},
		{"timeline_frames_2x", 2, func(env *panel.Env, _ *Timeline) { frames(env, 104, 108); env.View.SelectFrames(106, 106) }, nil},
		{"timeline_far", 1, func(env *panel.Env, _ *Timeline) { env.View.Steer().FitAll() }, nil},
		{"timeline_50_frames", 1, func(env *panel.Env, _ *Timeline) { frames(env, 130, 180) }, nil},
		{"timeline_near", 1, func(env *panel.Env, _ *Timeline) {
			f := main.Frame(150)
			env.View.Steer().PlaceTime(f.Begin+4_000_000, f.Begin+7_000_000)
		}, nil},
		{"timeline_folded", 1, func(env *panel.Env, _ *Timeline) {
			frames(env, 158, 163)
			env.View.Look().SetTrackFolded(chartstest.TCull, true)
			env.View.Look().SetTrackFolded(chartstest.TGPU, true)
			env.View.Look().SetTrackHidden(chartstest.TLoader, true)
		}, nil},
		{"timeline_tooltip", 1, func(env *panel.Env, _ *Timeline) { frames(env, 150, 150) }, func(env *panel.Env, tl *Timeline) *draw.List {
			y0, y1 := laneY(env, tl, 0, 2)
			y := (y0 + y1) / 2
			chartstest.Click(env, tl, rect, 500, y)
			env.NowNs += 1e9
			tl.Update(env, rect, chartstest.MouseAt(500, y))
			tl.Update(env, rect, chartstest.MouseAt(500, y))
			hit := tl.HitTest(env, 500, y)
			var tip panel.Tooltip
			return tip.Draw(env, &hit, 500, y, rect)
		}},
		{"timeline_counters", 1, func(env *panel.Env, _ *Timeline) {
			frames(env, 140, 170)
			env.View.Look().SetShowCounters(true)
			env.View.Look().SetDepthLimit(3)
			env.View.SelectFrames(150, 150)
		}, nil},
		{"timeline_hit", 1, func(env *panel.Env, _ *Timeline) { // which of many, each narrower than a pixel
			env.View.Steer().FitAll()
			var found []model.CollectorID
			for c := range model.CollectorID(s.Collectors().Len()) {
				if d := s.Collector(c); d != nil && strings.Contains(d.Name, "Physics") {
					found = append(found, c)
				}
			}
			env.View.Look().SetFound(true, found)
			for range 40 {
				env.View.StepFound(found, 1)
			}
		}, nil},
		{"timeline_range", 1, func(env *panel.Env, _ *Timeline) { frames(env, 104, 108) }, func(env *panel.Env, tl *Timeline) *draw.List {
			down := chartstest.MouseAt(300, 200)
			down.Shift, down.Left = true, panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
			tl.Update(env, rect, down)
			drag := chartstest.MouseAt(640, 220)
			drag.Shift, drag.Left = true, panel.Button{Down: true, Dragging: true, DownX: 300, DownY: 200}
			tl.Update(env, rect, drag)
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(s, c.scale)
			env.View.Tick(1, false)
			var tl Timeline
			r := rect
			r.X1, r.Y1 = r.X1*float32(c.scale), r.Y1*float32(c.scale)
			chartstest.Settle(env, &tl, r)
			c.set(env, &tl)
			chartstest.Settle(env, &tl, r)
			lists := []*draw.List{nil}
			if c.then != nil {
				if l := c.then(env, &tl); l != nil {
					lists = append(lists, l)
				}
			}
			lists[0] = tl.List()
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(int(r.X1), int(r.Y1), lists...))
			t.Logf("%d quads, %s", tl.List().Quads(), tl.Mode(env))
		})
	}
}

// The theme for bright rooms, at a scale between whole numbers.
func TestTimelineLightPicture(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1.5)
	th := assets.Light()
	env.Theme = &th
	env.View.Tick(1, false)
	m := s.Track(chartstest.TMain)
	env.View.Steer().PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.SelectFrames(159, 159)
	env.View.Steer().PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.Pointer().Set(nil, chartstest.CTravers, 0, false)
	var tl Timeline
	var fs overview.FrameStrip
	r := draw.Rect{X1: 1500, Y0: 93, Y1: 700}
	chartstest.Settle(env, &tl, r)
	chartstest.Settle(env, &fs, draw.Rect{X1: 1500, Y1: 93})
	golden.Check(t, "../testdata/golden/timeline_light.png", chartstest.Picture(1500, 700, tl.List(), fs.List()))
}

// Spans of which one end or both were not received, and some whose ends are only known to a
// sampling interval.
func TestTimelineOpenEndsPicture(t *testing.T) {
	w := chartstest.NewWriter(6)
	w.Track(0, "Main", model.TrackThread)
	const at = 3_000_000_000
	for i := range int64(3) {
		b := at + i*20_000_000
		w.Begin(0, i, b, b+16_000_000)
		w.Flags = []model.SpanFlags{model.SpanOpenEnd, model.SpanOpenBegin, 0}[i]
		p := w.Span(0, 0, chartstest.CApp, 0, b+1_000_000, b+9_000_000)
		w.Flags = []model.SpanFlags{model.SpanOpenBegin | model.SpanOpenEnd, model.SpanUncertain, model.SpanOpenEnd}[i]
		w.Span(p, chartstest.CApp, 5, 1, b+2_000_000, b+8_000_000)
		w.Span(0, 0, chartstest.CCull, 0, b+10_000_000, b+15_000_000)
		w.End()
	}
	env := chartstest.NewEnv(w.S, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 100}
	env.View.Steer().PlaceTime(at-1_000_000, at+60_000_000)
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_open_ends.png", chartstest.Picture(900, 100, tl.List()))
}

func TestTimelineEmptyPicture(t *testing.T) {
	env := chartstest.NewEnv(store.NewSession(), 1)
	var tl Timeline
	r := draw.Rect{X1: 700, Y1: 160}
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_empty.png", chartstest.Picture(700, 160, tl.List()))
}
