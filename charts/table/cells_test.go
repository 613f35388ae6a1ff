package table

import (
	"fmt"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

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
	if c := act.Cells; c.Cell != "kind 2" || !c.Name || c.Only == nil {
		t.Fatalf("the menu of words: %+v", act.Cells)
	}
	act.Cells.Only()
	rig.Tick(tb)
	if tb.NumRows() != 10 || tb.CellText(rig.Env, 1, "name") != "row 000007" {
		t.Errorf("%d rows say “kind 2”, the second is %s", tb.NumRows(), tb.CellText(rig.Env, 1, "name"))
	}
	tb.SetFilter("07") // with what the search finds
	rig.Tick(tb)
	if tb.NumRows() != 1 {
		t.Errorf("%d rows say “kind 2” and are found", tb.NumRows())
	}
	tb.SetFilter("")
	rig.Tick(tb)
	x, y = middle(tb.HeadRect("kind"))
	head := rightClick(rig, tb, x, y)
	x, y = middle(tb.CellRect(0, "name"))
	row := rightClick(rig, tb, x, y)
	if head.Kind != panel.ActionMenu || head.Cells.All == nil || row.Cells.All == nil {
		t.Fatalf("no way back: %+v, %+v", head.Cells, row.Cells)
	}
	head.Cells.All()
	rig.Tick(tb)
	if tb.NumRows() != 50 {
		t.Errorf("%d rows of all", tb.NumRows())
	}
}
