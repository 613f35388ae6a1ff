package store

import "framescope/model"

// Work is the time of a thread by what it did.
type Work struct {
	BusyNs int64 // in spans that are no waits
	WaitNs int64 // waiting, idle, parked
	BareNs int64 // in frames, in no span within them: nothing measured it
}

// CountedFrames returns how many of the frames [first, last] of a track figures have, see
// frames.Track.Counted; 0 where there is no such track.
func (s *Session) CountedFrames(track model.TrackID, first, last int) int64 {
	if t := s.Track(track); t != nil {
		return t.CountedFrames(first, last)
	}
	return 0
}

// WorkInFrames returns what a thread did in its frames [first, last], by the self times of its collectors; ok is
// false where these are not known.
func (s *Session) WorkInFrames(track model.TrackID, first, last int) (w Work, ok bool) {
	ok = s.Frames().SelfTimes(track, first, last, func(id model.CollectorID, ns int64) {
		switch c := s.Collector(id); {
		case c != nil && c.Waits:
			w.WaitNs += ns
		case c != nil && c.IsFrameRoot():
			w.BareNs += ns
		default:
			w.BusyNs += ns
		}
	})
	return w, ok
}
