package view

import (
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

func TestTrackOrder(t *testing.T) {
	s := store.NewSession()
	for i, name := range []string{"Main", "Job 10", "Job 2", "Audio", "Job 1"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name, Main: i == 0})
		s.Append(&model.Batch{Track: model.TrackID(i), HasFrame: true, Number: 1, End: 1000})
	}
	v := New(s)
	see := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, id := range v.Look().VisibleTracks() {
			got = append(got, s.Track(id).Title())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	see("as sent", "Main", "Job 10", "Job 2", "Audio", "Job 1")
	stamp := v.Stamp()
	v.Look().SetTracks(TrackLook{Order: TracksByName})
	see("by name", "Audio", "Job 1", "Job 2", "Job 10", "Main")
	if v.Stamp() == stamp {
		t.Error("pictures do not notice another order")
	}
	v.Look().SetTrackPinned(1, true)
	see("one is pinned", "Job 10", "Audio", "Job 1", "Job 2", "Main")
	v.Look().SetTracks(TrackLook{Pinned: []string{"Audio"}})
	see("pinned, as sent", "Audio", "Main", "Job 10", "Job 2", "Job 1")
	v.Look().SetTrackPinned(3, false)
	see("as sent again", "Main", "Job 10", "Job 2", "Audio", "Job 1")
}

func TestCompareNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a", "a", 0}, {"a", "b", -1}, {"a2", "a10", -1}, {"a02", "a2", 0}, {"a", "a1", -1}, {"x9y", "x9z", -1}, {"10", "9", 1}, {"1", "a", -1}} {
		if got := compareNames(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := compareNames(c.b, c.a); got != -c.want {
			t.Errorf("%q, %q: %d, want %d", c.b, c.a, got, -c.want)
		}
	}
}
