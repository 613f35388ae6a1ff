package perfetto

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of compressed packets.
const (
	mostUnpacked = 1 << 30 // bytes that one packet may hold compressed
	zstdWindow   = 64 << 20
	leastWindow  = 8 << 20 // that all levels but the highest look back on
	packetParts  = 16      // of the memory that there is: one for a packet
)

// mostPacket is how large a packet may be, inside a compressed one, too.
func mostPacket() int64 { return feed.Room(PacketsMost, packetParts) }

// compressed reads the packets that are compressed in one.
func (d *decoder) compressed(data []byte, zst bool, at int64) {
	if d.inside {
		d.b.Bad.Bad(trace.BadEvent, at) // they do not nest
		return
	}
	d.packets--
	d.inside = true
	defer func() { d.inside = false }()
	var r io.Reader
	if zst {
		z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(uint64(max(feed.Room(zstdWindow, packetParts), leastWindow))), zstd.WithDecoderLowmem(true))
		if err != nil {
			d.damaged(at, err)
			return
		}
		defer z.Close()
		r = z
	} else {
		z, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			d.damaged(at, err)
			return
		}
		r = z
	}
	s := Splitter{Limit: mostPacket(), Take: func(packet []byte, _ int64) { d.packet(packet, at) }}
	if d.unpack == nil {
		d.unpack = make([]byte, 64<<10)
	}
	for total := 0; ; {
		n, err := r.Read(d.unpack)
		if total += n; total > mostUnpacked {
			err = fmt.Errorf("a packet unpacks to more than %d MiB", mostUnpacked>>20)
		} else {
			s.Write(d.unpack[:n])
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.damaged(at, err)
			return
		}
	}
	switch cut := s.Close(); {
	case s.Damage != "":
		d.damaged(at, errors.New("inside it, "+s.Damage))
	case cut != "":
		d.damaged(at, errors.New("inside it, "+cut))
	}
	if s.TooBig.N > 0 {
		d.b.Bad.BadN(trace.BigEvent, s.TooBig.N, at)
	}
}

// damaged counts a compressed packet with a missing rest.
func (d *decoder) damaged(at int64, err error) {
	d.b.Bad.Explain(trace.Gap, at, "the rest of a compressed packet, %v", err)
}
