package store

import (
	"framescope/model"
	"framescope/model/frames"
)

// Work is the time of a thread by what it did.
type Work struct {
	BusyNs int64 // in spans that are no waits
	WaitNs int64 // waiting, idle, parked
	BareNs int64 // in frames, in no span within them: nothing measured it
}

// CountedFrames returns how many of the frames [first, last] of a track figures have, see
// frames.Thread.CountedFrames; 0 where there is no such track.
func (s *Session) CountedFrames(track model.TrackID, first, last int) int64 {
	if t := s.Track(track); t != nil {
		return t.CountedFrames(first, last)
	}
	return 0
}

// WorkInFrames returns what a thread did in its frames [first, last], by the self times of its collectors; ok is
// false where these are not known.
func (s *Session) WorkInFrames(track model.TrackID, first, last int) (w Work, ok bool) {
	ok = s.Frames().SelfTimes(track, first, last, func(id model.CollectorID, ns int64) { w.add(s.Collector(id), ns) })
	return w, ok
}

// WorkOf is WorkInFrames by the statistics of net values in these frames.
func (s *Session) WorkOf(track model.TrackID, stats []frames.Stats) (w Work, ok bool) {
	for i := range stats {
		w.add(s.Collector(stats[i].Collector), stats[i].SelfNs())
	}
	t := s.Track(track)
	return w, t != nil && t.frames.HasSelfTimes()
}

// add adds the self time of a collector, which is nil where it is not known.
func (w *Work) add(c *model.Collector, ns int64) {
	switch {
	case c != nil && c.Waits:
		w.WaitNs += ns
	case c != nil && c.IsFrameRoot():
		w.BareNs += ns
	default:
		w.BusyNs += ns
	}
}
