package charts

import (
	"math"
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/model"
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

func TestGoldenHistogram(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 232, 150)
	rig.env.View.SelectFrames(100, 100)
	rig.env.View.SelectCollector(cDraw)
	rig.check(t, NewHistogram(), "histogram")
	rig.env.View.SelectCollector(model.NoCollector)
	rig.check(t, NewHistogram(), "histogram_empty")
}

// countingSource is a table of many rows that counts what it is asked.
type countingSource struct {
	rows, cells int
	sortCol     int
	descending  bool
	clicked     [2]int
	part        CellPart
	revision    uint64
}

var countingColumns = []Column{
	{Title: "name", Kind: ColumnText, Sortable: true},
	{Title: "value", Kind: ColumnNumber, Width: 60, Sortable: true},
	{Title: "rare", Kind: ColumnNumber, Width: 60, Drop: 1},
}

func (s *countingSource) Columns() []Column          { return countingColumns }
func (s *countingSource) Prepare(*Env) (int, uint64) { return s.rows, s.revision }
func (s *countingSource) Sort(col int, desc bool)    { s.sortCol, s.descending = col, desc; s.revision++ }
func (s *countingSource) Empty() string              { return "Nothing here." }
func (s *countingSource) Row(_ *Env, row int) RowInfo {
	return RowInfo{Hit: Hit{Kind: HitLabel, Collector: model.NoCollector, Frame: row}}
}
func (s *countingSource) Cell(_ *Env, row, col int, c *Cell) {
	s.cells++
	c.Buf = AppendCount(c.Buf, int64(row))
	if col == 0 {
		c.Depth, c.Fold, c.Swatch = row%3, FoldOpen, draw.RGB(200, 0, 0)
	}
}
func (s *countingSource) Click(_ *Env, row, col int, part CellPart, _ *Input) Action {
	s.clicked, s.part = [2]int{row, col}, part
	return Action{}
}

func TestTableAsksOnlyForRowsOnScreen(t *testing.T) {
	rig := newPanelRig(nil, 1, 300, 22+10*22)
	src := &countingSource{rows: 100_000}
	tb := NewTable("many", src)
	rig.tick(tb)
	if src.cells > 3*11 {
		t.Errorf("asked for %d cells of ten rows", src.cells)
	}
	before := src.cells
	for range 10 {
		rig.tick(tb)
	}
	if src.cells != before {
		t.Errorf("asked for %d cells though nothing changed", src.cells-before)
	}
	// the wheel scrolls by rows, and not beyond the end
	rig.in.WheelY = -1
	rig.move(tb, 50, 100)
	if h := tb.HitTest(rig.env, 50, 23); h.Frame != 3 {
		t.Errorf("row %d is at the top after a notch, want 3", h.Frame)
	}
	rig.in.WheelY = -1e6
	rig.move(tb, 50, 100)
	if h := tb.HitTest(rig.env, 50, 22+10*22-2); h.Frame != 99_999 {
		t.Errorf("row %d is at the bottom, want the last", h.Frame)
	}
	tb.ScrollTo(rig.env, 500)
	rig.move(tb, 50, 100)
	if h := tb.HitTest(rig.env, 50, 23); h.Frame != 500 {
		t.Errorf("row %d is at the top, want 500", h.Frame)
	}
}

func TestTableClicks(t *testing.T) {
	rig := newPanelRig(nil, 1, 300, 200)
	src := &countingSource{rows: 7}
	tb := NewTable("clicks", src)
	rig.tick(tb)
	y := func(row int) float32 { return 22 + float32(row)*22 + 11 }
	for _, c := range []struct {
		x, y     float32
		row, col int
		part     CellPart
	}{
		{9 + 3, y(0), 0, 0, PartFold},
		{9 + 12 + 4, y(0), 0, 0, PartSwatch},
		{9 + 12 + 30, y(0), 0, 0, PartText},
		{9 + 24 + 3, y(2), 2, 0, PartFold}, // two levels in
		{9 + 36 + 4, y(2), 2, 0, PartSwatch},
		{200, y(5), 5, 1, PartText},
	} {
		src.clicked = [2]int{-1, -1}
		rig.click(tb, c.x, c.y)
		if src.clicked != [2]int{c.row, c.col} || src.part != c.part {
			t.Errorf("a click at %v, %v: cell %v part %v, want %d, %d part %v", c.x, c.y, src.clicked, src.part, c.row, c.col, c.part)
		}
	}
	src.clicked = [2]int{-1, -1}
	rig.click(tb, 200, y(7)+3) // below the last row
	rig.click(tb, 280, 10)     // a header that does not sort
	if src.clicked != [2]int{-1, -1} || tb.SortColumn != -1 {
		t.Error("a click on nothing did something")
	}
	rig.click(tb, 200, 10)
	if src.sortCol != 1 || !src.descending {
		t.Errorf("sorted by %d, descending %v; numbers begin with the greatest", src.sortCol, src.descending)
	}
	rig.click(tb, 200, 10)
	if src.descending {
		t.Error("a second click does not reverse")
	}
	rig.click(tb, 20, 10)
	if src.sortCol != 0 || src.descending {
		t.Error("words begin with the first")
	}
}

func TestTableDropsColumns(t *testing.T) {
	for _, c := range []struct {
		w    float32
		want int
	}{{400, 3}, {200, 2}, {60, 2}} {
		rig := newPanelRig(nil, 1, c.w, 200)
		tb := NewTable("narrow", &countingSource{rows: 3})
		rig.tick(tb)
		if len(tb.layout) != c.want {
			t.Errorf("%v px: %d columns, want %d", c.w, len(tb.layout), c.want)
		}
	}
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

func TestHistogramCountsEveryFrame(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 300, 160)
	rig.env.View.SelectFrames(150, 150)
	rig.env.View.SelectCollector(0)
	h := NewHistogram()
	rig.tick(h)
	sum := int32(0)
	for _, n := range h.bins {
		sum += n
	}
	if sum != testFrames || h.mark != len(h.bins)-1 {
		t.Errorf("%d frames in bins, the hitch in bin %d of %d", sum, h.mark, len(h.bins))
	}
	// a click on a bin goes to a frame of it
	bin := h.binOf(float32(h.median))
	r := h.binRect(bin)
	rig.click(h, (r.X0+r.X1)/2, r.Y1-3)
	rig.tick(h)
	if h.mark != bin {
		t.Errorf("the frame selected is in bin %d, the click was on %d", h.mark, bin)
	}
	if hit := h.HitTest(rig.env, (r.X0+r.X1)/2, r.Y1-3); len(hit.Lines) != 2 {
		t.Errorf("tooltip %q", hit.Lines)
	}
	i := 0
	tick := func() {
		i++
		rig.env.View.SelectFrames(i%100, i%100)
		rig.move(h, 20+float32(i%200), 100)
		h.HitTest(rig.env, rig.in.X, rig.in.Y)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
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
