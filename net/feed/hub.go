package feed

import (
	"sync"
	"time"

	"framescope/model"
)

// Hub gathers the feeds of all connected programs and opened files, and is polled once a tick. NewFeed may be called from any goroutine; the rest belongs to the game loop.
type Hub struct {
	mu      sync.Mutex
	fresh   []*Feed
	entries []Entry
	next    int // feed that is polled first, so that none starves
	closed  bool
}

// Entry is a feed with the session that it fills.
type Entry struct {
	Feed    *Feed
	Session *model.Session
}

// NewHub returns an empty hub.
func NewHub() *Hub { return &Hub{} }

// NewFeed returns a feed that the next Poll gives a session of its own.
func (h *Hub) NewFeed(o Options) *Feed {
	f := New(o)
	h.mu.Lock()
	h.fresh = append(h.fresh, f)
	closed := h.closed
	h.mu.Unlock()
	if closed {
		f.Cancel()
	}
	return f
}

// Close cancels all feeds, also those that nobody has polled yet and those to come, so that no producer waits for a poll that never comes.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	fresh := h.fresh
	h.mu.Unlock()
	for _, f := range fresh {
		f.Cancel()
	}
	for _, e := range h.entries {
		e.Feed.Cancel()
	}
}

// PollStats tells what a Poll did.
type PollStats struct {
	NewSessions    int
	Batches, Spans int
	More           bool // something is left for the next tick
	Took           time.Duration
}

// Poll gives new feeds a session in the store and applies what waits in all feeds, within the time budget.
func (h *Hub) Poll(st *model.Store, budget time.Duration) PollStats {
	start := time.Now()
	deadline := start.Add(budget)
	var p PollStats
	h.mu.Lock()
	fresh := h.fresh
	h.fresh = nil
	h.mu.Unlock()
	for _, f := range fresh {
		h.entries = append(h.entries, Entry{f, st.NewSession()})
		p.NewSessions++
	}
	// Each feed in turn gets an equal slice of what is left of the budget.
	for i := range h.entries {
		e := h.entries[(h.next+i)%len(h.entries)]
		slice := time.Until(deadline) / time.Duration(len(h.entries)-i)
		b, s, more := e.Feed.Poll(e.Session, time.Now().Add(slice))
		p.Batches += b
		p.Spans += s
		p.More = p.More || more
	}
	if len(h.entries) > 0 {
		h.next = (h.next + 1) % len(h.entries)
	}
	p.Took = time.Since(start)
	return p
}

// Entries returns the feeds that were given a session, in the order of their arrival. The slice is the hub's own.
func (h *Hub) Entries() []Entry { return h.entries }

// EntryOf returns the entry of a session.
func (h *Hub) EntryOf(s *model.Session) (Entry, bool) {
	for _, e := range h.entries {
		if e.Session == s {
			return e, true
		}
	}
	return Entry{}, false
}

// Remove cancels the feed of a session and forgets both.
func (h *Hub) Remove(st *model.Store, s *model.Session) {
	for i, e := range h.entries {
		if e.Session == s {
			e.Feed.Cancel()
			h.entries = append(h.entries[:i], h.entries[i+1:]...)
			h.next = 0
			st.Remove(s)
			return
		}
	}
}
