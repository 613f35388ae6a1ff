package view

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Where the clock of a program went back, or far ahead for a frame, a brushed range has the frames
// that run in it, and what is pressed at a time is the frame that runs then.
func TestRangesWhereClocksWentBack(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	number := int64(0)
	add := func(begins ...int64) {
		for _, b := range begins {
			s.Append(&model.Batch{HasFrame: true, Number: number, Begin: b, End: b + 10})
			number++
		}
	}
	add(0, 10, 20, 1_000_000, 30, 40, 50, 60) // frame 3 is far ahead
	add(20, 30, 40, 50, 60, 70)               // back, from frame 8 on
	v := New(s)
	for _, x := range []struct {
		a, b        int64
		first, last int // -1: none
		at          int // the frame that runs at a
	}{
		{0, 5, 0, 0, 0}, {5, 15, 1, 1, 0}, {70, 80, 13, 13, 13}, {1_000_003, 1_000_004, 3, 3, 3},
		{20, 30, 8, 8, 8}, {20, 60, 8, 11, 8}, {0, 29, 0, 2, 0}, {40, 80, 10, 13, 10}, {100, 200, -1, -1, -1},
	} {
		v.SelectRange(x.a, x.b)
		if v.FrameA() != x.first || v.FrameB() != x.last {
			t.Errorf("[%d, %d): frames %d to %d, want %d to %d", x.a, x.b, v.FrameA(), v.FrameB(), x.first, x.last)
		}
		if v.PlacePlayhead(x.a); x.at >= 0 && v.FrameA() != x.at {
			t.Errorf("at %d: frame %d, want %d", x.a, v.FrameA(), x.at)
		}
	}
}
