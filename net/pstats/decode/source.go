package decode

import (
	"context"
	"errors"
	"math"
	"os"
	"runtime"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/sessionfile"
)

// Source opens PStats session files. It implements feed.Source.
type Source struct{}

// Name implements feed.Source.
func (Source) Name() string { return "PStats session" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "PStats (Panda3D, Go)",
		Writers: "Panda3D games, Go games with `net/pstats/client`",
		Ends:    []string{".pstats"},
		Live:    "listen pstats",
	}
}

// Sniff implements feed.Source: it looks at the magic number only.
func (Source) Sniff(head []byte, _ string) bool { return sessionfile.Sniff(head) }

// OpenFile implements feed.Source.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return OpenFile(ctx, path, sink)
}

// OpenFile reads a session file into a sink, up to its end or until ctx is done or the sink was
// cancelled; the sink then gets a model.End in any case. A file that is cut off is read up to the
// cut; the error says where.
//
// Threads of a large file that is not compressed are decoded at the same time; the sink is still
// used by one goroutine at a time, unless it is a feed.Divided one. Where feed.InOrder says so, they
// are decoded one after the other.
func OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	if feed.InOrder(sink) {
		return openFile(ctx, path, sink, 1, math.MaxInt64)
	}
	return openFile(ctx, path, sink, min(max(runtime.GOMAXPROCS(0), 2), maxWorkers), parallelSize)
}

// openFile is OpenFile with so many workers for files of at least so many bytes.
func openFile(ctx context.Context, path string, sink feed.Sink, workers int, least int64) error {
	shared := &sharedSink{sink: feed.Until(ctx, sink)}
	shared.divided, _ = sink.(feed.Divided)
	d := New(shared, Options{Peer: path, File: true})
	err := decodeFile(path, d, shared, workers, least)
	if err != nil {
		err = feed.Plain(err)
	}
	var fe *sessionfile.Error
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
			d.Lost(model.Loss{Reason: model.LossMalformed, N: 1, Detail: err.Error()})
		}
		d.Close(err.Error())
	}
	return err
}

// decodeFile reads a file into a decoder with a shared sink.
func decodeFile(path string, d *Decoder, shared *sharedSink, workers int, least int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var head [sessionfile.MagicLen]byte
	if n, err := f.ReadAt(head[:], 0); st.Mode().IsRegular() && st.Size() >= least && err == nil &&
		sessionfile.Sniff(head[:n]) {
		return readParallel(f, path, st.Size(), d, shared, shared.Progress, workers)
	}
	_, err = sessionfile.Read(f, path, st.Size(), d, shared.Progress)
	return err
}
