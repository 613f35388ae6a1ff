package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// Tables are as large as what was defined, however far apart the ids are.
func TestFarIdsTakeLittle(t *testing.T) {
	for name, fill := range map[string]func(s *Session){
		"a collector": func(s *Session) { s.Apply(model.CollectorDef{ID: 31_000, Name: "far", Parent: 65_535}) },
		"a path":      func(s *Session) { s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 65_000}) },
		"a time": func(s *Session) {
			s.Append(&model.Batch{HasFrame: true, End: 5, Self: []model.CollectorTime{{Collector: 65_535, Ns: 1, Count: 1}}})
		},
		"a level": func(s *Session) {
			s.Append(&model.Batch{Levels: []model.Level{{Collector: 65_535, Time: 1, Value: 1}}})
		},
		"a lock": func(s *Session) {
			s.Append(&model.Batch{Locks: []model.LockEvent{{Time: 1, Lock: 65_535, Kind: model.LockTry}}})
		},
		"a track":           func(s *Session) { s.Apply(model.TrackDef{ID: 65_000}) },
		"a series":          func(s *Session) { s.Apply(model.SeriesDef{ID: 900_000}) },
		"an object":         func(s *Session) { s.Apply(model.ObjectDef{ID: 900_000}) },
		"a path far away":   func(s *Session) { s.Apply(model.PathDef{ID: 1 << 21, Parent: 0, Collector: 1}) },
		"a batch far away":  func(s *Session) { s.Append(&model.Batch{Track: 65_000, Spans: []model.Span{{}}}) },
		"a span in a depth": func(s *Session) { s.Append(&model.Batch{Spans: []model.Span{{Lane: spans.MaxLanes - 1}}}) },
	} {
		s := NewSession()
		before := s.Memory().Total()
		fill(s)
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, 0, 10, &tree)
		s.Spans().Stats([]model.TrackID{0}, 0, 10, nil)
		s.Frames().AllStats(0, false, 0, 10, nil)
		s.Collector(5)
		s.Collectors().Children(0)
		took := s.Memory().Total() - before
		testkit.That(t, took <= 64<<10, "%s takes %d bytes", name, took)
	}
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 31_000, Name: "far", Parent: 20_000, Sort: 3})
	s.Apply(model.CollectorDef{ID: 20_000, Name: "up", Parent: 0})
	if c := s.Collector(31_000); c.FullName != "up:far" || c.Parent != 20_000 || s.Collectors().Len() != 31_001 {
		t.Errorf("%+v of %d", c, s.Collectors().Len())
	}
	c := s.Collector(17)
	testkit.That(t, c.Name == "#17" && !c.Defined, "%+v", c)
	if kids := s.Collectors().Children(0); len(kids) != 1 || kids[0] != 20_000 || !s.Collectors().IsDescendant(31_000, 20_000) || s.Collectors().IsDescendant(20_000, 31_000) {
		t.Errorf("children %v", kids)
	}
}
