package tables

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// The dashboard's figures are those of the session's spans and series; it sorts and filters.
func TestDashboard(t *testing.T) {
	s := chartstest.NewCallSession(true)
	rig := chartstest.NewRig(s, 1, 800, 200)
	c, src := NewDashboard()
	rig.Tick(c)
	name := func(row int) string { return c.CellText(rig.Env, row, "thread") }
	if c.NumRows() != 4 || name(0) != "main" || name(3) != "Finalizer" {
		t.Errorf("%d rows, first %q, last %q", c.NumRows(), name(0), name(c.NumRows()-1))
	}
	n := int64(0)
	for i := int64(0); ; i++ {
		if _, ok := s.Spans().ByRef(spans.Ref{Track: chartstest.UtMain, Index: i}); !ok {
			n = i
			break
		}
	}
	if r := &src.rows[0]; r.samples != float64(n) || !(r.cpuNs > 0) || r.share < 0.5 || r.share > 1 {
		t.Errorf("%+v, want %d samples", *r, n)
	}
	c.SortBy("thread", false)
	rig.Tick(c)
	if name(0) != "Finalizer" {
		t.Errorf("by name, %q is first", name(0))
	}
	c.SetFilter("WORK")
	rig.Tick(c)
	if c.NumRows() != 1 || name(0) != "worker-1" {
		t.Errorf("%d rows are called like that", c.NumRows())
	}
	rig.Click(c, 100, 30)
	if rig.Env.View.Track() != chartstest.UtWorker {
		t.Error("a click does not choose the thread")
	}
}

// What tables say of a session without frames never speaks of frames.
func TestFramelessTablesDoNotSpeakOfFrames(t *testing.T) {
	for _, s := range []*store.Session{chartstest.NewCallSession(true), chartstest.NewCallSession(false)} {
		rig := chartstest.NewRig(s, 1, 900, 400)
		tree, stats, threads := NewCollectorTree(), NewStats(false), NewThreads()
		dash, losses, spikes := NewDashboardTable(), NewLosses(), NewSpikes()
		for name, x := range map[string]struct {
			tab   *table.Table
			empty func(bool) string
		}{
			"collectors": {table.New("", tree), tree.Empty}, "stats": {table.New("", stats), stats.Empty},
			"threads": {table.New("", threads), threads.Empty}, "dashboard": {table.New("", dash), dash.Empty},
			"losses": {table.New("", losses), losses.Empty}, "spikes": {table.New("", spikes), spikes.Empty},
		} {
			rig.Tick(x.tab)
			if x.tab.NumRows() == 0 {
				t.Errorf("%s has no rows", name)
			}
			var words strings.Builder
			if err := x.tab.Export(rig.Env, &words, panel.CSV); err != nil {
				t.Fatal(err)
			}
			for row := range x.tab.NumRows() {
				words.WriteString(strings.Join(x.tab.TipOf(rig.Env, row), " "))
			}
			words.WriteString(x.empty(false))
			if all := strings.ToLower(words.String()); name != "losses" && strings.Contains(all, "frame") {
				t.Errorf("%s: %s", name, all)
			}
		}
	}
}

// What a table had of another session is gone when one without calls is shown.
func TestTablesOfCallsForgetOtherSessions(t *testing.T) {
	byCalls := view.PerUnit[bool]{Spans: true}
	bare := store.NewSession()
	bare.Apply(model.CollectorDef{ID: 3, Name: "later"})
	bare.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	bare.Apply(model.SeriesDef{ID: 0, Name: "load", Kind: model.SeriesValue})
	bare.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 5, Value: 1}, {Time: 9, Value: 2}}})
	for _, animate := range []bool{false, true} {
		rig := chartstest.NewRig(chartstest.NewCallSession(false), 1, 900, 400)
		rig.Env.Animate, rig.Env.Paced = animate, animate
		full := rig.Env.View
		other := view.New(bare)
		spikes, stats, tree := NewSpikes(), NewStats(false), NewCollectorTree()
		tables := []*table.Table{table.New("a", spikes), table.New("b", stats), table.New("c", tree)}
		for range 3 {
			for _, v := range []*view.View{full, other} {
				rig.Env.View = v
				for _, tab := range tables {
					rig.Tick(tab)
					rig.Click(tab, 100, 60)
				}
				if v == full && (len(spikes.Spans.(*spanSpikes).spans) == 0 || len(stats.calls.rows) == 0) {
					t.Errorf("the session with calls has %d spikes and %d rows of statistics", len(spikes.Spans.(*spanSpikes).spans), len(stats.calls.rows))
				}
				if v == other && (!byCalls.Of(v) || len(spikes.Spans.(*spanSpikes).spans) != 0 || len(stats.calls.rows) != 0 || v.HasSpan()) {
					t.Errorf("the session without calls has %d spikes and %d rows of statistics; a span is selected: %v", len(spikes.Spans.(*spanSpikes).spans), len(stats.calls.rows), v.HasSpan())
				}
			}
		}
	}
}
