package locks

import (
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

func TestLockPictures(t *testing.T) {
	s := chartstest.NewLockSession(t)
	type shot = chartstest.Shot[*Chart]
	place := func(begin, end int64) func(*panel.Env, *Chart) {
		return func(env *panel.Env, _ *Chart) { env.View.Steer().PlaceTime(begin, end) }
	}
	contended, merged, near := place(100_000_000, 130_000_000), place(0, 400_000_000), place(110_500_000, 114_500_000)
	chartstest.Shoot(t, func() *Chart { return &Chart{} },
		shot{Name: "locks_contention", S: s, W: 1000, H: 300, Set: contended},
		shot{Name: "locks_light", S: s, W: 1000, H: 300, Light: true, Set: contended},
		shot{Name: "locks_2x", S: s, W: 1000, H: 300, Scale: 2, Set: contended},
		shot{Name: "locks_arrows", S: s, W: 1000, H: 300, Set: func(env *panel.Env, c *Chart) {
			near(env, c)
			env.View.SelectCollector(chartstest.LkReady)
		}},
		shot{Name: "locks_merged", S: s, W: 1000, H: 300, Set: merged},
		shot{Name: "locks_merged_light", S: s, W: 1000, H: 300, Light: true, Set: merged},
		shot{Name: "locks_tooltip", S: s, W: 1000, H: 300, Set: near, Then: func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
			x, y, _ := findLock(t, c, func(d *drawnUse) bool {
				return d.bar.Kind == locks.Holding && d.bar.Lock == chartstest.LkPool && d.r.W() > 60
			})
			chartstest.Click(env, c, r, x, y)
			return chartstest.TipAt(env, c, r, x, y)
		}})
}

func TestLockEmptyPicture(t *testing.T) {
	env := chartstest.ReadyEnv(chartstest.NewSession(t), 1)
	var lc Chart
	r := draw.Rect{X1: 700, Y1: 160}
	chartstest.Settle(env, &lc, r)
	golden.Check(t, "../testdata/golden/locks_empty.png", chartstest.Picture(700, 160, lc.List()))
}

// findLock returns the middle of the first drawn bar that a test is looking for.
func findLock(t *testing.T, c *Chart, ok func(d *drawnUse) bool) (x, y float32, d drawnUse) {
	t.Helper()
	for i := range c.uses.px {
		if k := &c.uses.px[i]; ok(k) && k.r.X0 >= c.pane.Plot().X0 && k.r.X1 <= c.pane.Plot().X1 {
			return (k.r.X0 + k.r.X1) / 2, (k.r.Y0 + k.r.Y1) / 2, *k
		}
	}
	t.Fatal("nothing of the kind was drawn")
	return
}

func TestChartInput(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.ReadyEnv(s, 1)
	var c Chart
	r := draw.Rect{X1: 1000, Y1: 300}
	chartstest.Settle(env, &c, r)
	env.View.Steer().PlaceTime(110_500_000, 114_500_000)
	chartstest.Settle(env, &c, r)
	x, y, d := findLock(t, &c, func(d *drawnUse) bool {
		return d.bar.Lock == chartstest.LkPool && d.bar.Kind == locks.Waiting && d.r.W() > 30
	})
	chartstest.Click(env, &c, r, x, y)
	testkit.MustThat(t, env.View.Collector() == chartstest.LkPool && env.View.Thing() == view.Use(d.bar.Use),
		"selected %d, %+v", env.View.Collector(), env.View.Thing())
	at := env.View.Playhead()
	testkit.That(t, at >= d.bar.Begin && at <= d.bar.End, "the playhead is at %d", at)
	hit := c.HitTest(env, x, y)
	testkit.That(t, hit.Kind == panel.HitLock && hit.Collector == chartstest.LkPool && hit.Track == d.bar.Track,
		"hit %+v", hit)
	want := "held by\tworker 2"
	testkit.That(t, len(hit.Lines) >= 4 && hit.Lines[3][:len(want)] == want,
		"the tooltip of a wait does not say who held the lock: %q", hit.Lines)
}

// A lock that is selected elsewhere comes into view, and its longest wait is a double click on its name away.
func TestChartFollowsTheSelection(t *testing.T) {
	s := chartstest.NewLockSession(t)
	rig := chartstest.NewRig(s, 1, 700, 120)
	env, r := rig.Env, rig.R
	env.View.Steer().FitAll()
	var c Chart
	chartstest.Settle(env, &c, r)
	top := func(lock model.CollectorID) float32 {
		i := slices.IndexFunc(c.stack.Groups(), func(g group) bool { return g.lock == lock })
		y, _ := c.stack.Band(i)
		return c.pane.ScreenY(y)
	}
	visible := func(y float32) bool { return y >= c.pane.Plot().Y0 && y < c.pane.Plot().Y1-10 }
	testkit.MustThat(t, !visible(top(chartstest.LkAudio)), "the panel is too high for this test")
	env.View.Select(view.Lock(chartstest.LkAudio))
	chartstest.Settle(env, &c, r)
	testkit.That(t, visible(top(chartstest.LkAudio)), "the selected lock is not in view")
	c.uses.px = append(c.uses.px, drawnUse{from: -1}) // gone when the base is drawn anew
	chartstest.Settle(env, &c, r)
	testkit.That(t, c.uses.px[len(c.uses.px)-1].from == -1, "it is drawn anew though nothing changed")
	env.View.Select(view.Lock(chartstest.LkPool))
	chartstest.Settle(env, &c, r)
	begin, end, _ := s.Bounds()
	for _, st := range s.Locks().Stats(begin, end, nil) {
		if st.Lock != chartstest.LkPool {
			continue
		}
		rig.DoubleClick(&c, 20, top(st.Lock)+10)
		wait := st.LongestWait
		b, e := env.View.Time().Visible()
		testkit.That(t, env.View.Thing() == view.Use(wait) && b <= wait.Begin && e >= wait.End && e-b <= 10*(wait.End-wait.Begin),
			"%d to %d is shown, the longest wait is %d to %d", b, e, wait.Begin, wait.End)
	}
}

// What is drawn is bounded by pixels, however many uses there are, and each hold is in a bar.
func TestChartIsBoundedByPixels(t *testing.T) {
	quads := func(n int) (int, int64) {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "mutex"})
		s.Apply(model.TrackDef{ID: 0, Name: "a"})
		s.Apply(model.TrackDef{ID: 1, Name: "b"})
		for track := range model.TrackID(2) {
			b := model.Batch{Track: track}
			for i := range int64(n) {
				at := i*2000 + int64(track)*1000
				b.Locks = append(b.Locks, model.LockEvent{Time: at, Lock: 1, Kind: model.LockTry}, model.LockEvent{Time: at + 100, Lock: 1, Kind: model.LockAcquired},
					model.LockEvent{Time: at + 900, Lock: 1, Kind: model.LockReleased})
			}
			s.Append(&b)
		}
		env := chartstest.ReadyEnv(s, 1)
		env.View.Steer().FitAll()
		var c Chart
		r := draw.Rect{X1: 1000, Y1: 200}
		chartstest.Settle(env, &c, r)
		chartstest.Settle(env, &c, r)
		held := int64(0)
		for i := range c.uses.px {
			if d := &c.uses.px[i]; d.bar.Kind == locks.Holding {
				held += int64(d.bar.Count)
			}
		}
		return c.List().Quads(), held
	}
	few, heldFew := quads(5000)
	many, heldMany := quads(50_000)
	if heldFew < 9_975 || heldFew > 10_000 || heldMany < 99_750 || heldMany > 100_000 { // a column at the edge may have no pixel
		t.Errorf("bars stand for %d and %d holds", heldFew, heldMany)
	}
	testkit.That(t, many <= 2*few && many <= 6000, "%d quads for ten times as many, %d before", many, few)
}
