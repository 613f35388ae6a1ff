package puffin

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// How long a stream waits to find out which thread is the main one.
const (
	heldFrames = 16
	heldBytes  = 8 << 20
	heldIdles  = 8 // times that nothing came for a while, after the first frame
)

// reading is a recording that is read: as it comes, or a file, twice. It holds back the first frames until they show
// which thread is the main one.
type reading struct {
	sink   feed.Sink
	room   *feed.Names
	info   model.Info
	cut    *cutter
	reader frameReader
	survey *survey
	held   []*record // their bytes are copies
	bytes  int
	idles  int
	d      *decoder
	err    error
}

func newReading(sink feed.Sink, info model.Info) *reading {
	info.Source, info.PID, info.Version = Source{}.Kind(), -1, "puffin"
	return &reading{sink: sink, room: feed.NamesOf(sink), info: info, survey: newSurvey()}
}

// open reads a file twice: which thread is the main one must be known before the first frame.
func open(ctx context.Context, path string, sink feed.Sink) error {
	r := newReading(sink, model.Info{Program: filepath.Base(path), Peer: path, File: true})
	defer r.room.Close()
	r.cut = newCutter(func(rec *record) error { r.see(rec); return nil })
	err := r.readFile(ctx, path, func(done, total int64) { sink.Progress(done/2, total) })
	if r.cut.end(); err == nil && !r.cut.any {
		err = r.cut.first
	}
	if err != nil && r.survey.frames == 0 || ctx.Err() != nil {
		return err
	}
	messages := r.cut.messages
	r.cut = newCutter(r.show)
	r.cut.messages = messages
	r.begin()
	r.err = r.readFile(ctx, path, func(done, total int64) { sink.Progress(total/2+done/2, total) })
	r.close()
	if errors.Is(r.err, feed.ErrCancelled) || ctx.Err() != nil {
		return r.err
	}
	return nil
}

// readFile cuts a file into records, gzip and the like undone.
func (r *reading) readFile(ctx context.Context, path string, progress func(done, total int64)) error {
	return feed.Copy(ctx, path, progress, feed.PartFunc(r.cut.write))
}

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	r := newReading(sink, model.Info{Program: cmp.Or(o.Program, o.Name), Peer: o.Name})
	sink.Define(r.info)
	r.cut = newCutter(r.hold)
	return r
}

// Recognised reports whether what came is known to be a recording of puffin.
func (r *reading) Recognised() bool { return r.d != nil || len(r.held) > 0 }

// Write implements feed.Stream.
func (r *reading) Write(p []byte) (int, error) {
	if r.err = r.cut.write(p); r.err != nil {
		return 0, r.err
	}
	return len(p), nil
}

// see looks at a record.
func (r *reading) see(rec *record) {
	if f, _ := r.reader.read(rec); f != nil {
		r.survey.take(f, rec.version == '4')
	}
}

// hold looks at a record and holds it back, while too few came.
func (r *reading) hold(rec *record) error {
	r.see(rec)
	r.held = append(r.held, rec.copied())
	if r.bytes += rec.size; len(r.held) >= heldFrames || r.bytes >= heldBytes {
		return r.begin()
	}
	return nil
}

func (r *reading) show(rec *record) error { return r.d.read(&r.reader, rec) }

// begin shows the frames that were held back.
func (r *reading) begin() error {
	if r.cut.messages {
		r.info.Version = "puffin_http"
	}
	r.d = newDecoder(r.sink, r.room, r.info, r.survey, &r.cut.bad)
	r.cut.take = r.show
	held := r.held
	r.held, r.survey = nil, nil
	for _, rec := range held {
		if err := r.show(rec); err != nil {
			return err
		}
	}
	return nil
}

// Idle implements feed.Stream.
func (r *reading) Idle() {
	if r.err = r.cut.idle(); r.err != nil {
		return
	}
	if r.d == nil {
		if r.idles++; len(r.held) == 0 {
			r.idles = 0
		}
		if r.idles < heldIdles {
			return
		}
		r.err = r.begin()
	}
	r.d.idle()
}

// close reports how the bytes ended.
func (r *reading) close() {
	r.cut.end()
	if r.err != nil && !r.d.cancelled && !errors.Is(r.err, context.Canceled) {
		r.cut.bad.Explain(trace.Unread, trace.Unknown, "%v", r.err)
	}
	r.d.close()
}

// Close implements feed.Stream.
func (r *reading) Close(reason string) {
	if r.d == nil {
		r.begin()
	}
	r.close()
	r.room.Close()
	r.sink.Define(model.End{Reason: reason})
}
