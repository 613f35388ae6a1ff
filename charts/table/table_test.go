package table

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

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

func (s *countingSource) Columns() []Column                { return countingColumns }
func (s *countingSource) Prepare(*panel.Env) (int, uint64) { return s.rows, s.revision }
func (s *countingSource) Sort(col int, desc bool)          { s.sortCol, s.descending = col, desc; s.revision++ }
func (s *countingSource) Empty() string                    { return "Nothing here." }
func (s *countingSource) Row(_ *panel.Env, row int) RowInfo {
	return RowInfo{Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Frame: row}}
}
func (s *countingSource) Cell(_ *panel.Env, row, col int, c *Cell) {
	s.cells++
	c.Buf = format.AppendCount(c.Buf, int64(row))
	if col == 0 {
		c.Depth, c.Fold, c.Swatch = row%3, FoldOpen, draw.RGB(200, 0, 0)
	}
}
func (s *countingSource) Click(_ *panel.Env, row, col int, part CellPart, _ *panel.Input) panel.Action {
	s.clicked, s.part = [2]int{row, col}, part
	return panel.Action{}
}

func TestTableAsksOnlyForRowsOnScreen(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 22+10*22)
	src := &countingSource{rows: 100_000}
	tb := New("many", src)
	rig.Tick(tb)
	if src.cells > 3*11 {
		t.Errorf("asked for %d cells of ten rows", src.cells)
	}
	before := src.cells
	for range 10 {
		rig.Tick(tb)
	}
	if src.cells != before {
		t.Errorf("asked for %d cells though nothing changed", src.cells-before)
	}
	// the wheel scrolls by rows, and not beyond the end
	rig.In.WheelY = -1
	rig.Move(tb, 50, 100)
	if h := tb.HitTest(rig.Env, 50, 23); h.Frame != 3 {
		t.Errorf("row %d is at the top after a notch, want 3", h.Frame)
	}
	rig.In.WheelY = -1e6
	rig.Move(tb, 50, 100)
	if h := tb.HitTest(rig.Env, 50, 22+10*22-2); h.Frame != 99_999 {
		t.Errorf("row %d is at the bottom, want the last", h.Frame)
	}
	tb.ScrollTo(rig.Env, 500)
	rig.Move(tb, 50, 100)
	if h := tb.HitTest(rig.Env, 50, 23); h.Frame != 500 {
		t.Errorf("row %d is at the top, want 500", h.Frame)
	}
}

func TestTableClicks(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 200)
	src := &countingSource{rows: 7}
	tb := New("clicks", src)
	rig.Tick(tb)
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
		rig.Click(tb, c.x, c.y)
		if src.clicked != [2]int{c.row, c.col} || src.part != c.part {
			t.Errorf("a click at %v, %v: cell %v part %v, want %d, %d part %v", c.x, c.y, src.clicked, src.part, c.row, c.col, c.part)
		}
	}
	src.clicked = [2]int{-1, -1}
	rig.Click(tb, 200, y(7)+3) // below the last row
	rig.Click(tb, 280, 10)     // a header that does not sort
	if src.clicked != [2]int{-1, -1} || tb.SortColumn != -1 {
		t.Error("a click on nothing did something")
	}
	rig.Click(tb, 200, 10)
	if src.sortCol != 1 || !src.descending {
		t.Errorf("sorted by %d, descending %v; numbers begin with the greatest", src.sortCol, src.descending)
	}
	rig.Click(tb, 200, 10)
	if src.descending {
		t.Error("a second click does not reverse")
	}
	rig.Click(tb, 20, 10)
	if src.sortCol != 0 || src.descending {
		t.Error("words begin with the first")
	}
}

func TestTableDropsColumns(t *testing.T) {
	for _, c := range []struct {
		w    float32
		want int
	}{{400, 3}, {200, 2}, {60, 2}} {
		rig := chartstest.NewRig(nil, 1, c.w, 200)
		tb := New("narrow", &countingSource{rows: 3})
		rig.Tick(tb)
		if len(tb.Layout) != c.want {
			t.Errorf("%v px: %d columns, want %d", c.w, len(tb.Layout), c.want)
		}
	}
}
