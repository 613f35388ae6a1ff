package puffin

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"

	"framescope/model"
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

// open reads a file twice: which thread is the main one must be known before the first frame.
func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	s := newSurvey()
	var x frameReader
	first, err := cutFile(ctx, path, func(rec *record) error {
		if f, _ := x.read(rec); f != nil {
			s.take(f, rec.version == '4')
		}
		return nil
	}, func(done, total int64) { sink.Progress(done/2, total) })
	if first.end(); err == nil && !first.any && first.lost.N > 0 {
		err = errors.New(first.lost.Why)
	}
	if err != nil && s.frames == 0 || ctx.Err() != nil {
		return err
	}
	d := newDecoder(sink, room, infoOf(filepath.Base(path), path, first, true), s)
	c, err := cutFile(ctx, path, func(rec *record) error {
		d.read(&x, rec)
		if d.cancelled {
			return feed.ErrCancelled
		}
		return nil
	}, func(done, total int64) { sink.Progress(total/2+done/2, total) })
	d.ended(c, err)
	if errors.Is(err, feed.ErrCancelled) || ctx.Err() != nil {
		return err
	}
	return nil
}

// infoOf returns the info of a recording from the first bytes of a cutter.
func infoOf(program, peer string, c *cutter, file bool) model.Info {
	i := model.Info{Source: Source{}.Kind(), Program: program, Peer: peer, PID: -1, File: file, Version: "puffin"}
	if c.messages {
		i.Version = "puffin_http"
	}
	return i
}

// cutFile cuts a file into records, gzip and the like undone.
func cutFile(
	ctx context.Context, path string, take func(*record) error, progress func(done, total int64),
) (*cutter, error) {
	c := &cutter{patient: true}
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		progress(done, total)
		return c.write(part, take)
	})
	return c, err
}

// read takes a record.
func (d *decoder) read(x *frameReader, rec *record) {
	f, err := x.read(rec)
	if err != nil {
		d.loss.frame(rec, err, f != nil)
	}
	if f != nil {
		d.take(rec, f)
	}
}

// ended reports how the bytes ended, and closes.
func (d *decoder) ended(c *cutter, err error) {
	c.end()
	c.lost.Tell(d.sink.Define)
	switch n, at := c.left(); {
	case d.cancelled || errors.Is(err, context.Canceled):
	case err != nil:
		d.loss.damaged(err)
	case n > 0:
		d.loss.truncated(at, n, "it ends within a frame")
	}
	d.close()
}
