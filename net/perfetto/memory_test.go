package perfetto

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// Where memory is bounded, so is what a packet may take, and what is unpacked of one that is compressed:
// what is too large is left out and told, and all else is shown.
func TestPacketsAreBounded(t *testing.T) {
	span := func(time uint64) msg {
		return msg(nil).packet(at(1, time).in(TrackEvent, ev(1, 7).str(23, "a"))).packet(at(1, time+5).in(TrackEvent, ev(2, 7)))
	}
	huge := msg(nil).packet(msg(nil).in(1000, make([]byte, 8<<20)))
	packed := func(content []byte) []byte {
		var out bytes.Buffer
		z := zlib.NewWriter(&out)
		z.Write(content)
		z.Close()
		return out.Bytes()
	}
	far := testkit.Must(zstd.NewWriter(nil, zstd.WithWindowSize(32<<20), zstd.WithSingleSegment(false)))(t)
	looking := far.EncodeAll(bytes.Repeat(msg(nil).packet(msg(nil).in(1000, make([]byte, 1000))), 33<<10), nil)
	begin := append(msg(nil).packet(threadDef(7, 1, 2, "main")), span(10)...)
	for name, middle := range map[string]msg{
		"a packet":                huge,
		"a packet inside":         msg(nil).packet(msg(nil).in(Zlib, packed(append(span(100), huge...)))),
		"one that looks far back": msg(nil).packet(msg(nil).in(Zstd, looking)),
	} {
		trace := append(append(append(msg(nil), begin...), middle...), span(1000)...)
		for _, bounded := range []bool{false, true} {
			if feed.SetMemory(0); bounded {
				feed.SetMemory(64 << 20)
			}
			k, err := decodes(t, trace)
			feed.SetMemory(0)
			told := false
			for _, l := range k.Losses {
				told = told || strings.Contains(l.Detail, "memory has no room") || strings.Contains(l.Detail, "window size exceeded")
			}
			testkit.That(t, err == nil && told == bounded, "%s, bounded %t: %v, lost %+v", name, bounded, err, k.Losses)
		}
	}
}

// packet makes one of so many bytes.
func packet(size int) []byte {
	return append(binary.AppendUvarint([]byte{PacketsKey}, uint64(size)), make([]byte, size)...)
}

// What is kept of a packet that comes in parts is not much more than itself, and nothing of one that is
// too large: how much it says that there is changes nothing before it comes.
func TestSplitterKeepsLittle(t *testing.T) {
	const limit, part = 1 << 20, 10_000
	sizes := []int{}
	s := Splitter{Limit: limit, Take: func(p []byte, _ int64) { sizes = append(sizes, len(p)) }}
	most := 0
	write := func(data []byte) {
		for len(data) > 0 {
			n := min(part, len(data))
			s.Write(data[:n])
			data = data[n:]
			most = max(most, cap(s.buf))
		}
	}
	write(packet(7))
	write(packet(10 * limit))
	testkit.That(t, most <= 2*part, "%d bytes were kept of one that is too large", most)
	s.Write(packet(limit)[:part])
	if cap(s.buf) > 3*part {
		t.Errorf("%d bytes are kept of %d", cap(s.buf), part)
	}
	s.buf = nil
	s.at += part
	write(packet(limit))
	write(packet(limit - 1))
	testkit.That(t, most <= limit+2*part, "%d bytes were kept of a packet of %d", most, limit)
	testkit.That(t, len(sizes) == 3 && sizes[1] == limit && s.TooBig.N == 1 && s.Close() == "",
		"packets of %v bytes, %d too large, %q", sizes, s.TooBig.N, s.Damage)
}
