package charts

import (
	"framescope/model"
	"math"
	"slices"
	"testing"
)

func TestGoldenTables(t *testing.T) {
	s := newTestSession(t)
	atScales(t, "table_collectors", func(t *testing.T, scale float32, name string) {
		rig := newPanelRig(s, scale, 232, 520)
		rig.env.View.SelectFrames(90, 119)
		rig.env.View.SelectCollector(cCull)
		rig.env.View.SetHidden(cWait, true)
		tb := NewTable("Collectors", NewCollectorTree())
		tb.ModeText = "mean of range"
		rig.check(t, tb, name)
	})
	t.Run("stats", func(t *testing.T) {
		rig := newPanelRig(s, 1, 760, 300)
		rig.env.View.SelectFrames(0, 199)
		tb := NewTable("Statistics", NewStatsTable(false))
		tb.SortColumn, tb.Descending = 2, true
		rig.check(t, tb, "table_stats")
	})
	t.Run("threads", func(t *testing.T) {
		rig := newPanelRig(s, 1, 232, 160)
		rig.env.View.SelectFrames(120, 120)
		rig.check(t, NewTable("Threads", NewThreadTable()), "table_threads")
	})
	t.Run("spikes", func(t *testing.T) {
		rig := newPanelRig(s, 1, 240, 220)
		rig.env.View.SelectFrames(150, 150)
		tb := NewTable("Spikes", NewSpikeTable())
		tb.NoHeader, tb.RowHeight = true, 30
		rig.check(t, tb, "table_spikes")
	})
	t.Run("losses", func(t *testing.T) {
		s.Apply(model.Loss{Reason: model.LossChecksum, Track: model.NoTrack, N: 2, Detail: "checksum of a datagram from 10.1.4.7:40112 is wrong"})
		rig := newPanelRig(s, 1, 260, 220)
		losses := NewLossTable()
		losses.Memory = func(*model.Session) int64 { return 911 << 10 }
		tb := NewTable("Received", losses)
		tb.NoHeader = true
		rig.check(t, tb, "table_losses")
	})
}

func TestCollectorTreeFoldsFiltersSorts(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 300, 700)
	rig.env.View.SelectFrames(0, 99)
	src := NewCollectorTree()
	tb := NewTable("Collectors", src)
	rig.tick(tb)
	all := len(src.rows)
	row := src.RowOf(cApp)
	src.SetFolded(cApp, true)
	rig.tick(tb)
	if len(src.rows) >= all || src.RowOf(6) >= 0 || src.rows[row].fold != FoldClosed {
		t.Errorf("%d rows of %d with App folded", len(src.rows), all)
	}
	src.SetFolded(cApp, false)
	src.Filter = "narrow"
	rig.tick(tb)
	var names []string
	for _, r := range src.rows {
		names = append(names, s.Collector(r.collector).Name)
	}
	if want := []string{"Frame", "App", "Show code", "Physics", "Narrow phase"}; !slices.Equal(names, want) {
		t.Errorf("filtered: %q", names)
	}
	src.Filter = ""
	src.Sort(2, true)
	rig.tick(tb)
	last := math.Inf(1)
	for _, r := range src.rows {
		if r.depth != 0 || r.level || r.collector == 0 {
			continue
		}
		if v := src.timeOf[r.collector]; v > last {
			t.Errorf("%s is not in order", s.Collector(r.collector).Name)
		} else {
			last = v
		}
	}
	// counters are there, with their units, below the times
	if i := src.RowOf(cBuffers); i < 0 || !src.rows[i].level {
		t.Error("no row for the counter")
	}
	// hiding by the square
	i := src.RowOf(cDraw)
	tb.ScrollTo(rig.env, i)
	rig.tick(tb)
	y := tb.rowY(rig.env, i) + tb.rowHeight(rig.env)/2
	rig.click(tb, 9+12+4, y)
	if !rig.env.View.Hidden(cDraw) {
		t.Error("a click on the square does not hide")
	}
	if a := rig.doubleClick(tb, 9+12+60, y); a.Kind != ActionOpenStrip || a.Collector != cDraw {
		t.Errorf("a double click asks for %v of %d", a.Kind, a.Collector)
	}
}

func TestStatsTableGoesToTheGreatest(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 900, 400)
	rig.env.View.SelectFrames(0, testFrames-1)
	src := NewStatsTable(false)
	tb := NewTable("Statistics", src)
	rig.tick(tb)
	if src.all[src.rows[0]].Collector != 0 {
		t.Fatal("the root has the greatest mean")
	}
	for _, lc := range tb.layout {
		if lc.index == 6 {
			rig.click(tb, (lc.x0+lc.x1)/2, 22+11)
		}
	}
	v := rig.env.View
	if v.FrameA() != 150 || v.FrameB() != 150 { // 41.2 ms
		t.Errorf("selected %d to %d, want the hitch", v.FrameA(), v.FrameB())
	}
}

func TestSpikeTableFindsTheHitches(t *testing.T) {
	rig := newPanelRig(newTestSession(t), 1, 300, 400)
	src := NewSpikeTable()
	tb := NewTable("Spikes", src)
	rig.tick(tb)
	var got []int
	for _, r := range src.rows[:4] {
		got = append(got, r.index)
	}
	slices.Sort(got[2:]) // the two of 25 ms differ by a rounding
	if want := []int{150, 31, 20, 171}; !slices.Equal(got, want) {
		t.Errorf("slowest frames %v, want %v", got, want)
	}
	rig.click(tb, 120, 22+22+5)
	if v := rig.env.View; v.FrameA() != 31 || v.Live() {
		t.Errorf("selected frame %d", v.FrameA())
	}
}

func TestTablesAllocateNothing(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 300, 300)
	rig.env.View.SelectFrames(20, 60)
	for name, tb := range map[string]*Table{
		"collectors": NewTable("", NewCollectorTree()), "stats": NewTable("", NewStatsTable(false)), "threads": NewTable("", NewThreadTable()),
		"spikes": NewTable("", NewSpikeTable()), "losses": NewTable("", NewLossTable()),
	} {
		i := 0
		tick := func() {
			i++
			rig.in.WheelY = float32(1 - i%3)
			rig.move(tb, 60, 40+float32(i%200))
			tb.HitTest(rig.env, rig.in.X, rig.in.Y)
		}
		for range 300 {
			tick()
		}
		if n := testing.AllocsPerRun(100, tick); n != 0 {
			t.Errorf("%s: %v allocations a tick", name, n)
		}
	}
}

// In a very narrow table numbers stay inside it.
func TestNarrowTableKeepsItsNumbers(t *testing.T) {
	for _, w := range []float32{120, 150, 170, 400} {
		rig := newPanelRig(newTestSession(t), 1, w, 200)
		tb := NewTable("Spikes", NewSpikeTable())
		rig.tick(tb)
		last := tb.layout[len(tb.layout)-1]
		if last.x1 > rig.r.X1 || last.x1-last.x0 != 76 {
			t.Errorf("%v px wide: the numbers go from %v to %v", w, last.x0, last.x1)
		}
	}
}
