package view

import (
	"maps"

	"framescope/model"
	"framescope/model/store"
)

// WhyHidden is why a track is not shown.
type WhyHidden uint8

// The reasons.
const (
	NotHidden    WhyHidden = iota
	HiddenByHand           // the user hid it
	HiddenIdle             // it is idle, and the user hides those
	HiddenSums             // it has sums instead of calls (model.TrackDef), and the user does not show those
	NumWhyHidden
)

// WhyHidden returns why a track is not shown.
func (l *Look) WhyHidden(id model.TrackID) WhyHidden {
	switch {
	case l.trackMarked(markHidden, id):
		return HiddenByHand
	case l.tracks.NoIdle && !l.TrackPinned(id) && !l.trackMarked(markKept, id) && l.TrackIdle(id):
		return HiddenIdle
	case !l.tracks.Sums && l.sums(id) && !l.TrackPinned(id) && !l.trackMarked(markKept, id):
		return HiddenSums
	}
	return NotHidden
}

// sums reports whether a track has sums instead of calls.
func (l *Look) sums(id model.TrackID) bool {
	t := l.session.Track(id)
	return t != nil && t.Def.Sums
}

// TrackHidden reports whether a track is hidden: by the user, or because it is idle (HideIdle).
func (l *Look) TrackHidden(id model.TrackID) bool { return l.WhyHidden(id) != NotHidden }

// SetTrackHidden hides or shows a track. One that is shown stays, though it is idle.
func (l *Look) SetTrackHidden(id model.TrackID, hidden bool) {
	l.markTrack(markHidden, id, hidden)
	if !hidden && l.TrackHidden(id) {
		l.markTrack(markKept, id, true)
	}
}

// HidesIdle reports whether any track is hidden because it is idle.
func (l *Look) HidesIdle() bool { return l.tracks.NoIdle && l.NumHidden(HiddenIdle) > 0 }

// HideIdle hides the tracks that are idle, now and from now on, or shows them. Where none is idle it
// hides none later, either.
func (l *Look) HideIdle(on bool) {
	if on = on && l.anyIdle(); on == l.HidesIdle() {
		l.tracks.NoIdle = on
		return
	}
	l.rearranges()
	l.tracks.NoIdle, l.tracks.Kept = on, nil
	l.tracksChanged()
}

// anyIdle reports whether HideIdle has a track to hide.
func (l *Look) anyIdle() bool {
	s := l.session
	for id := range model.TrackID(s.NumTracks()) {
		if shows(s, id) && !l.trackMarked(markHidden, id) && !l.TrackPinned(id) && l.TrackIdle(id) {
			return true
		}
	}
	return false
}

// ShowTracks shows the tracks again that are hidden for a reason.
func (l *Look) ShowTracks(why WhyHidden) {
	switch {
	case why == HiddenIdle:
		l.HideIdle(false)
	case why == HiddenSums:
		if l.NumHidden(HiddenSums) > 0 {
			l.rearranges()
			l.tracks.Sums = true
			l.tracksChanged()
		}
	case len(l.tracks.Hidden) > 0:
		l.rearranges()
		l.tracks.Hidden = nil
		l.tracksChanged()
	}
}

// NumHidden returns how many tracks of the session are hidden for a reason.
func (l *Look) NumHidden(why WhyHidden) int {
	l.showTracks()
	return l.shownTracks.hidden[why]
}

// HidesTracks reports whether any track is hidden.
func (l *Look) HidesTracks() bool {
	return len(l.tracks.Hidden) > 0 || l.NumHidden(HiddenIdle)+l.NumHidden(HiddenSums) > 0
}

// SetHidden hides or shows a collector.
func (l *Look) SetHidden(c model.CollectorID, hidden bool) {
	if hidden == l.hidden[c] {
		return
	}
	l.rearranges()
	l.shownRev++
	if !hidden {
		delete(l.hidden, c)
		return
	}
	if l.hidden == nil {
		l.hidden = map[model.CollectorID]bool{}
	}
	l.hidden[c] = true
}

// ShowAll shows all hidden tracks and collectors again.
func (l *Look) ShowAll() {
	if len(l.hidden) > 0 {
		l.rearranges()
		clear(l.hidden)
		l.shownRev++
	}
	l.ShowAllTracks()
}

// ShowAllTracks shows all tracks again, whyever they are hidden.
func (l *Look) ShowAllTracks() {
	for why := NotHidden + 1; why < NumWhyHidden; why++ {
		l.ShowTracks(why)
	}
}

// rearranges makes the present step one that Back returns to, before something is hidden, or tracks
// are shown otherwise.
func (l *Look) rearranges() {
	l.sized = model.NoTrack
	l.view.rearranges(false)
}

// resizes is rearranges for the height of a track, which changes while an edge is dragged.
func (l *Look) resizes(id model.TrackID) {
	l.view.rearranges(l.sized == id)
	l.sized = id
}

// hidings holds the hidden things and how tracks are shown, for Back to restore. They never change.
type hidings struct {
	tracks    TrackLook
	hidden    map[model.CollectorID]bool
	goneShown bool
}

// keptLook is the current hidings, made on demand.
type keptLook struct {
	now *hidings
	rev uint64
}

// hidings returns the present ones: the same pointer as long as nothing changes.
func (l *Look) hidings() *hidings {
	if k := &l.kept; k.now == nil || k.rev != l.shownRev {
		k.now = &hidings{tracks: l.Tracks(), hidden: maps.Clone(l.hidden), goneShown: l.goneShown}
		k.rev = l.shownRev
	}
	return l.kept.now
}

// bringBack restores hidden things and how tracks are shown.
func (l *Look) bringBack(h *hidings) {
	if h == l.hidings() {
		return
	}
	l.hidden, l.goneShown, l.sized = maps.Clone(h.hidden), h.goneShown, model.NoTrack
	l.SetTracks(h.tracks)
	l.kept = keptLook{now: h, rev: l.shownRev}
}

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
	looked, is    bool
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
