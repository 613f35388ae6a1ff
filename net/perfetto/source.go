package perfetto

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"framescope/net/feed"
	"framescope/net/perfetto/packets"
)

// Kind is what sessions of the source are called in model.Info.
const Kind = "perfetto"

// Source opens traces of Perfetto, compressed or not. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "Perfetto trace" }

// known are the fields by which packets are recognised, with their wire types.
var known = map[uint32]uint8{
	2: packets.Bytes, 3: packets.Varint, 6: packets.Bytes, 8: packets.Varint, 10: packets.Varint, 11: packets.Bytes, 12: packets.Bytes,
	13: packets.Varint, 33: packets.Bytes, 35: packets.Bytes, 36: packets.Bytes, 41: packets.Varint, 42: packets.Varint, 43: packets.Bytes,
	44: packets.Bytes, 45: packets.Bytes, 50: packets.Bytes, 58: packets.Varint, 59: packets.Bytes, 60: packets.Bytes, 69: packets.Bytes,
	76: packets.Bytes, 79: packets.Varint, 87: packets.Varint, 89: packets.Bytes, 98: packets.Varint, 133: packets.Bytes,
}

// enough is how many packets have to be what they should.
const enough = 3

// Sniff implements feed.Source: packets follow each other, and each has a field that packets have.
// There is no mark to know such a file by.
func (Source) Sniff(head []byte, _ string) bool {
	if len(head) == 0 || head[0] != packets.Key {
		return false
	}
	good, bad := 0, false
	s := packets.Splitter{Take: func(packet []byte, _ int64) {
		if good >= enough || bad || len(packet) == 0 {
			return
		}
		w, ours := wire{b: packet}, false
		for w.next() {
			if kind, ok := known[w.num]; ok {
				if kind != w.kind {
					bad = true
					return
				}
				ours = true
			}
		}
		if bad = w.bad || !ours; !bad {
			good++
		}
	}}
	s.Write(head)
	switch {
	case bad:
		return false
	case good >= enough:
		return true
	case good > 0:
		return s.Damage == "" // a short file, or one with a large packet
	}
	// The first packet is larger than what is seen of the file: settings, or what is compressed.
	w := wire{b: head}
	key, n := packets.Number(head)
	size, k := packets.Number(head[n:])
	if key != packets.Key || k == 0 || size < feed.HeadSize/2 || size > packets.Most || len(head) < feed.HeadSize {
		return false
	}
	w.b = head[n+k:]
	for w.next() {
		if kind, ok := known[w.num]; ok && kind == w.kind {
			return true
		}
	}
	key, _ = packets.Number(w.b)
	return known[uint32(key>>3)] == packets.Bytes && key&7 == packets.Bytes
}

// OpenFile implements feed.Source. Damage is no error, but told in the session: what came before it
// is shown. An error is a file that could not be read or unpacked to its end, or that has no events.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	d := newDecoder(feed.Until(ctx, sink), path)
	defer d.room.Close()
	total, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		d.split.Write(part)
		sink.Progress(min(done, total), total)
		return nil
	})
	if ctx.Err() != nil {
		return feed.End(ctx, path, sink, err)
	}
	if err != nil {
		err = fmt.Errorf("after %d bytes of the trace: %w", d.split.Read(), err)
	}
	if ended := d.finish(err); err == nil {
		err = ended
	}
	switch {
	case d.cancelled:
		err = feed.ErrCancelled
	case err == nil && ctx.Err() == nil:
		sink.Progress(total, total)
	}
	return feed.End(ctx, path, sink, err)
}

// programOf guesses the name of a program from that of its trace.
func programOf(path string) string {
	s := filepath.Base(path)
	for _, end := range []string{".gz", ".zst", ".pb", ".trace", ".pftrace", ".perfetto-trace"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}
