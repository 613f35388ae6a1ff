package pstatstest

import (
	"slices"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// Sink keeps everything that a decoder writes, and optionally applies it to a session.
type Sink struct {
	Session *store.Session // may be nil
	Keep    bool           // keep copies of batches
	Batches []model.Batch
	Changes []model.Change
	batch   model.Batch
	Count   int // batches
	Bytes   int // of their frames on the wire
}

var _ feed.Sink = (*Sink)(nil)

// Define implements feed.Sink.
func (s *Sink) Define(c model.Change) {
	s.Changes = append(s.Changes, c)
	if s.Session != nil {
		s.Session.Apply(c)
	}
}

// Begin implements feed.Sink.
func (s *Sink) Begin() *model.Batch { s.batch.Reset(); return &s.batch }

// Publish implements feed.Sink.
func (s *Sink) Publish(b *model.Batch) bool {
	s.Count++
	s.Bytes += b.Bytes
	if s.Keep {
		c := *b
		c.Spans, c.Self, c.Levels = slices.Clone(b.Spans), slices.Clone(b.Self), slices.Clone(b.Levels)
		s.Batches = append(s.Batches, c)
	}
	if s.Session != nil {
		s.Session.Append(b)
	}
	return true
}

// Progress implements feed.Sink.
func (s *Sink) Progress(done, total int64) {}

// Losses returns how much was lost, by reason.
func (s *Sink) Losses() (n [model.NumLossReasons]int64) {
	for _, c := range s.Changes {
		if l, ok := c.(model.Loss); ok {
			n[l.Reason] += l.N
		}
	}
	return n
}

// Path returns the collectors of a call path, outermost first.
func (s *Sink) Path(id model.PathID) (p []model.CollectorID) {
	for id != model.PathRoot {
		for _, c := range s.Changes {
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

// Nothing is a handler that does nothing, for others to embed.
type Nothing struct{}

// Hello implements pstats.Handler.
func (Nothing) Hello(pstats.ClientHello) {}

// Collectors implements pstats.Handler.
func (Nothing) Collectors([]pstats.CollectorDef) {}

// Threads implements pstats.Handler.
func (Nothing) Threads(int, []string) {}

// Expire implements pstats.Handler.
func (Nothing) Expire(int) {}

// Frame implements pstats.Handler.
func (Nothing) Frame(*pstats.Frame, int) {}

// Lost implements pstats.Handler.
func (Nothing) Lost(model.Loss) {}

// Close implements pstats.Handler.
func (Nothing) Close(string) {}
