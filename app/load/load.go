// Package load reads recordings straight into a session, without a window: for the commands that report and draw, and for tests.
package load

import (
	"context"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// Options says how to read a recording. The zero value is good.
type Options struct {
	// Sources says how the kinds of recordings are to be read.
	Sources
	// Events keeps what a PStats client sent, event by event, beside the session (see Recording.Events).
	Events bool
	// Progress is called now and then with the bytes done and the size of the file; nil for never.
	Progress func(done, total int64)
}

// Recording is a recording in memory.
type Recording struct {
	Session *model.Session
	// Events is what the client sent, event by event; nil unless Options.Events was set and the recording is one of PStats.
	Events *pstats.RawSession
}

// File reads a recording. When it is damaged, what could be read is returned together with the error.
func File(ctx context.Context, path string, o Options) (*Recording, error) {
	reg, err := o.Registry()
	if err != nil {
		return nil, err
	}
	src, err := reg.Recognise(path)
	if err != nil {
		return nil, err
	}
	rec := &Recording{Session: model.NewSession()}
	sink := &direct{ctx: ctx, session: rec.Session, progress: o.Progress}
	if _, ok := src.(pstats.Source); ok && o.Events {
		rec.Events = pstats.NewRawSession()
		// The error, if any, is the one that reading it below gives again.
		if _, err := pstats.ReadSessionFile(path, rec.Events, nil); err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return rec, src.OpenFile(ctx, path, sink)
}

// direct is a sink that hands everything to a session at once.
type direct struct {
	ctx      context.Context
	session  *model.Session
	batch    model.Batch
	progress func(done, total int64)
}

var _ feed.Sink = (*direct)(nil)

// Direct returns a sink that hands everything to a session at once, on the goroutine that decodes. It refuses batches when ctx is done.
func Direct(ctx context.Context, s *model.Session) feed.Sink { return &direct{ctx: ctx, session: s} }

// Define implements feed.Sink.
func (d *direct) Define(c model.Change) { d.session.Apply(c) }

// Begin implements feed.Sink.
func (d *direct) Begin() *model.Batch {
	d.batch.Reset()
	return &d.batch
}

// Publish implements feed.Sink.
func (d *direct) Publish(b *model.Batch) bool {
	d.session.Append(b)
	return d.ctx.Err() == nil
}

// Progress implements feed.Sink.
func (d *direct) Progress(done, total int64) {
	if d.progress != nil {
		d.progress(done, total)
	}
}
