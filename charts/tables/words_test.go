package tables

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// nested is a session of n frames in which App runs for some ms, and Tasks, which is elsewhere by
// name, in it.
func nested(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Tasks"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	for p := range model.PathID(3) {
		s.Apply(model.PathDef{ID: p + 1, Parent: p, Collector: model.CollectorID(p)})
	}
	for i := range int64(n) {
		at, app := i*20e6, 12_300_000+i%7*1000
		s.Append(&model.Batch{
			HasFrame: true, Number: 100 + i, Begin: at, End: at + 20e6,
			Spans: []model.Span{
				{Begin: at, End: at + 20e6, Path: 1}, {Begin: at, End: at + app, Path: 2, Lane: 1},
				{Begin: at, End: at + 2_239_000, Path: 3, Lane: 2},
			},
			Alone: []model.CollectorTime{
				{Collector: 0, Ns: 20e6 - app, Count: 1}, {Collector: 1, Ns: app - 2_239_000, Count: 1}, {Collector: 2, Ns: 2_239_000, Count: 1},
			},
		})
	}
	return s
}

// texts returns the cells of a collector's row by the IDs of their columns.
func texts(rig *chartstest.Rig, tb *table.Table, name string, ids ...string) string {
	var out []string
	for row := range tb.NumRows() {
		if tb.CellText(rig.Env, row, "collector") == name {
			for _, id := range ids {
				out = append(out, strings.Clone(tb.CellText(rig.Env, row, id)))
			}
		}
	}
	return strings.Join(out, " ")
}

// What a flame graph shows of App, with callees, stands beside what it took itself, in one unit,
// and both say what they are.
func TestTotalAndSelf(t *testing.T) {
	s := nested(1)
	rig := chartstest.NewRig(s, 1, 900, 300)
	rig.Env.View.SelectFrames(0, 0)
	for name, tb := range map[string]*table.Table{"statistics": NewStatisticsPanel(), "collectors": NewCollectorPanel()} {
		rig.Tick(tb)
		if got := texts(rig, tb, "App", "total", "self"); got != "12.3 10.1" {
			t.Errorf("%s: App %s", name, got)
		}
		if got := texts(rig, tb, "Tasks", "total", "self"); got != "2.24 2.24" {
			t.Errorf("%s: Tasks %s", name, got)
		}
		r := tb.HeadRect("total")
		hit := tb.HitTest(rig.Env, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
		if len(hit.Lines) < 2 || hit.Lines[0] != "total ms" || !strings.Contains(hit.Lines[1], "with callees") {
			t.Errorf("%s: the header says %q", name, hit.Lines)
		}
	}
}

// Statistics of one frame say a value once: it has no columns for how values spread.
func TestStatisticsOfOneFrame(t *testing.T) {
	s := nested(3)
	rig := chartstest.NewRig(s, 1, 900, 300)
	tb := NewStatisticsPanel()
	rig.Env.View.SelectFrames(1, 1)
	rig.Tick(tb)
	if got := texts(rig, tb, "App", "mean"); got != "10.1" {
		t.Error(got)
	}
	if got := strings.Join(tb.Titles(), " "); got != "collector starts total self net" {
		t.Errorf("columns %s", got)
	}
	tb.SortBy("p95", true) // kept for when there are several again
	rig.Tick(tb)
	rig.Env.View.SelectFrames(0, 2)
	rig.Tick(tb)
	if got := texts(rig, tb, "App", "mean", "median", "p95", "p99", "max"); got != "10.1 10.1 10.1 10.1 10.1" {
		t.Error(got)
	}
}

// Percentiles of more frames than are sorted come from a histogram, and say so.
func TestEstimatesSaySo(t *testing.T) {
	s := nested(4200)
	rig := chartstest.NewRig(s, 1, 900, 300)
	tb := NewStatisticsPanel()
	rig.Env.View.SelectFrames(0, 4199)
	rig.Tick(tb)
	got := strings.Fields(texts(rig, tb, "App", "mean", "median", "p95", "p99", "max"))
	for i, about := range []bool{false, true, true, true, false} {
		if len(got) != 5 || strings.HasPrefix(got[i], "≈") != about {
			t.Fatal(got)
		}
	}
	for row := range tb.NumRows() {
		if !strings.Contains(strings.Join(tb.TipOf(rig.Env, row), "\n"), "≈: from a histogram") {
			t.Error("a tooltip does not say how")
		}
	}
	exact := s.Frames().ExactStats(0, frames.FigureNet, 0, 4199, nil)
	if exact[1].Estimated || math.Abs(exact[1].P99-0.010067) > 1e-9 {
		t.Errorf("%+v", exact[1])
	}
}

// That a collector did not run is said only of one of which nothing ran: not where all of its time is in
// what it called, nor where it ran for too short to be measured.
func TestTipSaysWhatRan(t *testing.T) {
	const never = "Neither it nor what is named below it ran"
	for name, c := range map[string]struct {
		tasks    int64 // own time
		says, no string
	}{
		"callees": {0, "Its time is that of what it called", never},
		"some":    {500_000, "total, with callees", "Its time is that of what it called"},
	} {
		s := store.NewSession()
		for id, of := range []string{"Frame", "Tasks", "Draw", "Idle"} {
			s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: of})
			if id < 3 {
				s.Apply(model.PathDef{ID: model.PathID(id + 1), Parent: model.PathID(id), Collector: model.CollectorID(id)})
			}
		}
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		s.Append(&model.Batch{
			HasFrame: true, Number: 1, End: 20e6,
			Spans: []model.Span{
				{End: 20e6, Path: 1}, {End: 8e6, Path: 2, Lane: 1}, {Begin: c.tasks, End: 8e6, Path: 3, Lane: 2},
			},
			Alone: []model.CollectorTime{
				{Collector: 0, Ns: 12e6, Count: 1}, {Collector: 1, Ns: c.tasks, Count: 1}, {Collector: 2, Ns: 8e6 - c.tasks, Count: 1},
			},
		})
		rig := chartstest.NewRig(s, 1, 900, 300)
		rig.Env.View.SelectFrames(0, 0)
		src := NewCollectorTree()
		src.OnlyWithData = false
		tb := table.New("Collectors", src)
		rig.Tick(tb)
		tips := map[string]string{}
		for row := range tb.NumRows() {
			tips[tb.CellText(rig.Env, row, "collector")] = strings.Join(tb.TipOf(rig.Env, row), "\n")
		}
		if tip := tips["Tasks"]; !strings.Contains(tip, c.says) || strings.Contains(tip, c.no) {
			t.Errorf("%s: %s", name, tip)
		}
		if tip := tips["Idle"]; !strings.Contains(tip, never) {
			t.Errorf("%s: Idle: %s", name, tip)
		}
	}
}
