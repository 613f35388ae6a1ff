package store_test

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// TestDeepRewind takes back more frames than are remembered one by one, with messages and lock
// events of no frame among them.
func TestDeepRewind(t *testing.T) {
	s := store.NewSession()
	for i := range int64(1500) {
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10, End: i*10 + 10, Messages: []model.Message{{Time: i*10 + 1}}, Locks: []model.LockEvent{lockStep(i*10+1, model.LockAcquired, deepLock), lockStep(i*10+4, model.LockReleased, deepLock)}})
		s.Append(&model.Batch{Messages: []model.Message{{Time: i*10 + 2, Category: "loose"}}, Locks: []model.LockEvent{lockStep(i*10+8, model.LockSignal, deepLock)}})
	}
	for _, to := range []int64{1490, 1200, 100, 0} {
		s.Append(&model.Batch{HasFrame: true, Number: to, Begin: to * 10, End: to*10 + 1, Rewind: true})
		framed, loose := 0, 0
		for _, m := range s.Messages().Of(0, 0, math.MaxInt64, nil) {
			if m.Category == "loose" {
				loose++
			} else {
				framed++
			}
		}
		testkit.That(t, framed == int(to) && loose == 1500,
			"back to %d: %d messages of frames, %d loose ones", to, framed, loose)
		uses := s.Locks().Uses(deepLock, 0, math.MaxInt64, nil)
		testkit.That(t, len(uses) == int(to), "back to %d: %d uses", to, len(uses))
		testkit.Equal(t, len(s.Locks().Events(0, 0, math.MaxInt64, nil)), int(to)*2+1500, "back to %d: events", to)
	}
}

const deepLock model.CollectorID = 3

func lockStep(timeNs int64, kind model.LockKind, lock model.CollectorID) model.LockEvent {
	return model.LockEvent{Time: timeNs, Kind: kind, Lock: lock}
}
