// Package tabletest checks that nothing depends on the place of a column.
package tabletest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
)

// Shown is a panel with the table in it and the list of columns that the table shows.
type Shown[R any] struct {
	Rig     *chartstest.Rig
	Panel   panel.Panel // nil: the table itself
	Table   *table.Table
	Columns *[]table.Column[R]
}

// mostRows bounds how many rows are looked at.
const mostRows = 4

// Unharmed inserts a column before each of a list's, and after the last, and checks that the cells
// of the others by ID, sorted by each of them, and the effects of clicks on them stay the same. Of the
// pairs of a place and a column to sort by it takes a third, in the long form all.
func Unharmed[R any](t *testing.T, show func() Shown[R]) {
	t.Helper()
	x := show()
	x.tick()
	if x.Table.NumRows() == 0 {
		t.Fatal("the table has no rows")
	}
	var ids []string
	for _, c := range *x.Columns {
		if c.ID == "" || slices.Contains(ids, c.ID) {
			t.Fatalf("%q is no name for a column", c.ID)
		}
		ids = append(ids, c.ID)
	}
	clicked := 0
	for i, id := range ids {
		want := watch(show, id, ids, -1)
		clicked += strings.Count(want, "clicked")
		for at := range len(ids) + 1 {
			if (at+i)%3 > 0 && !testkit.Long {
				continue
			}
			if got := watch(show, id, ids, at); got != want {
				t.Errorf("with a column at %d, %s:\n%s\nwithout it:\n%s", at, id, got, want)
			}
		}
	}
	if clicked == 0 {
		t.Error("no cell was clicked")
	}
}

// watch inserts another column at a place, sorts by a column and clicks on it, and returns the
// result.
func watch[R any](show func() Shown[R], id string, ids []string, at int) string {
	x := show()
	if old := *x.Columns; at >= 0 {
		dummy := table.Column[R]{ID: "dummy", Title: "dummy", Kind: table.Number, Width: 8}
		dummy.Value = func(*panel.Env, *R) float64 { return 1 }
		*x.Columns = slices.Insert(slices.Clone(old), at, dummy)
		defer func() { *x.Columns = old }()
	}
	x.tick()
	var b strings.Builder
	head := x.Table.HeadRect(id)
	x.Rig.Click(x.panel(), (head.X0+head.X1)/2, (head.Y0+head.Y1)/2)
	x.tick()
	sorted, down := x.Table.Sorting()
	fmt.Fprintln(&b, "sorted by", sorted, down)
	x.rows(&b, ids)
	for row := range min(x.Table.NumRows(), mostRows) {
		r := x.Table.CellRect(row, id)
		if r.Empty() || r.Y1 > x.Table.Body().Y1 || r.Y0 < x.Table.Body().Y0 {
			continue
		}
		for _, px := range [...]float32{2, r.W() / 2} {
			act := x.Rig.Click(x.panel(), r.X0+px, (r.Y0+r.Y1)/2)
			x.tick()
			fmt.Fprintln(&b, "clicked", row, px < 3, act.Kind, act.Collector, act.Track)
			x.state(&b)
		}
	}
	x.rows(&b, ids)
	return b.String()
}

func (x *Shown[R]) panel() panel.Panel {
	if x.Panel == nil {
		return x.Table
	}
	return x.Panel
}

func (x *Shown[R]) tick() {
	for range 2 {
		x.Rig.Tick(x.panel())
	}
}

// rows writes the texts of the columns.
func (x *Shown[R]) rows(b *strings.Builder, ids []string) {
	for row := range min(x.Table.NumRows(), mostRows) {
		for _, id := range ids {
			b.WriteString(x.Table.CellText(x.Rig.Env, row, id))
			b.WriteString(" | ")
		}
		b.WriteByte('\n')
	}
}

// state writes the state that clicks may change.
func (x *Shown[R]) state(b *strings.Builder) {
	v := x.Rig.Env.View
	begin, end := v.Steer().Target()
	fmt.Fprintln(b, v.Collector(), v.Track(), v.FrameA(), v.FrameB(), v.RangeA(), v.RangeB(), v.Playhead(), v.HasSpan(),
		v.Span().Ref, begin, end)
	for c := range model.CollectorID(min(v.Session().Collectors().Len(), 40)) {
		fmt.Fprint(b, v.Look().Hidden(c), " ")
	}
	for id := range model.TrackID(v.Session().NumTracks()) {
		fmt.Fprint(b, v.Look().TrackHidden(id), v.Look().TrackFolded(id), " ")
	}
	fmt.Fprintln(b, v.Look().MessageFilter())
}
