package spall

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens recordings of Spall. It implements feed.Source.
type Source struct {
	// Frames is the name of the calls that are frames.
	Frames feed.Frames
}

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
	d := newDecoder(feed.Until(ctx, sink), room, path, frames)
	p := parser{d: d}
	err := feed.Copy(ctx, path, sink.Progress, feed.PartFunc(p.write))
	if err == nil {
		err = p.close()
	}
	if p.version == 0 || ctx.Err() != nil {
		return err
	}
	var cut *feed.ReadError
	if errors.As(err, &cut) {
		d.b.Bad.Explain(trace.Unread, p.at, "%v", cut)
	}
	if ended := d.b.Close(func(info *model.Info) {
		info.Clock = model.Clock{StepNs: d.clock.step()}
		if name := d.b.FrameName(); name != "" {
			info.Detail = fmt.Sprintf("frames are the calls %q of one thread", name)
		}
	}); ended != nil {
		return ended
	}
	return err
}
