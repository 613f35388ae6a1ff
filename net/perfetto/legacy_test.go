package perfetto

import (
	"testing"
)

// Spans of the old kind that come whole lie beside those that begin and end, also where one begins at the moment in
// which another ends. Events are on the thread that they name.
func TestLegacyMixed(t *testing.T) {
	old := func(time uint64, phase byte, name string, fields msg) msg {
		return at(1, time).in(TrackEvent, msg(nil).num(11, 7).str(23, name).in(6, append(msg(nil).num(2, uint64(phase)), fields...)))
	}
	whole := func(us uint64) msg { return msg(nil).num(3, us) }
	begin := msg(nil).packet(threadDef(7, 3, 4, "t"))
	expect(t, append(begin[:len(begin):len(begin)],
		msg(nil).packet(old(5000, 'X', "x", whole(5))).packet(old(10_000, 'B', "b", nil)).packet(old(12_000, 'E', "", nil)).
			packet(old(12_000, 'X', "y", whole(9))).packet(old(13_000, 'B', "open", nil)).packet(old(14_000, 'X', "z", whole(1)))...), "end after the span that they began in",
		"t: x 0-5000 row 0", "t: b 5000-7000 row 0", "t: y 7000-16000 row 0", "t: open 8000-16000 row 1", "t: z 9000-10000 row 2")
	expect(t, append(begin[:len(begin):len(begin)],
		msg(nil).packet(old(5000, 'X', "long", whole(7))).packet(old(5000, 'B', "b", nil)).packet(old(10_000, 'E', "", nil))...), "",
		"t: long 0-7000 row 0", "t: b 0-5000 row 1")
	expect(t, append(begin[:len(begin):len(begin)],
		msg(nil).packet(threadDef(8, 3, 5, "u")).packet(threadDef(9, 6, 5, "v")).packet(old(0, 'X', "a", whole(9))).
			packet(old(1000, 'X', "b", whole(9).num(19, 5))).packet(old(2000, 'X', "c", whole(9).num(18, 6).num(19, 5)))...), "",
		"t: a 0-9000 row 0", "u: b 1000-10000 row 0", "v: c 2000-11000 row 0")
}
