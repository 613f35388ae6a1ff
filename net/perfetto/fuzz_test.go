package perfetto

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/feed/feedtest"
)

// pieces reads a trace that comes in pieces, of which size gives the lengths.
func pieces(data []byte, size func(i int) int) (*taken, error) {
	k := &taken{}
	d := newDecoder(k, "x", "")
	_ = feedtest.Pieces(data, size, func(b []byte) error { d.split.Write(b); return nil })
	return k, d.finish(nil)
}

// FuzzDecoder reads anything: nothing breaks, what the store gets keeps to its rules, and in pieces it
// is the same.
func FuzzDecoder(f *testing.F) {
	for _, name := range captures {
		if recordings.Here(f, recordings.Perfetto, name) {
			data := recordings.Read(f, recordings.Perfetto, name+".pftrace")
			f.Add(uint8(len(name)), data[:min(len(data), 4000)])
			f.Add(uint8(len(name)), data[len(data)-min(len(data), 3000):])
		}
	}
	for i, trace := range made() {
		f.Add(uint8(i), []byte(trace))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		whole, wholeErr := pieces(data, func(int) int { return len(data) })
		got, err := pieces(data, func(i int) int { return 1 + int(step)*i%97 })
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) || !reflect.DeepEqual(fmt.Sprint(got.Batches), fmt.Sprint(whole.Batches)) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		k := feedtest.NewRuled(t)
		d := newDecoder(k, "x", "")
		d.split.Write(data)
		d.finish(nil)
		if int64(k.Spans) > d.events+int64(len(d.timeline)) {
			t.Fatalf("%d spans of %d events", k.Spans, d.events)
		}
		feedtest.Unrefused(t, k.Session)
	})
}

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

// msg is a message that a test writes, field by field.
type msg []byte

func (m msg) num(field int, v uint64) msg {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|Varint), v)
}

func (m msg) in(field int, data []byte) msg {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|Bytes), uint64(len(data))), data...)
}

func (m msg) str(field int, s string) msg { return m.in(field, []byte(s)) }

func (m msg) fixed(field int, v uint64) msg {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(m, uint64(field)<<3|Fixed64), v)
}

func (m msg) double(field int, v float64) msg { return m.fixed(field, math.Float64bits(v)) }

// packet appends a packet to a trace.
func (m msg) packet(p msg) msg { return m.in(1, p) }

// at begins a packet of a sequence at a time.
func at(seq, time uint64) msg { return msg(nil).num(Time, time).num(Sequence, seq) }

// event begins a track event.
func ev(kind, track uint64) msg { return msg(nil).num(9, kind).num(11, track) }

// processDef describes the track of a process, threadDef that of a thread in it.
func processDef(uuid, pid uint64, name string) msg {
	return msg(nil).in(Track, msg(nil).num(1, uuid).in(3, msg(nil).num(1, pid).str(6, name)))
}

func threadDef(uuid, pid, tid uint64, name string) msg {
	return msg(nil).in(Track, msg(nil).num(1, uuid).in(4, msg(nil).num(1, pid).num(2, tid).str(5, name)))
}

// decodes reads a trace that a test made.
func decodes(t testing.TB, trace []byte) (*taken, error) {
	t.Helper()
	path := feedtest.File(t, "made.pftrace", trace)
	var k taken
	err := (Source{}).OpenFile(t.Context(), path, &k)
	return &k, err
}
