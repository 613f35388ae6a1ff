package view

import (
	"fmt"
	"reflect"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// crew is ten seconds of a main thread, a worker, one that only waits, one that did something for a
// moment, one that never did anything, and one that ran all the time in one span.
func crew() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	for i := range model.PathID(2) {
		s.Apply(model.PathDef{ID: i + 1, Collector: model.CollectorID(i + 1)})
	}
	for i, name := range []string{"Main", "Worker", "Waiter", "Loader", "Spare", "Runner"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name, Main: i == 0})
	}
	const second = 1_000_000_000
	add := func(id model.TrackID, begin, end int64, path model.PathID) {
		s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: begin, End: end, Path: path}}})
	}
	for at := range int64(100) {
		add(1, at*second/10, at*second/10+second/100, 1)
		add(2, at*second/10, at*second/10+second/10, 2)
	}
	add(0, 0, 10*second, 1)
	add(3, second, second+second/1000, 1)
	add(5, 0, 10*second, 1)
	return s
}

func shownTitles(v *View) (out []string) {
	for _, id := range v.Look().VisibleTracks() {
		out = append(out, v.Session().Track(id).Title())
	}
	return out
}

// Idle tracks are those that did nothing or next to nothing, however many spans say so; one of them
// that is shown stays, and who begins to work is shown.
func TestIdleTracks(t *testing.T) {
	s := crew()
	v := New(s)
	look := v.Look()
	look.HideIdle(true)
	see := func(what string, idle, byHand int, want ...string) {
		t.Helper()
		if got := shownTitles(v); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q are shown, want %q", what, got, want)
		}
		if i, h := look.NumHidden(HiddenIdle), look.NumHidden(HiddenByHand); i != idle || h != byHand {
			t.Errorf("%s: %d idle ones are hidden and %d by hand, want %d and %d", what, i, h, idle, byHand)
		}
	}
	see("hidden", 3, 0, "Main", "Worker", "Runner")
	look.SetTrackHidden(3, false)
	look.SetTrackHidden(1, true)
	see("one is shown, another hidden", 2, 1, "Main", "Loader", "Runner")
	kept := look.Tracks()
	if !kept.Sane() || kept.Plain() {
		t.Errorf("%+v is not kept", kept)
	}
	other := New(s)
	other.Look().SetTracks(kept)
	if got := shownTitles(other); !reflect.DeepEqual(got, []string{"Main", "Loader", "Runner"}) {
		t.Errorf("of what was kept %q are shown", got)
	}
	look.ShowTracks(HiddenByHand)
	see("what was hidden by hand is shown", 2, 0, "Main", "Worker", "Loader", "Runner")
	s.Append(&model.Batch{Track: 4, Spans: []model.Span{{Begin: 10_000_000_000, End: 11_000_000_000, Path: 1}}})
	see("one begins to work", 1, 0, "Main", "Worker", "Loader", "Spare", "Runner")
	look.ShowTracks(HiddenIdle)
	see("all", 0, 0, "Main", "Worker", "Waiter", "Loader", "Spare", "Runner")
	look.HideIdle(true)
	look.SetTrackHidden(2, false)
	look.SetTrackHidden(3, false)
	if all := []string{"Main", "Worker", "Waiter", "Loader", "Spare", "Runner"}; look.HidesIdle() {
		t.Error("idle ones are hidden, though each was shown again")
	} else {
		see("each is shown again", 0, 0, all...)
	}
	if look.HideIdle(true); !look.HidesIdle() {
		t.Error("idle ones are not hidden again")
	}
}

// Tracks with sums instead of calls are hidden until they are shown, one of them or all, and that is kept.
func TestTracksOfSums(t *testing.T) {
	s := crew()
	for id := model.TrackID(1); id < 4; id++ {
		def := s.Track(id).Def
		def.Sums = true
		s.Apply(def)
	}
	v := viewOf(s)
	look := v.Look()
	at := look.Tracks()
	if n := look.NumHidden(HiddenSums); n != 3 || !at.Plain() || !look.HidesTracks() {
		t.Errorf("%d are hidden, %+v", n, at)
	}
	look.SetTrackHidden(2, false)
	if look.TrackHidden(2) || look.NumHidden(HiddenSums) != 2 {
		t.Error("one that is shown is hidden")
	}
	v.Tick(2e9, false)
	look.ShowAllTracks()
	other := New(s)
	other.Look().SetTracks(look.Tracks())
	if n := other.Look().NumHidden(HiddenSums); n != 0 || look.HidesTracks() {
		t.Errorf("%d are hidden of what was shown", n)
	}
	if v.Back(); look.NumHidden(HiddenSums) != 2 {
		t.Errorf("back: %d are hidden", look.NumHidden(HiddenSums))
	}
}

// Where none is idle none is hidden, now or later, and nothing is remembered.
func TestNoIdleTracks(t *testing.T) {
	s := crew()
	v := New(s)
	look := v.Look()
	for _, id := range []model.TrackID{2, 3} {
		look.SetTrackPinned(id, true)
	}
	s.Append(&model.Batch{Track: 4, Spans: []model.Span{{Begin: 10_000_000_000, End: 11_000_000_000, Path: 1}}})
	look.HideIdle(true)
	if look.HidesIdle() || look.Tracks().NoIdle {
		t.Errorf("%d tracks are idle: %+v", look.NumHidden(HiddenIdle), look.Tracks())
	}
}

// Back undoes whatever is hidden, folded, moved, sized, sorted or grouped, Forward does it again;
// while live the view stays so.
func TestBackOfTracks(t *testing.T) {
	for _, live := range []bool{false, true} {
		v := New(crew())
		look := v.Look()
		now := int64(1)
		tick := func(ns int64) { now += ns; v.Tick(now, false) }
		tick(1)
		v.Follow(live)
		state := func() string {
			return fmt.Sprintf("%+v %v %v %q", look.Tracks(), look.Hidden(1), look.GoneShown(), shownTitles(v))
		}
		var was []string
		for _, f := range []func(){
			func() { look.SetTrackHidden(1, true) },
			func() { look.SetTrackFolded(2, true) },
			func() { look.HideIdle(true) },
			func() { look.MoveTrack(5, 0, false) },
			func() {
				for n := range 4 { // an edge is dragged
					look.SetTrackLanes(0, n+1)
					tick(16e6)
				}
			},
			func() { look.SetTrackOrder(TracksByName) },
			func() { look.SetTrackGrouping(TracksByPool) },
			func() { look.SetGroupClosed("pool:other threads", true) },
			func() { look.SetTrackPinned(5, true) },
			func() { look.SetHidden(1, true) },
			func() { look.SetGoneShown(true) },
			look.ShowAll,
		} {
			tick(2e9)
			was = append(was, state())
			if f(); state() == was[len(was)-1] {
				t.Fatalf("step %d did nothing", len(was))
			}
		}
		end := state()
		for i := len(was) - 1; i >= 0; i-- {
			tick(2e9)
			if v.Back(); state() != was[i] || v.Live() != live {
				t.Errorf("live %v, back at step %d: %s, live %v, want %s", live, i, state(), v.Live(), was[i])
			}
		}
		for range was {
			v.Forward()
		}
		if state() != end || v.Live() != live {
			t.Errorf("live %v: forward ended at %s, want %s", live, state(), end)
		}
	}
}

// What is no change is no step.
func TestNoStepWithoutChange(t *testing.T) {
	v := New(crew())
	v.Tick(1, false)
	look := v.Look()
	for _, f := range []func(){
		func() { look.SetTrackHidden(1, false) }, func() { look.HideIdle(false) }, func() { look.SetTrackOrder(TracksAsSent) },
		func() { look.SetGroupClosed("x", false) }, func() { look.SetHidden(1, false) }, look.ShowAll,
	} {
		v.Tick(2e9, false)
		if f(); v.CanBack() {
			t.Fatal("there is a way back from nothing")
		}
	}
}
