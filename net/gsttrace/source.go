package gsttrace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens trace logs of GStreamer, also mixed with other debug lines, colored, or compressed.
// It implements feed.Source.
type Source struct{}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "GStreamer trace log" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "GStreamer pipelines",
		Writers: "GStreamer's tracers (`GST_TRACERS`)",
		Ends:    []string{".log"},
		Live:    "gst",
	}
}

// Sniff implements feed.Source: one whole line in the head must be one of the log. Other lines may
// come before it.
func (Source) Sniff(head []byte, _ string) bool { return SniffLog(head) }

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	return NewDecoder(sink, Options{Peer: o.Name, Program: o.Program})
}

// OpenFile implements feed.Source. It reads the log up to its end, or until ctx is done or the sink was cancelled;
// the sink gets a model.End in any case. Unreadable lines are counted and shown, and are no error. A compressed
// file that is cut off is read up to the cut; the error names the place.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	program := strings.Trim(feed.Stem(path, ".log", ".txt"), "./") // nothing better is in a log
	d := NewDecoder(feed.Until(ctx, sink), Options{Peer: path, Program: program, File: true})
	err := feed.Copy(ctx, path, sink.Progress, d)
	if _, broken := errors.AsType[*feed.ReadError](err); broken {
		err = fmt.Errorf("after %d bytes of the log: %w", d.written, err)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			d.cut = true
			d.out.bad.Explain(trace.Unread, trace.Unknown, "%v", err)
		}
	}
	d.finish()
	return feed.End(ctx, path, sink, err)
}

// Kind is the name of the format in model.Info and in journals.
func (Source) Kind() string { return "gsttrace" }
