package registry

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/model/store"
)

// oddSessions are sessions that no sane program sends.
func oddSessions(t *testing.T) map[string]*store.Session {
	frame := func(s *store.Session, number, begin, end int64, alone ...model.CollectorTime) {
		b := model.Batch{HasFrame: true, Number: number, Begin: begin, End: end, Alone: alone}
		for _, a := range alone {
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: model.PathID(a.Collector) + 1, Lane: uint16(a.Collector)})
			b.Levels = append(b.Levels, model.Level{Collector: a.Collector, Time: begin, Value: float64(a.Ns)})
		}
		s.Append(&b)
	}
	make := func() *store.Session {
		s := store.NewSession()
		for id := range model.CollectorID(6) {
			s.Apply(model.CollectorDef{ID: id, Name: string(rune('A' + id)), Parent: max(0, id-1), Sort: int(id)})
			s.Apply(model.PathDef{ID: model.PathID(id) + 1, Parent: model.PathID(id), Collector: id})
		}
		return s
	}
	one := make()
	frame(one, 1, 1e9, 1e9+5e6, model.CollectorTime{Collector: 1, Ns: 5e6, Count: 1})
	empty := make()
	for i := range int64(5) {
		frame(empty, i, i*100, i*100) // no duration, nothing in them
	}
	negative := make()
	for i := range int64(20) {
		frame(negative, i, 1e9+i*1e7, 1e9+i*1e7+9e6, model.CollectorTime{Collector: 1, Ns: 7e6}, model.CollectorTime{Collector: 2, Ns: -2e6}, model.CollectorTime{Collector: 3, Ns: 4e6})
	}
	far := make()
	frame(far, math.MinInt32, -4e18, -4e18+1, model.CollectorTime{Collector: 1, Ns: 1})
	frame(far, math.MaxInt32, 4e18, 4e18+1e9, model.CollectorTime{Collector: 2, Ns: 1e9})
	wild := make()
	b := model.Batch{HasFrame: true, Number: 3, Begin: 5, End: 1e9, Levels: []model.Level{
		{Collector: 1, Time: 5, Value: math.Inf(1)}, {Collector: 2, Time: 5, Value: math.NaN()}, {Collector: 3, Time: 6, Value: -1e300}, {Collector: 4, Time: 6, Value: 1e300}}}
	wild.Append(&b)
	return map[string]*store.Session{"none": nil, "new": store.NewSession(), "one frame": one, "empty frames": empty, "negative": negative, "far apart": far, "wild levels": wild, "game": chartstest.NewSession(t)}
}

// TestPanelsSurviveAbuse throws random mice, sizes and sessions at every panel: nothing panics, and
// nothing is drawn outside the panel or at no place at all.
func TestPanelsSurviveAbuse(t *testing.T) {
	for name, s := range oddSessions(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 12))
			rig := chartstest.NewRig(s, 1, 600, 300)
			rig.Env.Animate, rig.Env.Paced = true, true
			charts := []panel.Panel{
				strip.New(model.NoTrack, 0, false), strip.New(0, 1, true), strip.New(3, 2, false),
				flame.New(model.NoCollector), flame.New(2), strip.NewPiano(model.NoTrack), strip.NewPiano(7),
				table.New("", tables.NewCollectorTree()), table.New("", tables.NewStats(false)), table.New("", tables.NewStats(true)), table.New("", tables.NewThreads()),
				table.New("", tables.NewSpikes()), table.New("", tables.NewLosses()),
			}
			for i := range 1200 {
				if i%7 == 0 {
					rig.R = draw.Rect{X0: float32(rng.IntN(50)), Y0: float32(rng.IntN(50))}
					rig.R.X1, rig.R.Y1 = rig.R.X0+float32(rng.IntN(800)), rig.R.Y0+float32(rng.IntN(500))
				}
				in := &rig.In
				in.X, in.Y, in.Over = float32(rng.IntN(900)-20), float32(rng.IntN(600)-20), rng.IntN(4) > 0
				in.WheelY = float32(rng.IntN(5)-2) * float32(rng.IntN(2))
				in.WheelX = float32(rng.IntN(5)-2) * float32(rng.IntN(5)/4)
				in.Shift, in.Ctrl, in.Alt = rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(6) == 0
				in.DoubleClick = rng.IntN(8) == 0
				down := rng.IntN(2) == 0
				in.Left.Pressed, in.Left.Released = down && !in.Left.Down, !down && in.Left.Down
				if in.Left.Pressed {
					in.Left.DownX, in.Left.DownY = in.X, in.Y
				}
				in.Left.Down = down
				in.Left.Dragging = down && !in.Left.Pressed
				v := rig.Env.View
				switch rng.IntN(14) {
				case 0:
					v.Follow(true)
				case 1:
					v.StepFrame(rng.IntN(21) - 10)
				case 2:
					v.SetPlayhead(rng.Int64N(4e9))
				case 3:
					v.SelectRange(rng.Int64N(4e9), rng.Int64N(4e9))
				case 4:
					v.Look().SetShowInterpolated(!v.Look().ShowInterpolated())
				case 5:
					v.SelectCollector(model.CollectorID(rng.IntN(8) - 1))
				case 6:
					v.Steer().FitAll()
				}
				mouse := *in
				for _, c := range charts {
					*in = mouse
					rig.Tick(c)
					c.HitTest(rig.Env, in.X, in.Y)
					c.Title(rig.Env)
					c.Mode(rig.Env)
					for k := range c.List().Vertices {
						vx := &c.List().Vertices[k]
						if !(vx.X >= rig.R.X0-1 && vx.X <= rig.R.X1+1 && vx.Y >= rig.R.Y0-1 && vx.Y <= rig.R.Y1+1) {
							t.Fatalf("tick %d: %T draws at %v, %v outside %v", i, c, vx.X, vx.Y, rig.R)
						}
					}
				}
				if f := charts[4].(*flame.Graph); i%50 == 0 {
					f.ToggleLock(rig.Env)
					f.Parent(rig.Env)
					f.FirstChild(rig.Env)
				}
			}
		})
	}
}
