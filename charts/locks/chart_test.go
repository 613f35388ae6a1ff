package locks

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
	"framescope/charts/view"
	"framescope/internal/testkit"
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
	tab := table.New("Locks", NewLockTable())
	chartstest.Settle(env, tab, draw.Rect{Y0: 160, X1: 700, Y1: 260})
	golden.Check(t, "../testdata/golden/locks_empty.png", chartstest.Picture(700, 260, lc.List(), tab.List()))
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

// A lock that is selected in the table comes into view in the chart.
func TestChartFollowsTable(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().FitAll()
	var c Chart
	tab, _ := NewLockPanel()
	r, rt := draw.Rect{X1: 700, Y1: 120}, draw.Rect{X1: 900, Y0: 120, Y1: 300}
	chartstest.Settle(env, &c, r)
	chartstest.Settle(env, tab, rt)
	visible := func(lock model.CollectorID) bool {
		for i := range c.stack.Groups() {
			if c.stack.Groups()[i].lock == lock {
				y, _ := c.stack.Band(i)
				y0 := c.pane.ScreenY(y)
				return y0 >= c.pane.Plot().Y0 && y0 < c.pane.Plot().Y1-10
			}
		}
		return false
	}
	testkit.MustThat(t, !visible(chartstest.LkAudio), "the panel is too high for this test")
	// click clicks on the cell of a lock.
	click := func(lock model.CollectorID, id string) {
		for row := range tab.NumRows() {
			if r := tab.CellRect(row, id); tab.HitTest(env, r.X0+20, r.Y0+5).Collector == lock {
				chartstest.Click(env, tab, rt, r.X0+20, r.Y0+5)
				return
			}
		}
		t.Fatalf("lock %d has no row", lock)
	}
	click(chartstest.LkAudio, "lock")
	chartstest.Settle(env, &c, r)
	testkit.That(t, env.View.Collector() == chartstest.LkAudio && visible(chartstest.LkAudio),
		"lock %d is selected, audio mixer is in view: %v", env.View.Collector(), visible(chartstest.LkAudio))
	chartstest.Settle(env, &c, r)                     // the mouse has left the table
	c.uses.px = append(c.uses.px, drawnUse{from: -1}) // gone when the base is drawn anew
	chartstest.Settle(env, &c, r)
	chartstest.Settle(env, &c, r)
	testkit.That(t, c.uses.px[len(c.uses.px)-1].from == -1, "it is drawn anew though nothing changed")
	// The longest wait is a click away.
	begin, end, _ := s.Bounds()
	for _, st := range s.Locks().Stats(begin, end, nil) {
		if st.Lock != chartstest.LkPool {
			continue
		}
		click(st.Lock, "longest-wait")
		wait := st.LongestWait
		b, e := env.View.Time().Visible()
		testkit.That(t, b <= wait.Begin && e >= wait.End && e-b <= 10*(wait.End-wait.Begin),
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

func TestLockTablePicture(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().FitAll()
	tab, src := NewLockPanel()
	r := draw.Rect{X1: 1120, Y1: 130}
	env.View.SelectCollector(chartstest.LkPool)
	chartstest.Settle(env, tab, r)
	golden.Check(t, "../testdata/golden/locks_table.png", chartstest.Picture(1120, 130, tab.List()))
	testkit.That(t, tab.HitTest(env, 30, 33).Collector == chartstest.LkPool && len(src.All) != 0,
		"the lock that was waited for longest does not come first")
	chartstest.Light(env, true)
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
	testkit.That(t, !src.key.selected && src.key.begin == begin && src.key.end == end && src.All[0].Holds >= 100,
		"it is about %+v", src.key)
	mid := (begin + end) / 2
	env.View.Steer().ZoomTo(begin, mid)
	chartstest.Settle(env, tab, r)
	until := int64(math.Ceil(env.View.Time().EndNs))
	testkit.That(t, src.key.begin == begin && src.key.end == until, "zoomed in it is about %+v", src.key)
	env.View.SelectFrames(0, 0)
	chartstest.Settle(env, tab, r)
	testkit.That(t, src.key.selected && src.key.end == env.View.RangeB(),
		"after a frame was chosen it is about %+v", src.key)
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.NewLockSession(t)
	tabletest.Unharmed(t, func() tabletest.Shown[locks.Stats] {
		tab, src := NewLockPanel()
		rig := chartstest.NewRig(s, 1, 1800, 200)
		rig.Env.View.Steer().FitAll()
		return tabletest.Shown[locks.Stats]{Rig: rig, Table: tab, Columns: &src.columns}
	})
}
