package registry

import (
	"fmt"
	"slices"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/locks"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// What shows the same again leaves its list as it is, so that the window need not be painted.
func TestNothingNewIsNotDrawnAgain(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.SelectFrames(150, 150)
	rect := draw.Rect{X1: 300, Y1: 400}
	tree := table.New("Collectors", tables.NewCollectorTree())
	var tip panel.Tooltip
	hit := panel.Hit{Kind: panel.HitSpan, Collector: 2, Lines: []string{"Cull", "duration\t1 ms"}, Rect: draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}}
	tick := func() (uint64, uint64) {
		env.NowNs += 16e6
		env.View.Tick(env.NowNs, false)
		tree.Update(env, rect, &panel.Input{X: -1, Y: -1})
		return tree.List().Revision(), tip.Draw(env, &hit, 20, 20, rect).Revision()
	}
	tick()
	tree0, tip0 := tick()
	for range 5 {
		if tree1, tip1 := tick(); tree1 != tree0 || tip1 != tip0 {
			t.Fatalf("revisions of the tree %d, then %d; of the tooltip %d, then %d", tree0, tree1, tip0, tip1)
		}
	}
	hit.Lines[1] = "duration\t2 ms"
	env.View.SelectFrames(151, 151)
	if tree1, tip1 := tick(); tree1 == tree0 || tip1 == tip0 {
		t.Error("what changed was not drawn")
	}
}

// No chart paints itself while nothing comes and nobody moves the mouse, be the session live or
// not.
func TestChartsOfQuietSessionsAreStill(t *testing.T) {
	const tickNs = 16_666_667
	th, atlas := assets.Dark(), draw.NewAtlas(1)
	for _, s := range []struct {
		name string
		s    *store.Session
	}{
		{"none", nil}, {"empty", store.NewSession()}, {"frames", chartstest.SessionOf(400)}, {"calls", chartstest.NewCallSession(true)}, {"latency", chartstest.LatencySession(500)}, {"states", chartstest.StateSession(50)},
		{"locks", chartstest.NewLockSession(t)}, {"leaks", chartstest.LeakSession()}, {"messages", chartstest.MessageSession(100)}, {"pipeline", chartstest.TeePipeline().Session()},
	} {
		for _, live := range []bool{false, true} {
			for name, c := range switchCharts() {
				v := view.New(s.s)
				v.Follow(live)
				rig := &chartstest.Rig{Env: &panel.Env{View: v, Theme: &th, Atlas: atlas, Scale: 1, NowNs: 1e9, Animate: true, Paced: true}, R: draw.Rect{X1: 500, Y1: 300}}
				for range 60 { // jumps end, and what is made ready piece by piece is
					rig.Tick(c)
				}
				before := c.List().Revision()
				for i := range 90 {
					if rig.Tick(c); c.List().Revision() != before {
						t.Errorf("%s of a session with %s (live: %v) painted itself %d ms later", name, s.name, live, (i+1)*tickNs/1e6)
						break
					}
				}
				begin, end := v.Time().Visible()
				if live || end <= begin+4*format.MinNs {
					continue
				}
				v.Steer().ZoomTo(begin+(end-begin)/4, begin+(end-begin)/2)
				for range (format.AnimateNs+panel.LiveValuesNs)/tickNs + 4 {
					rig.Tick(c)
				}
				before = c.List().Revision()
				for range 20 {
					if rig.Tick(c); c.List().Revision() != before {
						t.Errorf("%s of a session with %s goes on painting itself after a jump", name, s.name)
						break
					}
				}
			}
		}
	}
}

// A table whose numbers are read four times a second while live is drawn no more often, and shows
// then what a table that is opened at that moment shows; what is selected shows at once.
func TestLiveTablesAreDrawnWithTheirNumbers(t *testing.T) {
	for name, open := range map[string]func() *table.Table{
		"collectors": func() *table.Table { return table.New("", tables.NewCollectorTree()) },
		"statistics": func() *table.Table { return table.New("", tables.NewStats(false)) },
		"threads":    func() *table.Table { return table.New("", tables.NewThreads()) },
		"losses":     func() *table.Table { return table.New("", tables.NewLosses()) },
	} {
		t.Run(name, func(t *testing.T) {
			g := chartstest.NewLiveGame(8)
			for range 200 {
				g.Frame()
			}
			rig := chartstest.NewRig(g.S, 1, 700, 300)
			rig.Env.Paced = true
			rig.Env.View.Follow(true)
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
				if !slices.Equal(c.List().Vertices, fresh.List().Vertices) {
					t.Fatal("it shows something else than a table that is opened now")
				}
			}
			if drawn < 3 || drawn > 5 {
				t.Errorf("drawn %d times in a second", drawn)
			}
			if name == "losses" || name == "threads" {
				return
			}
			before := c.List().Revision()
			rig.Env.View.SelectCollector(3)
			if rig.Tick(c); c.List().Revision() == before {
				t.Error("a collector is selected, and it is not drawn again")
			}
		})
	}
}

// turning is a running game whose threads and collectors take turns in taking most, so that every
// list of them is in another order now and then.
func turning() (s *store.Session, grow func()) {
	const tracks, collectors = 3, 8
	s = store.NewSession()
	for id := range model.TrackID(tracks) {
		s.Apply(model.TrackDef{ID: id, Name: fmt.Sprint("Thread ", id), Main: id == 0})
	}
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	for c := 1; c <= collectors; c++ {
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: fmt.Sprint("Stage ", c)})
		s.Apply(model.PathDef{ID: model.PathID(c), Collector: model.CollectorID(c)})
	}
	number, at := int64(0), int64(1e9)
	return s, func() {
		for range 60 {
			for id := range model.TrackID(tracks) {
				b := model.Batch{Track: id, HasFrame: true, Number: number, Begin: at}
				begin := at
				for c := 1; c <= collectors; c++ {
					d := int64(100_000) * (1 + (int64(c)*5+number/40*3+int64(id))%11) * (1 + (number/60+int64(id))%3)
					if number%17 == int64(id) && c == 1+int(number/17)%collectors {
						d += 9_000_000 + number*10_000 // a spike, each longer than those before
					}
					b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + d, Path: model.PathID(c)})
					b.Alone = append(b.Alone, model.CollectorTime{Collector: model.CollectorID(c), Ns: d, Count: 1})
					begin += d
				}
				b.End = begin
				s.Append(&b)
			}
			number, at = number+1, at+60_000_000
		}
	}
}

// calling is a running program without frames.
func calling() (s *store.Session, grow func()) {
	w, until := chartstest.NewCallWriter(true), int64(0)
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
					for range 90 {
						rig.Tick(p)
					}
					for _, y := range []float32{60, 120, 180, 60} {
						if over {
							rig.Move(p, 120, y)
							rig.Tick(p)
						}
						was := rowsOf(rig.Env, c)
						if over {
							rig.Click(p, 120, y)
						}
						for range 3 {
							grow()
							for range 20 {
								rig.Tick(p)
							}
							now := rowsOf(rig.Env, c)
							found := disorder(was, now)
							sorted[d.ID] = sorted[d.ID] || !over && found != ""
							if over && found != "" {
								t.Errorf("%s of %s, live %v: under the mouse %s", d.ID, name, live, found)
							}
							was = now
						}
					}
				}
			}
		}
	}
	for _, id := range []string{"collectors", "statistics", "spikes", "packages", "calltree", "dashboard"} {
		if !sorted[id] {
			t.Errorf("%s never changes its order: the trial says nothing of it", id)
		}
	}
}

// What moves every tick allocates nothing once it was drawn.
func TestNewChartsAllocateNothing(t *testing.T) {
	s := chartstest.NewLockSession(t)
	for name, c := range map[string]panel.Panel{"timeline": &timeline.Timeline{}, "locks": &locks.Chart{}, "processors": &timeline.Chart{}, "messages": tables.NewMessages()} {
		env := chartstest.NewEnv(s, 1)
		env.View.Tick(1, false)
		r := draw.Rect{X1: 1000, Y1: 400}
		chartstest.Settle(env, c, r)
		i, in := int64(0), chartstest.MouseAt(300, 60)
		tick := func() {
			i++
			env.NowNs += 16_000_000
			d := i % 50 * 1_000_000
			env.View.Steer().Set(float64(d), float64(d+200_000_000), false, 0)
			env.View.PlacePlayhead(d * 3)
			env.View.Tick(env.NowNs, false)
			in.Y = float32(60 + i%300)
			c.Update(env, r, in)
			c.HitTest(env, 300, float32(60+i%300))
			c.Mode(env)
		}
		for range 400 {
			tick()
		}
		if n := testing.AllocsPerRun(400, tick); n >= 1 {
			t.Errorf("%s: %g allocations a tick", name, n)
		}
	}
}

// While a range is being dragged, no panel allocates anything in a tick.
func TestBrushingAllocatesNothing(t *testing.T) {
	made, err := gen.New(gen.Options{Spans: 200_000, Tracks: 4, Depth: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := store.NewSession()
	made.Fill(s)
	begin, end, _ := s.Bounds()
	for _, d := range All() {
		if d.Has != nil && !d.Has(s.Contents()) {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			env, p, in := chartstest.NewEnv(s, 1), d.New(), panel.Input{}
			at := int64(0)
			tick := func() {
				at++
				to := begin + (end-begin)/4 + at%200*(end-begin)/400
				env.View.SelectRange(begin+(end-begin)/5, to)
				env.NowNs += 16_666_667
				env.View.Tick(env.NowNs, false)
				in = panel.Input{X: -1, Y: -1, DtNs: 16_666_667}
				p.Update(env, draw.Rect{X1: 900, Y1: 400}, &in)
			}
			for range 400 { // lists have grown to what is needed
				tick()
			}
			if n := testing.AllocsPerRun(200, tick); n > 0 {
				t.Errorf("%g allocations a tick", n)
			}
		})
	}
}

func BenchmarkLivePanels(b *testing.B) {
	for _, c := range []struct {
		name  string
		chart panel.Panel
	}{
		{"strip", strip.New(model.NoTrack, 0, false)}, {"flame", flame.New(model.NoCollector)}, {"piano", strip.NewPiano(model.NoTrack)},
		{"collectors", table.New("", tables.NewCollectorTree())}, {"stats", table.New("", tables.NewStats(false))}, {"threads", table.New("", tables.NewThreads())},
		{"spikes", table.New("", tables.NewSpikes())}, {"losses", table.New("", tables.NewLosses())},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := chartstest.NewLiveGame(30)
			for range 2000 {
				g.Frame()
			}
			rig := chartstest.NewRig(g.S, 1, 900, 400)
			rig.Env.Animate, rig.Env.Paced = true, true
			rig.Env.View.Follow(true)
			rig.Tick(c.chart)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				g.Frame()
				b.StartTimer()
				rig.Tick(c.chart)
			}
			b.ReportMetric(float64(c.chart.List().Quads()), "quads/frame")
		})
	}
}
