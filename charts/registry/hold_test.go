package registry

import (
	"fmt"
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

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
