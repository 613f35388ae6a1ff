package feed

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// A decoder that makes up names without end takes half of the room, and the next half of what is
// left: nobody is left without. What is refused changes nothing, and a decoder that is gone gives
// all back.
func TestNamesAreShared(t *testing.T) {
	h := NewHub()
	h.SetLimit(1 << 20)
	total := NamesLimit(1 << 20)
	fill := func() *Names {
		n := NamesOf(Until(t.Context(), Named(h.NewFeed(Options{}), "a", "b")))
		for n.Admit(model.CollectorDef{Name: "a name"}) {
		}
		return n
	}
	first := fill()
	const slack = 1 << 10
	testkit.That(t, first.taken <= total/2 && first.taken >= total/2-slack,
		"one alone took %d of %d", first.taken, total)
	second := fill()
	testkit.That(t, second.taken <= total/4 && second.taken >= total/4-slack,
		"the second took %d of %d", second.taken, total)
	if held := h.Stats().HeldBytes; held != first.own+second.own || held == 0 {
		t.Errorf("%d bytes held back, %d and %d by decoders", held, first.own, second.own)
	}
	before := first.taken
	testkit.That(t, !first.Take(1<<20) && first.taken == before, "what was refused is on the account")
	first.Close()
	second.Close()
	testkit.That(t, h.Stats().HeldBytes == 0 && h.pool.names.Bytes() == 0, "not everything was given back")
}

// Without anybody who bounds names all are let in.
func TestNamesWithoutLimit(t *testing.T) {
	n := NamesOf(nil)
	testkit.That(t, n.Admit(model.TrackDef{}) && n.Take(1<<40), "refused")
	n.Give(5)
	n.Close()
}

// A list grows within its room, the old one of which is given back, by what fits at last, and keeps what it has.
func TestGrow(t *testing.T) {
	h := NewHub()
	h.SetLimit(3 << 20)
	room := NamesOf(h.NewFeed(Options{}))
	limit := DataLimit(3 << 20)
	var list []int64
	for ok := true; ok; {
		if list, ok = Grow(room, list, 1); ok {
			list = append(list, int64(len(list)))
		}
		if held := h.Stats().HeldBytes; held > limit || held < int64(8*cap(list)) {
			t.Fatalf("%d bytes are taken for %d values, of %d", held, cap(list), limit)
		}
	}
	if n := int64(8 * len(list)); n < limit*2/5 || list[len(list)-1] != int64(len(list)-1) {
		t.Errorf("%d bytes are in it with a limit of %d", n, limit)
	}
	_, ok := Grow(room, []byte(nil), int(limit))
	testkit.That(t, !ok, "there is room for what is too large")
	more, ok := Grow(room, []byte("abc"), 1000)
	testkit.That(t, ok && string(more) == "abc" && cap(more) >= 1003, "%q, %d, %t", more, cap(more), ok)
	room.Close()
	testkit.That(t, h.Stats().HeldBytes == 0, "%d bytes are held by nobody", h.Stats().HeldBytes)
	free, ok := Grow(nil, list, 1000)
	testkit.That(t, ok && len(free) == len(list), "without limit there is no room")
}

// What is gathered takes nothing from names, and is given back when it has become the session's.
func TestDataOfTheirOwn(t *testing.T) {
	h := NewHub()
	h.SetLimit(3 << 20)
	n := NamesOf(h.NewFeed(Options{}))
	taken := int64(0)
	for n.TakeData(1 << 10) {
		taken += 1 << 10
	}
	testkit.That(t, taken == DataLimit(3<<20) && h.Stats().HeldBytes == taken && !h.Held().Over(),
		"%d bytes were taken of %d, %d are held", taken, DataLimit(3<<20), h.Stats().HeldBytes)
	testkit.That(t, n.Admit(model.CollectorDef{Name: "a name"}), "there is no room for a name")
	other := NamesOf(h.NewFeed(Options{}))
	testkit.That(t, !other.TakeData(1), "another has more than there is")
	n.Close()
	testkit.Equal(t, h.Stats().HeldBytes, 0, "bytes are held by nobody")
}
