package tables

import (
	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"strings"
	"testing"
)

// The dashboard's figures are those of the session's spans and series; it sorts and filters.
func TestDashboard(t *testing.T) {
	s := chartstest.NewCallSession(true)
	rig := chartstest.NewRig(s, 1, 800, 200)
	c, src := NewDashboard()
	rig.Tick(c)
	name := func(row int) string { return s.Track(src.all[src.rows[row]].id).Title() }
	if len(src.rows) != 4 || name(0) != "main" || name(3) != "Finalizer" {
		t.Errorf("%d rows, first %q, last %q", len(src.rows), name(0), name(len(src.rows)-1))
	}
	n := int64(0)
	for i := int64(0); ; i++ {
		if _, ok := s.SpanByRef(model.SpanRef{Track: chartstest.UtMain, Index: i}); !ok {
			n = i
			break
		}
	}
	if r := &src.all[0]; r.samples != n || !r.timed || r.cpuNs <= 0 || r.share < 0.5 || r.share > 1 {
		t.Errorf("%+v, want %d samples", *r, n)
	}
	src.Sort(dashName, false)
	rig.Tick(c)
	if name(0) != "Finalizer" {
		t.Errorf("by name, %q is first", name(0))
	}
	src.Filter = "WORK"
	rig.Tick(c)
	if len(src.rows) != 1 || name(0) != "worker-1" {
		t.Errorf("%d rows are called like that", len(src.rows))
	}
	rig.Click(c, 100, 30)
	if rig.Env.View.Track() != chartstest.UtWorker {
		t.Error("a click does not choose the thread")
	}
}

// What tables say of a session without frames never speaks of frames.
func TestUnframedTablesDoNotSpeakOfFrames(t *testing.T) {
	for _, s := range []*model.Session{chartstest.NewCallSession(true), chartstest.NewCallSession(false)} {
		rig := chartstest.NewRig(s, 1, 900, 400)
		for _, src := range []table.Source{NewCollectorTree(), NewStats(false), NewThreads(), NewDashboardTable(), NewLosses(), NewSpikes()} {
			tab := table.New("x", src)
			rig.Tick(tab)
			if tab.Rows == 0 {
				t.Errorf("%T has no rows", src)
			}
			words := src.Empty()
			for _, c := range src.Columns() {
				words += " " + c.Title
			}
			for row := range tab.Rows {
				for col := range src.Columns() {
					c := tab.Fetch(rig.Env, row, col)
					words += " " + c.Text + string(c.Buf)
				}
				if tips, ok := src.(table.Tips); ok {
					var tip table.Tip
					tips.Tip(rig.Env, row, &tip)
					words += " " + strings.Join(tip.Lines.All(), " ")
				}
			}
			if _, loss := src.(*Losses); !loss && strings.Contains(strings.ToLower(words), "frame") {
				t.Errorf("%T: %s", src, words)
			}
		}
	}
}

// What a table had of another session is gone when one without calls is shown.
func TestTablesOfCallsForgetOtherSessions(t *testing.T) {
	bare := model.NewSession()
	bare.Apply(model.CollectorDef{ID: 3, Name: "later"})
	bare.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	bare.Apply(model.SeriesDef{ID: 0, Name: "load", Kind: model.SeriesValue})
	bare.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 5, Value: 1}, {Time: 9, Value: 2}}})
	for _, animate := range []bool{false, true} {
		rig := chartstest.NewRig(chartstest.NewCallSession(false), 1, 900, 400)
		rig.Env.Animate = animate
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
				if v == full && (len(spikes.spans) == 0 || len(stats.rows) == 0) {
					t.Errorf("the session with calls has %d spikes and %d rows of statistics", len(spikes.spans), len(stats.rows))
				}
				if v == other && (!v.Unframed() || len(spikes.spans) != 0 || len(stats.rows) != 0 || v.HasSpan()) {
					t.Errorf("the session without calls has %d spikes and %d rows of statistics; a span is selected: %v", len(spikes.spans), len(stats.rows), v.HasSpan())
				}
			}
		}
	}
}
