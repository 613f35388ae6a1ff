package overview

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// Of a long live session the strip shows all frames beside the newest; a press there goes to a frame of long ago,
// and new frames do not end that.
func TestHistoryShowsAllOfALiveSession(t *testing.T) {
	s := chartstest.SessionOf(2000)
	env := chartstest.NewEnv(s, 1)
	v := env.View
	v.Follow(true)
	h, r := &History{}, draw.Rect{X1: 1000, Y1: 70}
	tick := func(in *panel.Input) {
		v.Tick(1, false)
		h.Update(env, r, in)
	}
	away := &panel.Input{X: -1, Y: -1}
	tick(away)
	tick(away)
	shown := func(f *FrameStrip) (first, last int32) {
		return f.columns[0].bar.First, f.columns[len(f.columns)-1].bar.First + f.columns[len(f.columns)-1].bar.Count
	}
	testkit.MustThat(t, h.divided, "one strip alone")
	first, last := shown(&h.whole)
	testkit.That(t, first == 0 && last == 2000, "all are frames %d to %d", first, last)
	first, last = shown(&h.Frames)
	testkit.That(t, first > 1700 && last == 2000, "the newest are frames %d to %d", first, last)
	testkit.That(t, h.List().Quads() >= h.whole.List().Quads()+h.Frames.List().Quads(), "a strip is missing")
	golden.Check(t, "../testdata/golden/history_live.png", chartstest.Picture(1000, 70, h.List()))

	in := chartstest.MouseAt(300, 40)
	in.Left = panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 40}
	tick(in)
	testkit.That(t, !v.Live() && v.FrameA() > 500 && v.FrameA() < 1200, "a press shows frame %d", v.FrameA())
	up := chartstest.MouseAt(300, 40)
	up.Left = panel.Button{Released: true}
	tick(up)
	hit := h.HitTest(env, 300, 40)
	testkit.That(t, hit.Kind == panel.HitFrame && hit.Frame > 500 && hit.Frame < 1200, "under the mouse is %+v", hit)
	tick(away)
	testkit.That(t, h.divided, "paused it is one strip")
}
