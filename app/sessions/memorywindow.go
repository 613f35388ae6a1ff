package sessions

import (
	"time"

	"framescope/app/memory"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets"
)

// memoryWindow keeps the program with a window within its limit, and accounts for its memory.
type memoryWindow struct {
	store   *store.Store
	hub     *feed.Hub
	keeper  *memory.Keeper // nil while the window does not stand yet, and in pictures that are to be repeatable
	limit   int64          // in bytes
	counted time.Time
	ticks   int               // so far
	use     widgets.MemoryUse // by user, as counted last
}

const (
	// standsAfter is how many ticks the window takes until all that it needs is there.
	standsAfter = 30
	// countEvery is the time between two counts of the sessions' memory.
	countEvery = time.Second
)

// Stands takes the window for ready at once, or with more ticks to come, below 0, for never: for tests.
func (m *memoryWindow) Stands(ticks int) { m.ticks = standsAfter + ticks }

// SetLimit sets the limit, in bytes; 0: the usual one.
func (m *memoryWindow) SetLimit(limit int64) {
	if limit <= 0 {
		limit = memory.Default
	}
	m.limit = limit
	m.store.MemoryLimit = memory.Sessions(limit)
	m.hub.SetLimit(memory.Feeds(limit))
	if m.keeper != nil {
		m.keeper.SetLimit(limit)
	}
}

// Tick gives the store its limit of now.
func (m *memoryWindow) Tick() {
	m.ticks++
	if now := time.Now(); now.Sub(m.counted) >= countEvery {
		m.counted = now
		m.count()
	}
	if m.keeper == nil {
		if m.ticks >= standsAfter {
			m.count() // data since the last count is not the program's own
			m.keeper = memory.Keep(m.limit, m.use.Live+m.use.Ended, m.use.Waiting)
		}
		return
	}
	m.store.MemoryLimit = m.keeper.Sessions()
}

// count counts the memory by user.
func (m *memoryWindow) count() {
	u := widgets.MemoryUse{Limit: m.limit, Slack: m.limit / memory.Slack}
	for _, e := range m.hub.Entries() {
		bytes := e.Session.Memory().Total()
		if _, ended := e.Session.Ended(); ended {
			u.Ended, u.EndedSessions = u.Ended+bytes, u.EndedSessions+1
		} else {
			u.Live, u.LiveSessions = u.Live+bytes, u.LiveSessions+1
		}
	}
	st := m.hub.Stats()
	u.Waiting = st.WaitingBytes + st.FreeBytes + st.HeldBytes
	if k := m.keeper; k != nil {
		k.Held(u.Live+u.Ended, u.Waiting)
		now := k.Usage()
		u.Resident, u.Program, u.Allowed = now.Resident, k.Baseline(), k.Sessions()
	}
	m.use = u
}

// Stop ends it.
func (m *memoryWindow) Stop() {
	if m.keeper != nil {
		m.keeper.Stop()
		m.keeper = nil
	}
}
