package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// A session with very many threads costs nothing while nothing comes and nothing is folded.
func TestBlocksAreMadeWhenTheyChange(t *testing.T) {
	s := store.NewSession()
	for id := range model.TrackID(3000) {
		s.Append(&model.Batch{Track: id, HasFrame: true, Number: 1, Begin: 0, End: 1000, Spans: []model.Span{{Begin: 0, End: 900}}})
	}
	env := chartstest.NewEnv(s, 1)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 600}
	tick := func() {
		env.NowNs += 16_000_000
		env.View.Tick(env.NowNs, false)
		tl.Update(env, r, &panel.Input{X: 300, Y: 200, Over: true})
	}
	tick()
	env.View.Steer().PlaceTime(0, 500)
	tick()
	made := tl.lays
	for i := range int64(10) {
		env.View.Steer().PlaceTime(i, i+500)
		tick()
	}
	if tl.lays != made {
		t.Errorf("blocks were made %d times in 10 ticks in which nothing came", tl.lays-made)
	}
	env.View.Look().SetTrackFolded(5, true)
	if tick(); tl.lays != made+1 {
		t.Errorf("blocks were made %d times for a thread that was folded", tl.lays-made)
	}
	s.Append(&model.Batch{Track: 3000, HasFrame: true, Number: 1, Begin: 0, End: 1000})
	if tick(); tl.lays != made+2 || len(tl.stack.Groups()) != 3001 {
		t.Errorf("%d blocks after another thread came, made %d times", len(tl.stack.Groups()), tl.lays-made)
	}
}
