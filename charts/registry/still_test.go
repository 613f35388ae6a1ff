package registry

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model/store"
)

// What shows the same again leaves its list as it is, so that the window need not be painted.
func TestNothingNewIsNotDrawnAgain(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.SelectFrames(150, 150)
	rect := draw.Rect{X1: 300, Y1: 400}
	tree := table.New("Collectors", tables.NewCollectorTree())
	var tip panel.Tooltip
	hit := panel.Hit{Kind: panel.HitSpan, Collector: 2, Lines: []string{"Cull", "duration\t1 ms"}, Rect: draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}}
	tick := func() (uint64, uint64) {
		env.NowNs += 16e6
		env.View.Tick(env.NowNs, false)
		tree.Update(env, rect, &panel.Input{X: -1, Y: -1})
		return tree.List().Revision(), tip.Draw(env, &hit, 20, 20, rect).Revision()
	}
	tick()
	tree0, tip0 := tick()
	for range 5 {
		if tree1, tip1 := tick(); tree1 != tree0 || tip1 != tip0 {
			t.Fatalf("revisions of the tree %d, then %d; of the tooltip %d, then %d", tree0, tree1, tip0, tip1)
		}
	}
	hit.Lines[1] = "duration\t2 ms"
	env.View.SelectFrames(151, 151)
	if tree1, tip1 := tick(); tree1 == tree0 || tip1 == tip0 {
		t.Error("what changed was not drawn")
	}
}

// No chart paints itself while nothing comes and nobody moves the mouse, be the session live or
// not.
func TestChartsOfQuietSessionsAreStill(t *testing.T) {
	const tickNs = 16_666_667
	th, atlas := assets.Dark(), draw.NewAtlas(1)
	for _, s := range []struct {
		name string
		s    *store.Session
	}{
		{"none", nil}, {"empty", store.NewSession()}, {"frames", chartstest.SessionOf(400)}, {"calls", chartstest.NewCallSession(true)}, {"latency", chartstest.LatencySession(500)}, {"states", chartstest.StateSession(50)},
		{"locks", chartstest.NewLockSession(t)}, {"leaks", chartstest.LeakSession()}, {"messages", chartstest.MessageSession(100)}, {"pipeline", chartstest.TeePipeline().Session()},
	} {
		for _, live := range []bool{false, true} {
			for name, c := range switchCharts() {
				v := view.New(s.s)
				v.Follow(live)
				rig := &chartstest.Rig{Env: &panel.Env{View: v, Theme: &th, Atlas: atlas, Scale: 1, NowNs: 1e9, Animate: true, Paced: true}, R: draw.Rect{X1: 500, Y1: 300}}
				for range 60 { // jumps end, and what is made ready piece by piece is
					rig.Tick(c)
				}
				before := c.List().Revision()
				for i := range 90 {
					if rig.Tick(c); c.List().Revision() != before {
						t.Errorf("%s of a session with %s (live: %v) painted itself %d ms later", name, s.name, live, (i+1)*tickNs/1e6)
						break
					}
				}
				begin, end := v.Time().Visible()
				if live || end <= begin+4*format.MinNs {
					continue
				}
				v.Steer().ZoomTo(begin+(end-begin)/4, begin+(end-begin)/2)
				for range (format.AnimateNs+panel.LiveValuesNs)/tickNs + 4 {
					rig.Tick(c)
				}
				before = c.List().Revision()
				for range 20 {
					if rig.Tick(c); c.List().Revision() != before {
						t.Errorf("%s of a session with %s goes on painting itself after a jump", name, s.name)
						break
					}
				}
			}
		}
	}
}
