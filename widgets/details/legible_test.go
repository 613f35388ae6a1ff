package details

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// selections are what can be selected in a session: one thing of each kind that it has, and of
// collectors the dearest and the rarest of each thread.
func selections(s *store.Session) map[string]func(v *view.View) {
	of := map[string]func(v *view.View){"nothing": func(*view.View) {}}
	begin, end, _ := s.Bounds()
	third := (end - begin) / 3
	of["range"] = func(v *view.View) { v.SelectRange(begin+third, end-third) }
	for id := range min(model.TrackID(s.NumTracks()), 4) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		if n := t.NumFrames(); n > 0 {
			of["frame of "+t.Title()] = func(v *view.View) { v.SetTrack(id); v.SelectFrames(n/2, n/2) }
			of["frames of "+t.Title()] = func(v *view.View) { v.SetTrack(id); v.SelectFrames(n/3, n/2) }
		}
		last := -1
		for c := range model.CollectorID(s.Collectors().Len()) {
			b, ok := s.Spans().Next(id, c, -1<<60, 1)
			if !ok || last >= 0 && int(c) < 2*last {
				continue
			}
			last = max(int(c), 1)
			name := s.Collector(c).Name + " of " + t.Title()
			of[name] = func(v *view.View) { v.SelectCollectorOf(id, c) }
			of["span of "+name] = func(v *view.View) { v.SelectSpan(b) }
		}
		if m := s.Messages().Of(id, begin, end+1, nil); len(m) > 0 {
			of["message of "+t.Title()] = func(v *view.View) { v.Select(view.Message(id, m[0])) }
		}
	}
	if n := len(s.Topology().Resources()); n > 0 {
		of["resource"] = func(v *view.View) { v.Select(view.Resource(model.ResourceID(n - 1))) }
	}
	types := map[string]bool{}
	for _, o := range s.Topology().Objects() {
		if !types[o.Type] {
			types[o.Type] = true
			of["element "+o.Name] = func(v *view.View) { v.Select(view.Element(o.ID)) }
		}
	}
	for _, kind := range []model.SeriesKind{model.SeriesCounter, model.SeriesEvent, model.SeriesGauge, model.SeriesState} {
		for id := range model.SeriesID(s.Series().Len()) {
			if x := s.Series().ByID(id); x != nil && x.Def.Kind == kind {
				of["series "+x.Def.Name] = func(v *view.View) { v.Select(view.Series(id)) }
				break
			}
		}
	}
	for _, x := range s.Locks().Stats(begin, end+1, nil) {
		of["lock"] = func(v *view.View) { v.Select(view.Lock(x.Lock)) }
	}
	return of
}

// What the details and the headline say is legible, whatever is selected.
func TestDetailsAreLegible(t *testing.T) {
	light := assets.Light()
	g := chartstest.Legibility{Sentences: true}
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		for what, choose := range selections(s) {
			for _, sight := range chartstest.Sights(&light) {
				g.Theme = sight.Theme
				rig := g.Rig(s, sight.Scale, sight.W, sight.H)
				choose(rig.Env.View)
				p, why := &Panel{}, &Why{}
				why.details = p
				rig.Ticks(p, 2)
				g.Look(rig, p.List(), "details", name+", "+what)
				p.Shift(0)
				rig.Tick(p)
				g.Look(rig, p.List(), "details among others", name+", "+what)
				rig.Tick(why)
				g.Look(rig, why.List(), "why", name+", "+what)
			}
		}
	}
	g.Report(t)
}

// Whatever is selected, a tick in which nothing changes draws nothing anew and takes no memory; another
// selection is drawn.
func TestDetailsAreStill(t *testing.T) {
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		for what, choose := range selections(s) {
			rig := chartstest.NewRig(s, 1, 320, 400)
			p, why := &Panel{}, &Why{}
			why.details = p
			tick := func() { rig.Tick(p); rig.Tick(why) }
			revisions := func() [2]uint64 { return [2]uint64{p.List().Revision(), why.List().Revision()} }
			tick()
			opened, stamp := revisions(), rig.Env.View.Stamp()
			choose(rig.Env.View)
			for range 4 {
				tick()
			}
			before := revisions()
			testkit.That(t, rig.Env.View.Stamp() == stamp || before != opened,
				"%s, %s: nothing of it is drawn", name, what)
			if n := testing.AllocsPerRun(5, tick); n != 0 || revisions() != before {
				t.Errorf("%s, %s: %v allocations a tick, %v became %v", name, what, n, before, revisions())
			}
		}
	}
}
