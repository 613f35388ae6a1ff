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

// memory allocates the data of a session and accounts for it: every allocation that grows with its
// input or with queries is recorded, and so is every release. So the account is always complete,
// and reading it costs nothing. Only data bounded by a small number for each session is left out.
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

// account returns the account of a kind.
func (m *memory) account(kind int) *columns.Account { return &m.kinds[kind] }

// Beside is memory kept beside a session that grows with it: it counts as part of the session, and
// under its limit, until it is cleared.
type Beside struct {
	acc    *columns.Account
	booked columns.Booked
}

// Set sets its present size in bytes.
func (b *Beside) Set(bytes int64) { b.booked.Set(b.acc, bytes) }

// Beside returns an empty account of memory beside the session.
func (s *Session) Beside() *Beside {
	b := &Beside{acc: s.mem.account(kindOther)}
	s.beside = append(s.beside, b)
	return b
}

func (m *memory) sum() Memory {
	n := func(kind int) int64 { return m.kinds[kind].Sum() }
	return Memory{n(kindSpans), n(kindPyramids), n(kindFrames), n(kindTotals), n(kindLevels), n(kindSeries), n(kindOther)}
}
