package sessions

import (
	"framescope/model/store"
)

// contents caches the contents of a session, for tabs that are left out without content.
type contents struct {
	of  *store.Session
	rev uint64
	has store.Contents
}

// now returns the contents of a session. Contents found once stay.
func (c *contents) now(s *store.Session) store.Contents {
	if c.of != s {
		*c = contents{of: s}
	} else if s == nil || c.rev == s.Revision() {
		return c.has
	}
	if s != nil {
		c.rev, c.has = s.Revision(), c.has.Or(s.Contents())
	}
	return c.has
}
