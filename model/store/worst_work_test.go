package store

import (
	"testing"

	"framescope/model"
)

// The frame strip of a whole session (which merges 2^n frames), and its thirty slowest frames, take no more than twice the work in 64 times the frames.
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
		f := &s.Track(0).frames
		merge := int64(frames / 512)
		for from := int64(0); from+merge <= int64(frames); from += merge {
			_, visited := f.longestWork(from, from+merge)
			strip[i] += visited
		}
		// What SlowestFrames asks: the longest of all, then of the runs at both sides of each that was found.
		for _, at := range s.SlowestFrames(0, 0, frames-1, 30, nil) {
			_, left := f.longestWork(0, int64(max(at, 1)))
			_, right := f.longestWork(int64(min(at+1, frames-1)), int64(frames))
			slowest[i] += left + right
		}
	}
	t.Logf("%d and %d frames: strip %v, slowest %v nodes", sizes[0], sizes[1], strip, slowest)
	if strip[1] > 2*strip[0] {
		t.Errorf("the frame strip visits %d nodes, in a smaller session %d", strip[1], strip[0])
	}
	if slowest[1] > 2*slowest[0] {
		t.Errorf("the slowest frames visit %d nodes, in a smaller session %d", slowest[1], slowest[0])
	}
}
