package profilelib

import (
	"context"
	"errors"

	"framescope/net/feed"
	"framescope/net/trace"
)

var _ feed.Streamer = Source{}

// Source opens files with a profile stream. It implements feed.Source.
type Source struct {
	// Options say how to read; Peer and File are set from the file. The zero value finds out
	// everything by itself.
	Options Options
}

// Name implements feed.Source.
func (Source) Name() string { return "profile_lib stream" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "The Foundation profiler (profile_lib)",
		Writers: "games with the Foundation library, Go with `net/profilelib/client`",
		Ends:    []string{".prof"},
		Live:    "listen profilelib",
	}
}

// Sniff implements feed.Source. The format has no magic number: dozens of plausible records in a row
// identify it. A layout given by hand skips this check.
func (s Source) Sniff(head []byte, _ string) bool {
	return s.Options.Layout != nil && len(head) >= s.Options.Layout.Stride() || Sniff(head)
}

// NewStream implements feed.Streamer.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	opt := s.Options
	opt.Peer, opt.File = o.Name, false
	return NewDecoder(sink, opt)
}

// OpenFile implements feed.Source. It undoes gzip and zlib, and reads up to the end or until ctx is done or the
// sink was cancelled; the sink then gets a model.End in any case. The file is read twice: the tick
// rate and the thread that has the frames must be known before the first block can be shown. Damage is
// no error but a loss in the session; a file that is no profile stream at all is ErrNotStream.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	o := s.Options
	o.Peer, o.File = path, true
	err := look(ctx, path, &o)
	d := NewDecoder(sink, o)
	if err == nil {
		err = feed.Copy(ctx, path, sink.Progress, d)
	}
	if err != nil && d.frm != nil && !errors.Is(err, feed.ErrCancelled) {
		d.bad.Explain(trace.Unread, trace.Unknown, "%v", err)
	}
	d.finish()
	if err == nil { // else it may be too short to be recognised
		err = d.err
	}
	return feed.End(ctx, path, sink, err)
}

// look surveys a file: layout, tick rates, main thread. It leaves read errors to the second reading.
func look(ctx context.Context, path string, o *Options) error {
	s := newSurvey(o.Layout)
	err := feed.Copy(ctx, path, func(int64, int64) {}, feed.PartFunc(func(p []byte) error { return s.add(p, false) }))
	if s.frm == nil {
		return err
	}
	o.survey = s
	return nil
}

// Kind is the source of these sessions in model.Info and in journals.
func (Source) Kind() string { return "profilelib" }
