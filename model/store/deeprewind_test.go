package store_test

import (
	"math"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// TestDeepRewind takes back more frames than are remembered one by one, with messages and lock events of no frame among them.
func TestDeepRewind(t *testing.T) {
	s := store.NewSession()
	for i := range int64(1500) {
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10, End: i*10 + 10, Messages: []model.Message{{Time: i*10 + 1}}, Locks: []model.LockEvent{lev(i*10+1, model.LockAcquired, lockA), lev(i*10+4, model.LockReleased, lockA)}})
		s.Append(&model.Batch{Messages: []model.Message{{Time: i*10 + 2, Category: "loose"}}, Locks: []model.LockEvent{lev(i*10+8, model.LockSignal, lockA)}})
	}
	for _, to := range []int64{1490, 1200, 100, 0} {
		s.Append(&model.Batch{HasFrame: true, Number: to, Begin: to * 10, End: to*10 + 1, Rewind: true})
		framed, loose := 0, 0
		for _, m := range s.Track(0).Messages(0, math.MaxInt64, nil) {
			if m.Category == "loose" {
				loose++
			} else {
				framed++
			}
		}
		if framed != int(to) || loose != 1500 {
			t.Errorf("back to %d: %d messages of frames, %d loose ones", to, framed, loose)
		}
		if uses := s.LockUses(lockA, 0, math.MaxInt64, nil); len(uses) != int(to) {
			t.Errorf("back to %d: %d uses", to, len(uses))
		}
		if n := len(s.Track(0).LockEvents(0, math.MaxInt64, nil)); n != int(to)*2+1500 {
			t.Errorf("back to %d: %d events", to, n)
		}
	}
}
