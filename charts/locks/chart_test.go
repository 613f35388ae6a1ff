package locks

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model/locks"
)

func TestLockPictures(t *testing.T) {
	s := chartstest.NewLockSession(t)
	rect := draw.Rect{X1: 1000, Y1: 300}
	for _, c := range []struct {
		name       string
		begin, end int64
		scale      float64
		light      bool
		set        func(env *panel.Env, c *Chart) *draw.List
	}{
		{"locks_contention", 100_000_000, 130_000_000, 1, false, nil},
		{"locks_light", 100_000_000, 130_000_000, 1, true, nil},
		{"locks_2x", 100_000_000, 130_000_000, 2, false, nil},
		{"locks_arrows", 110_500_000, 114_500_000, 1, false, func(env *panel.Env, c *Chart) *draw.List {
			env.View.SelectCollector(chartstest.LkReady)
			return nil
		}},
		{"locks_merged", 0, 400_000_000, 1, false, nil},
		{"locks_merged_light", 0, 400_000_000, 1, true, nil},
		{"locks_tooltip", 110_500_000, 114_500_000, 1, false, func(env *panel.Env, c *Chart) *draw.List {
			r := draw.Rect{X1: 1000, Y1: 300}
			chartstest.Settle(env, c, r)
			for i := range c.uses.px {
				if d := &c.uses.px[i]; d.bar.Kind == locks.Holding && d.bar.Lock == chartstest.LkPool && d.r.W() > 60 {
					x, y := (d.r.X0+d.r.X1)/2, (d.r.Y0+d.r.Y1)/2
					chartstest.Click(env, c, r, x, y)
					c.Update(env, r, chartstest.MouseAt(x, y))
					hit := c.HitTest(env, x, y)
					var tip panel.Tooltip
					return tip.Draw(env, &hit, x, y, r)
				}
			}
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(s, c.scale)
			if c.light {
				th := assets.Light()
				env.Theme = &th
			}
			env.View.Tick(1, false)
			var lc Chart
			r := rect
			r.X1, r.Y1 = r.X1*float32(c.scale), r.Y1*float32(c.scale)
			chartstest.Settle(env, &lc, r)
			env.View.Steer().PlaceTime(c.begin, c.end)
			var tip *draw.List
			if c.set != nil {
				tip = c.set(env, &lc)
			}
			if tip == nil {
				chartstest.Settle(env, &lc, r)
			}
			lists := []*draw.List{lc.List()}
			if tip != nil {
				lists = append(lists, tip)
			}
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(int(r.X1), int(r.Y1), lists...))
			t.Logf("%d quads, %d bars, %d arrows, %s", lc.List().Quads(), len(lc.uses.px), len(lc.uses.arrows), lc.Mode(env))
		})
	}
}

func TestLockEmptyPicture(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.Tick(1, false)
	var lc Chart
	r := draw.Rect{X1: 700, Y1: 160}
	chartstest.Settle(env, &lc, r)
	tab := table.New("Locks", NewLockTable())
	chartstest.Settle(env, tab, draw.Rect{Y0: 160, X1: 700, Y1: 260})
	golden.Check(t, "../testdata/golden/locks_empty.png", chartstest.Picture(700, 260, lc.List(), tab.List()))
}
