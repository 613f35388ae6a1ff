package charts

import (
	"framescope/charts/draw"
	"framescope/model"
	"testing"
	"time"
)

// The oldest frames left memory: what is before those that are kept is marked, and said.
func TestWhatLeftMemoryIsSaid(t *testing.T) {
	st := &model.Store{MemoryLimit: 2 << 20}
	s := fillTestSession(st.NewSession(), 2000)
	st.EnforceLimit(time.Time{})
	left := s.Track(tMain).Evicted()
	if left == 0 || s.Track(tMain).NumFrames() == 0 {
		t.Fatalf("%d frames left memory, %d are kept", left, s.Track(tMain).NumFrames())
	}
	env := testEnv(s, 1)
	env.View.Tick(1, false)
	m := s.Track(tMain)
	var tl Timeline
	env.View.PlaceTime(m.Frame(0).Begin-60_000_000, m.Frame(0).Begin+40_000_000)
	settle(env, &tl, draw.Rect{X1: 1000, Y0: 60, Y1: 360})
	if hit := tl.HitTest(env, tl.plot.X0+60, tl.plot.Y0+30); hit.Kind != HitGap || hit.Lines[0] != string(appendLeft(nil, left)) {
		t.Errorf("before the oldest frame: %+v", hit)
	}
}
