package gsttrace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"framescope/net/feed"
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
	d := NewDecoder(feed.Until(ctx, sink), Options{Peer: path, Program: programOf(path), File: true})
	total, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		_, err := d.Write(part)
		sink.Progress(min(done, total), total)
		return err
	})
	var broken *feed.ReadError
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
		d.Close("loading was cancelled")
	case d.Cancelled():
		err = nil
		d.Close("loading was cancelled")
	case err == nil:
		sink.Progress(total, total)
		d.Close("end of file")
	case errors.As(err, &broken):
		err = fmt.Errorf("%s: after %d bytes of the log: %w", path, d.written, err)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			d.cutOff(err)
		}
		fallthrough
	default:
		d.Close(err.Error())
	}
	return err
}

// programOf guesses the name of the program from that of the log; nothing better is in a log.
func programOf(path string) string {
	s := filepath.Base(path)
	for _, ext := range []string{".gz", ".zst", ".log", ".txt"} {
		s = strings.TrimSuffix(s, ext)
	}
	return strings.Trim(s, "./")
}

// Kind is the name of the format in model.Info and in journals.
func (Source) Kind() string { return "gsttrace" }
