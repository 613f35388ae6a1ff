package view

import "testing"

func TestHistory(t *testing.T) {
	var h History[int]
	same := func(a, b int) bool { return a == b }
	for i := range 100 {
		h.Push(i)
	}
	here, i := 100, 99
	for at, ok := h.Back(here, same); ok; at, ok = h.Back(here, same) {
		if at != i {
			t.Fatalf("back at %d, want %d", at, i)
		}
		here, i = at, i-1
	}
	if here != 36 {
		t.Errorf("the oldest step that is remembered is %d, want 36", here)
	}
	for at, ok := h.Forward(here, same); ok; at, ok = h.Forward(here, same) {
		here = at
	}
	if here != 100 {
		t.Errorf("forward ended at %d, want 100", here)
	}
	h.Push(here)
	if at, _ := h.Back(here, same); at != 99 {
		t.Errorf("back after a step that was none is at %d, want 99", at)
	}
	if h.Push(7); len(h.forward) > 0 {
		t.Error("a new step leaves the old future")
	}
}
