package spall

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"framescope/model"
	"framescope/net/feed"
)

// Source opens recordings of Spall. It implements feed.Source.
type Source struct {
	// Frames is the name of the calls that are frames.
	Frames feed.Frames
}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "Spall recording" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Spall",
		Writers: "`spall.h`, Odin's `core:prof/spall`",
		Ends:    []string{".spall"},
		Chosen:  true,
	}
}

// Sniff implements feed.Source by the magic number. It recognises unsupported formats, too, so that
// the error names them.
func (Source) Sniff(head []byte, _ string) bool {
	if len(head) < 8 {
		return false
	}
	magic := binary.LittleEndian.Uint64(head)
	return magic == magicManual || magic == magicNative
}

// OpenFile implements feed.Source. Damage is no error but a loss in the session; an unreadable header
// is an error.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink, s.Frames))
}

func open(ctx context.Context, path string, sink feed.Sink, frames feed.Frames) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	s := newSurvey(room, frames)
	first := parser{header: s.clock.begin, take: s.take, damaged: func(model.LossReason, int64, string) {}}
	err := read(ctx, path, &first, func(done, total int64) { sink.Progress(done/2, total) })
	if first.version == 0 || ctx.Err() != nil {
		return err
	}
	s.finish()
	d := newDecoder(s, sink, path)
	p := parser{header: func(uint64, float64) {}, take: d.take, damaged: d.loss.damaged}
	err = read(ctx, path, &p, func(done, total int64) { sink.Progress(total/2+done/2, total) }, &d.cancelled)
	d.close()
	var cut *feed.ReadError
	if errors.As(err, &cut) {
		p.tellLeft()
		d.loss.damaged(model.LossTruncated, p.at, fmt.Sprintf("the rest can't be read: %v", cut))
	}
	return err
}

// read hands a file to a parser, gzip and the like undone, until one of stop is set.
func read(ctx context.Context, path string, p *parser, progress func(done, total int64), stop ...*bool) error {
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		if err := p.write(part); err != nil {
			return err
		}
		progress(done, total)
		for _, s := range stop {
			if *s {
				return feed.ErrCancelled
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.close()
}
