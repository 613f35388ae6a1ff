package perfetto

import (
	"context"
	"fmt"

	"framescope/net/feed"
)

// Kind is what sessions of the source are called in model.Info.
const Kind = "perfetto"

// Source opens traces of Perfetto, compressed or not. It implements feed.Source.
type Source struct {
	// Frames is the name of the thread spans that are frames, or of the layer of the frame timeline with surfaces
	// that are frames.
	Frames feed.Frames
}

// Name implements feed.Source.
func (Source) Name() string { return "Perfetto trace" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Perfetto",
		Writers: "the Perfetto SDK, Android, Chromium",
		Ends:    []string{".pftrace", ".perfetto-trace", ".pb"},
		Chosen:  true,
	}
}

// Sniff implements feed.Source: packets follow each other, and each has a field that packets have.
// There is no mark to know such a file by.
func (Source) Sniff(head []byte, _ string) bool { return begins(head, feed.HeadSize) }

// OpenFile implements feed.Source. Damage is reported in the session, and all before it is shown. An error is a
// file that could not be read or unpacked to its end, or that has no events.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := newDecoder(feed.Until(ctx, sink), room, path, s.Frames)
	err := feed.Copy(ctx, path, sink.Progress, &d.file)
	if err != nil {
		err = fmt.Errorf("after %d bytes of the trace: %w", d.file.Place(), err)
	}
	if ctx.Err() == nil {
		err = d.finish(err)
	}
	return feed.End(ctx, path, sink, err)
}

// programOf guesses the name of a program from that of its trace.
func programOf(path string) string {
	return feed.Stem(path, ".pb", ".trace", ".pftrace", ".perfetto-trace")
}
