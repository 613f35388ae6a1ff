package place

import (
	"errors"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// ErrNoFrameNumbers is returned for a range of frame numbers of a session that has none.
var ErrNoFrameNumbers = errors.New("this session has no frames: give a range of times, such as --range 1.5s:2.5s")

// ErrTimeless is returned for a range of a session without times.
var ErrTimeless = errors.New("this recording has no times, so it has no ranges: leave the range out")

// Side returns a side of a comparison: a range of a session, the whole one if there is none, and the
// named threads, all if none is named. Frame numbers are those of the first of them, or of the main
// thread.
func Side(s *store.Session, r TimeRange, threads []model.TrackID) (compare.Side, error) {
	of := s.MainTrack()
	if len(threads) > 0 {
		of = threads[0]
	}
	side := compare.All(s)
	switch framed := s.HasFrames(); {
	case s.Info().Sampling.Timeless:
		if !r.All() {
			return side, ErrTimeless
		}
	case s.MainTrack() == model.NoTrack:
		return side, ErrNoFrames
	case r.All():
	case !framed && !r.Times:
		return side, s.WithoutFrames(ErrNoFrameNumbers)
	case framed && !r.Times:
		first, last, err := r.Frames(s, of)
		if err != nil {
			return side, err
		}
		side = compare.FramesOf(s, of, first, last)
	default:
		begin, end, err := r.Resolve(s, of)
		if err == nil && framed && s.Track(of).HasFrames() {
			_, _, err = r.Frames(s, of)
		}
		if err != nil {
			return side, err
		}
		side = compare.TimeOf(s, begin, end)
	}
	side.Only = threads
	return side, nil
}
