package app

import (
	"testing"

	"framescope/app/input"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/internal/testkit"
)

// The arrows go through the rows of the table that was called up last, enter does what a click
// does, and keys that the table has no use for are commands as ever.
func TestKeysGoToTheTable(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	tab := g.nav.panels["statistics"].(*table.Table)
	tab.Update(&g.stage.env, draw.Rect{X1: 600, Y1: 300}, &panel.Input{X: -1, Y: -1})
	g.desk.Settle(g.ss.Contents())
	g.desk.Show("statistics")
	strike := func(key string) {
		g.keys.Chords = append(g.keys.Chords[:0], input.Chord{Key: key})
		g.handleKeys()
	}
	v := g.View()
	before := v.Collector()
	strike("home") // not yet the table's
	testkit.That(t, v.FrameA() == 0, "frame %d is selected, want the first", v.FrameA())
	strike("down")
	strike("down")
	testkit.Equal(t, v.Collector(), before, "going through the rows selects")
	strike("enter")
	if want := v.Session().Collector(v.Collector()); tab.CellText(&g.stage.env, 1, "collector") != want.FullName {
		t.Errorf("enter selected %q, the row is of %q", want.FullName, tab.CellText(&g.stage.env, 1, "collector"))
	}
	strike("end")
	strike("enter")
	if last := tab.CellText(&g.stage.env, tab.NumRows()-1, "collector"); v.Session().Collector(v.Collector()).FullName != last {
		t.Errorf("at the end %q is selected, want %q", v.Session().Collector(v.Collector()).FullName, last)
	}
}
