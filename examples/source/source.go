// Package source is the example of CONTRIBUTING.md: a source for logs with a line "name begin end" for
// each call, times in ns.
package source

import (
	"context"
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const first = "# calls 1"

// Source opens such logs.
type Source struct{}

// Name implements feed.Source.
func (Source) Name() string { return "log of calls" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{Title: "Logs of calls", Writers: "nobody but the test", Ends: []string{".calls"}}
}

// Sniff implements feed.Source: the first line identifies the format.
func (Source) Sniff(head []byte, _ string) bool { return strings.HasPrefix(string(head), first+"\n") }

// OpenFile implements feed.Source.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink)) // ends the session, whatever happens
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink) // bounds the names, whatever the file holds
	defer room.Close()
	names := trace.New(sink, room, "All calls")
	sink.Define(model.Info{Source: "calls", Program: "example", Peer: path, PID: -1, File: true})
	main, _ := names.Track("main", model.TrackDef{Name: "Main"})
	b := sink.Begin()
	b.Track = main
	var bad, long trace.Lines
	var lines trace.Cutter // bounds the lines, and knows UTF-16 and CRLF
	lines.Long = func() { long.Add(lines.N) }
	lines.Take = func(line []byte) {
		var name string
		var begin, end int64
		if lines.N == 1 {
			return
		}
		if _, err := fmt.Sscan(string(line), &name, &begin, &end); err != nil || end < begin {
			bad.Add(lines.N)
			return
		}
		call := names.Path(model.PathRoot, names.Collector([]byte(name)))
		b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: call})
	}
	err := trace.ReadLines(ctx, path, &lines, sink.Progress) // gzip and zstd undone
	trace.Order(b.Spans, nil)
	if !sink.Publish(b) { // what was read before an error stays
		return feed.ErrCancelled
	}
	losses := trace.Losses{Define: sink.Define}
	losses.LoseLines(model.LossMalformed, &bad, "not a call: left out")
	losses.LoseLines(model.LossLimit, &long, "longer than a line may be: left out")
	lines.NULs.Tell(sink.Define)
	names.Tell()
	return err
}
