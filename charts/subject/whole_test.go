package subject

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Figures of all of a session are not called those of the whole session where its begin has left
// memory.
func TestWholeSession(t *testing.T) {
	s := store.NewSession()
	if got := Whole(s); got != "whole session" {
		t.Errorf("all of it is called %q", got)
	}
	s.Apply(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: 3})
	if got := Whole(s); got != "all in memory" {
		t.Errorf("what is left of it is called %q", got)
	}
}
