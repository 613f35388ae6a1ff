package perfetto

import (
	"testing"
)

// The sum of a counter that says by how much it has changed goes on over the clocks of its sequence, and begins anew
// once where that is cleared.
func TestSumsOverClocks(t *testing.T) {
	value := func(seq, clock, time, v uint64) msg {
		return at(seq, time).num(Clock, clock).in(TrackEvent, ev(kindCounter, 9).num(30, v))
	}
	counter := msg(nil).num(1, 9).num(5, 7).str(2, "n").in(8, msg(nil).num(5, 1))
	expect(t, msg(nil).packet(threadDef(7, 3, 4, "t")).packet(msg(nil).in(Track, counter)).
		packet(showing(1, reading(6, 1000), reading(3, 500))).
		packet(value(1, 6, 1000, 1)).packet(value(1, 3, 501, 2)).packet(value(2, 6, 1002, 10)).packet(value(1, 6, 1003, 3)).
		packet(value(1, 3, 504, 4).num(Cleared, 1)).packet(value(1, 6, 1005, 5)).packet(value(2, 6, 1006, 1)),
		"", "n t: 1 at 0", "n t: 3 at 1", "n t: 10 at 2", "n t: 6 at 3", "n t: 4 at 4", "n t: 9 at 5", "n t: 11 at 6")
}
