package perfetto

import (
	"testing"
)

// showing is a snapshot of a sequence, of clocks that show something.
func showing(seq uint64, readings ...msg) msg {
	s := msg(nil)
	for _, r := range readings {
		s = s.in(1, r)
	}
	return msg(nil).num(Sequence, seq).in(HeadsSnapshot, s)
}

func reading(clock, time uint64) msg { return msg(nil).num(1, clock).num(2, time) }

// Clocks lead to the primary one over others, have units of their own, and one that leads nowhere is taken as it is
// where there is no other.
func TestClockPaths(t *testing.T) {
	on := func(clock, time uint64, name string) msg {
		return at(1, time).num(Clock, clock).in(TrackEvent, ev(kindInstant, 7).str(23, name))
	}
	begin := msg(nil).packet(threadDef(7, 3, 4, "t"))
	expect(t, append(begin[:len(begin):len(begin)], begin...).
		packet(showing(1, reading(6, 1000), reading(3, 500))).
		packet(showing(2, reading(3, 600), reading(128, 50))).
		packet(showing(3, reading(128, 70), reading(129, 7))).
		packet(on(6, 1100, "boot")).packet(on(128, 60, "over one")).packet(on(129, 7, "over two")),
		"", `t: "boot" at 0`, `t: "over one" at 10`, `t: "over two" at 20`)
	expect(t, append(begin[:len(begin):len(begin)], begin...).
		packet(showing(1, reading(6, 5000), reading(128, 5).num(4, 1000))).
		packet(on(6, 5000, "boot")).packet(on(128, 7, "µs")), "", `t: "boot" at 0`, `t: "µs" at 2000`)
	expect(t, append(begin[:len(begin):len(begin)], begin...).
		packet(showing(1, reading(3, 5000), reading(64, 5))).
		packet(on(64, 7, "private")).packet(on(3, 5009, "mono")), "", `t: "private" at 0`, `t: "mono" at 7`)
}

// Of a field that may be there once, and is there several times, the last counts.
func TestLastFieldCounts(t *testing.T) {
	expect(t, msg(nil).packet(threadDef(7, 3, 4, "t")).
		packet(at(1, 5).num(Time, 9).in(TrackEvent, ev(kindInstant, 7).str(23, "a")).
			in(TrackEvent, ev(kindInstant, 7).str(23, "b").str(23, "c"))).
		packet(at(1, 10).in(TrackEvent, ev(kindInstant, 7).str(23, "d"))), "", `t: "c" at 0`, `t: "d" at 1`)
}
