// Package report writes measurements as text or JSON: frame by frame, as the official text-stats does
// (net/pstats/VIEWER.md section 15), or as statistics over a range.
package report

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"math"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/sessionfile"
)

// Options are the options of a report. The zero value writes every frame of every thread as text.
type Options struct {
	// Range limits the report to frames that begin in it. Frame numbers are those of the first of
	// Threads, or of the main thread; that thread then has exactly these frames.
	Range place.TimeRange
	// Threads are names of threads, or their numbers; empty stands for all.
	Threads []string
	// Stats writes statistics for each collector instead of frames. So is done with a session that has
	// no frames, unless Raw or Compat is set.
	Stats bool
	// Where writes the calls that an expression finds instead of frames, or with Stats their sums.
	Where *find.Expr
	// JSON writes statistics, or what Where finds, as JSON. Frames are text.
	JSON bool
	// Bookmarks are the recording's bookmarks, for statistics.
	Bookmarks []place.Mark
	// BudgetNs is how long a frame may take, for statistics; 0 stands for frames.DefaultBudgetNs.
	BudgetNs int64
	// Raw adds the events to the text of each frame, as they were received. It needs Events.
	Raw bool
	// Compat writes, from Events, the numbers of the official program, its quirks included, and the
	// carriage return before each frame.
	Compat bool
	// Events is every event of a PStats client; nil when it was not kept, or comes from another source.
	Events *sessionfile.Raw
}

// ErrNoEvents is returned when a report needs Options.Events.
var ErrNoEvents = errors.New("this needs the events as they were sent, which only PStats recordings have")

// ErrFramesAreText is returned where frames are wanted as JSON.
var ErrFramesAreText = errors.New("--raw and --compat print frames, as text: leave out --json; `framescope " +
	"export` writes frames as JSON for trace viewers")

// FiguresOf returns the statistics of a session, as they are in JSON.
func FiguresOf(s *store.Session, o Options) (*Figures, error) {
	o.Stats = true
	c, err := choose(s, &o)
	if err == nil {
		err = c.empty(&o)
	}
	if err != nil {
		return nil, err
	}
	sum := summarise(c)
	return &sum, nil
}

// Write writes a report on a session.
func Write(w io.Writer, s *store.Session, o Options) error {
	if (o.Raw || o.Compat) && o.Events == nil {
		return ErrNoEvents
	}
	if o.JSON && (o.Raw || o.Compat) {
		return ErrFramesAreText
	}
	o.Stats = o.Stats || (o.JSON || !s.HasFrames()) && !o.Raw && !o.Compat && o.Where == nil
	if o.Where != nil && s.Info().Sampling.Timeless {
		return ErrFindTimeless
	}
	c, err := choose(s, &o)
	if err != nil {
		return err
	}
	if o.Where == nil {
		if err := c.empty(&o); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	switch {
	case o.Where != nil:
		err = writeFound(out, c, &o)
	case o.Stats && o.JSON:
		err = escape.WriteJSON(out, summarise(c))
	case o.Stats:
		err = writeStats(out, c)
	default:
		err = writeFrames(out, c, &o)
	}
	return errors.Join(err, out.Flush())
}

// scope is the covered part of a report.
type scope struct {
	s              *store.Session
	tracks, only   []model.TrackID // tracks with frames; named tracks
	marks          []place.Mark
	beginNs, endNs int64
	budgetNs       int64

	// The track with frames selected by number, NoTrack for none, and the first and one behind the
	// last.
	numbered   model.TrackID
	first, end int
}

// choose returns the covered part.
func choose(s *store.Session, o *Options) (*scope, error) {
	// Not the session's bounds: tracks with a clock of their own lie outside of them.
	c := &scope{s: s, beginNs: math.MinInt64, endNs: math.MaxInt64, numbered: model.NoTrack, marks: o.Bookmarks}
	c.budgetNs = cmp.Or(o.BudgetNs, frames.DefaultBudgetNs)
	var err error
	if c.only, err = place.FindTracks(s, o.Threads); err != nil {
		return nil, err
	}
	c.tracks = c.only
	if len(c.tracks) == 0 {
		for i := range s.NumTracks() {
			if t := s.Track(model.TrackID(i)); t != nil && t.NumFrames() > 0 {
				c.tracks = append(c.tracks, model.TrackID(i))
			}
		}
	}
	if o.Range.All() {
		return c, nil
	}
	if s.Info().Sampling.Timeless {
		return nil, place.ErrTimeless
	}
	if !s.HasFrames() && !o.Range.Times {
		return nil, place.ErrNoFrameNumbers
	}
	of := s.MainTrack()
	if len(o.Threads) > 0 {
		of = c.tracks[0]
	}
	if c.beginNs, c.endNs, err = o.Range.Resolve(s, of); err != nil || o.Range.Times {
		return c, err
	}
	c.numbered = of
	c.first, c.end, err = o.Range.Frames(s, of)
	c.end++
	return c, err
}

// titles returns the titles of the named threads.
func (c *scope) titles() (out []string) {
	for _, id := range c.only {
		out = append(out, c.s.Track(id).Title())
	}
	return out
}

// empty returns an error for a requested range without the begin of a frame: of frames with gaps as of
// times. Statistics may describe other data.
func (c *scope) empty(o *Options) error {
	if o.Range.All() || !c.s.HasFrames() {
		return nil
	}
	for _, id := range c.tracks {
		if first, end := c.frames(id); first < end {
			return nil
		}
	}
	if o.Stats {
		if sum := summarise(c); sum.Series != nil || sum.Locks != nil || sum.Calls != nil || sum.Messages != nil {
			return nil
		}
	}
	of := c.s.MainTrack()
	if len(c.only) > 0 {
		of = c.only[0]
	}
	if _, _, err := o.Range.Frames(c.s, of); err != nil {
		return err
	}
	return place.ErrNoFrames
}

// frames returns the covered frames of a track, the first and one behind the last: selected frames and
// frames with them (store.Session.FramesWith), or in a range of time the frames that begin in it.
func (c *scope) frames(id model.TrackID) (first, end int) {
	if c.beginNs == math.MinInt64 && c.endNs == math.MaxInt64 {
		return 0, c.s.Track(id).NumFrames()
	}
	var last int
	if c.numbered != model.NoTrack {
		first, last, _ = c.s.FramesWith(id, c.numbered, c.first, c.end-1)
	} else {
		first, last = c.s.Track(id).FramesBeginning(c.beginNs, c.endNs)
	}
	return max(first, 0), max(last+1, 0)
}

// each calls fn for the frames of all tracks that are covered, in order of their end, which is when
// they were sent; equal ends in order of the tracks.
func (c *scope) each(fn func(track model.TrackID, frame int) error) error {
	type cursor struct {
		id        model.TrackID
		t         *store.Track
		next, end int
		at        int64
	}
	var cursors []cursor
	for _, id := range c.tracks {
		t := c.s.Track(id)
		if first, end := c.frames(id); first < end {
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
		at := &cursors[k]
		if err := fn(at.id, at.next); err != nil {
			return err
		}
		if at.next++; at.next < at.end {
			at.at = at.t.Frame(at.next).End
		} else {
			cursors = append(cursors[:k], cursors[k+1:]...)
		}
	}
	return nil
}
