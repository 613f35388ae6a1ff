package store

import (
	"math"

	"framescope/model"
	"framescope/model/spans"
)

// Properties of a session that every panel, command and report needs.

// HasFrames reports whether the track is looked at frame by frame: it has frames, or had some that
// left memory.
func (t *Track) HasFrames() bool { return t.NumFrames() > 0 || t.evicted > 0 }

// answer caches what several panels ask in each tick, as of a revision of the session: finding it costs a look at
// each track once in a revision.
type answer[A any] struct {
	value A
	rev   uint64
	known bool
}

func (k *answer[A]) of(s *Session, find func(*Session) A) A {
	if !k.known || k.rev != s.rev {
		k.value, k.rev, k.known = find(s), s.rev, true
	}
	return k.value
}

// HasFrames reports whether anything in the session goes by frames, also if they left memory.
func (s *Session) HasFrames() bool { return s.framed.of(s, (*Session).findFrames) }

func (s *Session) findFrames() bool {
	for _, t := range s.tracks {
		if t.HasFrames() {
			return true
		}
	}
	return false
}

// MainTrack returns the track to show first and to count a session's frames by, NoTrack while no
// track has data. It is the one that the source names (TrackDef.Main). Else, of those with frames,
// the first thread on the session's own clock; and without frames the thread with the most spans.
// Other tracks take the place of threads only if no thread has anything. A track without frames is
// never the main one beside others that have frames.
func (s *Session) MainTrack() model.TrackID { return s.main.of(s, (*Session).findMain) }

func (s *Session) findMain() model.TrackID {
	best, most := model.NoTrack, mainRank{}
	for _, t := range s.tracks {
		if r := mainRankOf(t); r.over(most) {
			best, most = t.Def.ID, r
		}
	}
	return best
}

// FirstTrack returns the track to show first: the main one, but for a program without frames and with
// a flow through it, the way with the longest total time. Its threads are of little interest beside
// that: those of a pipeline only have queries.
func (s *Session) FirstTrack() model.TrackID {
	first, longest := s.MainTrack(), int64(-1)
	if t := s.Track(first); t == nil || t.HasFrames() || t.Def.Main {
		return first
	}
	var one [1]spans.Bar
	for _, t := range s.tracks {
		if t.Def.Kind != model.TrackStream || t.NumSpans() == 0 {
			continue
		}
		b := s.Spans().Longest(t.Def.ID, model.NoCollector, -1, math.MinInt64, math.MaxInt64, 1, one[:0])
		if len(b) > 0 && b[0].End-b[0].Begin > longest {
			first, longest = t.Def.ID, b[0].End-b[0].Begin
		}
	}
	return first
}

// mainRank orders tracks by how well they serve as the main one. The zero value is that of a track
// without data.
type mainRank struct {
	class int
	spans int64
}

// mainRankOf returns the rank of a track.
func mainRankOf(t *Track) (r mainRank) {
	switch {
	case t.NumFrames() > 0:
		r.class = 8
		if !t.Def.OwnClock {
			r.class += 2
		}
	default:
		if r.spans = t.NumSpans(); r.spans == 0 {
			return r
		}
		r.class = 1
	}
	if t.Def.Kind == model.TrackThread {
		r.class++
	}
	if t.Def.Main {
		r.class += 4
	}
	return r
}

// over reports whether a track is to be preferred to those before it.
func (r mainRank) over(o mainRank) bool {
	return r.class > o.class || r.class == o.class && r.spans > o.spans
}

// Contents is the kinds of data in a session, which decide the panels, commands and pictures for
// it.
type Contents struct {
	Frames   bool // some track goes by frames
	Spans    bool
	Levels   bool // counters of frames
	Messages bool
	Locks    bool
	Flows    bool // arrows from span to span
	// Series of samples, except the processors of threads, which are bands of the timeline, and
	// stacks without times.
	Series     bool
	Processors bool
	Objects    bool // elements of a pipeline
	Resources  bool // objects that leaked
	Sampled    bool // stacks of threads: spans are runs, not calls
	Ways       bool // of things through the elements of a pipeline
	Timeless   bool // no times are known: see model.Sampling
}

// Any reports whether there is anything at all.
func (c Contents) Any() bool { return c != Contents{} }

// Frameless reports whether there is data, and none of it goes by frames: it is viewed by ranges of
// time.
func (c Contents) Frameless() bool { return c.Any() && !c.Frames }

// Timeline reports whether there is something that a timeline of tracks shows.
func (c Contents) Timeline() bool { return c.Spans || c.Frames || c.Messages || c.Locks }

// Or returns the union of two: a session keeps the kinds of data that left memory.
func (c Contents) Or(o Contents) Contents {
	return Contents{
		Frames:     c.Frames || o.Frames,
		Spans:      c.Spans || o.Spans,
		Levels:     c.Levels || o.Levels,
		Messages:   c.Messages || o.Messages,
		Locks:      c.Locks || o.Locks,
		Flows:      c.Flows || o.Flows,
		Series:     c.Series || o.Series,
		Processors: c.Processors || o.Processors,
		Objects:    c.Objects || o.Objects,
		Resources:  c.Resources || o.Resources,
		Sampled:    c.Sampled || o.Sampled,
		Ways:       c.Ways || o.Ways,
		Timeless:   c.Timeless || o.Timeless,
	}
}

// Contents returns the present contents of a session.
func (s *Session) Contents() Contents { return s.contents.of(s, (*Session).findContents) }

func (s *Session) findContents() Contents {
	c := Contents{
		Frames:     s.HasFrames(),
		Levels:     s.Collectors().Len() > 0 && s.Collector(0).HasLevel,
		Locks:      s.locks.Any(),
		Flows:      s.flows.Any(),
		Processors: len(s.Series().ByRole(model.RoleProcessor)) > 0,
		Objects:    len(s.Topology().Objects()) > 0,
		Resources:  len(s.Topology().Resources()) > 0,
		Sampled:    s.Spans().AnySampled(),
	}
	c.Timeless = c.Sampled && s.Info().Sampling.Timeless
	for _, n := range s.Messages().Severities() {
		c.Messages = c.Messages || n > 0
	}
	for i := 0; i < len(s.tracks) && !c.Spans; i++ {
		c.Spans = s.tracks[i].NumSpans() > 0
	}
	for i := 0; i < len(s.tracks) && c.Objects && !c.Ways; i++ {
		c.Ways = s.tracks[i].Def.Kind == model.TrackStream && s.tracks[i].NumSpans() > 0
	}
	for _, g := range s.Series().ByGroup() {
		for _, id := range g.Series {
			role := s.Series().ByID(id).Def.Role
			if role != model.RoleProcessor && !(role.OfStacks() && s.Info().Sampling.Timeless) {
				c.Series = true
				return c
			}
		}
	}
	return c
}
