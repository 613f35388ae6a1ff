package columns

import (
	"testing"

	"framescope/model/pages"
)

// Slots answer for any id, forget only what is asked for, and give back what they took.
func TestSlots(t *testing.T) {
	var acc Account
	var total Sum
	acc.Init(pages.Heap(), &total)
	var s Slots[int32, string]
	s.Init(&acc)
	for _, id := range []int32{-1, 0, 1 << 30} {
		if s.At(id) != nil {
			t.Errorf("slot %d of none: %v", id, s.At(id))
		}
		s.Remove(id, nil)
	}
	a, b := "a", "b"
	s.Put(2, &a)
	if s.At(2) != &a || s.At(0) != nil || s.At(3) != nil || len(s.All()) != 3 {
		t.Errorf("slots %v", s.All())
	}
	if want := int64(cap(s.All())) * SizeOf[*string](); acc.Sum() != want {
		t.Errorf("account %d of %d B", acc.Sum(), want)
	}
	s.Remove(2, &b)
	if s.At(2) != &a {
		t.Error("another one was removed")
	}
	s.Remove(2, &a)
	if s.At(2) != nil {
		t.Error("it was not removed")
	}
	s.Clear()
	if len(s.All()) != 0 || acc.Sum() != 0 {
		t.Errorf("after Clear %v, account %d B", s.All(), acc.Sum())
	}
}
