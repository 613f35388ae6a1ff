package view

import (
	"framescope/model"
	"framescope/model/store"
)

const (
	// idleShare: a track with few spans, busy for less than this part of the session, is idle.
	idleShare = 1000
	// idleAgainNs is how often a thread that had nothing to do is looked at again, when there is more of
	// it.
	idleAgainNs = 500_000_000
)

// idleTracks caches which tracks are idle, with the state of each at that time, as the check costs a
// sum of all spans.
type idleTracks struct {
	session *store.Session
	of      []idleTrack
	levels  []model.Level
	did     did
}

type idleTrack struct {
	looked        bool
	is            bool
	spans, frames int64
	length, until int64 // of the session then, and from when on it is looked at again in any case
}

// TrackIdle reports whether a track did nothing, or next to nothing, in the whole session: it only
// waits, or it has few spans that make up less than a thousandth of the session. The main track is
// never idle, nor is one with messages or counters, or of things that flow through a program.
func (l *Look) TrackIdle(id model.TrackID) bool {
	x, s := &l.idle, l.session
	if s.Track(id) == nil {
		return false
	}
	if x.session != s {
		*x = idleTracks{session: s}
	}
	for int(id) >= len(x.of) {
		x.of = append(x.of, idleTrack{})
	}
	t, k := s.Track(id), &x.of[id]
	if t.Def.Main || t.NumMessages() > 0 || !t.Def.Kind.Calls() && t.NumSpans() > 0 {
		return false
	}
	if k.looked && !k.is && k.spans >= busySpans && t.NumSpans() >= k.spans {
		return false // it did something once, and that does not become less
	}
	t0, t1, ok := s.Bounds()
	if !ok {
		return t.NumSpans() == 0 && t.NumFrames() == 0
	}
	more := t.NumSpans() != k.spans || int64(t.NumFrames()) != k.frames
	if _, ended := s.Ended(); more { // the length of a file being read means nothing
		more = ended || t.NumSpans() >= 2*k.spans || t1-t0-k.length >= idleAgainNs
	}
	if length := t1 - t0; !k.looked || length >= k.until || length < k.length || more {
		*k = idleTrack{
			looked: true, spans: t.NumSpans(), frames: int64(t.NumFrames()), length: length, until: length + length/4 + 1,
		}
		busy := x.did.workIn(s, id, t0, t1)
		k.is = (busy == 0 || k.spans < busySpans && busy < length/idleShare) && !x.counts(t)
	}
	return k.is
}

// counts reports whether a track has counters, judged by some of its frames.
func (x *idleTracks) counts(t *store.Track) bool {
	const looks = 8
	for i, n := 0, t.NumFrames(); i < looks && n > 0; i++ {
		x.levels = x.session.Frames().Levels(t.Def.ID, (n-1)*i/(looks-1), x.levels[:0])
		if len(x.levels) > 0 {
			return true
		}
	}
	return false
}
