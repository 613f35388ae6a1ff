package view

import (
	"fmt"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// A selected element stands for its pads, for what is about it, and for what is said of it, and for
// nothing whose name only begins alike.
func TestSelectElement(t *testing.T) {
	s := store.NewSession()
	define := func(id, parent model.ObjectID, kind model.ObjectKind, name string) {
		s.Apply(model.ObjectDef{ID: id, Parent: parent, Kind: kind, Name: name, Created: model.TimeUnknown, Gone: model.TimeUnknown})
	}
	define(0, model.NoObject, model.ObjectBin, "pipeline0")
	define(1, 0, model.ObjectElement, "queue0")
	define(2, 1, model.ObjectPad, "src")
	define(3, 0, model.ObjectElement, "queue01")
	define(4, 3, model.ObjectPad, "src")
	for i, name := range []string{"GStreamer", "queue0.src", "query queue0.sink caps", "queue01.src", "push pipeline0", "src"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name})
	}
	v := New(s)
	v.Tick(1, false)
	selected := func() (list []model.CollectorID) {
		for c := range model.CollectorID(s.Collectors().Len()) {
			if v.Selects(c) {
				list = append(list, c)
			}
		}
		return list
	}
	for _, x := range []struct {
		id         model.ObjectID
		collectors string
		objects    string
	}{
		{0, "[1 2 3 4]", "[0 1 2 3 4]"},
		{1, "[1 2]", "[1 2]"},
		{2, "[1]", "[2]"},
		{3, "[3]", "[3 4]"},
	} {
		v.Select(Element(x.id))
		var objects []model.ObjectID
		for id := range model.ObjectID(5) {
			if v.Lights(Element(id)) {
				objects = append(objects, id)
			}
		}
		if got := fmt.Sprint(selected()); got != x.collectors || fmt.Sprint(objects) != x.objects {
			t.Errorf("object %d: collectors %s, objects %v, want %s and %s", x.id, got, objects, x.collectors, x.objects)
		}
	}
	v.Select(Element(1))
	of := func(object string) Thing { return Message(0, model.Message{Object: object}) }
	if !v.Lights(of("queue0:src")) || v.Lights(of("queue01")) || v.Lights(of("")) {
		t.Error("what is said of another object is taken for this one's")
	}
	// A collector is selected instead, and back again.
	v.Tick(2e9, false)
	v.SelectCollector(3)
	if !v.Thing().None() || !v.Selects(3) || v.Selects(1) {
		t.Errorf("%+v is selected beside collector 3", v.Thing())
	}
	v.Tick(4e9, false)
	if v.Unselect(); v.Collector() != model.NoCollector || !v.Thing().None() {
		t.Error("Esc leaves something selected")
	}
}

// thingsSession has a queue with a series, a sink, two locks, messages about the queue, and two
// frames.
func thingsSession(t *testing.T) *store.Session {
	t.Helper()
	s := store.NewSession()
	unknown := model.TimeUnknown
	for _, o := range []model.ObjectDef{
		{ID: 0, Parent: model.NoObject, Kind: model.ObjectElement, Name: "queue0", Created: unknown, Gone: unknown},
		{ID: 1, Parent: 0, Kind: model.ObjectPad, Name: "src", Created: unknown, Gone: unknown},
		{ID: 2, Parent: model.NoObject, Kind: model.ObjectElement, Name: "sink0", Created: unknown, Gone: unknown},
	} {
		s.Apply(o)
	}
	for id, of := range []model.ObjectID{1, 2} {
		s.Apply(model.SeriesDef{ID: model.SeriesID(id), Name: "level", Track: model.NoTrack, Object: of, Peer: model.NoObject})
	}
	for i, name := range []string{"Frame", "draw", "pool", "audio"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "main", Main: true})
	s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 1, End: 100})
	s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 2, Begin: 100, End: 200})
	return s
}

// A thing is one truth: what is of it stands out and nothing else does, another choice lets go of
// it, and Back brings it again.
func TestOneThing(t *testing.T) {
	s := thingsSession(t)
	use := locks.Use{Lock: 2, Track: 0, Kind: locks.Waiting, Begin: 110, End: 120}
	said := model.Message{Time: 130, Text: "late", Object: "queue0:src"}
	things := map[string]Thing{
		"queue": Element(0), "pad": Element(1), "sink": Element(2), "level": Series(0), "other level": Series(1),
		"lock": Lock(2), "other lock": Lock(3), "use": Use(use), "message": Message(0, said),
		"other message": Message(0, model.Message{Time: 140, Object: "sink0"}),
	}
	lights := map[string][]string{
		"queue": {"queue", "pad", "level", "message"}, "pad": {"pad", "level", "message"},
		"sink": {"sink", "other level", "other message"}, "level": {"pad", "level"}, "other level": {"sink", "other level"},
		"lock": {"lock"}, "other lock": {"other lock"}, "use": {"lock", "use"},
		"message": {"queue", "pad", "message"}, "other message": {"sink", "other message"},
	}
	about := map[string]model.ObjectID{
		"queue": 0, "pad": 1, "sink": 2, "level": 1, "other level": 2, "message": 1, "other message": 2,
	}
	others := map[string]func(v *View){
		"a collector": func(v *View) { v.SelectCollector(1) },
		"nothing":     func(v *View) { v.Select(Thing{}) },
		"Esc":         func(v *View) { v.Unselect() },
		"a click":     func(v *View) { v.ClearThing() },
		"everything":  func(v *View) { v.ClearSelection() },
	}
	for name, thing := range things {
		v := New(s)
		now := int64(1)
		tick := func() { now += 2 * stepQuietNs; v.Tick(now, false) }
		tick()
		v.SelectFrames(1, 1)
		tick()
		stamp := v.Stamp()
		if v.Select(thing); v.Thing() != thing || v.Stamp() == stamp || v.Collector() != thing.Lock() || v.HasSpan() {
			t.Errorf("%s: %+v is selected, and collector %d", name, v.Thing(), v.Collector())
		}
		stamp = v.Stamp()
		for other, x := range things {
			want := slices.Contains(lights[name], other)
			if v.Lights(x) != want {
				t.Errorf("%s is selected: %s stands out: %v", name, other, !want)
			}
		}
		want, some := about[name]
		if !some {
			want = model.NoObject
		}
		if v.Element() != want {
			t.Errorf("%s is about object %d, want %d", name, v.Element(), want)
		}
		if v.Stamp() != stamp {
			t.Errorf("%s: asking changed the stamp", name)
		}
		for how, choose := range others {
			tick()
			v.Select(thing)
			tick()
			if choose(v); !v.Thing().None() || v.Lights(thing) {
				t.Errorf("%s is still selected after %s", name, how)
			}
			tick()
			if v.Back(); v.Thing() != thing && how != "a click" && how != "everything" {
				t.Errorf("Back from %s brings %+v, not %s", how, v.Thing(), name)
			}
		}
		// What is of a time goes when another one is selected; what is not stays.
		tick()
		v.Select(thing)
		tick()
		v.SelectFrames(0, 0)
		_, _, _, timed := thing.when()
		if v.Thing().None() != timed {
			t.Errorf("another frame is selected, and %s is selected: %v", name, timed)
		}
		tick()
		if v.SelectAt(thing, 115); v.Playhead() != 115 || v.Thing() != thing || v.FrameA() != 1 {
			t.Errorf("%s: the playhead is at %d, frame %d; selected is %+v", name, v.Playhead(), v.FrameA(), v.Thing())
		}
	}
}
