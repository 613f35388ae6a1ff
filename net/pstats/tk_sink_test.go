package pstats

import (
	"framescope/model"
	"slices"
)

// sink keeps everything that a decoder writes, and optionally applies it to a session.
type sink struct {
	session *model.Session // may be nil
	keep    bool           // keep copies of batches
	batches []model.Batch
	changes []model.Change
	batch   model.Batch
	count   int
	spans   int
	bytes   int
}

func (s *sink) Define(c model.Change) {
	s.changes = append(s.changes, c)
	if s.session != nil {
		s.session.Apply(c)
	}
}

func (s *sink) Begin() *model.Batch { s.batch.Reset(); return &s.batch }

func (s *sink) Publish(b *model.Batch) bool {
	s.count++
	s.spans += len(b.Spans)
	s.bytes += b.Bytes
	if s.keep {
		c := *b
		c.Spans, c.Alone, c.Levels = slices.Clone(b.Spans), slices.Clone(b.Alone), slices.Clone(b.Levels)
		s.batches = append(s.batches, c)
	}
	if s.session != nil {
		s.session.Append(b)
	}
	return true
}

func (s *sink) Progress(done, total int64) {}

func (s *sink) losses() (n [model.NumLossReasons]int64) {
	for _, c := range s.changes {
		if l, ok := c.(model.Loss); ok {
			n[l.Reason] += l.N
		}
	}
	return n
}

// path returns the collectors of a call path, outermost first.
func (s *sink) path(id model.PathID) (p []model.CollectorID) {
	for id != model.PathRoot {
		for _, c := range s.changes {
			if d, ok := c.(model.PathDef); ok && d.ID == id {
				p = append(p, d.Collector)
				id = d.Parent
				break
			}
		}
	}
	slices.Reverse(p)
	return p
}
