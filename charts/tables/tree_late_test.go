package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// TestCollectorsDefinedLate defines a collector, with data, between two refreshments of the
// numbers, as a live game does.
func TestCollectorsDefinedLate(t *testing.T) {
	s := store.NewSession()
	frame := func(n int64, alone ...model.CollectorTime) {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 1e7, End: (n + 1) * 1e7, Alone: alone})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	frame(0, model.CollectorTime{Collector: 0, Ns: 5e6, Count: 1}, model.CollectorTime{Collector: 1, Ns: 5e6, Count: 1})
	env := chartstest.NewEnv(s, 1)
	env.Animate, env.Paced = true, true
	env.View.Follow(true)
	tree := NewCollectorTree()
	table := table.New("", tree)
	rect := draw.Rect{X1: 400, Y1: 300}
	update := func() (rows int) {
		env.NowNs += 1e6 // much less than the time between two refreshments
		env.View.Tick(env.NowNs, true)
		table.Update(env, rect, &panel.Input{X: -1, Y: -1})
		rows, _ = tree.Rows(env)
		return rows
	}
	before := update()
	for c := model.CollectorID(2); c < 60; c++ {
		s.Apply(model.CollectorDef{ID: c, Name: "Late", Parent: 1})
		frame(int64(c), model.CollectorTime{Collector: c, Ns: 1e7, Count: 1})
		update()
	}
	if after := update(); after != before+58 {
		t.Errorf("%d rows, then %d", before, after)
	}
}
