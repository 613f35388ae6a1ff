package registry

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	ran "framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/gsttrace"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

// oddSessions are sessions that no sane program sends, and one of each kind that one does.
func oddSessions(t *testing.T) map[string]*store.Session {
	frame := func(s *store.Session, number, begin, end int64, alone ...model.CollectorTime) {
		b := model.Batch{HasFrame: true, Number: number, Begin: begin, End: end, Self: alone}
		for _, a := range alone {
			path := model.PathID(a.Collector) + 1
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: path, Lane: uint16(a.Collector)})
			b.Levels = append(b.Levels, model.Level{Collector: a.Collector, Time: begin, Value: float64(a.Ns)})
		}
		s.Append(&b)
	}
	call := func(s *store.Session, track model.TrackID, begin, end int64) {
		s.Append(&model.Batch{Track: track, Spans: []model.Span{{Begin: begin, End: end, Path: 1}}})
	}
	const far = int64(1) << 61
	odd := kinds(t)
	for name, fill := range map[string]func(s *store.Session){
		"one frame": func(s *store.Session) {
			frame(s, 1, 1e9, 1e9+5e6, model.CollectorTime{Collector: 1, Ns: 5e6, Count: 1})
		},
		"empty frames": func(s *store.Session) {
			for i := range int64(5) {
				frame(s, i, i*100, i*100) // no duration, nothing in them
			}
		},
		"negative": func(s *store.Session) {
			for i := range int64(20) {
				frame(s, i, 1e9+i*1e7, 1e9+i*1e7+9e6, model.CollectorTime{Collector: 1, Ns: 7e6},
					model.CollectorTime{Collector: 2, Ns: -2e6}, model.CollectorTime{Collector: 3, Ns: 4e6})
			}
		},
		"frames far apart": func(s *store.Session) {
			frame(s, math.MinInt32, -4e18, -4e18+1, model.CollectorTime{Collector: 1, Ns: 1})
			frame(s, math.MaxInt32, 4e18, 4e18+1e9, model.CollectorTime{Collector: 2, Ns: 1e9})
		},
		"wild levels": func(s *store.Session) {
			b := model.Batch{HasFrame: true, Number: 3, Begin: 5, End: 1e9}
			for i, v := range []float64{math.Inf(1), math.NaN(), -1e300, 1e300} {
				b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(i + 1), Time: 5 + int64(i/2), Value: v})
			}
			s.Append(&b)
		},
		"all of time": func(s *store.Session) { call(s, 0, -far, -far+5); call(s, 0, far-9, far) },
		"one instant": func(s *store.Session) { call(s, 3, 77, 77) },
		"loads that are no numbers": func(s *store.Session) {
			of := model.SeriesDef{Role: model.RoleCPULoad, Unit: "%", Track: 1, Object: model.NoObject, Peer: model.NoObject}
			s.Apply(of)
			of.ID, of.Role, of.Track = 1, model.RoleStack, 900_000_000
			s.Apply(of)
			for i, v := range []float64{math.NaN(), math.Inf(1), -5, math.MaxFloat64, 1e308, 0, math.NaN()} {
				s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: int64(i) * 1000, Value: v}}})
			}
		},
		"messages alone": func(s *store.Session) {
			s.Append(&model.Batch{Track: 2, Messages: []model.Message{{Time: 5, Text: "a"}, {Time: 1 << 50, Text: "b"}}})
		},
		"earlier times come late": func(s *store.Session) {
			for i := range int64(40) {
				call(s, model.TrackID(i%5), 1e9-i*1e7, 1e9-i*1e7+3e6)
			}
		},
	} {
		s := store.NewSession()
		s.Apply(model.TrackDef{ID: 1, Name: "one"})
		for id := range model.CollectorID(6) {
			s.Apply(model.CollectorDef{ID: id, Name: string(rune('A' + id)), Parent: max(0, id-1), Sort: int(id)})
			s.Apply(model.PathDef{ID: model.PathID(id) + 1, Parent: model.PathID(id), Collector: id})
		}
		fill(s)
		odd[name] = s
	}
	for seed := range uint64(testkit.Rounds(3, 20)) {
		odd[fmt.Sprint("anything ", seed)] = wildSession(rand.New(rand.NewPCG(seed, 1)))
	}
	return odd
}

// wildSession is one whose frames and spans are wherever they like, within what the model demands of a decoder.
func wildSession(rng *rand.Rand) *store.Session {
	s := chartstest.Named("Frame", "", "a\x00\xff", "Name")
	s.Apply(model.Info{Clock: model.Clock{Float32Seconds: rng.IntN(2) == 0}})
	times := func() (begin, end int64) {
		a, b := rng.Int64N(2e9), rng.Int64N(2e9)
		switch rng.IntN(6) {
		case 0:
			a = []int64{math.MinInt64, math.MaxInt64, 0, -1, 1 << 62, -1 << 62, 1 << 53}[rng.IntN(7)]
		case 1:
			b = int64(rng.Uint64())
		}
		return min(a, b), max(a, b)
	}
	for id := range model.TrackID(4) {
		s.Apply(model.TrackDef{ID: id, Name: "t", Index: int(id), OwnClock: rng.IntN(4) == 0})
		ends := []int64{math.MinInt64, math.MinInt64, math.MinInt64}
		number := rng.Int64N(10) - 5
		for range rng.IntN(7) {
			b := model.Batch{Track: id, HasFrame: true, Number: number}
			b.Begin, b.End = times()
			for lane := range ends {
				begin, end := times()
				if begin < ends[lane] {
					continue
				}
				ends[lane] = end
				of := model.Span{Begin: begin, End: end, Path: model.PathID(lane + 1), Lane: uint16(lane)}
				of.Flags = model.SpanFlags(rng.IntN(16)) &^ model.SpanContinues
				b.Spans = append(b.Spans, of)
			}
			level := []float64{0, -5, 1e300, math.NaN(), math.Inf(1), 5e-324}[rng.IntN(6)]
			b.Levels = []model.Level{{Collector: model.CollectorID(rng.IntN(4)), Time: b.Begin, Value: level}}
			s.Append(&b)
			number += []int64{1, 1, 2, 1 << 40}[rng.IntN(4)]
		}
	}
	return s
}

// kinds are sessions of every kind.
func kinds(t *testing.T) map[string]*store.Session {
	return map[string]*store.Session{
		"none": nil, "empty": store.NewSession(), "frames": chartstest.NewSession(t),
		"calls": chartstest.NewCallSession(true), "spans": chartstest.NewCallSession(false),
		"latency": chartstest.LatencySession(50), "states": chartstest.StateSession(20), "locks": chartstest.NewLockSession(t),
		"leaks": chartstest.LeakSession(), "messages": chartstest.MessageSession(50),
		"pipeline": chartstest.TeePipeline().Session(),
	}
}

// recorded are recordings of every kind of source.
func recorded(t *testing.T) map[string]*store.Session {
	return map[string]*store.Session{
		"game": chartstest.Load(t, decode.Source{}, recordings.PStats, "nested.pstats"), "pipeline's latencies": chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz"),
		"profile": chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "small-clean.prof"), "samples": chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s")),
	}
}

// everyPanel makes a panel of each kind, and some that are about one thread or collector.
func everyPanel() []panel.Panel {
	list := []panel.Panel{
		&overview.History{}, strip.New(0, 1, true), strip.New(3, 2, false), strip.NewPiano(7), flame.New(2),
	}
	for _, d := range append(All(), Compared()...) {
		list = append(list, d.New())
	}
	return list
}

// having returns the panels that have something for a session.
func having(s *store.Session) []panel.Def {
	return slices.DeleteFunc(All(), func(d panel.Def) bool { return d.Has != nil && !d.Has(s.Contents()) })
}

// atLeast fails for each of some panels of which fewer things were looked at.
func atLeast(t *testing.T, least int, seen map[string]int, ids ...string) {
	t.Helper()
	for _, id := range ids {
		testkit.That(t, seen[id] >= least, "%d things of %s were looked at, want %d", seen[id], id, least)
	}
}

// Whatever mice, keys, sizes and sessions are thrown at panels, nothing panics, and nothing is drawn outside
// of them, without bound, or at no place at all.
func TestPanelsSurviveAbuse(t *testing.T) {
	for name, s := range oddSessions(t) {
		t.Run(name, func(t *testing.T) {
			panels := everyPanel()
			chartstest.Abuse(t, s, panels, testkit.Rounds(60, 250), func(rig *chartstest.Rig, rng *rand.Rand) {
				abuseView(rig, rng)
				b, e := rig.Env.View.Steer().Target()
				testkit.MustThat(t, !math.IsNaN(b) && !math.IsNaN(e) && e >= b, "the axis shows [%g, %g]", b, e)
				switch p := panels[rng.IntN(len(panels))].(type) {
				case *flame.Graph:
					p.ToggleLock(rig.Env)
					p.Parent(rig.Env)
					p.FirstChild(rig.Env)
				case panel.Filterer:
					p.SetFilter([]string{"", "a", "\xff"}[rng.IntN(3)])
				case panel.Keyed:
					p.Key(rig.Env, []string{"up", "down", "end", "enter"}[rng.IntN(4)])
				}
			})
		})
	}
}

// abuseView does something with a view.
func abuseView(rig *chartstest.Rig, rng *rand.Rand) {
	v := rig.Env.View
	for i, verb := range []func(){
		func() { v.Follow(true) },
		func() { v.StepFrame(rng.IntN(21) - 10) },
		func() { v.SetPlayhead(rng.Int64N(4e9)) },
		func() { v.SelectRange(rng.Int64N(4e9), rng.Int64N(4e9)) },
		func() { v.Look().SetShowInterpolated(!v.Look().ShowInterpolated()) },
		func() { v.SelectCollector(model.CollectorID(rng.IntN(8) - 1)) },
		v.Steer().FitAll, v.GoFirst, v.GoLast, v.ClearSelection,
		func() { v.StepSpike(1) },
		func() { v.ExtendRange(-2) },
		func() { v.Steer().Set(0, []float64{1000, 400e6, 4e17}[rng.IntN(3)], false, 0) },
		func() { v.Look().SetMessageFilter(view.MessageFilter{Text: "a"}) },
	} {
		if rng.IntN(26) == i {
			verb()
		}
	}
}

// Another session may be shown before a chart is updated: by a key in the same tick, or because the
// chart's panel is folded. What it knows of the session before must not be taken
// for something of the new one.
func TestChartsOfOneSessionAskedAboutAnother(t *testing.T) {
	sessions := kinds(t)
	names := slices.Sorted(maps.Keys(sessions))
	for i, from := range names {
		for _, step := range []int{1, 4, 9} {
			to := names[(i+step)%len(names)]
			for k, c := range everyPanel() {
				for n, at := range [][2]float32{{60, 40}, {250, 150}} {
					if (k+i+n)%2 == 0 && !testkit.Long {
						continue
					}
					what := fmt.Sprintf("%T from %s to %s", c, from, to)
					first, shown := view.New(sessions[from]), view.New(sessions[to])
					first.Follow(false)
					shown.Follow(false)
					rig := chartstest.NewRig(nil, 1, 500, 300)
					rig.Env.View = first
					rig.Tick(c)
					rig.Click(c, at[0], at[1])
					if f, ok := c.(*flame.Graph); ok && f.FirstChild(rig.Env) { // it is zoomed
						rig.Tick(c)
					}
					func() {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s: %v\n%s", what, p, debug.Stack())
							}
						}()
						askAbout(rig, c, shown, at)
						rig.Env.View, rig.R = first, draw.Rect{X1: 30, Y1: 8}
						rig.Tick(c)
					}()
					checkSwitched(t, what, shown)
				}
			}
		}
	}
}

// askAbout asks a chart about another session than that of its last tick, and then shows it that.
func askAbout(rig *chartstest.Rig, c panel.Panel, shown *view.View, at [2]float32) {
	rig.Env.View = shown
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
}

// checkSwitched fails when the view has something selected that its session does not have.
func checkSwitched(t *testing.T, what string, v *view.View) {
	t.Helper()
	if v.None() {
		return
	}
	testkit.That(t, !v.HasSpan() || v.Session().Track(v.Span().Ref.Track) != nil,
		"%s: a span of track %d is selected", what, v.Span().Ref.Track)
	testkit.That(t, v.Collector() < 0 || int(v.Collector()) < v.Session().Collectors().Len(),
		"%s: collector %d of %d is selected", what, v.Collector(), v.Session().Collectors().Len())
}

// No chart paints itself while nothing comes and nobody moves the mouse, be the session live or
// not.
func TestChartsOfQuietSessionsAreStill(t *testing.T) {
	const tickNs = 16_666_667
	for name, s := range kinds(t) {
		for _, live := range []bool{false, true} {
			for _, c := range everyPanel() {
				rig := chartstest.NewRig(s, 1, 500, 300)
				v := rig.Env.View
				rig.Env.Animate, rig.Env.Paced = true, true
				v.Follow(live)
				still := func(ready, ticks int, when string) {
					rig.Ticks(c, ready) // jumps end, and what is made ready piece by piece is
					before := c.List().Revision()
					for i := range ticks {
						if rig.Tick(c); c.List().Revision() != before {
							t.Errorf("%T of a session with %s, live %v, painted itself %d ticks %s", c, name, live, i+1, when)
							return
						}
					}
				}
				still(64, 90, "later") // after a second a chart of series has its order
				begin, end := v.Time().Visible()
				if live || end <= begin+4*format.MinNs {
					continue
				}
				v.Steer().ZoomTo(begin+(end-begin)/4, begin+(end-begin)/2)
				still((format.AnimateNs+panel.LiveValuesNs)/tickNs+4, 20, "after a jump")
			}
		}
	}
}

// No panel allocates anything once it was drawn: while its window of time moves, a range is dragged, the
// mouse goes over it, and it is asked what is there. What is sampled lists sum up anew for another range.
func TestTicksAllocateNothing(t *testing.T) {
	sessions := kinds(t)
	delete(sessions, "none")
	sessions["many series"], sessions["load"] = chartstest.LatencySession(6), chartstest.LoadSession()
	for name, s := range sessions {
		begin, end, _ := s.Bounds()
		span := (end - begin) / 400
		for _, d := range having(s) {
			rig, p, i := chartstest.NewRig(s, 1, 900, 400), d.New(), int64(0)
			v := rig.Env.View
			v.Look().SetMeasure(ran.MeasureCPU) // where there is one
			point := func() {
				i++
				rig.Move(p, float32(100+i%60*10), float32(60+i%30*10))
				p.HitTest(rig.Env, rig.In.X, rig.In.Y)
			}
			sums := s.Contents().Series && d.ID == "threads"
			if !sums {
				chartstest.AllocatesNothing(t, d.ID+" of "+name, func() {
					v.Steer().Set(float64(begin+i%30*span), float64(begin+i%30*span+200*span), false, 0)
					v.SelectRange(begin+80*span, begin+100*span+i%60*5*span)
					point()
				})
			}
			chartstest.AllocatesNothing(t, d.ID+" of "+name+", with the mouse alone", func() {
				point()
				p.Title(rig.Env)
				p.Mode(rig.Env)
			})
		}
	}
}

// A table whose numbers are read four times a second while live is drawn no more often, and shows
// then what a table that is opened at that moment shows; what is selected shows at once.
func TestLiveTablesAreDrawnWithTheirNumbers(t *testing.T) {
	for name, open := range map[string]func() *table.Table{
		"collectors": func() *table.Table { return table.New("", tables.NewCollectorTree()) },
		"statistics": func() *table.Table { return table.New("", tables.NewStats()) },
		"threads":    func() *table.Table { return table.New("", tables.NewThreads()) },
		"losses":     func() *table.Table { return table.New("", tables.NewLosses()) },
	} {
		t.Run(name, func(t *testing.T) {
			g, rig := chartstest.NewLiveRig(8, 200, 700, 300)
			c, drawn := open(), 0
			rig.Tick(c)
			for range 60 {
				before := c.List().Revision()
				g.Frame()
				if rig.Tick(c); c.List().Revision() == before {
					continue
				}
				drawn++
				fresh := open()
				rig.Env.NowNs -= 16_666_667
				rig.Tick(fresh)
				testkit.MustThat(t, slices.Equal(c.List().Vertices, fresh.List().Vertices),
					"it shows something else than a table that is opened now")
			}
			testkit.That(t, drawn >= 3 && drawn <= 5, "drawn %d times in a second", drawn)
			if name == "losses" || name == "threads" {
				return
			}
			before := c.List().Revision()
			rig.Env.View.SelectCollector(3)
			rig.Tick(c)
			testkit.That(t, c.List().Revision() != before, "a collector is selected, and it is not drawn again")
		})
	}
}

// turning is a running game whose threads and collectors take turns in taking most, so that every
// list of them is in another order now and then.
func turning() (s *store.Session, grow func()) {
	const tracks, collectors = 3, 8
	names := []string{"Frame"}
	for c := 1; c <= collectors; c++ {
		names = append(names, fmt.Sprint("Stage ", c))
	}
	s = chartstest.Named(names...)
	for id := range model.TrackID(tracks) {
		s.Apply(model.TrackDef{ID: id, Name: fmt.Sprint("Thread ", id), Main: id == 0})
	}
	number, at := int64(0), int64(1e9)
	return s, func() {
		for range 60 {
			for id := range model.TrackID(tracks) {
				var calls []model.CollectorTime
				for c := range model.CollectorID(collectors) {
					d := int64(100_000) * (1 + (int64(c+1)*5+number/40*3+int64(id))%11) * (1 + (number/60+int64(id))%3)
					if number%17 == int64(id) && int64(c) == number/17%collectors {
						d += 9_000_000 + number*10_000 // a spike, each longer than those before
					}
					calls = append(calls, chartstest.Took(c+1, d))
				}
				chartstest.AppendCalls(s, id, number, at, calls...)
			}
			number, at = number+1, at+60_000_000
		}
	}
}

// calling is a running program without frames.
func calling() (s *store.Session, grow func()) {
	w, until := chartstest.NewCallWriter(true), int64(0)
	w.S.Apply(model.Info{Source: "flare", Program: "shop", PID: 77, Clock: model.Clock{StepNs: 20_000_000}})
	return w.S, func() { until += 1_000_000_000; w.Run(until) }
}

// rowsOf names the rows of a list by what they are about, in their order, of trees the upper ones.
func rowsOf(env *panel.Env, c panel.Teller) (rows []string) {
	last := -1
	for _, f := range c.Facts(env, nil) {
		if f.Row != last && f.Depth <= 1 {
			last = f.Row
			of := &f.Of
			rows = append(rows, fmt.Sprint(f.Name, " ", of.Kind, of.Collector, of.Track, of.Frame, of.Bar.Ref, of.Path, of.Thing, of.Group))
		}
	}
	return rows
}

// disorder returns two rows that were in one order and are in the other, or one that is new above one
// that is not; empty: there are none.
func disorder(was, now []string) string {
	left := slices.DeleteFunc(slices.Clone(was), func(row string) bool { return !slices.Contains(now, row) })
	for i, row := range left {
		if now[i] != row {
			return fmt.Sprintf("%s is where %s is to be", now[i], row)
		}
	}
	return ""
}

// sortByNumber sorts a table by the column in which the rows differ most.
func sortByNumber(env *panel.Env, p panel.Panel) {
	t, ok := p.(*table.Table)
	if !ok {
		return
	}
	values, best := map[string]map[float64]bool{}, ""
	for _, f := range t.Facts(env, nil) {
		if values[f.Measure] == nil {
			values[f.Measure] = map[float64]bool{}
		}
		if values[f.Measure][f.Value] = true; len(values[f.Measure]) > len(values[best]) {
			best = f.Measure
		}
	}
	t.SortBy(best, true)
}

// No list changes its order under the mouse, be the view live or paused, also when a row is clicked
// on and that selects something; without the mouse lists follow what comes.
func TestListsHoldStillUnderTheMouse(t *testing.T) {
	charts := []string{"flame", "strip", "levels", "frames", "piano", "timeline", "topology", "waterfall", "series", "history", "overview"}
	sorted := map[string]bool{}
	for name, program := range map[string]func() (*store.Session, func()){"frames": turning, "calls": calling} {
		for _, d := range All() {
			if slices.Contains(charts, d.ID) {
				continue
			}
			for _, over := range []bool{false, true} {
				for _, live := range []bool{true, false} {
					c, ok := d.New().(panel.Teller)
					if !ok {
						continue
					}
					s, grow := program()
					grow()
					grow()
					rig := chartstest.NewRig(s, 1, 600, 500)
					rig.Env.Paced = true
					rig.Env.View.Follow(live)
					p := c.(panel.Panel)
					rig.Tick(p)
					sortByNumber(rig.Env, p)
					rig.Ticks(p, 90)
					for _, y := range []float32{60, 150} {
						if over {
							rig.Move(p, 120, y)
							rig.Tick(p)
						}
						was := rowsOf(rig.Env, c)
						if over {
							rig.Click(p, 120, y)
						}
						for k := range 3 {
							grow()
							if over {
								rig.Move(p, 120+float32(k), y)
							}
							rig.Ticks(p, 20)
							now := rowsOf(rig.Env, c)
							found := disorder(was, now)
							sorted[d.ID] = sorted[d.ID] || !over && found != ""
							testkit.That(t, !over || found == "",
								"%s of %s, live %v: under the mouse %s", d.ID, name, live, found)
							was = now
						}
					}
				}
			}
		}
	}
	for _, id := range []string{"collectors", "statistics", "spikes", "calltree"} {
		testkit.That(t, sorted[id], "%s never changes its order: the trial says nothing of it", id)
	}
}
