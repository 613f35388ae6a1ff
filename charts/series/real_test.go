package series

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// Every group of a real pipeline's trace is drawn, described and summed up.
func TestSeriesOfARealTrace(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	groups := subject.SeriesGroups(s)
	if len(groups) == 0 {
		t.Fatal("no group of series")
	}
	rig := chartstest.NewRig(s, 1, 760, 300)
	rig.Env.View.Steer().FitAll()
	c := NewChart()
	for _, g := range groups {
		c.Show(g.Name)
		for _, dist := range []bool{false, true} {
			c.Distribution = dist
			rig.Tick(c)
		}
		c.Distribution = false
		rig.Tick(c)
		samples, known := int64(0), 0
		for k := range c.lines {
			samples += s.Series().ByID(c.pick.items[c.lines[k].item].id).Len()
			for _, col := range c.cols(&c.lines[k]) {
				if col.known() {
					known++
				}
			}
		}
		if len(c.pick.items) != g.Count || samples > 1 && known == 0 && g.Kind != model.SeriesCounter {
			t.Errorf("%s: %d series of %d, %d samples, %d columns drawn", g.Name, len(c.pick.items), g.Count, samples, known)
		}
		h := c.HitTest(rig.Env, 40, c.regions.labels.Y0+8)
		if text := strings.Join(h.Lines, "\n"); len(h.Lines) < 2 || !strings.Contains(text, g.Name) {
			t.Errorf("%s: tooltip %q", g.Name, h.Lines)
		}
		if n := c.List().Quads(); n > 4*760+2000 {
			t.Errorf("%s: %d quads", g.Name, n)
		}
	}
	table := table.New("Series", NewTable())
	rig.Tick(table)
	if table.NumRows() < len(groups) {
		t.Errorf("%d rows for %d groups", table.NumRows(), len(groups))
	}
}
