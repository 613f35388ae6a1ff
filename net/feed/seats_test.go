package feed

import (
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// hall is a set of seats with a clock that the test moves.
type hall struct {
	*ConnLimit
	now  time.Time
	left []string
}

func newHall(max int) *hall {
	h := &hall{ConnLimit: &ConnLimit{Max: max}, now: time.Unix(1000, 0)}
	h.ConnLimit.Now = func() time.Time { return h.now }
	return h
}

func (h *hall) take(name string) *ConnSlot {
	return h.Take(func(string) { h.left = append(h.left, name) })
}
func (h *hall) wait(d time.Duration) { h.now = h.now.Add(d) }

func (h *hall) expect(t *testing.T, names ...string) {
	t.Helper()
	testkit.MustThat(t, slices.Equal(h.left, names), "%q had to leave, want %q", h.left, names)
}

func TestSilentOnesGiveWay(t *testing.T) {
	h := newHall(3)
	good := h.take("good")
	h.take("mute")
	talker := h.take("talker")
	good.Used()
	testkit.MustThat(t, h.take("early") == nil, "a newcomer got a place though nobody was silent for long")
	h.wait(IdleGrace)
	talker.Heard()
	testkit.MustThat(t, h.take("first") != nil, "a newcomer got no place")
	h.expect(t, "mute")
	testkit.MustThat(t, h.take("second") == nil, "the grace of the talker is not over")
	for range 20 { // drops of bytes do not hold a place for ever
		h.wait(IdleLimit / 20)
		talker.Heard()
	}
	h.take("third") // the first is silent longer
	h.expect(t, "mute", "first")
	h.take("fourth")
	h.expect(t, "mute", "first", "talker")
	testkit.That(t, h.Len() == 3, "%d places are taken", h.Len())
}

func TestWhoSendsStays(t *testing.T) {
	h := newHall(2)
	a, b := h.take("a"), h.take("b")
	a.Used()
	b.Used()
	for range 100 {
		h.wait(SilentLimit / 2)
		a.Heard()
		b.Heard()
		testkit.MustThat(t, h.take("newcomer") == nil, "somebody who sends lost his place")
	}
	h.wait(SilentLimit / 2)
	b.Heard()
	h.wait(SilentLimit / 2)
	c := h.take("c")
	h.expect(t, "a")
	a.Free() // too late, and it harms nobody
	c.Free()
	testkit.That(t, h.Len() == 1 && h.take("d") != nil, "a place that was given back is not free")
	h.expect(t, "a")
}
