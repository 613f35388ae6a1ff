package pstats

import (
	"context"
	"errors"
	"os"

	"framescope/model"
	"framescope/net/feed"
)

// Source opens PStats session files. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "PStats session" }

// Sniff implements feed.Source: it looks at the magic number only.
func (Source) Sniff(head []byte, _ string) bool { return Sniff(head) }

// OpenFile implements feed.Source.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return OpenFile(ctx, path, sink)
}

// OpenFile reads a session file into a sink, up to its end or until ctx is done or the sink was cancelled; the sink then gets a model.End in any case. A file that is
// cut off is read up to the cut; the error says where.
func OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	d := NewDecoder(&cancelSink{sink, ctx}, DecoderOptions{Peer: path, File: true})
	_, err := ReadSessionFile(path, d, sink.Progress)
	var fe *FileError
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
		d.Close("loading was cancelled")
	case d.Cancelled():
		d.Close("loading was cancelled")
	case err == nil:
		d.Close("end of file")
	default:
		if errors.As(err, &fe) && !fe.Truncated {
			d.Lost(model.LossMalformed, 1, fe.Error())
		}
		d.Close(err.Error())
	}
	return err
}

// ReadSessionFile is ReadSession of a file on disk.
func ReadSessionFile(path string, h Handler, progress func(done, total int64)) (FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.Close()
	var size int64
	if st, err := f.Stat(); err == nil {
		size = st.Size()
	}
	return ReadSession(f, path, size, h, progress)
}

// cancelSink makes a sink stop when a context is done.
type cancelSink struct {
	feed.Sink
	ctx context.Context
}

func (s *cancelSink) Publish(b *model.Batch) bool { return s.Sink.Publish(b) && s.ctx.Err() == nil }
