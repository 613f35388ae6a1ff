package perfetto

import (
	"encoding/binary"
	"math"
	"testing"

	"framescope/net/feed/feedtest"
)

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
