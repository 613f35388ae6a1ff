package timeline

import (
	"testing"
	"time"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model/store"
)

// The oldest frames left memory: what is before those that are kept is marked, and said.
func TestWhatLeftMemoryIsSaid(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := chartstest.Fill(st.NewSession(), 2000)
	st.EnforceLimit(time.Time{})
	left := s.Track(chartstest.TMain).Evicted()
	if left == 0 || s.Track(chartstest.TMain).NumFrames() == 0 {
		t.Fatalf("%d frames left memory, %d are kept", left, s.Track(chartstest.TMain).NumFrames())
	}
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	m := s.Track(chartstest.TMain)
	var tl Timeline
	env.View.Steer().PlaceTime(m.Frame(0).Begin-60_000_000, m.Frame(0).Begin+40_000_000)
	chartstest.Settle(env, &tl, draw.Rect{X1: 1000, Y0: 60, Y1: 360})
	if hit := tl.HitTest(env, tl.pane.Plot().X0+60, tl.pane.Plot().Y0+30); hit.Kind != panel.HitGap || hit.Lines[0] != string(subject.AppendLeft(nil, left)) {
		t.Errorf("before the oldest frame: %+v", hit)
	}
}
