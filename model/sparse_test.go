package model

import (
	"fmt"
	"testing"
)

// Tables are as large as what was defined, however far apart the ids are.
func TestFarIdsTakeLittle(t *testing.T) {
	for name, fill := range map[string]func(s *Session){
		"a collector":       func(s *Session) { s.Apply(CollectorDef{ID: 31_000, Name: "far", Parent: 65_535}) },
		"a path":            func(s *Session) { s.Apply(PathDef{1, 0, 65_000}) },
		"a time":            func(s *Session) { s.Append(&Batch{HasFrame: true, End: 5, Alone: []CollectorTime{{65_535, 1, 1}}}) },
		"a level":           func(s *Session) { s.Append(&Batch{Levels: []Level{{65_535, 1, 1}}}) },
		"a lock":            func(s *Session) { s.Append(&Batch{Locks: []LockEvent{{1, 65_535, LockTry}}}) },
		"a track":           func(s *Session) { s.Apply(TrackDef{ID: 65_000}) },
		"a series":          func(s *Session) { s.Apply(SeriesDef{ID: 900_000}) },
		"an object":         func(s *Session) { s.Apply(ObjectDef{ID: 900_000}) },
		"a path far away":   func(s *Session) { s.Apply(PathDef{1 << 21, 0, 1}) },
		"a batch far away":  func(s *Session) { s.Append(&Batch{Track: 65_000, Spans: []Span{{}}}) },
		"a span in a depth": func(s *Session) { s.Append(&Batch{Spans: []Span{{Lane: maxLanes - 1}}}) },
	} {
		s := NewSession()
		before := s.Memory().Total()
		fill(s)
		var tree FlameTree
		s.FlameTree([]TrackID{0}, 0, 10, &tree)
		s.SpanStats([]TrackID{0}, 0, 10, nil)
		s.AllStats(0, false, 0, 10, nil)
		s.Collector(5)
		s.Children(0)
		if took := s.Memory().Total() - before; took > 64<<10 {
			t.Errorf("%s takes %d bytes", name, took)
		}
	}
	s := NewSession()
	s.Apply(CollectorDef{ID: 31_000, Name: "far", Parent: 20_000, Sort: 3})
	s.Apply(CollectorDef{ID: 20_000, Name: "up", Parent: 0})
	if c := s.Collector(31_000); c.FullName != "up:far" || c.Parent != 20_000 || s.NumCollectors() != 31_001 {
		t.Errorf("%+v of %d", c, s.NumCollectors())
	}
	if c := s.Collector(17); c.Name != "#17" || c.Defined {
		t.Errorf("%+v", c)
	}
	if kids := s.Children(0); len(kids) != 1 || kids[0] != 20_000 || !s.IsDescendant(31_000, 20_000) || s.IsDescendant(20_000, 31_000) {
		t.Errorf("children %v", kids)
	}
}

func BenchmarkRedefine(b *testing.B) {
	for _, n := range []int{1000, 65_536} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := NewSession()
			for c := range CollectorID(n) {
				s.Apply(CollectorDef{ID: c, Name: fmt.Sprint("collector ", c), Parent: c / 4})
			}
			i := 0
			for b.Loop() {
				i++
				s.Apply(CollectorDef{ID: CollectorID(i % n), Name: fmt.Sprint("again ", i), Parent: CollectorID(i % n / 4)})
				s.Collector(1)
			}
		})
	}
}
