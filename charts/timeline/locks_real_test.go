package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/locks"
	"framescope/charts/tables"
)

func TestRealLocksPictures(t *testing.T) {
	s := chartstest.LoadProfile(t, "locks-waits-logs.prof")
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	begin, end, _ := s.Bounds()
	var lc locks.Chart
	var tl Timeline
	m := tables.NewMessages()
	tab, _ := locks.NewLockPanel()
	r := draw.Rect{X1: 1100, Y1: 300}
	rt := draw.Rect{X1: 1100, Y0: 300, Y1: 720}
	r2 := draw.Rect{X1: 1100, Y0: 720, Y1: 900}
	r3 := draw.Rect{X1: 1100, Y0: 900, Y1: 1080}
	show := func(name string) {
		chartstest.Settle(env, &lc, r)
		chartstest.Settle(env, &tl, rt)
		chartstest.Settle(env, tab, r2)
		chartstest.Settle(env, m, r3)
		golden.Check(t, "../testdata/golden/"+name+".png", chartstest.Picture(1100, 1080, lc.List(), tl.List(), tab.List(), m.List()))
		t.Logf("%s: %d and %d quads; %s; %s", name, lc.List().Quads(), tl.List().Quads(), lc.Mode(env), m.Mode(env))
	}
	show("locks_real_all")
	st := s.Locks().Stats(begin, end, nil)
	if len(st) == 0 {
		t.Fatal("no locks")
	}
	u := st[0].LongestWait
	env.View.Steer().PlaceTime(u.Begin-3_000_000, u.End+3_000_000)
	env.View.PlacePlayhead(u.Begin)
	env.View.ClearSelection()
	env.View.SelectCollector(st[0].Lock)
	show("locks_real_near")
}

func TestRealMigrationPicture(t *testing.T) {
	s := chartstest.LoadProfile(t, "migrating.prof")
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	var tl, tl2 Timeline
	chartstest.Settle(env, &tl, draw.Rect{X1: 1100, Y1: 420})
	b, _, _ := s.Bounds()
	env.View.Steer().PlaceTime(b+100_000_000, b+140_000_000)
	chartstest.Settle(env, &tl2, draw.Rect{X1: 1100, Y0: 420, Y1: 840})
	golden.Check(t, "../testdata/golden/timeline_real_migrating.png", chartstest.Picture(1100, 840, tl.List(), tl2.List()))
}
