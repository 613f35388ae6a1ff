package store

import (
	"net/netip"

	"framescope/model"
)

// Ledger returns the account of the session.
func (s *Session) Ledger() model.Ledger { return s.counts.of(s, (*Session).makeLedger) }

func (s *Session) makeLedger() model.Ledger {
	var b model.LedgerCounts
	only := s.framesOf()
	for id, t := range s.tracks {
		if only != model.NoTrack && model.TrackID(id) != only {
			continue
		}
		b.Outside = model.AddSat(b.Outside, t.outside())
		if !t.HasFrames() {
			continue
		}
		b.Threads++
		b.Received = model.AddSat(b.Received, model.AddSat(int64(t.NumFrames()), t.evicted))
		b.Missing = model.AddSat(b.Missing, model.AddSat(t.evictedMissing, t.Missing()))
	}
	b.Missing = model.AddSat(b.Missing, s.losses[model.LossNumbers]) // before the oldest frames of a recording
	b.Lost, b.Frames = s.losses, s.ledger.frames
	_, end := s.NewestFrame()
	b.Outside = model.AddSat(b.Outside, s.ledger.after(end))
	b.Local, b.SystemUnknown = isLocal(s.info), s.ledger.uncounted
	return b.Ledger()
}

// framesOf returns the track with frames that cut all other tracks; NoTrack if each has frames of
// its own.
func (s *Session) framesOf() model.TrackID { return s.cutBy - 1 }

// NewestFrame returns the latest begin and the latest end of a track's newest frame, on the session's
// clock, also where that left memory; model.MinTime without frames.
func (s *Session) NewestFrame() (begin, end int64) {
	begin, end = model.MinTime, model.MinTime
	for _, t := range s.tracks {
		if t.some && !t.Def.OwnClock {
			begin, end = max(begin, t.lastBegin), max(end, t.lastEnd)
		}
	}
	return begin, end
}

// Latest returns the end of the newest frame, or of the newest data if nothing goes by frames, also
// if it left memory; 0 without data.
func (s *Session) Latest() int64 {
	_, latest := s.NewestFrame()
	if _, end, ok := s.Bounds(); ok {
		latest = max(latest, end)
	}
	return max(latest, 0)
}

// isLocal reports whether a client is on this machine, so that nothing between it and us loses
// datagrams.
func isLocal(info model.Info) bool {
	at, err := netip.ParseAddrPort(info.Peer)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// ledgerBook keeps the known lost frames, and when: those of a known track are in the track (see
// account).
type ledgerBook struct {
	frames    [model.NumLossReasons]int64
	recent    []lostFrames // those that may lie behind the last frame received, oldest first
	uncounted bool
	looked    uint64 // Session.appends when the newest frame's end was last looked for
}

type lostFrames struct{ beginNs, n int64 }

// maxRecent is how many losses are kept apart; more of them become one.
const maxRecent = 64

// enter takes a loss of a session. Losses before the end of the newest frame are forgotten when
// there is no room, but that end is looked for, in all tracks, only so often that each frame pays
// for it.
func (b *ledgerBook) enter(l *model.Loss, s *Session) {
	if l.Uncounted && l.Reason == model.LossSystem {
		b.uncounted = true
	}
	n := min(l.Frames, l.N)
	if only := s.framesOf(); only != model.NoTrack && l.Track != only && l.Track != model.NoTrack {
		n = 0 // a thread's part of a frame is no frame
	}
	if n <= 0 {
		return
	}
	b.frames[l.Reason] = model.AddSat(b.frames[l.Reason], n)
	if t := s.ensureTrack(l.Track); t != nil && l.Reason != model.LossLeftDisk {
		t.lost(n, l.Begin)
		return
	}
	if l.Begin <= 0 {
		return
	}
	if len(b.recent) == maxRecent && s.appends-b.looked >= uint64(len(s.tracks)) {
		b.looked = s.appends
		_, end := s.NewestFrame()
		keep := b.recent[:0]
		for _, x := range b.recent {
			if x.beginNs >= end {
				keep = append(keep, x)
			}
		}
		b.recent = keep
	}
	if k := len(b.recent); k == maxRecent {
		last := &b.recent[k-1]
		last.beginNs, last.n = min(last.beginNs, l.Begin), model.AddSat(last.n, n)
		return
	}
	b.recent = append(b.recent, lostFrames{l.Begin, n})
}

// after returns how many frames were lost at a time or later.
func (b *ledgerBook) after(ns int64) (n int64) {
	for _, x := range b.recent {
		if x.beginNs >= ns {
			n = model.AddSat(n, x.n)
		}
	}
	return n
}
