package store

import (
	"testing"

	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/paths"
)

// checkFrames compares the call trees of the frames [first, last] of a track with those of the
// plain store, where they are at skip later.
func checkFrames(t failer, s *Session, id model.TrackID, p *plainTrack, first, last, skip int) {
	t.Helper()
	var tree paths.Tree
	total, count := map[model.PathID]int64{}, map[model.PathID]int64{}
	add := func(path model.PathID, ns, n int64) {
		if path != model.PathRoot {
			total[path] += ns
			count[path] += n
		}
	}
	for i := first; i <= last; i++ {
		p.inFrame(i+skip, add)
	}
	if first < last {
		count = nil // one stretch of frames counts once what goes on through them
	}
	s.FrameTree([]model.TrackID{id}, id, first, last, &tree)
	checkTree(t, s, total, count, &tree)
}

// The total of a frame is of what came with it, also where frames overlap, where a clock goes back
// and where frames come late.
func TestFramesThatOverlapEqualPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSessions(rt, true)()
		for id, p := range plain {
			for range 6 {
				i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
				checkFrames(rt, s, model.TrackID(id), p, i, i, 0)
				k := rapid.IntRange(i, len(p.frames)-1).Draw(rt, "last")
				checkFrames(rt, s, model.TrackID(id), p, i, k, 0)
			}
		}
	})
}
