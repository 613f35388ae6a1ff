package locks

import (
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
