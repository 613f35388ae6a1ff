package registry

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/store"
)

// Times at the ends of what is stored, loads that are no numbers, tracks that come and go, panels
// without room: nothing of it may break, nor take for ever.
func TestFramelessAbuse(t *testing.T) {
	const far = int64(1) << 61
	build := []func(s *store.Session){
		func(s *store.Session) { // all of time
			s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: -far, End: -far + 5, Path: 1}, {Begin: far - 9, End: far, Path: 1}}})
		},
		func(s *store.Session) { // one instant
			s.Append(&model.Batch{Track: 3, Spans: []model.Span{{Begin: 77, End: 77, Path: 1}}})
		},
		func(s *store.Session) { // loads
			s.Apply(model.SeriesDef{ID: 0, Role: model.RoleCPULoad, Unit: "%", Track: 1, Object: model.NoObject, Peer: model.NoObject})
			s.Apply(model.SeriesDef{ID: 1, Role: model.RoleStack, Track: 900_000_000, Object: model.NoObject, Peer: model.NoObject})
			for i, v := range []float64{math.NaN(), math.Inf(1), -5, math.MaxFloat64, 1e308, 0, math.NaN()} {
				s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: int64(i) * 1000, Value: v}}})
			}
		},
		func(s *store.Session) { // messages only
			s.Append(&model.Batch{Track: 2, Messages: []model.Message{{Time: 5, Text: "a"}, {Time: 1 << 50, Text: "b"}}})
		},
		func(s *store.Session) { // an earlier time comes late
			for i := range int64(40) {
				s.Append(&model.Batch{Track: model.TrackID(i % 5), Spans: []model.Span{{Begin: 1e9 - i*1e7, End: 1e9 - i*1e7 + 3e6, Path: 1}}})
			}
		},
	}
	for i, f := range build {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "a"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		s.Apply(model.TrackDef{ID: 1, Name: "one"})
		f(s)
		for _, r := range []draw.Rect{{X1: 800, Y1: 62}, {X1: 3, Y1: 62}, {X1: 30, Y1: 5}, {}, {X0: 500, Y0: 500, X1: 20_000, Y1: 510}} {
			rig := chartstest.NewRig(s, 1, 10, 10)
			rig.R = r
			v := rig.Env.View
			dash, _ := tables.NewDashboard()
			charts := []panel.Panel{&overview.Overview{}, &overview.History{}, dash, table.New("t", tables.NewThreads()), table.New("c", tables.NewCollectorTree()), table.New("s", tables.NewStats(false)),
				table.New("l", tables.NewLosses()), table.New("k", tables.NewSpikes())}
			for _, c := range charts {
				rig.Tick(c)
				rig.Click(c, r.X0+1, r.Y0+4)
				rig.Drag(c, r.X0+2, r.Y0+3, r.X1-1, r.Y0+3)
				rig.Drag(c, r.X1-2, r.Y1-1, r.X0, r.Y1-1)
				rig.In.WheelY = -40
				rig.Tick(c)
				c.HitTest(rig.Env, r.X0+1, r.Y0+1)
				v.StepFrame(3)
				v.StepFrame(-7)
				v.StepSpike(1)
				v.ExtendRange(-2)
				v.GoFirst()
				v.GoLast()
				rig.Tick(c)
				if l := c.List(); l != nil && l.Quads() > 100_000 {
					t.Errorf("session %d, %T: %d quads", i, c, l.Quads())
				}
				for _, q := range listOf(c) {
					if !(q >= -1e6 && q <= 1e6) {
						t.Fatalf("session %d, %T in %v: a vertex at %v", i, c, r, q)
					}
				}
				v.ClearSelection()
			}
		}
	}
}

// listOf returns the positions of a chart's vertices.
func listOf(c panel.Panel) (out []float32) {
	if l := c.List(); l != nil {
		for i := range l.Vertices {
			out = append(out, l.Vertices[i].X, l.Vertices[i].Y)
		}
	}
	return out
}
