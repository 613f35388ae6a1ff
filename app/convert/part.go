package convert

import (
	"context"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// Part is the exported part of a session: some of its threads, in a range. Its content equals that of a
// report on the range: of a thread with frames, those that begin in it, each whole; of others,
// everything that touches it, cut at its ends.
type Part struct {
	Session *store.Session
	// Begin and End are the range [Begin, End), ns on the session's clock.
	Begin, End int64
	// Tracks are the requested tracks, in their order, without NoTrack.
	Tracks []model.TrackID
	// Some reports a choice of threads: data without a thread is left out, too.
	Some bool
	// Weigh is the name of the measure for sums by call path, see Measure.
	Weigh string
	// Table is which table formats of tables write into one file (tables.All), empty: the first that has
	// anything.
	Table string
	// Frames requested by their numbers: their thread, the first and one behind the last.
	numbered   model.TrackID
	first, end int
	whole      bool        // the whole session
	pieces     []trackPart // by track; nil: the range says what is in it

	args       []model.Arg // scratch
	bars       []spans.Bar // scratch
	cursor     spans.Cursor
	progress   func(done, total int64)
	done, said int64
	left       []Left
}

// Of returns the part of a session for a range and names of threads, all threads without names. Numbers
// in the range are frame numbers of the first thread, or of the main one.
func Of(s *store.Session, r place.TimeRange, threads []string) (*Part, error) {
	p := &Part{Session: s, numbered: model.NoTrack, whole: r.All(), Some: len(threads) > 0}
	var err error
	if p.Tracks, err = place.FindTracks(s, threads); err != nil {
		return nil, err
	}
	of := s.MainTrack()
	if p.Some {
		of = p.Tracks[0]
	} else {
		p.Tracks = allTracks(s)
	}
	if p.Begin, p.End, err = r.Resolve(s, of); err != nil || r.Times || r.All() {
		return p, err
	}
	p.numbered = of
	p.first, p.end, err = r.Frames(s, of)
	p.end++
	return p, err
}

// Between returns the part of a session in the time [begin, end), of all threads.
func Between(s *store.Session, begin, end int64) *Part {
	return &Part{Session: s, Begin: begin, End: end, Tracks: allTracks(s), numbered: model.NoTrack}
}

func allTracks(s *store.Session) (out []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id) != nil {
			out = append(out, id)
		}
	}
	return out
}

// Frames returns the frames of a track that are in the part, the first and one behind the last.
func (p *Part) Frames(id model.TrackID) (first, end int) {
	t := p.Session.Track(id)
	if p.whole || t == nil {
		if t != nil {
			end = t.NumFrames()
		}
		return 0, end
	}
	if p.pieces != nil {
		x, gone := p.pieces[id], t.Evicted()
		return int(max(x.first-gone, 0)), int(max(x.end-gone, 0))
	}
	var last int
	if p.numbered != model.NoTrack {
		first, last, _ = p.Session.FramesWith(id, p.numbered, p.first, p.end-1)
	} else {
		first, last = t.FramesBeginning(p.Begin, p.End)
	}
	first, end = max(first, 0), min(last+1, t.NumFrames())
	return first, max(first, end)
}

// EachFrame calls fn for the frames of a track in the part, except those that leave memory meanwhile.
func (p *Part) EachFrame(id model.TrackID, fn func(f frames.Frame) error) error {
	return p.eachFrame(id, func(_ int, f frames.Frame) error { return fn(f) })
}

// eachFrame calls fn for the frames of a track that are in the part, with where they are then.
func (p *Part) eachFrame(id model.TrackID, fn func(i int, f frames.Frame) error) error {
	t := p.Session.Track(id)
	if t == nil {
		return nil
	}
	first, end := p.Frames(id)
	gone := t.Evicted()
	for i := first; i < end; i++ {
		if n := int(t.Evicted() - gone); n > 0 {
			i, end, gone = max(i-n, 0), end-n, gone+int64(n)
			if i >= end {
				break
			}
		}
		if err := fn(i, t.Frame(i)); err != nil {
			return err
		}
	}
	return nil
}

// Time returns the stretch [begin, end) of a track's time in the part: from its first to its last frame
// in it, or the range for a track without frames.
func (p *Part) Time(id model.TrackID) (begin, end int64) {
	t := p.Session.Track(id)
	if p.whole {
		return model.MinTime, model.MaxTime
	}
	if p.pieces != nil {
		return p.pieces[id].from, p.pieces[id].to
	}
	if t == nil || t.NumFrames() == 0 {
		return p.Begin, p.End
	}
	first, behind := p.Frames(id)
	if first == behind {
		return p.Begin, p.Begin
	}
	begin, end, _ = t.FrameTimes(first, behind-1)
	return begin, end
}

// Whole reports whether the part is all that is kept of the session.
func (p *Part) Whole() bool { return p.whole && !p.Some }

// OnProgress makes Done report to fn how many spans, samples and the like were written, of how many.
func (p *Part) OnProgress(fn func(done, total int64)) { p.progress = fn }

// every is how many things are written between two looks at whether to go on.
const every = 4096

// Done counts written things. It returns an error when the export was cancelled.
func (p *Part) Done(ctx context.Context, n int64) error {
	if p.done += n; p.done-p.said < every {
		return nil
	}
	p.said = p.done
	if p.progress != nil {
		p.progress(p.done, max(p.done, p.work()))
	}
	return ctx.Err()
}

// work is how much there is to write of all that is kept, as an estimate for progress.
func (p *Part) work() (n int64) {
	for _, id := range p.Tracks {
		n += p.Session.Track(id).NumSpans()
	}
	return n
}

// Leave notes that n things of the part are not written; one and several name them. why is the reason,
// empty if the format has no place for them.
func (p *Part) Leave(n int64, one, several, why string) {
	if n > 0 {
		p.left = append(p.left, Left{n, [2]string{one, several}, why})
	}
}

// Left returns the things that were not written.
func (p *Part) Left() []Left { return p.left }
