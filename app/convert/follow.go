package convert

import (
	"framescope/model"
	"framescope/model/store"
)

// A frame has settled when settledFrames frames of its thread follow it, or when it ended settledNs before the newest
// data. Later data change no row about it, except in threads with slow frames.
const (
	settledFrames = 400
	settledNs     = 20_000_000_000
	leastFrames   = 500 // of a part: many small ones would cost more
)

// Follower divides a growing session into parts: each has the frames that settled since the part before.
type Follower struct {
	Session *store.Session
	// Lost counts the frames that left memory before they were in a part.
	Lost int64

	pieces []trackPart // by track, the newest
}

// trackPart is the frames and the time of a track in a part.
type trackPart struct {
	first, end int64 // of all frames that ever came
	from, to   int64 // of its time
}

// Next returns the next part: the settled frames that begin before a time; with all, also those that have not settled.
// It returns nil while there are no new frames, or too few for a part.
func (f *Follower) Next(before int64, all bool) *Part {
	s := f.Session
	_, latest, ok := s.Bounds()
	if !ok {
		return nil
	}
	next := make([]trackPart, s.NumTracks())
	frames, lost := int64(0), int64(0)
	for id := range next {
		x := trackPart{to: model.MinTime}
		if id < len(f.pieces) {
			x = f.pieces[id]
		}
		if t := s.Track(model.TrackID(id)); t != nil {
			lost += max(t.Evicted()-x.end, 0)
			x.advance(t, before, latest, all)
			frames += x.end - x.first
		}
		next[id] = x
	}
	if frames == 0 || frames < leastFrames && !all {
		return nil
	}
	f.pieces = next
	f.Lost += lost
	p := Between(s, model.MinTime, before)
	p.pieces = next
	return p
}

// Settled reports whether no more data can come that begin before a time.
func (f *Follower) Settled(before int64) bool {
	_, latest, ok := f.Session.Bounds()
	return ok && before < latest-settledNs
}

// advance moves on to the frames that settled since.
func (x *trackPart) advance(t *store.Track, before, latest int64, all bool) {
	gone, n := t.Evicted(), t.NumFrames()
	x.first = max(x.end, gone)
	at := int(x.first - gone)
	settled := func(i int) bool { return all || n-i > settledFrames || t.Frame(i).End < latest-settledNs }
	for at < n && t.Frame(at).Begin < before && settled(at) {
		at++
	}
	x.end, x.from = gone+int64(at), x.to
	switch {
	case at < n:
		x.to = max(x.from, t.Frame(at).Begin)
	case all:
		x.to = max(x.from, before)
	case n > 0:
		x.to = max(x.from, t.Frame(n-1).End)
	default:
		x.to = max(x.from, min(before, latest-settledNs))
	}
}

// Starts returns when the first frame of a part begins; ok is false where it has none.
func (p *Part) Starts() (ns int64, ok bool) {
	for _, id := range p.Tracks {
		if first, end := p.Frames(id); first < end {
			if at := p.Session.Track(id).Frame(first).Begin; !ok || at < ns {
				ns, ok = at, true
			}
		}
	}
	return ns, ok
}
