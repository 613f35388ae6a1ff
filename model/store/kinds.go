package store

import (
	"framescope/model/columns"
)

// Memory is resident memory in bytes by kind.
type Memory struct{ Spans, Pyramids, Frames, Totals, Levels, Series, Other int64 }

// Total is the sum of all kinds.
func (m Memory) Total() int64 {
	return m.Spans + m.Pyramids + m.Frames + m.Totals + m.Levels + m.Series + m.Other
}

// The kinds of Memory.
const (
	kindSpans = iota
	kindPyramids
	kindFrames
	kindTotals
	kindLevels
	kindSeries
	kindOther
	numKinds
)

// memory is where the data of a session lie, and the account of it: whatever a session allocates
// that grows with what it was sent, or with what it was asked, is written down where it is
// allocated and where it is let go. So the account is always complete, and reading it costs
// nothing. Only what is bounded by a small number for each session is left out.
type memory struct {
	kinds [numKinds]columns.Account
	pool  *columns.Pool
}

func (m *memory) init(pool *columns.Pool, total *columns.Sum) {
	m.pool = pool
	for k := range m.kinds {
		m.kinds[k].Init(pool, total)
	}
}

// of returns the account of a kind.
func (m *memory) of(kind int) *columns.Account { return &m.kinds[kind] }

// Beside is memory of who keeps something beside a session that grows with it: it is part of what the
// session keeps, and under its limit, until that is cleared.
type Beside struct {
	acc    *columns.Account
	booked columns.Booked
}

// Set tells how much it is by now, in bytes.
func (b *Beside) Set(bytes int64) { b.booked.Set(b.acc, bytes) }

// Beside returns memory beside the session of which nothing is taken yet.
func (s *Session) Beside() *Beside {
	b := &Beside{acc: s.mem.of(kindOther)}
	s.beside = append(s.beside, b)
	return b
}

func (m *memory) sum() Memory {
	n := func(kind int) int64 { return m.kinds[kind].Sum() }
	return Memory{n(kindSpans), n(kindPyramids), n(kindFrames), n(kindTotals), n(kindLevels), n(kindSeries), n(kindOther)}
}
