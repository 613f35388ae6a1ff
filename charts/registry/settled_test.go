package registry

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/tables"
)

// A table whose numbers are read four times a second while live is drawn no more often, and shows
// then what a table that is opened at that moment shows; what is selected shows at once.
func TestLiveTablesAreDrawnWithTheirNumbers(t *testing.T) {
	for name, open := range map[string]func() *table.Table{
		"collectors": func() *table.Table { return table.New("", tables.NewCollectorTree()) },
		"statistics": func() *table.Table { return table.New("", tables.NewStats(false)) },
		"threads":    func() *table.Table { return table.New("", tables.NewThreads()) },
		"losses":     func() *table.Table { return table.New("", tables.NewLosses()) },
	} {
		t.Run(name, func(t *testing.T) {
			g := chartstest.NewLiveGame(8)
			for range 200 {
				g.Frame()
			}
			rig := chartstest.NewRig(g.S, 1, 700, 300)
			rig.Env.Paced = true
			rig.Env.View.Follow(true)
			c, drawn := open(), 0
			rig.Tick(c)
			for range 60 {
				before := c.List().Revision()
				g.Frame()
				if rig.Tick(c); c.List().Revision() == before {
					continue
				}
				drawn++
				fresh := open()
				rig.Env.NowNs -= 16_666_667
				rig.Tick(fresh)
				if !slices.Equal(c.List().Vertices, fresh.List().Vertices) {
					t.Fatal("it shows something else than a table that is opened now")
				}
			}
			if drawn < 3 || drawn > 5 {
				t.Errorf("drawn %d times in a second", drawn)
			}
			if name == "losses" || name == "threads" {
				return
			}
			before := c.List().Revision()
			rig.Env.View.SelectCollector(3)
			if rig.Tick(c); c.List().Revision() == before {
				t.Error("a collector is selected, and it is not drawn again")
			}
		})
	}
}
