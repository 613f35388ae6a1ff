package store

import "framescope/model"

// ThreadNumbers gives each thread of a session a unique number, which names it in reports, exported
// tables and on the command line: its number in the source. If several have the same (threads of
// several processes, or rows that are no threads) the first thread keeps it, and the others get the
// lowest free one. Numbers stay, also while a session grows. The zero value is ready for one
// session.
type ThreadNumbers struct {
	of    []int64 // by track
	taken map[int64]bool
	free  int64
}

// Of returns the number of a thread.
func (x *ThreadNumbers) Of(s *Session, id model.TrackID) int64 {
	if id < 0 || int(id) >= s.NumTracks() {
		return -1
	}
	if int(id) >= len(x.of) {
		x.number(s, len(x.of))
	}
	return x.of[id]
}

// number gives numbers to the threads from one on.
func (x *ThreadNumbers) number(s *Session, from int) {
	if x.taken == nil {
		x.taken = map[int64]bool{}
	}
	for range s.NumTracks() - from {
		x.of = append(x.of, -1)
	}
	for _, threads := range []bool{true, false} { // threads first: theirs are the system's
		for i := from; i < len(x.of); i++ {
			t := s.Track(model.TrackID(i))
			if t == nil || (t.Def.Kind == model.TrackThread) != threads {
				continue
			}
			if n := int64(t.Def.Index); n >= 0 && !x.taken[n] {
				x.of[i], x.taken[n] = n, true
			}
		}
	}
	for i := from; i < len(x.of); i++ {
		if x.of[i] >= 0 {
			continue
		}
		for x.taken[x.free] {
			x.free++
		}
		x.of[i], x.taken[x.free] = x.free, true
	}
}
