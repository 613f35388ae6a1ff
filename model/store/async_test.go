package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// Collectors of spans that are no calls are told apart from those of calls, whatever tracks are
// asked about.
func TestAsync(t *testing.T) {
	s := NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	s.Apply(model.TrackDef{ID: 1, Name: "queue", Kind: model.TrackElement})
	s.Apply(model.TrackDef{ID: 2, Name: "a to b", Kind: model.TrackStream})
	for c := range model.CollectorID(5) {
		s.Apply(model.CollectorDef{ID: c, Name: string(rune('a' + c))})
	}
	for p := model.PathID(1); p < 5; p++ {
		s.Apply(model.PathDef{ID: p, Collector: model.CollectorID(p)})
	}
	for track, paths := range map[model.TrackID][]model.PathID{0: {1, 4}, 1: {2, 2, 4}, 2: {3, 99}} {
		b := &model.Batch{Track: track}
		for i, path := range paths {
			b.Spans = append(b.Spans, model.Span{Begin: int64(10 * i), End: int64(10*i + 5), Path: path})
		}
		s.Append(b)
	}
	for c, want := range map[model.CollectorID]bool{0: false, 1: false, 2: true, 3: true, 4: true} {
		if got := s.Collector(c).Async; got != want {
			t.Errorf("%s: %v, want %v", s.Collector(c).Name, got, want)
		}
	}
	testkit.That(t, !s.Collector(0).Async, "the root is none")
}
