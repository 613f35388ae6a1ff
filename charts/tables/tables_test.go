package tables

import (
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

func TestGoldenTables(t *testing.T) {
	s := chartstest.NewSession(t)
	chartstest.AtScales(t, "table_collectors", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(s, scale, 232, 520)
		rig.Env.View.SelectFrames(90, 119)
		rig.Env.View.SelectCollector(chartstest.CCull)
		rig.Env.View.Look().SetHidden(chartstest.CWait, true)
		tb := table.New("Collectors", NewCollectorTree())
		tb.Words = func(*panel.Env) string { return "mean of range" }
		rig.Check(t, tb, name)
	})
	t.Run("stats", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 760, 300)
		rig.Env.View.SelectFrames(0, 199)
		tb := table.New("Statistics", NewStats(false))
		tb.SortBy("net", true)
		rig.Check(t, tb, "table_stats")
	})
	t.Run("threads", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 232, 160)
		rig.Env.View.SelectFrames(120, 120)
		rig.Check(t, table.New("Threads", NewThreads()), "table_threads")
	})
	t.Run("spikes", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 240, 220)
		rig.Env.View.SelectFrames(150, 150)
		tb := table.New("Spikes", NewSpikes())
		tb.NoHeader, tb.RowHeight = true, 30
		rig.Check(t, tb, "table_spikes")
	})
	t.Run("losses", func(t *testing.T) {
		s.Apply(model.Loss{Reason: model.LossChecksum, Track: model.NoTrack, N: 2, Detail: "checksum of a datagram from 10.1.4.7:40112 is wrong"})
		rig := chartstest.NewRig(s, 1, 260, 220)
		losses := NewLosses()
		rig.Env.MemoryOf = func(*store.Session) int64 { return 911 << 10 }
		tb := table.New("Received", losses)
		tb.NoHeader = true
		rig.Check(t, tb, "table_losses")
	})
}

func TestCollectorTreeFoldsFiltersSorts(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 300, 700)
	rig.Env.View.SelectFrames(0, 99)
	src := NewCollectorTree()
	tb := table.New("Collectors", src)
	rig.Tick(tb)
	all := len(src.rows)
	row := src.RowOf(chartstest.CApp)
	src.SetFolded(chartstest.CApp, true)
	rig.Tick(tb)
	if len(src.rows) >= all || src.RowOf(6) >= 0 || src.rows[row].fold != table.FoldClosed {
		t.Errorf("%d rows of %d with App folded", len(src.rows), all)
	}
	rig.Env.View.SelectCollector(6) // elsewhere
	rig.Tick(tb)
	if src.RowOf(6) < 0 {
		t.Error("what is selected elsewhere stays folded away")
	}
	src.SetFolded(chartstest.CApp, true)
	rig.Tick(tb)
	if src.RowOf(6) >= 0 {
		t.Error("what is selected can't be folded away")
	}
	src.SetFolded(chartstest.CApp, false)
	rig.Env.View.SelectCollector(model.NoCollector)
	tb.SetFilter("narrow")
	rig.Tick(tb)
	var names []string
	for _, r := range src.rows {
		names = append(names, s.Collector(r.collector).Name)
	}
	if want := []string{"Frame", "App", "Show code", "Physics", "Narrow phase"}; !slices.Equal(names, want) {
		t.Errorf("filtered: %q", names)
	}
	tb.SetFilter("")
	tb.SortBy("net", true)
	rig.Tick(tb)
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
	if i := src.RowOf(chartstest.CBuffers); i < 0 || !src.rows[i].level {
		t.Error("no row for the counter")
	}
	// hiding by the square
	i := src.RowOf(chartstest.CDraw)
	tb.ScrollTo(rig.Env, i)
	rig.Tick(tb)
	y := tb.RowRect(i).Y0 + 11
	rig.Click(tb, 9+12+4, y)
	if !rig.Env.View.Look().Hidden(chartstest.CDraw) {
		t.Error("a click on the square does not hide")
	}
	if a := rig.DoubleClick(tb, 9+12+60, y); a.Kind != panel.ActionOpenStrip || a.Collector != chartstest.CDraw {
		t.Errorf("a double click asks for %v of %d", a.Kind, a.Collector)
	}
}

func TestStatsTableGoesToTheGreatest(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 900, 400)
	rig.Env.View.SelectFrames(0, chartstest.TestFrames-1)
	src := NewStats(false)
	tb := table.New("Statistics", src)
	rig.Tick(tb)
	if tb.CellText(rig.Env, 0, "collector") != "Frame" {
		t.Fatal("the root has the greatest mean")
	}
	r := tb.CellRect(0, "max")
	rig.Click(tb, (r.X0+r.X1)/2, r.Y0+11)
	v := rig.Env.View
	if v.FrameA() != 150 || v.FrameB() != 150 { // 41.2 ms
		t.Errorf("selected %d to %d, want the hitch", v.FrameA(), v.FrameB())
	}
}

func TestSpikeTableFindsTheHitches(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 400)
	src := NewSpikes()
	tb := table.New("Spikes", src)
	rig.Tick(tb)
	var got []int
	for _, g := range src.Frames.(*hitches).groups {
		for i := range g.Hitches {
			k, _ := rig.Env.View.Shown().FrameByNumber(g.Hitches[i].Number)
			got = append(got, k)
		}
	}
	slices.Sort(got)
	if want := []int{20, 31, 150, 171}; !slices.Equal(got, want) {
		t.Errorf("hitches %v, want %v", got, want)
	}
	t.Log(tb.NumRows(), "rows")
	rig.Click(tb, 120, 22+5)
	if v := rig.Env.View; v.FrameA() != 150 || v.Live() {
		t.Errorf("selected frame %d", v.FrameA())
	}
	if words := src.Words(rig.Env); words != "Main · by time over typical" {
		t.Errorf("of all frames it says %q", words)
	}
	rig.Env.View.SelectFrames(10, 40) // that the list is of these only is said
	rig.Tick(tb)
	if words := src.Words(rig.Env); words != "Main · of 31 frames · by time over typical" || tb.NumRows() != 2 {
		t.Errorf("of 31 frames it says %q, with %d rows", words, tb.NumRows())
	}
	rig.Env.View.Follow(true) // their number grows
	rig.Tick(tb)
	if words := src.Words(rig.Env); words != "Main · live, more may come · by time over typical" {
		t.Errorf("while live it says %q", words)
	}
}

func TestTablesAllocateNothing(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 300, 300)
	rig.Env.View.SelectFrames(20, 60)
	for name, tb := range map[string]*table.Table{
		"collectors": table.New("", NewCollectorTree()), "stats": table.New("", NewStats(false)), "threads": table.New("", NewThreads()),
		"spikes": table.New("", NewSpikes()), "losses": table.New("", NewLosses()),
	} {
		i := 0
		tick := func() {
			i++
			rig.In.WheelY = float32(1 - i%3)
			rig.Move(tb, 60, 40+float32(i%200))
			tb.HitTest(rig.Env, rig.In.X, rig.In.Y)
		}
		for range 300 {
			tick()
		}
		if n := testing.AllocsPerRun(100, tick); n != 0 {
			t.Errorf("%s: %v allocations a tick", name, n)
		}
	}
}

// In a narrow table numbers stay inside it; in a very narrow one they leave, and names stay.
func TestNarrowTableKeepsItsNumbers(t *testing.T) {
	for _, w := range []float32{120, 150, 200, 400} {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, w, 200)
		tb := table.New("Spikes", NewSpikes())
		rig.Tick(tb)
		name, last := tb.HeadRect("frame"), tb.HeadRect("took")
		if shown := w > 180; last.X1 > rig.R.X1 || shown != (last.X1-last.X0 == 64) || !shown && !last.Empty() {
			t.Errorf("%v px wide: the numbers go from %v to %v", w, last.X0, last.X1)
		}
		if name.X1-name.X0 < 50 || name.X1 > rig.R.X1 {
			t.Errorf("%v px wide: the names go from %v to %v", w, name.X0, name.X1)
		}
	}
}

// In a very narrow list of threads nothing of the names' column lies under the numbers.
func TestNarrowThreadsKeepSquaresOffNumbers(t *testing.T) {
	seen := 0
	for w := float32(30); w <= 200; w += 5 {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, w, 200)
		tb := table.New("Threads", NewThreads())
		rig.Tick(tb)
		l, mean := tb.List(), tb.HeadRect("duration")
		if mean.X1 <= mean.X0 { // the numbers left for the names
			mean.X0 = w
		}
		for i := 0; i+3 < len(l.Vertices); i += 4 {
			a, b := &l.Vertices[i], &l.Vertices[i+2]
			if a.U != b.U || b.X-a.X != 9 || b.Y-a.Y != 9 {
				continue
			}
			if seen++; b.X > mean.X0 {
				t.Errorf("%v px wide: a square ends at %v, the numbers begin at %v", w, b.X, mean.X0)
			}
		}
	}
	if seen == 0 {
		t.Error("no list has a square")
	}
}

// Sentences about what was lost are there to their ends, in a narrow panel, too.
func TestSentencesOfLossesAreWhole(t *testing.T) {
	s := chartstest.NewSession(t)
	const sentence = "the log ends in the middle of a line: it was cut off while it was written, or is being written still"
	s.Apply(model.Loss{Reason: model.LossMalformed, Track: chartstest.TMain, N: 1, Detail: sentence})
	for _, w := range []float32{236, 248, 308, 900} {
		rig := chartstest.NewRig(s, 1, w, 800)
		p := NewLossesPanel()
		rig.Tick(p)
		var all string
		for _, x := range p.List().Texts() {
			if all += x.Text + " "; x.Box.X1 > rig.R.X1 || strings.HasSuffix(x.Text, "…") {
				t.Errorf("%v wide: %q is cut", w, x.Text)
			}
		}
		if !strings.Contains(all, sentence) {
			t.Errorf("%v wide: the sentence is not whole: %q", w, all)
		}
	}
}
