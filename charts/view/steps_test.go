package view

import (
	"testing"
)

// Back takes selections back, too: each click is a step, a drag is one, and what a click chooses
// besides is the same one.
func TestBackOfSelections(t *testing.T) {
	s := game()
	v := New(s)
	now := int64(1)
	tick := func(ns int64) { now += ns; v.Tick(now, false) }
	tick(1)
	v.Follow(false)
	at := func() [3]int64 { return [3]int64{v.Playhead(), int64(v.FrameA()), int64(v.Collector())} }
	var was [][3]int64
	do := func(f func()) {
		tick(2e9)
		was = append(was, at())
		f()
	}
	do(func() { v.SelectFrames(1, 1) })
	do(func() { v.SelectCollector(2); v.SelectFrames(2, 2) })
	do(func() {
		for i := range 5 {
			v.SelectFrames(i, i)
			tick(16e6)
		}
	})
	end := at()
	for i := len(was) - 1; i >= 0; i-- {
		tick(2e9)
		if !v.CanBack() {
			t.Fatalf("no way back to step %d", i)
		}
		if v.Back(); at() != was[i] {
			t.Errorf("back at step %d: %v, want %v", i, at(), was[i])
		}
	}
	for v.CanForward() {
		v.Forward()
	}
	if at() != end {
		t.Errorf("forward ended at %v, want %v", at(), end)
	}
}
