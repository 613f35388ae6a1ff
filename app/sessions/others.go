package sessions

import (
	"time"

	"framescope/model/store"
	"framescope/widgets"
)

// noteEnd notes when a live session ended, and shows a notice if another session is on the screen.
func (ss *Sessions) noteEnd(s *store.Session) {
	reason, _ := s.Ended()
	if ss.opt.Deterministic || s.Info().File || s.NumTracks() == 0 {
		return
	}
	ss.endedAt[s] = time.Now()
	if t := s.Track(s.MainTrack()); s != ss.active && t != nil && t.NumFrames() > 0 && t.NumFrames() < fewFrames {
		ss.ask.Notices.Drop(ss.nameApart(s)) // that it is connected
		return
	}
	if s == ss.active {
		return
	}
	if reason != "" {
		reason = ": " + reason
	}
	ss.ask.NotifyUntilSeen(ss.nameApart(s), " has ended%s", reason)
}

// fewFrames is how many frames make the end of a session worth a notice: strangers come by the thousands with less.
const fewFrames = 8

// nameApart returns the name of a session with the word that sets it apart from others of its name.
func (ss *Sessions) nameApart(s *store.Session) string {
	rows := ss.Sessions()
	for i := range rows {
		if r := &rows[i]; r.Session == s {
			return widgets.NameApart(r)
		}
	}
	return s.Info().Program
}
