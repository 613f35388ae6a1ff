package sessions

import (
	"time"

	"framescope/model/store"
	"framescope/widgets"
)

// noteEnd notes when a live session ended, and shows a notice if it broke off or another session is on the screen.
func (ss *Sessions) noteEnd(s *store.Session) {
	reason, _ := s.Ended()
	if ss.opt.Deterministic || s.Info().File || s.NumTracks() == 0 {
		return
	}
	ss.endedAt[s] = time.Now()
	if s != ss.active && ofStranger(s) && s.Track(s.MainTrack()).HasFrames() {
		ss.ask.Notices.Drop(ss.NameApart(s)) // that it is connected
		return
	}
	if s.BrokeOff() {
		ss.ask.WarnUntilSeen(ss.NameApart(s), " %s", reason)
		return
	}
	if s == ss.active {
		return
	}
	if reason != "" {
		reason = ": " + reason
	}
	ss.ask.NotifyUntilSeen(ss.NameApart(s), " has ended%s", reason)
}

// ofStranger reports whether a game has sent so little that it may be none.
func ofStranger(s *store.Session) bool {
	t := s.Track(s.MainTrack())
	return s.Info().Source == "pstats" && (t == nil || t.NumFrames() < fewFrames)
}

// fewFrames is how many frames make a session worth a notice or the view: strangers come by the thousands with less.
const fewFrames = 8

// NameApart returns the name of a session with the word that sets it apart from others of its name.
func (ss *Sessions) NameApart(s *store.Session) string {
	rows := ss.Sessions()
	for i := range rows {
		if r := &rows[i]; r.Session == s {
			return widgets.NameApart(r)
		}
	}
	return s.Info().Program
}
