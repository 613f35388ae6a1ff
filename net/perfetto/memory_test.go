package perfetto

import (
	"bytes"
	"compress/zlib"
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
			if err != nil || told != bounded {
				t.Errorf("%s, bounded %t: %v, lost %+v", name, bounded, err, k.Losses)
			}
		}
	}
}
