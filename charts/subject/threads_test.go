package subject

import (
	"testing"

	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

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
