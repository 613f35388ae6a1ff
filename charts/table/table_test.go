package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
)

// countingSource is a table of many rows, whose rows are their numbers, that counts what it is
// asked.
type countingSource struct {
	rows, cells int
	numbers     []int
	clicked     string
	revision    uint64
	columns     []Column[int]
}

func newCounting(rows int) *countingSource {
	s := &countingSource{rows: rows}
	for i := range rows {
		s.numbers = append(s.numbers, i)
	}
	click := func(what string) func(*panel.Env, *int, *panel.Input) panel.Action {
		return func(_ *panel.Env, r *int, _ *panel.Input) panel.Action {
			s.clicked = fmt.Sprint(what, " ", *r)
			return panel.Action{}
		}
	}
	count := func(_ *panel.Env, r *int, c *Cell) {
		s.cells++
		c.Buf = format.AppendCount(c.Buf[:0], int64(*r))
	}
	value := func(_ *panel.Env, r *int) float64 { return float64(*r * 7 % 1000) }
	s.columns = []Column[int]{
		{
			ID: "name", Title: "name",
			Text: func(_ *panel.Env, r *int) string { return fmt.Sprintf("row %06d", *r) },
			Cell: func(_ *panel.Env, r *int, c *Cell) {
				s.cells++
				c.Depth, c.Fold, c.Swatch = *r%3, FoldOpen, draw.RGB(200, 0, 0)
			},
			Fold:   func(_ *panel.Env, r *int, _ *panel.Input) { s.clicked = fmt.Sprint("fold ", *r) },
			Swatch: func(_ *panel.Env, r *int) { s.clicked = fmt.Sprint("swatch ", *r) },
		},
		{ID: "value", Title: "value", Unit: "ms", Kind: Number, Width: 60, Value: value, Format: Count, Cell: count, Click: click("value")},
		{ID: "rare", Title: "rare", Kind: Number, Width: 60, Drop: 1, Cell: count},
	}
	return s
}

func (s *countingSource) Columns() []Column[int]        { return s.columns }
func (s *countingSource) Rows(*panel.Env) (int, uint64) { return s.rows, s.revision }
func (s *countingSource) At(i int) *int                 { return &s.numbers[i] }
func (s *countingSource) Empty(bool) string             { return "Nothing here." }
func (s *countingSource) Row(_ *panel.Env, r *int) RowInfo {
	return RowInfo{Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Frame: *r}}
}
func (s *countingSource) Click(_ *panel.Env, r *int, _ *panel.Input) panel.Action {
	s.clicked = fmt.Sprint("row ", *r)
	return panel.Action{}
}
func (s *countingSource) Match(_ *panel.Env, r *int, text string) bool {
	return strings.Contains(fmt.Sprintf("row %06d", *r), text)
}

func TestTableAsksOnlyForRowsOnScreen(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 22+10*22)
	src := newCounting(100_000)
	tb := New("many", src)
	rig.Tick(tb)
	testkit.That(t, src.cells <= 3*11, "asked for %d cells of ten rows", src.cells)
	before := src.cells
	rig.Ticks(tb, 10)
	testkit.That(t, src.cells == before, "asked for %d cells though nothing changed", src.cells-before)
	// the wheel scrolls by rows, and not beyond the end
	rig.In.WheelY = -1
	rig.Move(tb, 50, 100)
	h := tb.HitTest(rig.Env, 50, 23)
	testkit.That(t, h.Frame == 3, "row %d is at the top after a notch, want 3", h.Frame)
	rig.In.WheelY = -1e6
	rig.Move(tb, 50, 100)
	h = tb.HitTest(rig.Env, 50, 22+10*22-2)
	testkit.That(t, h.Frame == 99_999, "row %d is at the bottom, want the last", h.Frame)
	tb.ScrollTo(rig.Env, 500)
	rig.Move(tb, 50, 100)
	h = tb.HitTest(rig.Env, 50, 23)
	testkit.That(t, h.Frame == 500, "row %d is at the top, want 500", h.Frame)
}

// A header sorts: numbers first the greatest, words first the first; again reverses, once more
// gives the order of the source.
func TestTableSorts(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 2300)
	src := newCounting(100)
	tb := New("sorts", src)
	rig.Tick(tb)
	order := func() (out []int) {
		for row := range tb.NumRows() {
			out = append(out, *tb.rows.(*rows[*int]).at(row))
		}
		return out
	}
	byValue := func(a, b int) int { return cmp.Compare(a*7%1000, b*7%1000) }
	for _, step := range []struct {
		x       float32
		id      string
		down    bool
		compare func(a, b int) int
	}{
		{200, "value", true, func(a, b int) int { return byValue(b, a) }}, {200, "value", false, byValue},
		{200, "", false, cmp.Compare[int]}, {20, "name", false, cmp.Compare[int]},
		{20, "name", true, func(a, b int) int { return cmp.Compare(b, a) }}, {20, "", false, cmp.Compare[int]},
	} {
		rig.Click(tb, step.x, 10)
		id, down := tb.Sorting()
		testkit.That(t, id == step.id && down == step.down,
			"sorted by %q, descending %v; want %q, %v", id, down, step.id, step.down)
		got := order()
		testkit.That(t, len(got) == 100 && slices.IsSortedFunc(got, step.compare),
			"by %q, descending %v: %v", step.id, step.down, got)
	}
	tb.SetFilter("1")
	tb.SortBy("value", true)
	rig.Tick(tb)
	if got := order(); len(got) != 19 || !slices.IsSortedFunc(got, func(a, b int) int { return byValue(b, a) }) {
		t.Errorf("filtered: %v", got)
	}
	tb.SortBy("no such column", true)
	rig.Tick(tb)
	got := order()
	testkit.That(t, len(got) == 19 && slices.IsSorted(got), "by a column that is not there: %v", got)
}

// Rows without a number come last, whatever the direction is; rows that are equal stay in their
// order.
func TestTableSortsWhatIsNotKnownLast(t *testing.T) {
	values := []float64{3, math.NaN(), 1, 3, math.NaN(), 2}
	c := Column[int]{Value: func(_ *panel.Env, r *int) float64 { return values[*r] }}
	for _, w := range []struct {
		down bool
		want []int
	}{{false, []int{2, 5, 0, 3, 1, 4}}, {true, []int{0, 3, 5, 2, 1, 4}}} {
		got := []int{0, 1, 2, 3, 4, 5}
		slices.SortStableFunc(got, func(a, b int) int { return c.compare(nil, &a, &b, w.down) })
		testkit.That(t, slices.Equal(got, w.want), "descending %v: %v, want %v", w.down, got, w.want)
	}
}

// The arrows go from row to row, the others only then; enter clicks; a press of the mouse ends
// that.
func TestTableKeys(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 22+10*22)
	src := newCounting(1000)
	tb := New("keys", src)
	rig.Tick(tb)
	key := func(name string, want int) {
		t.Helper()
		_, taken := tb.Key(rig.Env, name)
		got := tb.cursorRow()
		testkit.That(t, got == want && taken == (want >= 0), "%s: row %d, taken: %v; want %d", name, got, taken, want)
		rig.Tick(tb)
		r := tb.RowRect(max(want, 0))
		testkit.That(t, want < 0 || r.Y0 >= tb.Body().Y0 && r.Y1 <= tb.Body().Y1,
			"%s: row %d is not in view", name, want)
	}
	key("end", -1)
	key("enter", -1)
	key("down", 0)
	key("down", 1)
	key("pgdn", 10)
	key("up", 9)
	key("end", 999)
	key("down", 999)
	key("pgup", 990)
	key("enter", 990)
	testkit.That(t, src.clicked == "row 990", "enter clicked %q", src.clicked)
	key("home", 0)
	tb.SortBy("value", true) // the row stays the same one
	rig.Tick(tb)
	text := tb.CellText(rig.Env, tb.cursorRow(), "name")
	testkit.That(t, text == "row 000000", "sorted, the keys are at %q", text)
	rig.Click(tb, 100, 100)
	key("home", -1)
}

// What is exported is all rows in their order, with titles, units and exact numbers; what is copied
// is a row as it is shown.
func TestTableExports(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 150, 100)
	src := newCounting(12)
	src.columns = append(src.columns, Column[int]{ID: "bar", Kind: Bar}, Column[int]{ID: "odd", Cell: func(_ *panel.Env, r *int, c *Cell) {
		c.Text = "with \"quotes\", and\ttabs"
	}})
	tb := New("export", src)
	tb.SortBy("value", true)
	tb.SetFilter("1")
	rig.Tick(tb)
	for f, want := range map[panel.Format]string{
		panel.CSV: "name,value [ms],rare,odd\n\"    row 000011\",77,11,\"with \"\"quotes\"\", and\ttabs\"\n\"  row 000010\",70,10,\"with \"\"quotes\"\", and\ttabs\"\n" +
			"\"  row 000001\",7,1,\"with \"\"quotes\"\", and\ttabs\"\n",
		panel.TSV: "name\tvalue [ms]\trare\todd\n\"    row 000011\"\t77\t11\t\"with \"\"quotes\"\", and\ttabs\"\n\"  row 000010\"\t70\t10\t\"with \"\"quotes\"\", and\ttabs\"\n" +
			"\"  row 000001\"\t7\t1\t\"with \"\"quotes\"\", and\ttabs\"\n",
	} {
		var out strings.Builder
		err := tb.Export(rig.Env, &out, f)
		testkit.That(t, err == nil && out.String() == want, "format %d: %v\n%q, want\n%q", f, err, out.String(), want)
	}
	testkit.That(t, tb.Export(rig.Env, failing{}, panel.CSV) != nil, "an export that could not be written says nothing")
	_, ok := tb.Copy(rig.Env)
	testkit.That(t, !ok, "no row is under the mouse, and one is copied")
	rig.Move(tb, 30, 22+22+5)
	text, ok := tb.Copy(rig.Env)
	testkit.That(t, ok && text == "\"  row 000010\"\t10\t10\t\"with \"\"quotes\"\", and\ttabs\"\n", "copied %q", text)
}

// Numbers are exported without what arithmetic left behind their last digits.
func TestExactNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		2.00143399999999980e6: "2001434", 2001433.25: "2001433.25", -0.1 - 0.2: "-0.3", 1764000000123456789: "1764000000123456800",
		math.MaxInt64: "9223372036854776000", 1.0 / 3: "0.333333333333333", 0: "0",
	} {
		testkit.Equal(t, string(appendExact(nil, v)), want, "%v", v)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestTableDropsColumns(t *testing.T) {
	for _, c := range []struct {
		w    float32
		want int
	}{{400, 3}, {220, 2}, {200, 1}, {60, 1}} {
		rig := chartstest.NewRig(nil, 1, c.w, 200)
		tb := New("narrow", newCounting(3))
		rig.Tick(tb)
		testkit.That(t, len(tb.layout) == c.want, "%v px: %d columns, want %d", c.w, len(tb.layout), c.want)
	}
}

// A table of any height shows whole rows, wherever the wheel and the bar have scrolled it.
func TestRowsAreWhole(t *testing.T) {
	for h := float32(22 + 22); h < 22+22*6; h += 5 {
		tb := New("Rows", newCounting(100))
		rig := chartstest.NewRig(nil, 1, 300, h)
		rig.Tick(tb)
		whole := func(where string) {
			t.Helper()
			n := 0
			for row := range 100 {
				r := tb.RowRect(row).Intersect(tb.Body())
				if r.Empty() {
					continue
				}
				if n++; r.H() != tb.rowPx() {
					t.Fatalf("%v high, %s: of row %d only %v px are in sight", h, where, row, r.H())
				}
			}
			testkit.MustThat(t, n == int((h-22)/22), "%v high, %s: %d rows are in sight", h, where, n)
		}
		whole("as it begins")
		rig.In.WheelY = -1
		rig.Move(tb, 50, 30)
		whole("after the wheel")
		y := tb.thumb().Y0 + 2
		rig.In = panel.Input{X: 298, Y: y, Over: true, Left: panel.Button{Pressed: true, Down: true, DownX: 298, DownY: y}}
		rig.Tick(tb)
		rig.In = panel.Input{X: 298, Y: y + 7, Over: true, Left: panel.Button{Down: true, Dragging: true, DownX: 298, DownY: y}}
		rig.Tick(tb)
		whole("after the bar")
		tb.ScrollTo(rig.Env, 99)
		rig.In = panel.Input{}
		rig.Tick(tb)
		whole("at the end")
	}
}

// rightClick presses and releases the right button at a point.
func rightClick(rig *chartstest.Rig, c panel.Panel, x, y float32) panel.Action {
	rig.In.Right = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	rig.Move(c, x, y)
	rig.In.Right = panel.Button{Released: true, DownX: x, DownY: y}
	return rig.Tick(c)
}

func middle(r draw.Rect) (x, y float32) { return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2 }

// A right click gives the words of the row and of the cell under the mouse, and leaves only the rows
// that say the same; one on the header, or on any row, brings the others back.
func TestMenuOfACell(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 400, 300)
	src := newCounting(50)
	src.columns = append(src.columns, Column[int]{
		ID: "kind", Title: "kind", Width: 80,
		Text: func(_ *panel.Env, r *int) string { return fmt.Sprint("kind ", *r%5) },
	})
	tb := New("cells", src)
	rig.Tick(tb)

	x, y := middle(tb.CellRect(2, "value"))
	act := rightClick(rig, tb, x, y)
	if c := act.Cells; act.Kind != panel.ActionMenu || c.Cell != "2" || c.Name || c.Only != nil || c.All != nil ||
		c.Row != "\"    row 000002\"\t2\t2\tkind 2\n" {
		t.Errorf("the menu of a number: %+v", act.Cells)
	}
	x, y = middle(tb.CellRect(2, "kind"))
	act = rightClick(rig, tb, x, y)
	c := act.Cells
	testkit.MustThat(t, c.Cell == "kind 2" && c.Name && c.Only != nil, "the menu of words: %+v", act.Cells)
	act.Cells.Only()
	rig.Tick(tb)
	testkit.That(t, tb.NumRows() == 10 && tb.CellText(rig.Env, 1, "name") == "row 000007",
		"%d rows say “kind 2”, the second is %s", tb.NumRows(), tb.CellText(rig.Env, 1, "name"))
	tb.SetFilter("07") // with what the search finds
	rig.Tick(tb)
	testkit.That(t, tb.NumRows() == 1, "%d rows say “kind 2” and are found", tb.NumRows())
	tb.SetFilter("")
	rig.Tick(tb)
	x, y = middle(tb.HeadRect("kind"))
	head := rightClick(rig, tb, x, y)
	x, y = middle(tb.CellRect(0, "name"))
	row := rightClick(rig, tb, x, y)
	testkit.MustThat(t, head.Kind == panel.ActionMenu && head.Cells.All != nil && row.Cells.All != nil,
		"no way back: %+v, %+v", head.Cells, row.Cells)
	head.Cells.All()
	rig.Tick(tb)
	testkit.That(t, tb.NumRows() == 50, "%d rows of all", tb.NumRows())
}

// fixed is a source of rows that stay.
type fixed struct {
	row     [1]int
	columns []Column[int]
}

func (s *fixed) Rows(*panel.Env) (int, uint64) { return 1, 1 }
func (s *fixed) At(int) *int                   { return &s.row[0] }
func (s *fixed) Empty(bool) string             { return "" }
func (s *fixed) Columns() []Column[int]        { return s.columns }

// liveSource is a list whose numbers change, and which is in another order then.
type liveSource struct {
	list     []liveRow
	revision uint64
	columns  []Column[liveRow]
}

type liveRow struct{ id, value int }

func newLive(lead bool) *liveSource {
	s := &liveSource{list: []liveRow{{1, 40}, {2, 30}, {3, 20}, {4, 10}}}
	s.columns = []Column[liveRow]{
		{ID: "name", Title: "name", Text: func(_ *panel.Env, r *liveRow) string { return fmt.Sprint("row ", r.id) }},
		{
			ID: "value", Title: "value", Kind: Number, Width: 60, Lead: lead,
			Value:  func(_ *panel.Env, r *liveRow) float64 { return float64(r.value) },
			Format: func(dst []byte, v float64) []byte { return format.AppendCount(dst, int64(v)) },
		},
	}
	return s
}

func (s *liveSource) Columns() []Column[liveRow]    { return s.columns }
func (s *liveSource) Rows(*panel.Env) (int, uint64) { return len(s.list), s.revision }
func (s *liveSource) At(i int) *liveRow             { return &s.list[i] }
func (s *liveSource) Empty(bool) string             { return "Nothing." }
func (s *liveSource) Key(r *liveRow) uint64         { return uint64(r.id) }

// Rows keep their places for three seconds after the mouse moved over them; their numbers change.
func TestRowsHoldStillUnderTheMouse(t *testing.T) {
	for _, lead := range []bool{true, false} { // sorted by the table, or by the source itself
		rig := chartstest.NewRig(nil, 1, 300, 200)
		src := newLive(lead)
		tb := New("live", src)
		order := func() (s string) {
			for row := range tb.NumRows() {
				s += tb.CellText(rig.Env, row, "name")[4:] + " "
			}
			return s
		}
		change := func(list ...liveRow) {
			src.list, src.revision = list, src.revision+1
			rig.Tick(tb)
		}
		rig.Tick(tb)
		change(liveRow{2, 50}, liveRow{1, 40}, liveRow{3, 20}, liveRow{4, 10})
		testkit.Equal(t, order(), "2 1 3 4 ", "lead %v: without the mouse", lead)
		x, y := middle(tb.RowRect(1))
		rig.Move(tb, x, y)
		rig.Tick(tb)
		change(liveRow{5, 90}, liveRow{4, 80}, liveRow{1, 60}, liveRow{2, 50}) // 3 has left, 5 is new
		if got := order(); got != "2 1 4 5 " || tb.CellText(rig.Env, 2, "value") != "80" {
			t.Errorf("lead %v: under the mouse %s, 4 has %s", lead, got, tb.CellText(rig.Env, 2, "value"))
		}
		rig.In.Over = false
		rig.Tick(tb)
		change(liveRow{5, 90}, liveRow{4, 81}, liveRow{1, 60}, liveRow{2, 50})
		testkit.Equal(t, order(), "2 1 4 5 ", "lead %v: when the mouse has just left", lead)
		rig.In.Over = true // it rests there
		rig.Env.NowNs += 3_000_000_000
		rig.Tick(tb)
		testkit.Equal(t, order(), "5 4 1 2 ", "lead %v: three seconds later", lead)
		// Another order that is asked for holds at once.
		rig.Move(tb, x+1, y)
		tb.SortBy("name", false)
		rig.Tick(tb)
		testkit.Equal(t, order(), "1 2 4 5 ", "lead %v: sorted by name", lead)
	}
}

// A list that shows the newest row does not run away under the mouse.
func TestFollowingWaitsForTheMouse(t *testing.T) {
	rig := chartstest.NewRig(nil, 1, 300, 22+5*22)
	src := newCounting(20)
	tb := New("messages", src)
	tb.FollowEnd = true
	more := func(n int) {
		src.rows, src.revision = n, src.revision+1
		for len(src.numbers) < n {
			src.numbers = append(src.numbers, len(src.numbers))
		}
		rig.Tick(tb)
	}
	rig.Tick(tb)
	at := tb.RowRect(19)
	rig.Move(tb, at.X0+5, at.Y0+5)
	more(30)
	testkit.That(t, tb.RowRect(19) == at, "rows move under the mouse")
	rig.Env.NowNs += 3_000_000_000
	more(31)
	testkit.That(t, tb.RowRect(30) == at, "it does not follow again")
}

// A source that others bring up to date between two ticks may have fewer rows when the mouse comes.
func TestHoldOfASourceThatShrankMeanwhile(t *testing.T) {
	for _, lead := range []bool{true, false} {
		rig := chartstest.NewRig(nil, 1, 300, 200)
		src := newLive(lead)
		tb := New("live", src)
		rig.Ticks(tb, 2)
		x, y := middle(tb.RowRect(0))
		rig.Move(tb, x, y)
		src.list, src.revision = src.list[:1], src.revision+1
		rig.Ticks(tb, 2)
		testkit.That(t, tb.NumRows() == 1 && tb.CellText(rig.Env, 0, "name") == "row 1",
			"lead %v: there are %d rows", lead, tb.NumRows())
	}
}

const longName = "Draw:Make current, again"

// A name goes on where nothing is: over a bar of no length, and up to the digits of a number; never over
// them.
func TestNamesGoOnBeforeShortNumbers(t *testing.T) {
	for _, c := range []struct {
		number float64
		share  float32
		whole  bool
	}{{1, 0, true}, {123456789, 0, false}, {1, 0.5, false}} {
		s := &fixed{columns: []Column[int]{
			{ID: "name", Title: "name", Text: func(*panel.Env, *int) string { return longName }},
			{ID: "bar", Kind: Bar, Width: 20, Cell: func(_ *panel.Env, _ *int, cell *Cell) { cell.Share = c.share }},
			{ID: "n", Title: "n", Kind: Number, Width: 90, Cell: func(_ *panel.Env, _ *int, cell *Cell) {
				cell.Buf = format.AppendCount(cell.Buf[:0], int64(c.number))
			}},
		}}
		rig := chartstest.NewRig(nil, 1, 236, 60)
		tb := New("names", s)
		rig.Tick(tb)
		var shown []string
		right := float32(0)
		for _, x := range tb.List().Texts() {
			if x.Box.Y0 < tb.Body().Y0 {
				continue
			}
			if shown = append(shown, x.Text); x.Box.X0 < 60 {
				right = x.Box.X1
			}
		}
		testkit.That(t, slices.Contains(shown, longName) == c.whole,
			"beside %v and a bar of %v: %q", c.number, c.share, shown)
		for _, x := range tb.List().Texts() {
			testkit.That(t, x.Box.Y0 <= tb.Body().Y0 || x.Box.X0 <= 60 || right <= 0 || x.Box.X0 >= right,
				"beside %v: the name ends at %v, the number begins at %v", c.number, right, x.Box.X0)
		}
	}
}

// No number is cut, whatever stands before it: it takes the room of a bar or of a name, which is cut
// then; that of another number it leaves.
func TestNumbersAreWhole(t *testing.T) {
	const number = "0.000838 megabytes"
	digits := func(_ *panel.Env, _ *int, cell *Cell) { cell.Buf = append(cell.Buf[:0], number...) }
	for before, c := range map[string]struct {
		column Column[int]
		whole  bool
	}{
		"a bar":          {Column[int]{ID: "bar", Kind: Bar, Width: 20, Cell: func(_ *panel.Env, _ *int, cell *Cell) { cell.Share = 1 }}, true},
		"a name":         {Column[int]{ID: "second", Title: "second", Width: 30, Text: func(*panel.Env, *int) string { return longName }}, true},
		"another number": {Column[int]{ID: "first", Title: "first", Kind: Number, Width: 40, Cell: func(_ *panel.Env, _ *int, cell *Cell) { cell.Buf = append(cell.Buf[:0], '1') }}, false},
	} {
		s := &fixed{columns: []Column[int]{
			{ID: "name", Title: "name", Text: func(*panel.Env, *int) string { return longName }},
			c.column,
			{ID: "n", Title: "n", Kind: Number, Width: 40, Cell: digits},
		}}
		rig := chartstest.NewRig(nil, 1, 236, 60)
		tb := New("numbers", s)
		rig.Tick(tb)
		begin, end := float32(0), float32(0) // of the number, and of what is before it
		for _, x := range tb.List().Texts() {
			switch {
			case x.Box.Y0 < tb.Body().Y0:
			case x.Text == number:
				begin = x.Box.X0
			case x.Box.X1 < 236:
				end = max(end, x.Box.X1)
			}
		}
		testkit.That(t, (begin > 0) == c.whole && (!c.whole || end <= begin),
			"behind %s: the number begins at %v, what is before it ends at %v", before, begin, end)
	}
}

// selecting is a table whose row n is collector n of the session.
type selecting struct{ *countingSource }

func (s selecting) Row(env *panel.Env, r *int) RowInfo {
	return RowInfo{Selected: model.CollectorID(*r) == env.View.Collector()}
}

func (s selecting) Click(env *panel.Env, r *int, _ *panel.Input) panel.Action {
	env.View.SelectCollector(model.CollectorID(*r))
	return panel.Action{}
}

// What is selected elsewhere is scrolled to; what is selected in the table, or in view, is not, and
// a table that one scrolls stays there.
func TestSelectedElsewhereIsScrolledTo(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 200)
	tab := New[*int]("", selecting{newCounting(30)})
	v := rig.Env.View
	inView := func(row int) bool {
		r := tab.RowRect(row)
		return r.Y0 >= tab.Body().Y0-1 && r.Y1 <= tab.Body().Y1+1
	}
	v.SelectCollector(3)
	rig.Tick(tab)
	testkit.That(t, tab.scrollY == 0, "scrolled to %v at first", tab.scrollY)
	v.SelectCollector(25)
	rig.Tick(tab)
	testkit.That(t, inView(25), "row 25 is not in view: scrolled to %v", tab.scrollY)
	at := tab.scrollY
	v.SelectCollector(24)
	rig.Tick(tab)
	testkit.That(t, tab.scrollY == at, "scrolled from %v to %v though row 24 was in view", at, tab.scrollY)
	rig.Move(tab, 250, 100)
	rig.In.WheelY = 100
	rig.Ticks(tab, 2)
	testkit.That(t, tab.scrollY == 0, "the wheel leads to %v", tab.scrollY)
	r := tab.RowRect(6)
	rig.Click(tab, 100, r.Y0+3)
	rig.Tick(tab)
	testkit.That(t, v.Collector() == 6 && tab.scrollY == 0,
		"a click on row 6: collector %d, scrolled to %v", v.Collector(), tab.scrollY)
}
