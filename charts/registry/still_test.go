package registry

import (
	"fmt"
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/model"
	ran "framescope/model/spans"
	"framescope/model/store"
)

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
				still(60, 90, "later")
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
			sums := s.Contents().Series && slices.Contains([]string{"dashboard", "threads", "packages"}, d.ID)
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
					rig.Ticks(p, 90)
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
							rig.Ticks(p, 20)
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
