package view

import (
	"fmt"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/find"
	"framescope/model/locks"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
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
		id                  model.ObjectID
		collectors, objects string
	}{
		{0, "[1 2 3 4]", "[0 1 2 3 4]"}, {1, "[1 2]", "[1 2]"}, {2, "[1]", "[2]"}, {3, "[3]", "[3 4]"},
	} {
		v.Select(Element(x.id))
		var objects []model.ObjectID
		for id := range model.ObjectID(5) {
			if v.Lights(Element(id)) {
				objects = append(objects, id)
			}
		}
		got := fmt.Sprint(selected())
		testkit.That(t, got == x.collectors && fmt.Sprint(objects) == x.objects,
			"object %d: collectors %s, objects %v, want %s and %s", x.id, got, objects, x.collectors, x.objects)
	}
	v.Select(Element(1))
	of := func(object string) Thing { return Message(0, model.Message{Object: object}) }
	testkit.That(t, v.Lights(of("queue0:src")) && !v.Lights(of("queue01")) && !v.Lights(of("")),
		"what is said of another object is taken for this one's")
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
			testkit.That(t, v.Lights(x) == want, "%s is selected: %s stands out: %v", name, other, !want)
		}
		want, some := about[name]
		if !some {
			want = model.NoObject
		}
		testkit.That(t, v.Element() == want, "%s is about object %d, want %d", name, v.Element(), want)
		testkit.That(t, v.Stamp() == stamp, "%s: asking changed the stamp", name)
		for how, choose := range others {
			tick()
			v.Select(thing)
			tick()
			choose(v)
			testkit.That(t, v.Thing().None() && !v.Lights(thing), "%s is still selected after %s", name, how)
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
		testkit.That(t, v.Thing().None() == timed, "another frame is selected, and %s is selected: %v", name, timed)
		tick()
		if v.SelectAt(thing, 115); v.Playhead() != 115 || v.Thing() != thing || v.FrameA() != 1 {
			t.Errorf("%s: the playhead is at %d, frame %d; selected is %+v", name, v.Playhead(), v.FrameA(), v.Thing())
		}
	}
}

// The series of an object's references stands out with the object, and with no other.
func TestResourceLightsItsSeries(t *testing.T) {
	s := game()
	for i, address := range []string{"0x56", "0x567"} {
		s.Apply(model.ResourceDef{ID: model.ResourceID(i), Type: "GstCaps", Address: address, Listing: 1})
	}
	for i, name := range []string{"GstCaps 0x56 #1", "GstCaps 0x567 #1"} {
		s.Apply(model.SeriesDef{
			ID: model.SeriesID(i), Name: name, Role: model.RoleRefCount, Track: model.NoTrack,
			Object: model.NoObject, Peer: model.NoObject,
		})
	}
	v := viewOf(s)
	for i := range 2 {
		v.Select(Resource(model.ResourceID(i)))
		for k := range 2 {
			testkit.Equal(t, v.Lights(Series(model.SeriesID(k))), (k == i), "object %d lights series %d", i, k)
		}
	}
}

// What is found of another session says nothing of this one, even where both are shown.
func TestCallsOfAnotherSessionAreNotFound(t *testing.T) {
	v := viewOf(game())
	e := testkit.Must(find.Parse(">=0ns"))(t)
	var hits find.Hits
	hits.Search(v.Session(), e)
	v.Look().SetFoundCalls(&hits)
	testkit.That(t, v.Look().FoundCalls() == &hits, "what is found is not known")
	hits.Search(game(), e)
	testkit.That(t, v.Look().FoundCalls() == nil, "what is found of another session is taken for this one's")
}

func session(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	addFrames(s, 0, n)
	return s
}

func addFrames(s *store.Session, from, n int) {
	for i := from; i < from+n; i++ {
		begin := int64(i) * 10e6
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: int64(i), Begin: begin, End: begin + 10e6,
			Self: []model.CollectorTime{{Collector: 1, Ns: int64(i+1) * 1e4, Count: 1}}})
	}
}

// A tick does no more than was asked for, however long the session is, and what it comes to in the end is
// what check says; a session that grows is gone over anew at a readable pace.
func TestFollow(t *testing.T) {
	s := session(2000)
	var x State
	x.Set("b.toml", []budget.Budget{
		{Measure: budget.Duration, At: budget.Max, Limit: 9e6}, {Collector: "Draw", Measure: budget.Net, At: budget.Max, Limit: 21e6},
	})
	ticks, now := 0, int64(0)
	for !x.Follow(s, now, 300) {
		testkit.MustThat(t, !x.Ready(), "ready before it is")
		ticks++
		testkit.MustThat(t, ticks <= 1000, "it does not end")
		now += 16e6
	}
	testkit.That(t, ticks >= 10, "all in %d ticks", ticks)
	want := testkit.Must(budget.Check(s, x.Budgets(), budget.All(s)))(t)
	for i, r := range x.All() {
		testkit.That(t, r.Value == want[i].Value && r.Verdict == want[i].Verdict && r.Worst == want[i].Worst,
			"%+v, want %+v", r.Result, want[i])
	}
	f := x.Frames(0)
	testkit.That(t, len(f) == 1 && Broken(f) && len(f[0].OverAt) == 2000 && !Broken(x.Of(0, 1)) && len(x.Of(0, 0)) == 1,
		"%+v", f)
	rev := x.Revision()
	for range 100 {
		now += 16e6
		testkit.That(t, !x.Follow(s, now, 300), "gone over again, though nothing came")
	}
	addFrames(s, 2000, 200)
	again := 0
	for range 400 {
		now += 16e6
		if x.Follow(s, now, 300) {
			again++
		}
	}
	testkit.That(t, again == 1 && x.Revision() != rev && Broken(x.Of(0, 1)), "%d times, %+v", again, x.All()[1].Result)
}

// Another session and another file begin anew; what is wrong with a file leaves what it said.
func TestOthers(t *testing.T) {
	var x State
	testkit.That(t, x.Revision() == 0 && x.Frames(0) == nil && x.Trouble() == "" && !x.Ready(), "none has something")
	a, b := session(10), session(20)
	x.Set("b.toml", []budget.Budget{{Measure: budget.Duration, At: budget.Max, Limit: 9e6}})
	x.Follow(a, 0, 1<<40)
	testkit.That(t, x.All()[0].Frames == 10, "%v", x.All()[0])
	x.Follow(b, 0, 1)
	testkit.That(t, len(x.All()) == 0, "verdicts of another session")
	x.Follow(b, 0, 1<<40)
	x.Fail("b.toml: line 3: no")
	testkit.That(t, x.Trouble() != "" && x.All()[0].Frames == 20, "%v", x.Trouble())
	x.Set("b.toml", nil)
	testkit.That(t, x.Trouble() == "" && len(x.All()) == 0, "after it was right again")
}

const ms = int64(1_000_000)

// The collectors and threads of the test sessions.
const (
	cFrame = model.CollectorID(iota)
	cApp
	cGeom
	cDraw
	cNever // defined, but never runs
)

const (
	tMain = model.TrackID(iota)
	tDraw
	tIdle // has a name, and nothing else
)

// gapAfter is the index of the frame before the gap of the test game.
const gapAfter = 40

// define makes a session with the collectors and threads above.
func define(source string) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: source, File: true})
	for id, name := range []string{"Frame", "App", "Geom", "Draw", "Never"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id + 1), Collector: model.CollectorID(id)})
	}
	for id, name := range []string{"Main", "Draw", "Idle"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name})
	}
	return s
}

func span(beginNs, endNs int64, c model.CollectorID, lane uint16) model.Span {
	return model.Span{Begin: beginNs, End: endNs, Path: model.PathID(c + 1), Lane: lane}
}

// appendFrames appends n frames of 10 ms from a number and a time on to the main thread and to that
// which draws, a little later. On the main thread runs App, and in it Geom in every fifth frame; on
// the other Draw.
func appendFrames(s *store.Session, number, at int64, n int) {
	for range n {
		main := model.Batch{Track: tMain, HasFrame: true, Number: number, Begin: at, End: at + 10*ms}
		main.Spans = append(main.Spans, span(at+ms, at+9*ms, cApp, 0))
		if number%5 == 0 {
			main.Spans = append(main.Spans, span(at+2*ms, at+3*ms, cGeom, 1))
		}
		s.Append(&main)
		draw := model.Batch{Track: tDraw, HasFrame: true, Number: number, Begin: at + 4*ms, End: at + 14*ms}
		draw.Spans = append(draw.Spans, span(at+5*ms, at+12*ms, cDraw, 0))
		s.Append(&draw)
		number, at = number+1, at+10*ms
	}
}

// game has 100 frames from 1 s on, numbers 1 to 41 and 51 to 109: there is a gap after the one of
// index gapAfter.
func game() *store.Session {
	s := define("pstats")
	appendFrames(s, 1, 1000*ms, gapAfter+1)
	appendFrames(s, 51, 1500*ms, 59)
	s.Apply(model.End{Reason: "end of file"})
	return s
}

// trace has no frames: calls of App on the main thread every 10 ms, twice as long every tenth time,
// Geom in each, and Draw on the other from 500 ms on.
func trace() *store.Session {
	s := define("trace")
	main, draw := model.Batch{Track: tMain}, model.Batch{Track: tDraw}
	for i := range int64(100) {
		at := i * 10 * ms
		end := at + 3*ms
		if i%10 == 5 {
			end += 3 * ms
		}
		main.Spans = append(main.Spans, span(at, end, cApp, 0), span(at+ms, at+2*ms, cGeom, 1))
		if i >= 50 {
			draw.Spans = append(draw.Spans, span(at, at+ms, cDraw, 0))
		}
	}
	s.Append(&main)
	s.Append(&draw)
	s.Apply(model.End{Reason: "end of file"})
	return s
}

// viewOf returns a view as it is after its first tick.
func viewOf(s *store.Session) *View {
	v := New(s)
	v.Tick(1, false)
	return v
}

// spanOf returns the n-th span of a collector on a thread.
func spanOf(t *testing.T, s *store.Session, track model.TrackID, c model.CollectorID, n int) spans.Bar {
	t.Helper()
	at := int64(-1)
	for {
		b, ok := s.Spans().Next(track, c, at, 1)
		testkit.MustThat(t, ok, "collector %d has no span %d on thread %d", c, n, track)
		if n == 0 {
			return b
		}
		n--
		at = b.Begin
	}
}

// A cause that began before the slow frame is selected within that, so that all panels are of it.
func TestCausesStayInTheirFrame(t *testing.T) {
	s := define("trace")
	s.Append(&model.Batch{Track: tMain, HasFrame: true, Number: 1, End: 10 * ms, Spans: []model.Span{
		{Begin: 9 * ms, End: 10 * ms, Path: model.PathID(cApp + 1), Flags: model.SpanOpenEnd},
	}})
	s.Append(&model.Batch{Track: tMain, HasFrame: true, Number: 2, Begin: 10 * ms, End: 40 * ms, Spans: []model.Span{
		{Begin: 10 * ms, End: 35 * ms, Path: model.PathID(cApp + 1), Flags: model.SpanContinues},
	}})
	v := viewOf(s)
	b := spanOf(t, s, tMain, cApp, 0)
	testkit.MustThat(t, b.Begin == 9*ms && b.End == 35*ms, "the call is %+v", b)
	for frame := range 2 {
		v.SelectFrames(frame, frame)
		v.SelectCause(&why.Link{Track: tMain, Collector: cApp, BeginNs: b.Begin, EndNs: b.End})
		testkit.That(t, v.FrameA() == frame && v.FrameB() == frame && v.Span().Begin == 9*ms,
			"the cause of frame %d selects frames %d to %d, and %+v", frame, v.FrameA(), v.FrameB(), v.Span())
	}
}
