package decode

import (
	"context"
	"io"

	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Export writes all that a journal holds, up to now, as a session file. A frame number that
// came twice is written once, as it came last. An existing file is replaced, when all is written:
// it may be the journal itself. It reads the journal once for each thread, and takes some 12 MB of
// memory however long the session is; what it must remember of each frame lies beside the file. The
// error journal.Unread says that all is written that can be read.
func Export(ctx context.Context, from, to string) error { return export(ctx, from, to, nil) }

// export is Export of the frames of a cut.
func export(ctx context.Context, from, to string, cut Cut) error {
	r, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	err = toFile(to, func(out io.Writer, dir string) error {
		defer r.Close() // or Windows would not replace the journal
		least := int64(0)
		if cut != nil {
			least = 1
		}
		_, err := WriteCut(ctx, out, r, dir, cut, least)
		return err
	})
	if err != nil {
		return err
	}
	return r.Unread()
}

// WriteCut writes the frames of a cut that a journal holds, up to now, as a session file, and returns their number;
// nil: all. Where there are fewer than least it writes nothing and returns ErrNothing. What must be remembered of each
// frame of a long session lies in a temporary file in dir; empty: where the system keeps them.
func WriteCut(
	ctx context.Context, w io.Writer, r *journal.Reader, dir string, cut Cut, least int64,
) (frames int64, err error) {
	x := newExporter(ctx, journalled{r}, dir, cut)
	defer x.index.close()
	if _, _, err := Replay(ctx, r, &journalExporter{x, r}, func(journal.Pos) {}); err != nil {
		return 0, err
	}
	err = x.write(w, least)
	return x.frames, err
}

// exporter learns where frames are, and is then the store that they are written from.
type exporter struct {
	sessionfile.Definitions
	ctx   context.Context
	cut   Cut
	from  messages
	index frameIndex
	bytes map[int]int64 // by thread

	frames int64 // in the file

	refs *mergedRefs // from the first thread to the last
	ref  exportRef   // the next one of refs
	more bool
}

// messages reads messages of frames at known places. A message is valid until the next call.
type messages interface {
	message(r exportRef) ([]byte, error)
}

func newExporter(ctx context.Context, from messages, dir string, cut Cut) *exporter {
	return &exporter{
		Definitions: sessionfile.NewDefinitions(), ctx: ctx, cut: cut, from: from, bytes: map[int]int64{},
		index: frameIndex{dir: dir},
	}
}

// journalled are the messages of a journal.
type journalled struct{ r *journal.Reader }

func (j journalled) message(ref exportRef) ([]byte, error) {
	rec, err := j.r.At(ref.pos)
	return rec.Payload, err
}

// journalExporter takes the content of a journal.
type journalExporter struct {
	*exporter
	r *journal.Reader
}

// Frame implements Handler.
func (x *journalExporter) Frame(f *pstats.Frame, _ int) {
	x.notePlace(f, func(*pstats.Frame) journal.Pos { return x.r.Last() })
}

// notePlace notes the place of a wanted frame: at returns the place of its written part.
func (x *exporter) notePlace(f *pstats.Frame, at func(*pstats.Frame) journal.Pos) {
	thread := int(x.Find(f))
	if !x.cut.Has(x.Origin(thread), int64(f.Number)) {
		return
	}
	written := *f
	written.Events = x.cut[x.Origin(thread)].Events(f)
	f = &written
	x.Note(thread, f)
	if int32(f.Number) == -1 { // it would end the thread
		return
	}
	x.index.add(exportRef{
		key: refKey(thread, int32(f.Number)), pos: at(f), size: uint32(sessionfile.FrameSize(f)),
	})
}

// write writes the session file of all that was noted, unless that is too little.
func (x *exporter) write(w io.Writer, least int64) error {
	if err := x.sum(); err != nil {
		return err
	}
	if x.frames < least {
		return ErrNothing
	}
	if x.cut != nil {
		x.Keep(func(thread int) bool { return x.bytes[thread] > 0 })
	}
	return sessionfile.WriteLive(w, &x.Definitions, x)
}

// sum adds up the sizes of each thread's frames in a file.
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
		x.frames++
	}
	if x.refs, err = x.index.merged(); err != nil {
		return err
	}
	x.ref, x.more, err = x.refs.next()
	return err
}

// FrameBytes implements Frames.
func (x *exporter) FrameBytes(thread int) int64 { return x.bytes[thread] }

// EachFrame implements Frames. Call it with the threads in their order.
func (x *exporter) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	var f pstats.Frame
	for n := 0; x.more && x.ref.thread() == thread; n++ {
		if n%256 == 0 && x.ctx.Err() != nil {
			return x.ctx.Err()
		}
		message, err := x.from.message(x.ref)
		if err != nil {
			return err
		}
		if err := pstats.DecodeFrame(message, sessionfile.FrameVersion, &f); err != nil {
			return err
		}
		f.Thread, f.Events = uint16(thread), x.cut[x.Origin(thread)].Events(&f)
		if err := fn(&f); err != nil {
			return err
		}
		if x.ref, x.more, err = x.refs.next(); err != nil {
			return err
		}
	}
	return nil
}
