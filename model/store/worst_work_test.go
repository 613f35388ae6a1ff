package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// The frame strip of a whole session (which merges 2^n frames), and its thirty slowest frames, take
// no more than twice the work in 64 times the frames.
func TestWorkOfFramesDoesNotGrow(t *testing.T) {
	sizes := [2]int{1 << 15, 1 << 21}
	if testing.Short() {
		sizes[1] = 1 << 18
	}
	var strip, slowest [2]int64
	for i, frames := range sizes {
		s := NewSession()
		for n := range frames {
			length := int64(16e6 + n*7919%1000)
			s.Append(&model.Batch{HasFrame: true, Number: int64(n), Begin: int64(n) * 20e6, End: int64(n)*20e6 + length})
		}
		s.Frames().Bars(0, 0, frames/512, 512, nil)
		strip[i] = s.Frames().Visited()
		s.Frames().Slowest(0, 0, frames-1, 30, nil)
		slowest[i] = s.Frames().Visited()
	}
	t.Logf("%d and %d frames: strip %v, slowest %v nodes", sizes[0], sizes[1], strip, slowest)
	testkit.That(t, strip[1] <= 2*strip[0],
		"the frame strip visits %d nodes, in a smaller session %d", strip[1], strip[0])
	testkit.That(t, slowest[1] <= 2*slowest[0],
		"the slowest frames visit %d nodes, in a smaller session %d", slowest[1], slowest[0])
}
