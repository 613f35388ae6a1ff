package registry

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// pipelineWithLocks returns a session in which there is something of every kind: threads with
// locks, and a mixer and a sink that messages name and that series are about.
func pipelineWithLocks(t *testing.T) (s *store.Session, mixer model.ObjectID, fill model.SeriesID) {
	s = chartstest.NewLockSession(t)
	objects, first := model.ObjectID(len(s.Topology().Objects())), model.SeriesID(s.Series().Len())
	mixer, fill = objects, first
	for i, name := range []string{"mixer", "sink"} {
		s.Apply(model.ObjectDef{
			ID: objects + model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectElement, Name: name,
			Created: model.TimeUnknown, Gone: model.TimeUnknown,
		})
		id := first + model.SeriesID(i)
		s.Apply(model.SeriesDef{
			ID: id, Name: name, Group: "fill", Track: model.NoTrack, Object: objects + model.ObjectID(i), Peer: model.NoObject,
		})
		b := model.Batch{Track: model.NoTrack}
		for k := range int64(40) {
			b.Samples = append(b.Samples, model.Sample{Series: id, Time: k * 5_000_000, Value: float64(k % 7)})
		}
		s.Append(&b)
	}
	s.Apply(model.LinkDef{From: mixer, To: mixer + 1, Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries})
	return s, mixer, fill
}

// What is selected stands out in every panel in which it appears, wherever it was chosen; nothing
// of it is left when it is let go; and no other panel is drawn otherwise.
func TestThingsLightUpEverywhere(t *testing.T) {
	s, mixer, fill := pipelineWithLocks(t)
	rig := chartstest.NewRig(s, 1, 1100, 700)
	v := rig.Env.View
	v.Steer().PlaceTime(110_000_000, 142_000_000)
	panels := map[string]panel.Panel{}
	for _, d := range All() {
		if p := d.New(); d.Has == nil || d.Has(s.Contents()) {
			panels[d.ID] = p
			if c, ok := p.(*series.Chart); ok {
				c.Show("fill")
			}
		}
	}
	picture := func(id string) []draw.Vertex {
		for range 4 {
			rig.Tick(panels[id])
		}
		return slices.Clone(panels[id].List().Vertices)
	}
	before := map[string][]draw.Vertex{}
	for id := range panels {
		before[id] = picture(id)
	}
	var use locks.Use // a wait for a condition that a signal ended
	a := s.Locks().Arrows(110_000_000, 142_000_000, nil)[0]
	for _, bar := range s.Locks().Bars(a.Lock, a.ToTime, a.ToTime, 1, nil) {
		if bar.Kind == locks.Condition && bar.End == a.ToTime {
			use = bar.Use
		}
	}
	said := s.Messages().Of(chartstest.LtAudio, 120_000_000, 130_000_000, nil)[0]
	if use == (locks.Use{}) || said.Object != "mixer" {
		t.Fatalf("use %+v, message %+v", use, said)
	}
	for _, c := range []struct {
		name  string
		thing view.Thing
		in    []string
	}{
		{"element", view.Element(mixer), []string{"topology", "series", "counters", "messages", "elements"}},
		{"series", view.Series(fill), []string{"topology", "series", "counters", "elements"}},
		{"lock", view.Lock(a.Lock), []string{"timeline", "locks", "contention"}},
		{"use", view.Use(use), []string{"timeline", "locks", "contention"}},
		{"message", view.Message(chartstest.LtAudio, said), []string{"timeline", "messages", "topology", "elements"}},
	} {
		v.Select(c.thing)
		for _, id := range c.in {
			if panels[id] == nil || len(before[id]) == 0 {
				t.Fatalf("there is no panel %s", id)
			}
		}
		for id := range panels {
			lit := !slices.Equal(picture(id), before[id])
			switch about := v.Collector() != model.NoCollector; { // panels of collectors are about those of locks
			case slices.Contains(c.in, id) && !lit:
				t.Errorf("a %s is selected, and nothing stands out in %s", c.name, id)
			case !slices.Contains(c.in, id) && lit && !about:
				t.Errorf("a %s is selected, and something stands out in %s", c.name, id)
			}
		}
		if v.Thing() != c.thing {
			t.Errorf("a %s was selected, and panels left %+v", c.name, v.Thing())
		}
		v.ClearThing()
		for id := range panels {
			if !slices.Equal(picture(id), before[id]) {
				t.Errorf("a %s was let go, and %s is not what it was", c.name, id)
			}
		}
	}
	// The use of a lock stands out from the lock: its bar, its arrow, its length in the table.
	for _, id := range []string{"locks", "timeline"} {
		v.Select(view.Lock(a.Lock))
		lock := picture(id)
		if v.Select(view.Use(use)); slices.Equal(picture(id), lock) {
			t.Errorf("a use of a lock looks like the lock in %s", id)
		}
	}
}
