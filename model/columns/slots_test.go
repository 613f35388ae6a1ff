package columns

import (
	"testing"

	"framescope/internal/testkit"
)

// Slots answer for any id, forget only what is asked for, and give back what they took.
func TestSlots(t *testing.T) {
	var acc Account
	var total Sum
	acc.Init(Heap(), &total)
	var s []*string
	for _, id := range []int32{-1, 0, 1 << 30} {
		if Slot(s, id) != nil {
			t.Errorf("slot %d of none: %v", id, Slot(s, id))
		}
		EmptySlot(s, id, nil)
	}
	a, b := "a", "b"
	s = SetSlot(&acc, s, int32(2), &a)
	testkit.That(t, Slot(s, int32(2)) == &a && Slot(s, int32(0)) == nil && Slot(s, int32(3)) == nil && len(s) == 3,
		"slots %v", s)
	want := int64(cap(s)) * SizeOf[*string]()
	testkit.That(t, acc.Sum() == want, "account %d of %d B", acc.Sum(), want)
	EmptySlot(s, int32(2), &b)
	testkit.Equal(t, Slot(s, int32(2)), &a, "another one was removed")
	EmptySlot(s, int32(2), &a)
	testkit.That(t, Slot(s, int32(2)) == nil, "it was not removed")
	LetGo(&acc, s)
	testkit.Equal(t, acc.Sum(), 0, "account … B of slots that were let go")
}
