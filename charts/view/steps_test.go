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

func TestHistory(t *testing.T) {
	var h history[int]
	same := func(a, b int) bool { return a == b }
	for i := range 100 {
		h.push(i)
	}
	here, i := 100, 99
	for at, ok := h.goBack(here, same); ok; at, ok = h.goBack(here, same) {
		if at != i {
			t.Fatalf("back at %d, want %d", at, i)
		}
		here, i = at, i-1
	}
	if here != 36 {
		t.Errorf("the oldest step that is remembered is %d, want 36", here)
	}
	for at, ok := h.goForward(here, same); ok; at, ok = h.goForward(here, same) {
		here = at
	}
	if here != 100 {
		t.Errorf("forward ended at %d, want 100", here)
	}
	h.push(here)
	if at, _ := h.goBack(here, same); at != 99 {
		t.Errorf("back after a step that was none is at %d, want 99", at)
	}
	if h.push(7); len(h.forward) > 0 {
		t.Error("a new step leaves the old future")
	}
}
