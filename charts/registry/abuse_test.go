package registry

import (
	"math"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"framescope/assets"
	"framescope/charts/calls"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/locks"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/timeline"
	"framescope/charts/topology"
	"framescope/charts/view"
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

// switchCharts makes one chart of each kind.
func switchCharts() map[string]panel.Panel {
	dash, _ := tables.NewDashboard()
	lockPanel, _ := locks.NewLockPanel()
	return map[string]panel.Panel{
		"timeline": &timeline.Timeline{}, "overview": &overview.Overview{}, "history": &overview.History{}, "frames": &overview.FrameStrip{}, "flame": flame.New(model.NoCollector), "piano": strip.NewPiano(model.NoTrack),
		"strip": strip.New(model.NoTrack, 0, false), "levels": strip.New(model.NoTrack, 0, true), "call tree": calls.NewTree(), "slow calls": calls.NewSlow(),
		"series": series.NewChart(), "series table": table.New("t", series.NewTable()), "leaks": tables.NewLeaks(), "locks": &locks.Chart{}, "contention": lockPanel, "processors": &timeline.Chart{},
		"topology": topology.New(), "messages": tables.NewMessages(), "dashboard": dash, "threads": table.New("t", tables.NewThreads()), "collectors": table.New("c", tables.NewCollectorTree()),
		"statistics": table.New("s", tables.NewStats(false)), "losses": table.New("l", tables.NewLosses()), "spikes": table.New("k", tables.NewSpikes()),
	}
}

// Another session may be shown before a chart is updated: by a key in the same tick, or because the
// chart's panel is folded. What it knows of the session before must not be taken
// for something of the new one.
func TestChartsOfOneSessionAskedAboutAnother(t *testing.T) {
	sessions := []struct {
		name string
		s    *store.Session
	}{
		{"none", nil}, {"frames", chartstest.SessionOf(40)}, {"latency", chartstest.LatencySession(50)}, {"calls", chartstest.NewCallSession(true)}, {"empty", store.NewSession()}, {"locks", chartstest.NewLockSession(t)},
		{"leaks", chartstest.LeakSession()}, {"messages", chartstest.MessageSession(30)}, {"pipeline", chartstest.TeePipeline().Session()}, {"states", chartstest.StateSession(20)},
	}
	th, atlas := assets.Dark(), draw.NewAtlas(1)
	for i := range sessions {
		for _, step := range []int{1, 4, 9} {
			from, a := sessions[i].name, sessions[i].s
			other := &sessions[(i+step)%len(sessions)]
			to, b := other.name, other.s
			for name, c := range switchCharts() {
				for _, at := range [][2]float32{{60, 40}, {250, 150}, {120, 250}} {
					first := view.New(a)
					first.Follow(false)
					rig := &chartstest.Rig{Env: &panel.Env{View: first, Theme: &th, Atlas: atlas, Scale: 1, NowNs: 1e9}, R: draw.Rect{X1: 500, Y1: 300}}
					rig.Tick(c)
					rig.Click(c, at[0], at[1])
					shown := view.New(b)
					shown.Follow(false)
					rig.Env.View = shown
					func() {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s from %s to %s: %v\n%s", name, from, to, p, debug.Stack())
							}
						}()
						c.Title(rig.Env)
						c.Mode(rig.Env)
						if f, ok := c.(*flame.Graph); ok {
							f.FirstChild(rig.Env)
							f.Parent(rig.Env)
						}
						rig.In.Left = panel.Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.Tick(c)
						c.HitTest(rig.Env, at[0], at[1])
						rig.In.Right = panel.Button{Released: true, DownX: at[0], DownY: at[1]}
						rig.Tick(c)
						rig.Env.View = first
						rig.R = draw.Rect{X1: 30, Y1: 8}
						rig.Tick(c)
					}()
					checkSwitched(t, name+" from "+from+" to "+to, shown)
				}
			}
		}
	}
}

// checkSwitched fails when the view has something selected that its session does not have.
func checkSwitched(t *testing.T, what string, v *view.View) {
	t.Helper()
	if v.Session() == nil {
		return
	}
	if v.HasSpan() && v.Session().Track(v.Span().Ref.Track) == nil {
		t.Errorf("%s: a span of track %d is selected", what, v.Span().Ref.Track)
	}
	if v.Collector() >= 0 && int(v.Collector()) >= v.Session().Collectors().Len() {
		t.Errorf("%s: collector %d of %d is selected", what, v.Collector(), v.Session().Collectors().Len())
	}
}
