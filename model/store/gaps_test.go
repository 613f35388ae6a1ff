package store

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// Gaps between traces come every second: one line tells of all of them, and pushes out no other.
func TestGapsAreOneLine(t *testing.T) {
	s := NewSession()
	s.Apply(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: 1, Detail: "first"})
	gap := func(n int64) {
		s.Apply(model.Loss{
			Reason: model.LossBetween, Track: model.NoTrack, N: 1, Begin: n * 1e9, End: n*1e9 + 10e6, Detail: "nothing was recorded",
		})
	}
	gap(1)
	if _, lines := s.Losses(); !slices.Equal(lines, []string{"first", "between 1s and 1.01s: nothing was recorded"}) {
		t.Errorf("%q", lines)
	}
	for n := range int64(200) {
		gap(2 + n)
	}
	s.Apply(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: 1, Detail: "last"})
	n, lines := s.Losses()
	want := []string{"first", "between 1s and 3m21.01s: nothing was recorded: 201 times, 2.01s in all", "last"}
	testkit.That(t, slices.Equal(lines, want) && n[model.LossBetween] == 201, "%d: %q", n[model.LossBetween], lines)
}
