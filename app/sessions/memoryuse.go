package sessions

import (
	"fmt"
	"time"

	"framescope/app/memory"
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets/metrics"
)

// memoryUse keeps the program within its limit, and knows whose its memory is.
type memoryUse struct {
	store   *store.Store
	hub     *feed.Hub
	keeper  *memory.Keeper // nil while the window does not stand yet, and in pictures that are to be repeatable
	limit   int64
	counted time.Time
	ticks   int // so far
	use     metrics.MemoryUse
}

const (
	// standsAfter is how many ticks the window takes until all that it needs is there.
	standsAfter = 30
	// countEvery is how often the sessions are asked what they hold.
	countEvery = time.Second
)

// setLimit sets the limit, in bytes; 0: the usual one.
func (m *memoryUse) setLimit(limit int64) {
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

// tick gives the store its limit of now.
func (m *memoryUse) tick() {
	m.ticks++
	if now := time.Now(); now.Sub(m.counted) >= countEvery {
		m.counted = now
		m.count()
	}
	if m.keeper == nil {
		if m.ticks >= standsAfter {
			m.count() // what came since the last time is none of the program's own
			m.keeper = memory.Keep(m.limit, m.use.Live+m.use.Ended, m.use.Waiting)
		}
		return
	}
	m.store.MemoryLimit = m.keeper.Sessions()
}

// count finds out whose the memory is.
func (m *memoryUse) count() {
	u := metrics.MemoryUse{Limit: m.limit, Slack: m.limit / memory.Slack}
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

func (m *memoryUse) stop() {
	if m.keeper != nil {
		m.keeper.Stop()
		m.keeper = nil
	}
}

// lookAtShown tells the store what must not leave the screen, and says once where the limit is too
// low for what a program sends.
func (ss *Sessions) lookAtShown() {
	s := ss.active
	if s == nil {
		return
	}
	s.LookAt(ss.View().Track())
	if s.Torn() > int64(s.NumTracks()) && !ss.torn[s] {
		ss.torn[s] = true
		s.Apply(model.Warning{Text: tornWords(ss.memory.limit, s.NumTracks())})
	}
}

// tornWords say that threads lost all that they had in memory while they sent.
func tornWords(limit int64, threads int) string {
	return fmt.Sprintf("%s of memory is too little for %s: most of what they send leaves at once. Set more: "+
		"--memory, or Memory in Settings", format.AppendBytes(nil, limit),
		format.AppendPlural(nil, int64(threads), "thread", "threads"))
}

// stepMemory doubles or halves the limit.
func (ss *Sessions) stepMemory(dir int) {
	ss.settings.StepMemory(ss.memory.limit, dir)
	ss.memory.setLimit(ss.settings.MemoryLimit())
	ss.ask.TellNow("Sessions may take ", "%s", format.AppendBytes(nil, ss.memory.limit))
}
