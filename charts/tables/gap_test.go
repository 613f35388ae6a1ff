package tables

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// Where the selected range lies between two frames, no table states a figure of frames, and they
// say why; what is selected without a range is of all frames.
func TestGapHasNoFigures(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 1, Parent: 0, Name: "Work"})
	for k := range int64(4) {
		begin := k * 100
		if k >= 2 {
			begin += 1000
		}
		s.Append(&model.Batch{
			HasFrame: true, Number: k, Begin: begin, End: begin + 100,
			Alone: []model.CollectorTime{{Collector: 1, Ns: 50, Count: 1}},
		})
	}
	tree, stats := NewCollectorTree(), NewStats(false)
	says := map[string]func(bool) string{"statistics": stats.Empty, "collectors": tree.Empty}
	for name, tb := range map[string]*table.Table{
		"statistics": table.New("Statistics", stats), "collectors": table.New("Collectors", tree), "threads": NewThreadPanel().Table,
	} {
		rig := chartstest.NewRig(s, 1, 400, 300)
		figures := func() (n int) {
			rig.Tick(tb)
			for _, f := range tb.Facts(rig.Env, nil) {
				if f.Value == f.Value && f.Value != 0 {
					n++
				}
			}
			return n
		}
		rig.Env.View.SelectRange(0, 150)
		if figures() == 0 {
			t.Errorf("%s states nothing of the frames of a range", name)
		}
		rig.Env.View.SelectRange(300, 900)
		if n := figures(); n != 0 || rig.Env.View.FrameA() >= 0 {
			t.Errorf("%s states %d figures of frames in a gap", name, n)
		}
		if name == "threads" {
			continue
		}
		if empty := says[name](false); tb.NumRows() != 0 || !strings.HasSuffix(empty, panel.NoFrame) {
			t.Errorf("%s: %d rows in a gap; it says %q", name, tb.NumRows(), empty)
		}
		if words := new(spanWords).unit(rig.Env); words != "Main · no frame" {
			t.Errorf("in a gap a title says %q", words)
		}
		rig.Env.View.SelectRange(300, 1250)
		if figures() == 0 {
			t.Errorf("%s states nothing after the gap", name)
		}
	}
}
