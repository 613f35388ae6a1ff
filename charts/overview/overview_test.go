package overview

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

func TestFramelessPictures(t *testing.T) {
	traced, sampled := chartstest.NewCallSession(false), chartstest.NewCallSession(true)
	themes := []struct {
		suffix string
		theme  assets.Theme
	}{{"", assets.Dark()}, {"_light", assets.Light()}}
	for _, c := range []struct {
		name string
		s    *store.Session
		w, h float32
		make func() panel.Panel
		set  func(v *view.View)
	}{
		{"overview_spans", traced, 1200, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) {
			v.Steer().PlaceTime(2_000_000_000, 4_500_000_000)
			v.SelectRange(2_400_000_000, 3_100_000_000)
			v.PlacePlayhead(2_400_000_000)
		}},
		{"overview_load", sampled, 1200, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) { v.SetPlayhead(6_000_000_000) }},
		{"overview_narrow_window", sampled, 700, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) { v.Steer().PlaceTime(5_000_000_000, 5_010_000_000) }},
		{"overview_events", chartstest.LoadSession(), 900, 62, func() panel.Panel { return &Overview{} }, func(*view.View) {}},
		{"calls_tree", traced, 232, 300, func() panel.Panel { return table.New("Collectors", tables.NewCollectorTree()) }, func(*view.View) {}},
		{"calls_tree_wide", traced, 640, 300, func() panel.Panel { return table.New("Collectors", tables.NewCollectorTree()) }, func(v *view.View) { v.SelectRange(3e9, 3_500_000_000) }},
		{"calls_stats", traced, 760, 200, func() panel.Panel { return table.New("Statistics", tables.NewStats(false)) }, func(*view.View) {}},
		{"calls_threads", sampled, 232, 170, func() panel.Panel { return table.New("Threads", tables.NewThreads()) }, func(*view.View) {}},
		{"calls_dashboard", sampled, 760, 190, func() panel.Panel { c, _ := tables.NewDashboard(); return c }, func(v *view.View) { v.SelectRange(2e9, 9e9) }},
		{"calls_dashboard_spans", traced, 420, 190, func() panel.Panel { c, _ := tables.NewDashboard(); return c }, func(*view.View) {}},
		{"calls_received", sampled, 250, 260, func() panel.Panel {
			return table.New("Received", tables.NewLosses())
		}, func(*view.View) {}},
		{"calls_spikes", traced, 250, 260, func() panel.Panel { return table.New("Spikes", tables.NewSpikes()) }, func(v *view.View) { v.SelectCollector(5) }},
	} {
		for _, th := range themes {
			t.Run(c.name+th.suffix, func(t *testing.T) {
				rig := chartstest.NewRig(c.s, 1, c.w, c.h)
				theme := th.theme
				rig.Env.Theme = &theme
				rig.Env.MemoryOf = func(*store.Session) int64 { return 1 << 20 }
				chart := c.make()
				rig.Tick(chart)
				c.set(rig.Env.View)
				rig.Tick(chart)
				golden.Check(t, "../testdata/golden/"+c.name+th.suffix+".png", chartstest.Picture(int(c.w), int(c.h), chart.List()))
				t.Logf("%d quads", chart.List().Quads())
			})
		}
	}
}

// What is above is drawn at other scales, too.
func TestOverviewAtTwiceTheSize(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 2, 700, 62)
	var o Overview
	rig.Env.View.Steer().PlaceTime(1_000_000_000, 4_000_000_000)
	rig.Tick(&o)
	golden.Check(t, "../testdata/golden/overview_2x.png", chartstest.Picture(1400, 124, o.List()))
}

// While a session grows, the overview asks for what is new only, and has in the end what it has of
// the whole at once.
func TestOverviewOfAGrowingSession(t *testing.T) {
	for _, loads := range []bool{false, true} {
		w := chartstest.NewCallWriter(loads)
		rig := chartstest.NewRig(w.S, 1, 900, 62)
		var o Overview
		for i := range int64(50) {
			w.Run((i + 1) * 200_000_000)
			rig.Tick(&o)
		}
		w.S.Apply(model.End{})
		rig.Tick(&o)
		rig.Tick(&o)
		fresh := Overview{}
		rig.Tick(&fresh)
		if o.data.shift < fresh.data.shift || len(o.data.rows) != len(fresh.data.rows) {
			t.Fatalf("columns of 2^%d ns in %d rows, at once 2^%d in %d", o.data.shift, len(o.data.rows), fresh.data.shift, len(fresh.data.rows))
		}
		for i := range o.data.rows {
			a, b := &o.data.rows[i], &fresh.data.rows[i]
			off := 0.001 * b.total
			if loads { // a column's load is the mean of its samples, whichever part of it they are in
				off *= 10
			}
			if a.track != b.track || a.total < b.total-off || a.total > b.total+off {
				t.Errorf("loads %v, track %d: %g busy, at once track %d: %g", loads, a.track, a.total, b.track, b.total)
			}
			sum := 0.0
			for _, x := range a.weight {
				sum += x
			}
			if sum < a.total*0.999 || sum > a.total*1.001 {
				t.Errorf("track %d: the columns hold %g, its total is %g", a.track, sum, a.total)
			}
		}
	}
}

func TestOverviewStaysAsItIs(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 1, 900, 62)
	var o Overview
	rig.Tick(&o)
	rev := o.List().Revision()
	if n := testing.AllocsPerRun(20, func() { rig.Tick(&o) }); n != 0 {
		t.Errorf("a tick in which nothing changes allocates %v times", n)
	}
	if o.List().Revision() != rev {
		t.Error("the list was made anew though nothing changed")
	}
	x := float32(10)
	if n := testing.AllocsPerRun(20, func() {
		x += 7
		rig.Move(&o, x, 40)
		o.HitTest(rig.Env, x, 40)
	}); n != 0 {
		t.Errorf("a moving mouse allocates %v times", n)
	}
	if q := o.List().Quads(); q > 12*450 {
		t.Errorf("%d quads for 450 columns", q)
	}
}

// A session of more threads than are looked at in a tick, that begins anywhere and grows: columns
// of rows that nobody has looked at yet are joined as those of others are, and in the end all have
// the same as if they had come at once.
func TestOverviewOfManyThreadsThatGrow(t *testing.T) {
	for begin := range int64(2) {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "work"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		at := (begin + 1) * 7_777_777
		add := func(tracks int) {
			for k := range tracks {
				s.Apply(model.TrackDef{ID: model.TrackID(k), Index: k})
				s.Append(&model.Batch{Track: model.TrackID(k), Spans: []model.Span{{Begin: at, End: at + 1000, Path: 1}}})
			}
			at += 1000
		}
		rig := chartstest.NewRig(s, 1, 600, 60)
		rig.Env.Animate, rig.Env.Paced = true, true
		var o, whole Overview
		for k := range 24 {
			add(3*overviewRows + k)
			rig.Tick(&o)
			at += 1000 << k
		}
		for o.data.pending {
			rig.Tick(&o)
		}
		rig.Tick(&whole)
		for whole.data.pending {
			rig.Tick(&whole)
		}
		if len(o.data.rows) != len(whole.data.rows) {
			t.Fatalf("%d rows, %d at once", len(o.data.rows), len(whole.data.rows))
		}
		for i := range o.data.rows {
			if a, b := o.data.rows[i].total, whole.data.rows[i].total; a < 0.99*b || a > 1.01*b {
				t.Errorf("row %d: %v busy, %v at once", i, a, b)
			}
		}
	}
}
