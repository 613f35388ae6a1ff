package table

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// namedSource is a row with a name before a bar and a number.
type namedSource struct {
	row     [1]int
	columns []Column[int]
	number  float64
	share   float32
}

const longName = "Draw:Make current, again"

func (s *namedSource) Rows(*panel.Env) (int, uint64) { return 1, 1 }
func (s *namedSource) At(int) *int                   { return &s.row[0] }
func (s *namedSource) Empty(bool) string             { return "" }
func (s *namedSource) Columns() []Column[int]        { return s.columns }

// A name goes on where nothing is: over a bar of no length, and up to the digits of a number; never over
// them.
func TestNamesGoOnBeforeShortNumbers(t *testing.T) {
	for _, c := range []struct {
		number float64
		share  float32
		whole  bool
	}{{1, 0, true}, {123456789, 0, false}, {1, 0.5, false}} {
		s := &namedSource{number: c.number, share: c.share}
		s.columns = []Column[int]{
			{ID: "name", Title: "name", Text: func(*panel.Env, *int) string { return longName }},
			{ID: "bar", Kind: Bar, Width: 20, Cell: func(_ *panel.Env, _ *int, cell *Cell) { cell.Share = s.share }},
			{ID: "n", Title: "n", Kind: Number, Width: 90, Cell: func(_ *panel.Env, _ *int, cell *Cell) {
				cell.Buf = format.AppendCount(cell.Buf[:0], int64(s.number))
			}},
		}
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
		if slices.Contains(shown, longName) != c.whole {
			t.Errorf("beside %v and a bar of %v: %q", c.number, c.share, shown)
		}
		for _, x := range tb.List().Texts() {
			if x.Box.Y0 > tb.Body().Y0 && x.Box.X0 > 60 && right > 0 && x.Box.X0 < right {
				t.Errorf("beside %v: the name ends at %v, the number begins at %v", c.number, right, x.Box.X0)
			}
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
		s := &namedSource{columns: []Column[int]{
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
		if (begin > 0) != c.whole || c.whole && end > begin {
			t.Errorf("behind %s: the number begins at %v, what is before it ends at %v", before, begin, end)
		}
	}
}
