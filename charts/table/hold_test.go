package table

import (
	"fmt"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
)

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

// Rows keep their places while the mouse is over them and for a second after; their numbers change.
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
		if got := order(); got != "2 1 3 4 " {
			t.Errorf("lead %v: without the mouse %s", lead, got)
		}
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
		if got := order(); got != "2 1 4 5 " {
			t.Errorf("lead %v: when the mouse has just left %s", lead, got)
		}
		rig.Env.NowNs += 1_000_000_000
		rig.Tick(tb)
		if got := order(); got != "5 4 1 2 " {
			t.Errorf("lead %v: a second later %s", lead, got)
		}
		// Another order that is asked for holds at once.
		rig.Move(tb, x, y)
		rig.Tick(tb)
		tb.SortBy("name", false)
		rig.Tick(tb)
		if got := order(); got != "1 2 4 5 " {
			t.Errorf("lead %v: sorted by name %s", lead, got)
		}
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
	if tb.RowRect(19) != at {
		t.Error("rows move under the mouse")
	}
	rig.In.Over = false
	rig.Env.NowNs += 1_000_000_000
	if more(31); tb.RowRect(30) != at {
		t.Error("it does not follow again")
	}
}

// A source that others bring up to date between two ticks may have fewer rows when the mouse comes.
func TestHoldOfASourceThatShrankMeanwhile(t *testing.T) {
	for _, lead := range []bool{true, false} {
		rig := chartstest.NewRig(nil, 1, 300, 200)
		src := newLive(lead)
		tb := New("live", src)
		rig.Tick(tb)
		rig.Tick(tb)
		x, y := middle(tb.RowRect(0))
		rig.Move(tb, x, y)
		src.list, src.revision = src.list[:1], src.revision+1
		rig.Tick(tb)
		rig.Tick(tb)
		if tb.NumRows() != 1 || tb.CellText(rig.Env, 0, "name") != "row 1" {
			t.Errorf("lead %v: there are %d rows", lead, tb.NumRows())
		}
	}
}
