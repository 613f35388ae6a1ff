package perfetto

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"testing"

	"framescope/internal/testkit"

	"framescope/internal/recordings"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// parts is a reader that returns data in parts, of which size gives the lengths.
type parts struct {
	data []byte
	size func(i int) int
	i    int
}

func (p *parts) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.data[:min(len(p.data), p.size(p.i))])
	p.data, p.i = p.data[n:], p.i+1
	return n, nil
}

// pieces reads a trace that comes in pieces, of which size gives the lengths.
func pieces(sink feed.Sink, data []byte, size func(i int) int) (*decoder, error) {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := newDecoder(sink, room, "x", "")
	return d, d.finish(d.file.read(&parts{data: data, size: size}))
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
	for i, r := range rules() {
		f.Add(uint8(i), []byte(r.trace))
	}
	f.Add(uint8(3), traceOf(40))
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		var whole, got taken
		_, wholeErr := pieces(&whole, data, func(int) int { return len(data) })
		_, err := pieces(&got, data, func(i int) int { return 1 + int(step)*i%97 })
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) || fmt.Sprint(got.Batches) != fmt.Sprint(whole.Batches) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		k := feedtest.NewRuled(t)
		d, _ := pieces(k, data, func(int) int { return len(data) })
		testkit.MustThat(t, int64(k.Spans) <= d.b.Events(), "%d spans of %d events", k.Spans, d.b.Events())
		feedtest.Unrefused(t, k.Session)
	})
}

// traceOf returns a trace as the SDK writes it: four sequences with a clock of differences, interned
// names, an annotation and a flow in every fourth begin, a counter now and then.
func traceOf(spans int) []byte {
	var b msg
	for s := range uint64(4) {
		clocks := clockAt(64, 5_000_000_000_000).num(3, 1)
		b = b.packet(showing(s+2, clockAt(6, 5_000_000_000_000), clocks).num(13, 1).
			in(59, msg(nil).num(58, 64).in(11, msg(nil).num(11, 100+s))))
		b = b.packet(threadDef(100+s, 4711, 4711+s, "thread "+string(rune('A'+s))).num(10, s+2))
		var names msg
		for i, name := range []string{"Frame", "Update", "Physics::Step", "Collide", "Render", "Cull", "Submit"} {
			names = names.in(2, msg(nil).num(1, uint64(i+1)).str(2, name))
		}
		b = b.packet(msg(nil).num(10, s+2).in(12, names).num(13, 2))
	}
	b = b.packet(msg(nil).in(60, msg(nil).num(1, 200).str(2, "heap").in(8, msg(nil).num(3, 3))))
	for i := 0; i < spans; i += 4 {
		one := func(e msg) {
			b = b.packet(at(uint64(i/64%4)+2, uint64(100+i%50)).num(3, 1000).num(13, 2).in(11, e).num(79, 4711))
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
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m msg) in(field int, data []byte) msg {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(data))), data...)
}

func (m msg) str(field int, s string) msg { return m.in(field, []byte(s)) }

func (m msg) fixed(field int, v uint64) msg {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(m, uint64(field)<<3|1), v)
}

func (m msg) double(field int, v float64) msg { return m.fixed(field, math.Float64bits(v)) }

// packet appends a packet to a trace.
func (m msg) packet(p msg) msg { return m.in(1, p) }

// traced is a trace of packets.
func traced(packets ...msg) (m msg) {
	for _, p := range packets {
		m = m.packet(p)
	}
	return m
}

// at begins a packet of a sequence at a time.
func at(seq, time uint64) msg { return msg(nil).num(8, time).num(10, seq) }

// on is a packet of the first sequence with an event.
func on(time uint64, e msg) msg { return at(1, time).in(11, e) }

// ev begins an event of a track.
func ev(kind, track uint64) msg { return msg(nil).num(9, kind).num(11, track) }

// begin, end and mark are events of track 7.
func begin(name string) msg { return ev(kindBegin, 7).str(23, name) }
func end() msg              { return ev(kindEnd, 7) }
func mark(name string) msg  { return ev(kindInstant, 7).str(23, name) }

// threadDef describes the track of a thread.
func threadDef(uuid, pid, tid uint64, name string) msg {
	return msg(nil).in(60, msg(nil).num(1, uuid).in(4, msg(nil).num(1, pid).num(2, tid).str(5, name)))
}

// showing is a snapshot of a sequence, of clocks that show something.
func showing(seq uint64, readings ...msg) msg {
	s := msg(nil)
	for _, r := range readings {
		s = s.in(1, r)
	}
	return msg(nil).num(10, seq).in(6, s)
}

func clockAt(clock, time uint64) msg { return msg(nil).num(1, clock).num(2, time) }
