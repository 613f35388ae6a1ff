package store

import "framescope/model"

// compared is how many of the numbers that the frames of two tracks have in common are looked at,
// evenly from the first to the last.
const compared = 16

// FramesBeside returns the indices of the frames of a track that belong to the frames first to last of another:
// those with the same numbers, from the first to the last; last < first if none came. ok is false if the tracks
// count frames separately, so that only times relate them.
//
// Threads that end their frames at one tick of the program have its numbers, and begin and end a little apart:
// by time, one more frame would match. A thread with its own rate has the same numbers at other times, and so
// has one that always works on the frame before. A GPU has those of the main track, as it draws its frames,
// however much later, and whatever its clock says.
func (s *Session) FramesBeside(id, of model.TrackID, first, last int) (a, b int, ok bool) {
	t, with := s.Track(id), s.Track(of)
	if t == nil || with == nil || !inStep(s.numbersOf(t), s.numbersOf(with)) {
		return 0, -1, false
	}
	a, _ = t.FrameByNumber(with.Frame(first).Number)
	b, found := t.FrameByNumber(with.Frame(last).Number)
	if !found {
		b-- // where it would be
	}
	return a, b, true
}

// FramesWith returns the indices of the frames of a track to use for figures of the frames first to
// last of another: those beside them (FramesBeside), and for a track that counts separately those that
// begin in their time, so that adjacent ranges count each frame once. last < first if there are none;
// beside means that numbers matched them.
func (s *Session) FramesWith(id, of model.TrackID, first, last int) (a, b int, beside bool) {
	if a, b, ok := s.FramesBeside(id, of, first, last); ok {
		return a, b, true
	}
	t, with := s.Track(id), s.Track(of)
	if t == nil || with == nil {
		return 0, -1, false
	}
	begin, end, ok := with.FrameTimes(first, last)
	if !ok {
		return 0, -1, false
	}
	a, b = t.FramesBeginning(begin, max(end, begin+1))
	return max(a, 0), min(b, t.NumFrames()-1), false
}

// numbersOf returns the track that frames of a track have their numbers from.
func (s *Session) numbersOf(t *Track) *Track {
	if t.Def.Kind != model.TrackGPU {
		return t
	}
	return s.Track(s.MainTrack())
}

// inStep reports whether frames of two tracks that have the same number run at the same time, for at
// least half of the shorter one, as far as is looked at. Cost: O(log frames).
func inStep(t, u *Track) bool {
	n, m := t.NumFrames(), u.NumFrames()
	if t == u || n == 0 || m == 0 {
		return t == u
	}
	first := max(t.Frame(0).Number, u.Frame(0).Number)
	apart := min(t.Frame(n-1).Number, u.Frame(m-1).Number) - first
	met := false
	for k := int64(0); k < compared && apart >= 0; k++ {
		number := first + apart/(compared-1)*k + apart%(compared-1)*k/(compared-1)
		i, ok := t.FrameByNumber(number)
		j, also := u.FrameByNumber(number)
		if !ok || !also {
			continue
		}
		f, g := t.Frame(i), u.Frame(j)
		if 2*(min(f.End, g.End)-max(f.Begin, g.Begin)) < min(f.End-f.Begin, g.End-g.Begin) {
			return false
		}
		met = true
	}
	return met
}
