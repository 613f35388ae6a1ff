package records

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"framescope/internal/aside"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// Export writes all that a journal holds, up to now, as a session file. A frame number that
// came twice is written once, as it came last. An existing file is replaced, when all is written:
// it may be the journal itself. It reads the journal once for each thread, and takes some 12 MB of
// memory however long the session is; what it must remember of each frame lies beside the file.
func Export(ctx context.Context, from, to string) error {
	r, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err = aside.Write(to, func(out io.Writer) error {
		defer r.Close() // or Windows would not replace the journal
		return ExportTo(ctx, out, r, dir)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}

// ExportTo writes all that a journal holds, up to now, as a session file. What must be
// remembered of each frame of a long session lies in a temporary file in dir; empty: where the
// system keeps them.
func ExportTo(ctx context.Context, w io.Writer, r *journal.Reader, dir string) error {
	x := &exporter{
		Definitions: sessionfile.NewDefinitions(), ctx: ctx, r: r, bytes: map[int]int64{},
		index: frameIndex{dir: dir},
	}
	defer x.index.close()
	if _, _, err := Replay(ctx, r, x, func(journal.Pos) {}); err != nil {
		return err
	}
	if err := x.sum(); err != nil {
		return err
	}
	return sessionfile.WriteLive(w, &x.Definitions, x)
}

// exporter reads a journal once, to learn where its frames are, and is then the store that they are
// written from.
type exporter struct {
	sessionfile.Definitions
	ctx   context.Context
	r     *journal.Reader
	index frameIndex
	bytes map[int]int64 // by thread

	refs *mergedRefs // from the first thread to the last
	ref  exportRef   // the next one of refs
	more bool
}

var (
	_ pstats.Handler     = (*exporter)(nil)
	_ sessionfile.Frames = (*exporter)(nil)
)

// Frame notes where a frame is.
func (x *exporter) Frame(f *wire.Frame, _ int) {
	index := x.Place(f)
	if int32(f.Number) == -1 { // it would end the thread
		return
	}
	x.index.add(exportRef{
		key: refKey(int(index), int32(f.Number)), pos: x.r.Last(), size: uint32(sessionfile.FrameSize(f)),
	})
}

// sum adds up what the frames of each thread take in a file.
func (x *exporter) sum() error {
	refs, err := x.index.merged()
	if err != nil {
		return err
	}
	for {
		ref, ok, err := refs.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		x.bytes[ref.thread()] += int64(ref.size)
	}
	if x.refs, err = x.index.merged(); err != nil {
		return err
	}
	x.ref, x.more, err = x.refs.next()
	return err
}

// FrameBytes implements Frames.
func (x *exporter) FrameBytes(thread int) int64 { return x.bytes[thread] }

// EachFrame implements Frames. The threads must be asked for in their order.
func (x *exporter) EachFrame(thread int, fn func(*wire.Frame) error) error {
	var f wire.Frame
	for n := 0; x.more && x.ref.thread() == thread; n++ {
		if n%256 == 0 && x.ctx.Err() != nil {
			return x.ctx.Err()
		}
		rec, err := x.r.At(x.ref.pos)
		if err != nil {
			return err
		}
		if err := wire.DecodeFrame(rec.Payload, sessionfile.FrameVersion, &f); err != nil {
			return err
		}
		f.Thread = uint16(thread)
		if err := fn(&f); err != nil {
			return err
		}
		if x.ref, x.more, err = x.refs.next(); err != nil {
			return err
		}
	}
	return nil
}
