package perfetto

import (
	"testing"

	"framescope/net/feed/feedtest"
)

// traceOf returns a trace as the SDK writes it: four sequences with a clock of differences, interned
// names, an annotation and a flow in every fourth begin, a counter now and then.
func traceOf(spans int) []byte {
	var b msg
	for s := range uint64(4) {
		clocks := msg(nil).in(1, msg(nil).num(1, 6).num(2, 5_000_000_000_000)).
			in(1, msg(nil).num(1, 64).num(2, 5_000_000_000_000).num(3, 1))
		b = b.packet(msg(nil).num(Sequence, s+2).num(Flags, 1).in(HeadsSnapshot, clocks).
			in(Defaults, msg(nil).num(Clock, 64).in(TrackEvent, msg(nil).num(11, 100+s))))
		b = b.packet(threadDef(100+s, 4711, 4711+s, "thread "+string(rune('A'+s))).num(Sequence, s+2))
		var names msg
		for i, name := range []string{"Frame", "Update", "Physics::Step", "Collide", "Render", "Cull", "Submit"} {
			names = names.in(2, msg(nil).num(1, uint64(i+1)).str(2, name))
		}
		b = b.packet(msg(nil).num(Sequence, s+2).in(Interned, names).num(Flags, 2))
	}
	b = b.packet(msg(nil).in(Track, msg(nil).num(1, 200).str(2, "heap").in(8, msg(nil).num(3, 3))))
	for i := 0; i < spans; i += 4 {
		seq := uint64(i/64%4) + 2
		one := func(e msg) {
			b = b.packet(msg(nil).num(Time, uint64(100+i%50)).num(Sequence, seq).num(3, 1000).num(Flags, 2).
				in(TrackEvent, e).num(Pid, 4711))
		}
		one(msg(nil).num(9, kindBegin).num(10, 1).num(3, 1))
		one(msg(nil).num(9, kindBegin).num(10, uint64(2+i/4%6)).num(3, 1).
			in(4, msg(nil).num(1, 1).num(4, uint64(i))).fixed(47, uint64(i/8)<<32))
		one(msg(nil).num(9, kindEnd))
		for range 2 {
			one(msg(nil).num(9, kindBegin).num(10, uint64(2+i/8%6)).num(3, 1))
			one(msg(nil).num(9, kindEnd))
		}
		if i%32 == 0 {
			one(msg(nil).num(9, kindCounter).num(11, 200).num(30, uint64(i)))
		}
		one(msg(nil).num(9, kindEnd))
	}
	return b
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) {
	feedtest.BenchOpen(b, Source{}, "trace.pftrace", traceOf(2_000_000))
}
