// Package report writes what was measured as text or JSON: frame by frame, as the official
// text-stats does (net/pstats/VIEWER.md section 15), or as statistics over a range.
package report

import (
	"bufio"
	"errors"
	"io"
	"math"

	"framescope/app/timerange"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/sessionfile"
)

// Options says what to write. The zero value writes every frame of every thread as text.
type Options struct {
	// Range limits the report to frames that begin in it. Frame numbers are those of the first of
	// Threads, or of the main thread.
	Range timerange.Range
	// Threads are names of threads, or their indices; empty stands for all.
	Threads []string
	// Stats writes statistics for each collector instead of frames. So is done with a session that has
	// no frames, unless Raw or Compat is set.
	Stats bool
	// JSON writes JSON: frames as the events that text-stats writes, statistics as one object.
	JSON bool
	// Raw adds the events to the text of each frame, as they were received. It needs Events.
	Raw bool
	// Compat writes, from Events, the numbers of the official program, its quirks included, and the
	// carriage return before each frame.
	Compat bool
	// Events is what a PStats client sent, event by event; nil when it was not kept, or comes from
	// another source. With it, JSON has the events as they were sent; without, they are made from the
	// spans.
	Events *sessionfile.Raw
}

// ErrNoEvents is returned when what was asked for needs Options.Events.
var ErrNoEvents = errors.New("the events as they were sent are needed for this, and only PStats recordings have them")

// ErrNoFrameNumbers is returned for a range of frame numbers of a session that has none.
var ErrNoFrameNumbers = errors.New("this session has no frames that a range could count: give times, such as --range 1.5s:2.5s")

// Write writes a report on a session.
func Write(w io.Writer, s *store.Session, o Options) error {
	if (o.Raw || o.Compat) && o.Events == nil {
		return ErrNoEvents
	}
	o.Stats = o.Stats || unitOf(s).sums && !o.Raw && !o.Compat
	tracks, only, beginNs, endNs, err := choose(s, &o)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	switch {
	case o.Stats && o.JSON:
		err = writeStatsJSON(out, s, tracks, only, beginNs, endNs)
	case o.Stats:
		err = writeStats(out, s, tracks, only, beginNs, endNs)
	case o.JSON:
		err = writeEvents(out, s, tracks, beginNs, endNs, o.Events)
	default:
		err = writeFrames(out, s, tracks, beginNs, endNs, &o)
	}
	return errors.Join(err, out.Flush())
}

// unit is what a session goes by, as a report sees it.
type unit struct {
	sums    bool  // there is nothing to list but sums
	numbers error // why a range can't be one of numbers
}

// unitOf returns what a session goes by: frames, or times.
func unitOf(s *store.Session) unit {
	if s.HasFrames() {
		return unit{}
	}
	return unit{sums: true, numbers: ErrNoFrameNumbers}
}

// choose returns the tracks and the time that the report covers; only is those that were named.
func choose(s *store.Session, o *Options) (tracks, only []model.TrackID, beginNs, endNs int64, err error) {
	for _, name := range o.Threads {
		t, err := timerange.FindTrack(s, name)
		if err != nil {
			return nil, nil, 0, 0, err
		}
		only = append(only, t)
	}
	tracks = only
	if len(tracks) == 0 {
		for i := range s.NumTracks() {
			if t := s.Track(model.TrackID(i)); t != nil && t.NumFrames() > 0 {
				tracks = append(tracks, model.TrackID(i))
			}
		}
	}
	if o.Range.All() {
		// Not the session's bounds: tracks with a clock of their own lie outside of them.
		return tracks, only, math.MinInt64, math.MaxInt64, nil
	}
	if err := unitOf(s).numbers; err != nil && !o.Range.Times {
		return nil, nil, 0, 0, err
	}
	numbered := s.MainTrack()
	if len(o.Threads) > 0 {
		numbered = tracks[0]
	}
	beginNs, endNs, err = o.Range.Resolve(s, numbered)
	return tracks, only, beginNs, endNs, err
}

// frameIndices returns the frames of a track that begin in [beginNs, endNs): first and one more
// than the last.
func frameIndices(t *store.Track, beginNs, endNs int64) (first, end int) {
	if beginNs > math.MinInt64 {
		first = t.FrameAt(beginNs-1) + 1
	}
	if end = t.NumFrames(); endNs < math.MaxInt64 {
		end = t.FrameAt(endNs-1) + 1
	}
	return first, max(first, end)
}

// each calls fn for the frames of all tracks that begin in [beginNs, endNs), in order of their end,
// which is when they were sent; equal ends in order of the tracks.
func each(s *store.Session, tracks []model.TrackID, beginNs, endNs int64, fn func(track model.TrackID, frame int) error) error {
	type cursor struct {
		id        model.TrackID
		t         *store.Track
		next, end int
		at        int64
	}
	var cursors []cursor
	for _, id := range tracks {
		t := s.Track(id)
		if first, end := frameIndices(t, beginNs, endNs); first < end {
			cursors = append(cursors, cursor{id, t, first, end, t.Frame(first).End})
		}
	}
	for len(cursors) > 0 {
		k := 0
		for i := range cursors {
			if cursors[i].at < cursors[k].at {
				k = i
			}
		}
		c := &cursors[k]
		if err := fn(c.id, c.next); err != nil {
			return err
		}
		if c.next++; c.next < c.end {
			c.at = c.t.Frame(c.next).End
		} else {
			cursors = append(cursors[:k], cursors[k+1:]...)
		}
	}
	return nil
}
