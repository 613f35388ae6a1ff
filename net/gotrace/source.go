package gotrace

import (
	"context"
	"fmt"

	"framescope/model"
	"framescope/net/feed"
)

// Kind is the name of the format in model.Info.
const Kind = "gotrace"

// Source opens execution traces of Go, compressed or not. It implements feed.Source.
type Source struct{ Options Options }

// Options are the user's choices for reading a trace.
type Options struct {
	// Frames is the name of the regions, or of the tasks, that are frames.
	Frames feed.Frames
	// Rounds: the program is traced several times in a row. Its goroutines for that are on one track, as they are
	// from the second trace on wherever there are several.
	Rounds bool
}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "Go execution trace" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Go execution traces",
		Writers: "`runtime/trace`, flight recorders, `go test -trace`",
		Ends:    []string{".trace", ".out"},
		Live:    "connect go",
		Chosen:  true,
	}
}

// Kind is what sessions of the source are called in model.Info.
func (Source) Kind() string { return Kind }

// Sniff implements feed.Source: it checks the header. It accepts newer formats, too, so that the error names them.
func (Source) Sniff(head []byte, _ string) bool {
	_, ok := version(head)
	return ok
}

// OpenFile implements feed.Source. Damage is reported in the session, and all before it is shown. A file without a
// single event is an error.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, s.open(ctx, path, feed.Until(ctx, sink)))
}

func (s Source) open(ctx context.Context, path string, sink feed.Sink) error {
	read := int64(0)
	f, err := feed.OpenParts(ctx, path, func(done, total int64) {
		read = done
		sink.Progress(done, total)
	})
	if err != nil {
		return err
	}
	defer f.Close()
	d := newDecoder(sink, s.Options, model.Info{Program: programOf(path), Peer: path, File: true})
	defer d.room.Close()
	err = d.traces(f)
	d.close()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w (by byte %d of the file)", err, read)
	}
	return err
}

// programOf guesses the name of a program from that of its trace.
func programOf(path string) string { return feed.Stem(path, ".out", ".trace") }
