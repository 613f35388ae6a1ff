package sessions

import (
	"cmp"
	"slices"

	"framescope/model/store"
)

// Bounds for sessions of disconnected games. A game that connects again and again must not fill memory.
const (
	maxEnded = 64 // sessions that received something
	maxEmpty = 4  // sessions that did not
)

// forgetOldest removes sessions of disconnected games from the screen when there are too many: those
// with the fewest received frames, and of equal ones the oldest, so that a storm of short ones does not
// displace a session in use, even when all of it has left memory. The shown session stays, and so do
// files and connected games.
func (ss *Sessions) forgetOldest() {
	type candidate struct {
		s        *store.Session
		received int64
	}
	var ended, empty []candidate
	for _, e := range ss.hub.Entries() {
		if _, over := e.Session.Ended(); !over || !e.Feed.Live() || e.Session == ss.active {
			continue
		}
		c := candidate{s: e.Session, received: e.Feed.Stats().Published}
		if c.received == 0 {
			empty = append(empty, c)
		} else {
			ended = append(ended, c)
		}
	}
	forget := func(all []candidate, most int) {
		if len(all) <= most {
			return
		}
		slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.received, b.received) })
		for _, c := range all[:len(all)-most] {
			ss.forget(c.s)
		}
	}
	forget(ended, maxEnded)
	forget(empty, maxEmpty)
}
