package perfetto

import (
	"fmt"
	"slices"
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

// numbersOf returns the numbers of all frames, be they open.
func (k *taken) numbersOf() (list []int64) {
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			list = append(list, b.Number)
		}
	}
	return list
}

// The number of a frame that an instant begins is in its name, else in its annotation n, and nowhere else.
func TestNumbersOfInstants(t *testing.T) {
	for _, x := range []struct {
		what string
		mark func(i int) msg
		want []int64
	}{
		{"an annotation", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "fps").num(4, 60)).in(4, msg(nil).str(10, "n").num(4, uint64(40+i)))
		}, []int64{40, 41, 42}},
		{"a text", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "n").str(6, fmt.Sprint(7+i)))
		}, []int64{7, 8, 9}},
		{"the name", func(i int) msg {
			return msg(nil).str(23, fmt.Sprintf("frame %d", 5+i)).in(4, msg(nil).str(10, "n").num(4, 1))
		}, []int64{5, 6, 7}},
		{"a message is none", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "message").str(6, fmt.Sprintf("took %d ms", 12+i)))
		}, []int64{0, 1, 2}},
	} {
		trace := msg(nil).packet(threadDef(7, 3, 4, "t"))
		for i := range 3 {
			trace = trace.packet(at(1, uint64(10*i)).in(TrackEvent, append(ev(kindInstant, 7), x.mark(i)...)))
		}
		k, err := decodes(t, trace)
		if got := k.numbersOf(); err != nil || !slices.Equal(got, x.want) || len(k.Warnings) > 0 {
			t.Errorf("%s: %v, want %v, %v %q", x.what, got, x.want, err, k.Warnings)
		}
	}
}

// Spans that came with lengths in whole µs, and that overlap by no more, follow each other: none ends with the other.
func TestUnfoldTouching(t *testing.T) {
	for _, c := range []struct{ over, overlapping, end int64 }{{0, 0, 30_000}, {1000, 0, 30_000}, {1500, 1, 21_500}} {
		rows, n := Unfold(nil, []Whole{{Begin: 10_000, End: 20_000 + c.over}, {Begin: 20_000, End: 30_000}})
		end := int64(0)
		for _, r := range rows {
			end = max(end, r.Time)
		}
		if n != c.overlapping || end != c.end || len(rows) != 4 {
			t.Errorf("overlapping by %d ns: %d counted, up to %d, %d rows", c.over, n, end, len(rows))
		}
	}
}
