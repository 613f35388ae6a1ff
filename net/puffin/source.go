package puffin

import (
	"context"
	"encoding/binary"

	"framescope/net/feed"
)

// Source opens files of puffin, and the bytes that came on a connection. It implements feed.Streamer.
type Source struct{}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "puffin recording" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "puffin",
		Writers: "Rust programs with puffin, puffin_http",
		Ends:    []string{".puffin", ".puffinstream"},
		Live:    "connect puffin",
	}
}

// Kind is what sessions of the source are called in model.Info and in journals.
func (Source) Kind() string { return "puffin" }

// Sniff implements feed.Source: a file has a magic number, and a connection begins with a protocol
// version and the magic number of a frame.
func (Source) Sniff(head []byte, _ string) bool {
	const message = 2 + 4
	return len(head) >= len(fileMagic) && string(head[:len(fileMagic)]) == fileMagic ||
		len(head) >= message && string(head[2:5]) == "PFD" && binary.LittleEndian.Uint16(head) < 256
}

// OpenFile implements feed.Source. Damage is reported in the session, and is an error only if nothing could be
// read before.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}
