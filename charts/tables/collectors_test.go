package tables

import (
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

func TestGoldenTables(t *testing.T) {
	type look = chartstest.Look
	s := chartstest.NewSession(t)
	range90 := func(rig *chartstest.Rig) {
		rig.Env.View.SelectFrames(90, 119)
		rig.Env.View.SelectCollector(chartstest.CCull)
		rig.Env.View.Look().SetHidden(chartstest.CWait, true)
	}
	tree, stats, spikes := table.New("Collectors", NewCollectorTree()), table.New("Statistics", NewStats()), table.New("Spikes", NewSpikes())
	tree.Words = func(*panel.Env) string { return "mean of range" }
	stats.SortBy("net", true)
	spikes.NoHeader, spikes.RowHeight = true, 30
	losses := table.New("Received", NewLosses())
	losses.NoHeader = true
	chartstest.Titled(t,
		look{Name: "table_collectors", S: s, W: 232, H: 520, Panel: tree, Set: range90},
		look{Name: "table_collectors_2x", S: s, W: 232, H: 520, Panel: tree, Set: range90, Scale: 2},
		look{Name: "table_stats", S: s, W: 760, H: 300, Panel: stats, Set: chartstest.Selected(0, 199)},
		look{Name: "table_threads", S: s, W: 232, H: 160, Panel: table.New("Threads", NewThreads()), Set: chartstest.Selected(120, 120)},
		look{Name: "table_spikes", S: s, W: 240, H: 220, Panel: spikes, Set: chartstest.Selected(150, 150)},
		look{Name: "table_losses", S: s, W: 260, H: 220, Panel: losses, Set: func(rig *chartstest.Rig) {
			s.Apply(model.Loss{
				Reason: model.LossChecksum, Track: model.NoTrack, N: 2, Detail: "checksum of a datagram from 10.1.4.7:40112 is wrong",
			})
			rig.Env.MemoryOf = func(*store.Session) int64 { return 911 << 10 }
		}})
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
	testkit.That(t, len(src.rows) < all && src.RowOf(6) < 0 && src.rows[row].fold == table.FoldClosed,
		"%d rows of %d with App folded", len(src.rows), all)
	rig.Env.View.SelectCollector(6) // elsewhere
	rig.Tick(tb)
	testkit.That(t, src.RowOf(6) >= 0, "what is selected elsewhere stays folded away")
	src.SetFolded(chartstest.CApp, true)
	rig.Tick(tb)
	testkit.That(t, src.RowOf(6) < 0, "what is selected can't be folded away")
	src.SetFolded(chartstest.CApp, false)
	rig.Env.View.SelectCollector(model.NoCollector)
	tb.SetFilter("narrow")
	rig.Tick(tb)
	var names []string
	for _, r := range src.rows {
		names = append(names, s.Collector(r.collector).Name)
	}
	want := []string{"Frame", "App", "Show code", "Physics", "Narrow phase"}
	testkit.That(t, slices.Equal(names, want), "filtered: %q", names)
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
	buffers := func() string { return tb.CellText(rig.Env, src.RowOf(chartstest.CBuffers), "net") }
	here := strings.Clone(buffers())
	rig.Env.View.SetTrack(1)
	rig.Tick(tb)
	testkit.That(t, strings.HasPrefix(here, "0.5") && buffers() == "–", "a counter is %q, of a thread without it %q", here, buffers())
	rig.Env.View.SetTrack(0)
	rig.Tick(tb)
	// hiding by the square
	i := src.RowOf(chartstest.CDraw)
	tb.ScrollTo(rig.Env, i)
	rig.Tick(tb)
	y := tb.RowRect(i).Y0 + 11
	rig.Click(tb, 9+12+4, y)
	testkit.That(t, rig.Env.View.Look().Hidden(chartstest.CDraw), "a click on the square does not hide")
	a := rig.DoubleClick(tb, 9+12+60, y)
	testkit.That(t, a.Kind == panel.ActionOpenStrip && a.Collector == chartstest.CDraw,
		"a double click asks for %v of %d", a.Kind, a.Collector)
}

func TestStatsTableGoesToTheGreatest(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 900, 400)
	rig.Env.View.SelectFrames(0, chartstest.TestFrames-1)
	src := NewStats()
	tb := table.New("Statistics", src)
	rig.Tick(tb)
	testkit.MustThat(t, tb.CellText(rig.Env, 0, "collector") == "Frame", "the root has the greatest mean")
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
	testkit.Equal(t, src.Frames.Words(rig.Env), "Main · looking, so far 0 %", "words before any was looked for")
	rig.Tick(tb)
	var got []int
	for _, g := range src.Frames.(*hitches).groups {
		for i := range g.Hitches {
			k, _ := rig.Env.View.Shown().FrameByNumber(g.Hitches[i].Number)
			got = append(got, k)
		}
	}
	slices.Sort(got)
	want := []int{20, 31, 150, 171}
	testkit.That(t, slices.Equal(got, want), "hitches %v, want %v", got, want)
	rig.Click(tb, 120, 22+5)
	v := rig.Env.View
	testkit.That(t, v.FrameA() == 150 && !v.Live(), "selected frame %d", v.FrameA())
	begin, end, _ := v.Session().Bounds()
	var cell table.Cell
	for i := range tb.NumRows() { // each hitch has its tick, and only the selected one stands out
		r := src.At(i)
		cell = table.Cell{Series: cell.Series[:0], Mark: -1}
		placeHitches(rig.Env, r, &cell)
		testkit.Equal(t, len(cell.Series), len(r.group.Hitches), "ticks of row")
		for k, h := range r.group.Hitches {
			at := float32(float64(h.BeginNs-begin) / float64(end-begin))
			testkit.Equal(t, cell.Series[k], at, "place of a tick")
			testkit.Equal(t, cell.Mark == k, h.Number == v.Shown().Frame(150).Number, "the tick stands out")
		}
	}
	testkit.Equal(t, src.Words(rig.Env), "Main · worst frame of each", "words of all frames")
	rig.Env.View.SelectFrames(10, 40) // that the list is of these only is said
	rig.Tick(tb)
	if words := src.Words(rig.Env); words != "Main · of 31 frames · worst frame of each" || tb.NumRows() != 2 {
		t.Errorf("of 31 frames it says %q, with %d rows", words, tb.NumRows())
	}
	rig.Env.View.Follow(true) // their number grows
	rig.Tick(tb)
	testkit.Equal(t, src.Words(rig.Env), "Main · worst frame of each", "words while live")
}

// In a narrow table numbers stay inside it; in a very narrow one they leave, and names stay.
func TestNarrowTableKeepsItsNumbers(t *testing.T) {
	for _, w := range []float32{120, 150, 200, 400} {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, w, 200)
		tb := table.New("Spikes", NewSpikes())
		rig.Tick(tb)
		name, last := tb.HeadRect("frame"), tb.HeadRect("took")
		shown := w > 180
		testkit.That(t, last.X1 <= rig.R.X1 && shown == (last.X1-last.X0 == 64) && (shown || last.Empty()),
			"%v px wide: the numbers go from %v to %v", w, last.X0, last.X1)
		testkit.That(t, name.X1-name.X0 >= 50 && name.X1 <= rig.R.X1,
			"%v px wide: the names go from %v to %v", w, name.X0, name.X1)
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
			all += x.Text + " "
			testkit.That(t, x.Box.X1 <= rig.R.X1 && !strings.HasSuffix(x.Text, "…"), "%v wide: %q is cut", w, x.Text)
		}
		testkit.That(t, strings.Contains(all, sentence), "%v wide: the sentence is not whole: %q", w, all)
	}
}

// nested is a session of n frames in which App runs for some ms, and Tasks, which is elsewhere by
// name, in it.
func nested(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Tasks"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	for p := range model.PathID(3) {
		s.Apply(model.PathDef{ID: p + 1, Parent: p, Collector: model.CollectorID(p)})
	}
	for i := range int64(n) {
		at, app := i*20e6, 12_300_000+i%7*1000
		s.Append(&model.Batch{
			HasFrame: true, Number: 100 + i, Begin: at, End: at + 20e6,
			Spans: []model.Span{
				{Begin: at, End: at + 20e6, Path: 1}, {Begin: at, End: at + app, Path: 2, Lane: 1},
				{Begin: at, End: at + 2_239_000, Path: 3, Lane: 2},
			},
			Self: []model.CollectorTime{
				{Collector: 0, Ns: 20e6 - app, Count: 1}, {Collector: 1, Ns: app - 2_239_000, Count: 1}, {Collector: 2, Ns: 2_239_000, Count: 1},
			},
		})
	}
	return s
}

// texts returns the cells of a collector's row by the IDs of their columns.
func texts(rig *chartstest.Rig, tb *table.Table, name string, ids ...string) string {
	var out []string
	for row := range tb.NumRows() {
		if tb.CellText(rig.Env, row, "collector") == name {
			for _, id := range ids {
				out = append(out, strings.Clone(tb.CellText(rig.Env, row, id)))
			}
		}
	}
	return strings.Join(out, " ")
}

// What a flame graph shows of App, with callees, stands beside what it took itself, in one unit,
// and both say what they are.
func TestTotalAndSelf(t *testing.T) {
	s := nested(1)
	rig := chartstest.NewRig(s, 1, 900, 300)
	rig.Env.View.SelectFrames(0, 0)
	for name, tb := range map[string]*table.Table{"statistics": NewStatisticsPanel(), "collectors": NewCollectorPanel()} {
		rig.Tick(tb)
		testkit.Equal(t, texts(rig, tb, "App", "total", "self"), "12.3 10.1", "%s: App", name)
		testkit.Equal(t, texts(rig, tb, "Tasks", "total", "self"), "2.24 2.24", "%s: Tasks", name)
		r := tb.HeadRect("total")
		hit := tb.HitTest(rig.Env, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
		testkit.That(t, len(hit.Lines) >= 2 && hit.Lines[0] == "total ms" &&
			strings.Contains(hit.Lines[1], "with callees"), "%s: the header says %q", name, hit.Lines)
	}
}

// Statistics of one frame say a value once: it has no columns for how values spread.
func TestStatisticsOfOneFrame(t *testing.T) {
	s := nested(3)
	rig := chartstest.NewRig(s, 1, 900, 300)
	tb := NewStatisticsPanel()
	rig.Env.View.SelectFrames(1, 1)
	rig.Tick(tb)
	testkit.Equal(t, texts(rig, tb, "App", "mean"), "10.1", "means")
	testkit.Equal(t, strings.Join(tb.Titles(), " "), "collector starts total self net", "columns")
	tb.SortBy("p95", true) // kept for when there are several again
	rig.Tick(tb)
	rig.Env.View.SelectFrames(0, 2)
	rig.Tick(tb)
	testkit.Equal(t, texts(rig, tb, "App", "mean", "median", "p95", "p99", "max"), "10.1 10.1 10.1 10.1 10.1", "figures of App")
}

// Percentiles of more frames than are sorted come from a histogram, and say so.
func TestEstimatesSaySo(t *testing.T) {
	s := nested(4200)
	rig := chartstest.NewRig(s, 1, 900, 300)
	tb := NewStatisticsPanel()
	rig.Env.View.SelectFrames(0, 4199)
	rig.Tick(tb)
	got := strings.Fields(texts(rig, tb, "App", "mean", "median", "p95", "p99", "max"))
	for i, about := range []bool{false, true, true, true, false} {
		testkit.MustThat(t, len(got) == 5 && strings.HasPrefix(got[i], "≈") == about, "%v", got)
	}
	for row := range tb.NumRows() {
		testkit.That(t, strings.Contains(strings.Join(tb.TipOf(rig.Env, row), "\n"), "≈: from a histogram"),
			"a tooltip does not say how")
	}
	exact := s.Frames().ExactStats(0, frames.FigureNet, 0, 4199, nil)
	testkit.That(t, !exact[1].Estimated && math.Abs(exact[1].P99-0.010067) <= 1e-9, "%+v", exact[1])
}

// That a collector did not run is said only of one of which nothing ran: not where all of its time is in
// what it called, nor where it ran for too short to be measured.
func TestTipSaysWhatRan(t *testing.T) {
	const never = "Neither it nor its children ran"
	for name, c := range map[string]struct {
		tasks    int64 // own time
		says, no string
	}{
		"callees": {0, "Its time is that of what it called", never},
		"some":    {500_000, "total, with callees", "Its time is that of what it called"},
	} {
		s := store.NewSession()
		for id, of := range []string{"Frame", "Tasks", "Draw", "Idle"} {
			s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: of})
			if id < 3 {
				s.Apply(model.PathDef{ID: model.PathID(id + 1), Parent: model.PathID(id), Collector: model.CollectorID(id)})
			}
		}
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		s.Append(&model.Batch{
			HasFrame: true, Number: 1, End: 20e6,
			Spans: []model.Span{
				{End: 20e6, Path: 1}, {End: 8e6, Path: 2, Lane: 1}, {Begin: c.tasks, End: 8e6, Path: 3, Lane: 2},
			},
			Self: []model.CollectorTime{
				{Collector: 0, Ns: 12e6, Count: 1}, {Collector: 1, Ns: c.tasks, Count: 1}, {Collector: 2, Ns: 8e6 - c.tasks, Count: 1},
			},
		})
		s.Append(&model.Batch{HasFrame: true, Number: 2, Begin: 20e6, End: 40e6, Self: []model.CollectorTime{{Collector: 3, Ns: 1e6, Count: 1}}})
		rig := chartstest.NewRig(s, 1, 900, 300)
		rig.Env.View.SelectFrames(0, 0)
		src := NewCollectorTree()
		tb := table.New("Collectors", src)
		rig.Tick(tb)
		tips := map[string]string{}
		for row := range tb.NumRows() {
			tips[tb.CellText(rig.Env, row, "collector")] = strings.Join(tb.TipOf(rig.Env, row), "\n")
		}
		tip := tips["Tasks"]
		testkit.That(t, strings.Contains(tip, c.says) && !strings.Contains(tip, c.no), "%s: %s", name, tip)
		tip = tips["Idle"]
		testkit.That(t, strings.Contains(tip, never), "%s: Idle: %s", name, tip)
	}
}

// What the chosen thread has nothing of comes last and is dimmed, but is still there.
func TestCollectorTreePutsTheThreadsOwnFirst(t *testing.T) {
	s := store.NewSession()
	for id, name := range []string{"Frame", "Draw", "App", "Idle"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Sort: 10 - id})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.TrackDef{ID: 1, Name: "Draw"})
	frame := func(track model.TrackID, c model.CollectorID) {
		s.Append(&model.Batch{Track: track, HasFrame: true, Number: 1, Begin: 0, End: 10e6, Self: []model.CollectorTime{{Collector: c, Ns: 10e6, Count: 1}}})
	}
	frame(0, 2)
	frame(1, 1)
	names := func(track model.TrackID) (out []string, dim []bool) {
		env := &panel.Env{View: view.New(s), Comparing: new(view.Comparing), Limits: new(view.State)}
		env.View.SetTrack(track)
		tree := NewCollectorTree()
		table.New("", tree)
		rows, _ := tree.Rows(env)
		for i := range rows {
			out = append(out, s.Collector(tree.rows[i].collector).Name)
			dim = append(dim, tree.Row(env, tree.At(i)).Dim)
		}
		return out, dim
	}
	for _, tc := range []struct {
		track       model.TrackID
		first, last string
	}{{0, "App", "Draw"}, {1, "Draw", "App"}} {
		got, dim := names(tc.track)
		if len(got) != 3 || got[0] != "Frame" || got[1] != tc.first || got[2] != tc.last {
			t.Errorf("track %d: rows %v, want Frame, %s, %s", tc.track, got, tc.first, tc.last)
			continue
		}
		testkit.That(t, !dim[0] && !dim[1] && dim[2], "track %d: dimmed %v, want only the last", tc.track, dim)
	}
}

// TestCollectorsDefinedLate defines a collector, with data, between two refreshments of the
// numbers, as a live game does.
func TestCollectorsDefinedLate(t *testing.T) {
	s := store.NewSession()
	frame := func(n int64, alone ...model.CollectorTime) {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 1e7, End: (n + 1) * 1e7, Self: alone})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	frame(0, model.CollectorTime{Collector: 0, Ns: 5e6, Count: 1}, model.CollectorTime{Collector: 1, Ns: 5e6, Count: 1})
	env := chartstest.NewEnv(s, 1)
	env.Animate, env.Paced = true, true
	env.View.Follow(true)
	tree := NewCollectorTree()
	table := table.New("", tree)
	rect := draw.Rect{X1: 400, Y1: 300}
	update := func() (rows int) {
		env.NowNs += 1e6 // much less than the time between two refreshments
		env.View.Tick(env.NowNs, true)
		table.Update(env, rect, &panel.Input{X: -1, Y: -1})
		rows, _ = tree.Rows(env)
		return rows
	}
	before := update()
	for c := model.CollectorID(2); c < 60; c++ {
		s.Apply(model.CollectorDef{ID: c, Name: "Late", Parent: 1})
		frame(int64(c), model.CollectorTime{Collector: c, Ns: 1e7, Count: 1})
		update()
	}
	stands := update()
	testkit.That(t, stands == before+1, "%d rows, then %d: with a line for those whose time is not looked at yet", before, stands)
	env.NowNs += 1e9
	after := update()
	testkit.That(t, after == before+58, "%d rows, then %d", before, after)
}

// Collectors that a thread never ran are one line, which unfolds; the selected one stands beside it, and a
// search finds all.
func TestCollectorsWithoutTimeAreOneLine(t *testing.T) {
	s := store.NewSession()
	for id, name := range []string{"Frame", "App", "Draw", "GC", "Sweep", "Idle"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Parent: model.CollectorID([]int{0, 0, 0, 0, 3, 0}[id])})
	}
	for track, runs := range [][]model.CollectorID{{1}, {2, 4, 5}} {
		b := &model.Batch{Track: model.TrackID(track), HasFrame: true, Number: 1, End: 10e6}
		for _, c := range runs {
			b.Self = append(b.Self, model.CollectorTime{Collector: c, Ns: 1e6, Count: 1})
		}
		s.Apply(model.TrackDef{ID: b.Track, Name: "thread"})
		s.Append(b)
	}
	rig := chartstest.NewRig(s, 1, 400, 300)
	tree := NewCollectorTree()
	tab := table.New("", tree)
	rows := func(want string) {
		t.Helper()
		rig.Tick(tab)
		var names []string
		for row := range tab.NumRows() {
			names = append(names, strings.Clone(tab.CellText(rig.Env, row, "collector")))
		}
		got := strings.Join(names, ", ")
		testkit.That(t, got == want, "rows %q, want %q", got, want)
	}
	click := func(row int) {
		r := tab.RowRect(row)
		rig.Click(tab, r.X0+40, (r.Y0+r.Y1)/2)
	}
	rows("Frame, App, 4 without time here")
	click(2)
	rows("Frame, App, Idle, GC, Sweep, Draw, 4 without time here")
	click(6)
	rows("Frame, App, 4 without time here")
	rig.Env.View.SelectCollector(4)
	rows("Frame, App, GC, Sweep, 2 without time here")
	rig.Env.View.SelectCollector(1)
	tab.SetFilter("idle")
	rows("Frame, Idle")
}

// Where the selected range lies between two frames, no table states a figure of frames, and they
// say why; what is selected without a range is of all frames.
func TestGapHasNoFigures(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 1, Parent: 0, Name: "Work"})
	for k := range int64(4) {
		begin := k * 100
		if k >= 2 {
			begin += 1000
		}
		s.Append(&model.Batch{
			HasFrame: true, Number: k, Begin: begin, End: begin + 100,
			Self: []model.CollectorTime{{Collector: 1, Ns: 50, Count: 1}},
		})
	}
	tree, stats := NewCollectorTree(), NewStats()
	says := map[string]func(bool) string{"statistics": stats.Empty, "collectors": tree.Empty}
	for name, tb := range map[string]*table.Table{
		"statistics": table.New("Statistics", stats), "collectors": table.New("Collectors", tree), "threads": NewThreadPanel().Table,
	} {
		rig := chartstest.NewRig(s, 1, 400, 300)
		figures := func() (n int) {
			rig.Tick(tb)
			for _, f := range tb.Facts(rig.Env, nil) {
				if f.Value == f.Value && f.Value != 0 {
					n++
				}
			}
			return n
		}
		rig.Env.View.SelectRange(0, 150)
		testkit.That(t, figures() != 0, "%s states nothing of the frames of a range", name)
		rig.Env.View.SelectRange(300, 900)
		n := figures()
		testkit.That(t, n == 0 && rig.Env.View.FrameA() < 0, "%s states %d figures of frames in a gap", name, n)
		if name == "threads" {
			continue
		}
		if empty := says[name](false); tb.NumRows() != 0 || !strings.HasSuffix(empty, panel.NoFrame) {
			t.Errorf("%s: %d rows in a gap; it says %q", name, tb.NumRows(), empty)
		}
		testkit.Equal(t, new(spanWords).unit(rig.Env), "Main · no frame", "in a gap a title says")
		rig.Env.View.SelectRange(300, 1250)
		testkit.That(t, figures() != 0, "%s states nothing after the gap", name)
	}
}

// RowOf returns the row of a collector, -1 when it is not shown.
func (t *CollectorTree) RowOf(c model.CollectorID) int {
	return slices.IndexFunc(t.rows, func(r treeRow) bool { return r.collector == c && !r.rest })
}

// A counter of a few bytes, sent in MB, does not take the room of names: the tooltip has its digits.
func TestFewBytesAreShort(t *testing.T) {
	s := chartstest.Named("Frame")
	s.Apply(model.CollectorDef{ID: 1, Name: "Large", Unit: "MB"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Small", Unit: "MB"})
	s.Append(&model.Batch{HasFrame: true, Begin: 0, End: 10e6, Levels: []model.Level{
		{Collector: 1, Value: 0.0522}, {Collector: 2, Value: 0.00000138},
	}})
	s.Apply(model.End{})
	rig := chartstest.NewRig(s, 1, 400, 300)
	tb := NewCollectorPanel()
	rig.Tick(tb)
	testkit.Equal(t, texts(rig, tb, "Large", "net"), "0.0522 MB", "Large")
	testkit.Equal(t, texts(rig, tb, "Small", "net"), "< 0.001 MB", "Small")
}
