package clips

import (
	"math"
	"time"

	"framescope/app/library"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/pstats/decode"
)

// Around says how much before and after a hitch is in its clip.
type Around struct{ Before, After time.Duration }

// The times unless the user says otherwise, and the longest.
const (
	DefaultBefore = 5 * time.Second
	DefaultAfter  = 2 * time.Second
	MaxAround     = time.Minute
)

// A SessionWatch looks for hitches of new causes on the main thread of a live session: the first hitch of each
// root cause gets a clip. It finds hitches and causes as all panels do. A hitch waits until the frames
// after it are there, or the session has ended; then the frames on both sides determine its cause. It
// belongs to the goroutine of the store.
type SessionWatch struct {
	s       *store.Session
	kept    *library.Recorder
	engine  *why.Engine
	track   model.TrackID
	more    bool  // not all of its frames were looked at when the time was over
	slot    int64 // of the time of the last look
	filed   map[view.Cause]bool
	next    int64 // number of the first frame that was not looked at
	hitches int64
	last    bool // nothing more comes, even if the session has not ended
	over    bool
}

// NewSessionWatch returns the watch over a session, which is kept on disk.
func NewSessionWatch(s *store.Session, kept *library.Recorder) *SessionWatch {
	return &SessionWatch{s: s, kept: kept, engine: why.NewEngine(s), track: model.NoTrack, filed: map[view.Cause]bool{}}
}

// Over reports whether the session has ended and all its hitches were examined.
func (w *SessionWatch) Over() bool { return w.over }

// Wanted is a hitch that needs a clip.
type Wanted struct {
	Info Info
	// Collector is the one that took the time, NoCollector if unknown.
	Collector model.CollectorID
	How       why.How
	cut       decode.Cut
	kept      *library.Recorder
}

// A look takes so much of a tick, and there is one so often while nothing is left over from the last.
const (
	lookNs    = 1_500_000
	lookEvery = 250_000_000
)

// prepare finds and explains hitches for a part of a tick, and reports whether it has handled all
// frames so far.
func (w *SessionWatch) prepare(nowNs int64, wholly bool) bool {
	w.slot = nowNs / lookEvery
	w.engine.Pace(format.Pick[int64](wholly, math.MaxInt32, why.LearnStep))
	for begin := time.Now(); ; {
		if w.more = w.engine.Prepare(w.track, 1); !w.more {
			return true
		}
		if !wholly && (w.engine.Pending() || time.Since(begin) >= lookNs) {
			return false
		}
	}
}

// Look looks for hitches for a part of a tick, and calls file for each that needs a clip: hitches
// examined before cost nothing. nowNs is any clock's time; wholly: without a time limit.
func (w *SessionWatch) Look(around Around, nowNs int64, wholly bool, file func(*store.Session, Wanted)) {
	if w.over {
		return
	}
	_, ended := w.s.Ended()
	ended = ended || w.last
	track := w.s.MainTrack()
	t := w.s.Track(track)
	if t == nil || t.NumFrames() == 0 {
		w.over = ended
		return
	}
	if track != w.track {
		w.track, w.next = track, t.Frame(0).Number
	}
	if !wholly && !ended && !w.more && nowNs/lookEvery == w.slot || !w.prepare(nowNs, wholly) {
		return
	}
	latest := t.Frame(t.NumFrames() - 1).End
	all := w.engine.Hitches(track)
	for _, h := range all[view.CauseFrom(all, w.next):] {
		if end := h.BeginNs + h.DurationNs + int64(around.After); !ended && (latest < end || w.behind(end, latest)) {
			return
		}
		w.next = h.Number + 1
		w.hitches++
		if by := view.OfHitch(&h); !w.filed[by] {
			w.filed[by] = true
			file(w.s, w.wanted(t, &h, around))
		}
	}
	w.over = ended
}

// lateNs is how far behind the main thread the frames of another may come, as a GPU's do, to be in a clip.
const lateNs = 1_000_000_000

// behind reports whether a thread's frames before endNs may still come, while those of the main thread
// are there until latestNs.
func (w *SessionWatch) behind(endNs, latestNs int64) bool {
	if latestNs >= endNs+lateNs {
		return false
	}
	for id := range model.TrackID(w.s.NumTracks()) {
		if t := w.s.Track(id); t != nil && t.NumFrames() > 0 && t.Frame(t.NumFrames()-1).End < endNs {
			return true
		}
	}
	return false
}

// wanted returns the clip of a hitch.
func (w *SessionWatch) wanted(t *store.Track, h *why.Hitch, around Around) Wanted {
	g := why.Group{Cause: h.Cause(), Track: h.Root.Track, How: h.Root.How}
	f := Time(h.BeginNs-int64(around.Before), h.BeginNs+h.DurationNs+int64(around.After)).Frames(w.s)
	return Wanted{
		Info: Info{
			Program: w.s.Info().Program, Cause: string(subject.AppendCauseName(nil, w.s, &g, true)),
			Mark: subject.CauseShape(g.How), Thread: t.Title(), Frame: h.Number, DurationNs: h.DurationNs,
			LengthNs: f.LastNs - f.FirstNs, Frames: f.N,
		},
		Collector: h.Root.Collector, How: g.How, cut: f.Cut, kept: w.kept,
	}
}
