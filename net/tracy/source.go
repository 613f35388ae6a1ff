// Package tracy reads what programs with the Tracy profiler (github.com/wolfpld/tracy) send to its viewer: live, and
// from recordings of it. PROTOCOL.md describes it.
package tracy

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens the recorded data of a program with Tracy. It implements feed.Streamer.
type Source struct{}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "Tracy recording" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Tracy",
		Writers: "games and programs with the Tracy client 0.10 to 0.14",
		Ends:    []string{".tracystream"},
		Live:    "connect tracy",
	}
}

// Kind is what sessions of the source are called in model.Info and in journals.
func (Source) Kind() string { return "tracy" }

// Sniff implements feed.Source: a recording begins with the greeting that the program was sent.
func (Source) Sniff(head []byte, _ string) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

// OpenFile implements feed.Source.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	r := newReading(sink, model.Info{Program: filepath.Base(path), Peer: path, File: true})
	err := feed.Copy(ctx, path, sink.Progress, r)
	if r.d == nil && err != nil {
		r.room.Close()
		return err
	}
	if unread, ok := errors.AsType[*feed.ReadError](err); ok {
		trace.Lose(sink, model.LossTruncated, 1, "the rest can't be read: "+unread.Error())
	}
	r.Close("")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	r := newReading(sink, model.Info{Program: cmp.Or(o.Program, o.Name), Peer: o.Name})
	sink.Define(r.info)
	return r
}
