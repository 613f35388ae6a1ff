package app

import "framescope/model"

// contents is what a session has, for tabs that are left out where they have nothing to show.
type contents struct {
	of                                        *model.Session
	rev                                       uint64
	locks, series, messages, topology, leaked bool
	processors, unframed                      bool
	lockIDs                                   []model.CollectorID
}

// contentsOf returns what a session has. What was found once stays.
func (g *Game) contentsOf(s *model.Session) *contents {
	c := &g.has
	if c.of != s {
		*c = contents{of: s, lockIDs: c.lockIDs}
	} else if s == nil || c.rev == s.Revision() {
		return c
	}
	if s == nil {
		return c
	}
	c.rev = s.Revision()
	c.topology, c.leaked = len(s.Objects()) > 0, len(s.Resources()) > 0
	c.processors = len(s.SeriesByRole(model.RoleProcessor)) > 0
	if !c.series {
		for _, group := range s.SeriesByGroup() {
			for _, id := range group.Series {
				// Which processor a thread ran on is a band in the timeline.
				c.series = c.series || s.Series(id).Def.Role != model.RoleProcessor
			}
		}
	}
	if !c.locks {
		c.lockIDs = s.Locks(c.lockIDs[:0])
		c.locks = len(c.lockIDs) > 0
	}
	for i := 0; i < s.NumTracks() && !c.messages; i++ {
		c.messages = s.Track(model.TrackID(i)).NumMessages() > 0
	}
	c.unframed = noFrames(s) && c.any()
	return c
}

// any tells whether the session has anything besides tracks.
func (c *contents) any() bool { return c.locks || c.series || c.messages || c.topology || c.leaked }

// noFrames tells whether a session has threads or series, but no frames: what is shown by frames is not what one looks at first.
func noFrames(s *model.Session) bool {
	if s == nil {
		return false
	}
	for i := range s.NumTracks() {
		if t := s.Track(model.TrackID(i)); t.NumFrames() > 0 || t.Evicted() > 0 {
			return false
		}
	}
	return true
}
