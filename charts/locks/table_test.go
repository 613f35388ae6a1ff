package locks

import (
	"math"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
)

func TestLockTablePicture(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	tab, src := NewLockPanel()
	r := draw.Rect{X1: 1120, Y1: 130}
	env.View.SelectCollector(chartstest.LkPool)
	chartstest.Settle(env, tab, r)
	golden.Check(t, "../testdata/golden/locks_table.png", chartstest.Picture(1120, 130, tab.List()))
	if r := tab.HitTest(env, 30, 33); r.Collector != chartstest.LkPool || len(src.rows) == 0 {
		t.Errorf("the lock that was waited for longest does not come first")
	}
	th := assets.Light()
	env.Theme = &th
	narrow := draw.Rect{X1: 480, Y1: 130}
	tab2, _ := NewLockPanel()
	chartstest.Settle(env, tab2, narrow)
	golden.Check(t, "../testdata/golden/locks_table_light.png", chartstest.Picture(480, 130, tab2.List()))
}

// The table opens on what is in view, as far as there is something: a session opens with its first
// frame, which nobody chose.
func TestLockTableOpensOnTheView(t *testing.T) {
	s := chartstest.LoadProfile(t, "locks-waits-logs.prof")
	env := chartstest.NewEnv(s, 1)
	tab, src := NewLockPanel()
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	r := draw.Rect{X1: 1120, Y1: 130}
	chartstest.Settle(env, tab, r)
	begin, end, _ := s.Bounds()
	if src.key.selected || src.key.begin != begin || src.key.end != end || src.rows[0].Holds < 100 {
		t.Errorf("it is about %+v", src.key)
	}
	mid := (begin + end) / 2
	env.View.Steer().ZoomTo(begin, mid)
	chartstest.Settle(env, tab, r)
	if until := int64(math.Ceil(env.View.Time().EndNs)); src.key.begin != begin || src.key.end != until {
		t.Errorf("zoomed in it is about %+v", src.key)
	}
	env.View.SelectFrames(0, 0)
	chartstest.Settle(env, tab, r)
	if !src.key.selected || src.key.end != env.View.RangeB() {
		t.Errorf("after a frame was chosen it is about %+v", src.key)
	}
}
