package clips

import (
	"time"

	"framescope/charts/causes"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// Around says how much before and after a hitch is in its clip.
type Around struct{ Before, After time.Duration }

// The times unless the user says otherwise, and the longest.
const (
	DefaultBefore = 5 * time.Second
	DefaultAfter  = 2 * time.Second
	MaxAround     = time.Minute
)

// A Watch looks for hitches of new causes on the main thread of a live session: the first hitch of each
// root cause has a clip. What is a hitch, and what its cause is, is what all panels say. A hitch waits
// until what comes after it is there, or the session has ended; by then its cause is known by the frames
// on both sides. It belongs to the goroutine of the store.
type Watch struct {
	s       *store.Session
	ring    *Ring
	causes  causes.Causes
	track   model.TrackID
	filed   map[causes.Cause]bool
	next    int64 // number of the first frame that was not looked at
	hitches int64
	over    bool
}

// NewWatch returns the watch over a session whose frames go to a ring, too.
func NewWatch(s *store.Session, r *Ring) *Watch {
	return &Watch{s: s, ring: r, causes: causes.New(s), track: model.NoTrack, filed: map[causes.Cause]bool{}}
}

// Over tells that the session has ended and all its hitches were looked at.
func (w *Watch) Over() bool { return w.over }

// Wanted is a hitch of which a clip is wanted.
type Wanted struct {
	Info Info // but for what is known when the frames have been taken
	// Collector is what took the time, NoCollector where that is not known.
	Collector model.CollectorID
	How       why.How
	frames    Frames
	ring      *Ring
}

// Look looks for hitches, for a part of a tick, and calls file for each of which a clip is wanted: those
// that were looked at before cost nothing. tick and nowNs are those of causes.Causes; wholly: all at once.
func (w *Watch) Look(around Around, tick, nowNs int64, wholly bool, file func(Wanted)) {
	if w.over {
		return
	}
	_, ended := w.s.Ended()
	track := w.s.MainTrack()
	t := w.s.Track(track)
	if t == nil || t.NumFrames() == 0 {
		w.over = ended
		return
	}
	if track != w.track {
		w.track, w.next = track, t.Frame(0).Number
	}
	w.causes.Prepare(track, tick, nowNs, wholly)
	if !w.causes.Ready() {
		return
	}
	latest := t.Frame(t.NumFrames() - 1).End
	for _, h := range w.causes.Hitches(w.next, t.Frame(t.NumFrames()-1).Number) {
		if !ended && latest < h.BeginNs+h.DurationNs+int64(around.After) {
			return
		}
		w.next = h.Number + 1
		w.hitches++
		if by := causes.By(h.Root.Track, h.Root.Collector); !w.filed[by] {
			w.filed[by] = true
			file(w.wanted(t, &h, around))
		}
	}
	w.over = ended
}

// wanted returns the clip of a hitch.
func (w *Watch) wanted(t *store.Track, h *why.Hitch, around Around) Wanted {
	g := why.Group{Track: h.Root.Track, Collector: h.Root.Collector, How: h.Root.How}
	return Wanted{
		Info: Info{
			Program: w.s.Info().Program, Cause: string(subject.AppendCauseName(nil, w.s, &g, true)),
			Mark: subject.CauseShape(g.How), Thread: t.Title(), Frame: h.Number, DurationNs: h.DurationNs,
		},
		Collector: g.Collector, How: g.How, ring: w.ring,
		frames: Time(h.BeginNs-int64(around.Before), h.BeginNs+h.DurationNs+int64(around.After)).Frames(w.s),
	}
}
