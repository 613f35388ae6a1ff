package subject

import (
	"testing"

	"framescope/assets"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

func TestFrameColor(t *testing.T) {
	th := assets.Dark()
	for ns, want := range map[int64]assets.Color{
		16_000_000: th.FrameBar, 16_700_000: th.FrameBar, 17_000_000: th.FrameBar, 17_500_000: th.Over, 33_000_000: th.Over, 34_000_000: th.Bad,
	} {
		if got := FrameColor(&th, ns, view.DefaultBudgetNs); assets.Color(got) != want {
			t.Errorf("%d ns: %v, want %v", ns, got, want)
		}
	}
	if got := FrameColor(&th, 1e9, 0); assets.Color(got) != th.FrameBar {
		t.Errorf("without a budget: %v", got)
	}
}

// What is of the threads that are shown says which are not: those that are idle, or others.
func TestWhichThreads(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id, endNs := range []int64{1_000_000_000, 900_000_000, 10} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: string(rune('A' + id))})
		s.Append(&model.Batch{Track: model.TrackID(id), Spans: []model.Span{{Begin: 0, End: endNs, Path: 1}}})
	}
	v := view.New(s)
	for _, x := range []struct {
		do   func(l *view.Look)
		want string
	}{
		{func(*view.Look) {}, "all threads"},
		{func(l *view.Look) { l.HideIdle(true) }, "threads that are not idle"},
		{func(l *view.Look) { l.SetTrackHidden(1, true) }, "visible threads"},
		{func(l *view.Look) { l.ShowTracks(view.HiddenByHand); l.HideIdle(false) }, "all threads"},
	} {
		if x.do(v.Look()); AllThreads(v) != x.want {
			t.Errorf("%q; want %q", AllThreads(v), x.want)
		}
	}
}

// Figures of all of a session are not called those of the whole session where its begin has left
// memory.
func TestWholeSession(t *testing.T) {
	s := store.NewSession()
	if got := Whole(s); got != "whole session" {
		t.Errorf("all of it is called %q", got)
	}
	s.Apply(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: 3})
	if got := Whole(s); got != "all in memory" {
		t.Errorf("what is left of it is called %q", got)
	}
}

// Collectors that are called alike are named with as much of what they lie in as tells them apart,
// others by their name alone.
func TestNamesApart(t *testing.T) {
	s := store.NewSession()
	for id, d := range []struct {
		name   string
		parent model.CollectorID
	}{
		{"Frame", model.NoCollector}, {"Cull", 0}, {"Draw", 0}, {"Scene", 1}, {"Scene", 2}, {"Flip", 2},
		{"Shadow", 0}, {"Draw", 6}, {"Scene", 7}, {"Scene", 0}, {"dScene", 2},
	} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: d.name, Parent: d.parent})
	}
	for id, want := range map[model.CollectorID]string{
		1: "Cull", 2: "Draw", 3: "Cull:Scene", 4: "Draw:Scene", 5: "Flip", 7: "Shadow:Draw", 8: "Shadow:Draw:Scene",
		9: "Scene", 10: "dScene",
	} {
		if got := NameApart(s, id); got != want {
			t.Errorf("%d is called %q, not %q", id, got, want)
		}
	}
}
