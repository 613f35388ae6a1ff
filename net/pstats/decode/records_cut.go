package decode

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"framescope/internal/aside"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Cut says which frames of a session are wanted: of each thread those with the numbers of a run. Of a
// thread that is not in it none is. nil stands for all frames of all threads.
type Cut map[sessionfile.Thread]Run

// Run is the numbers of frames from First to Last.
type Run struct {
	First, Last int64
	// Running are the collectors that ran when the first frame began, the outermost first: it is
	// written as one that says so (pstats.Inherit).
	Running []uint16
}

// Has reports whether a frame is wanted.
func (c Cut) Has(t sessionfile.Thread, number int64) bool {
	if c == nil {
		return true
	}
	r, ok := c[t]
	return ok && r.First <= number && number <= r.Last
}

// Events returns the events that are written of a frame of the run.
func (r Run) Events(f *pstats.Frame) []pstats.Event {
	if int64(f.Number) == r.First {
		return pstats.Inherit(f, r.Running)
	}
	return f.Events
}

// ErrNothing is returned where the wanted frames are not there.
var ErrNothing = errors.New("none of its frames was found")

// Save writes the frames of a cut, from a journal or a session file, to a session file, with all
// definitions and the threads of these frames. Missing frames stay missing, as the numbers show.
// Frames are written as they were sent, except as Run.Running describes.
func Save(ctx context.Context, from, to string, cut Cut) error {
	if journal.Is(from) {
		return export(ctx, from, to, cut)
	}
	return toFile(to, func(out io.Writer, dir string) error {
		spool, err := newSpool(dir)
		if err != nil {
			return err
		}
		defer spool.close()
		x := newExporter(ctx, spool, dir, cut)
		defer x.index.close()
		c := &cutter{exporter: x, spool: spool}
		_, err = sessionfile.ReadFile(from, c, nil)
		if damaged := (*sessionfile.Error)(nil); err != nil && !errors.As(err, &damaged) { // the earlier part is there
			return err
		}
		if err := errors.Join(c.err, ctx.Err(), spool.out.Flush()); err != nil {
			return err
		}
		return x.write(out, 1)
	})
}

// toFile writes a file that is replaced when all is written; dir is where it lies.
func toFile(to string, fill func(out io.Writer, dir string) error) error {
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := aside.Write(to, func(out io.Writer) error { return fill(out, dir) }); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}

// cutter takes the content of a session file, and stores the wanted frames.
type cutter struct {
	*exporter
	spool *spool
	buf   []byte
	err   error
}

// Frame implements Handler.
func (c *cutter) Frame(f *pstats.Frame, _ int) {
	if c.err != nil {
		return
	}
	c.notePlace(f, func(f *pstats.Frame) (at journal.Pos) {
		c.buf = pstats.AppendFrame(c.buf[:0], sessionfile.FrameVersion, f)
		at, c.err = c.spool.add(c.buf)
		return at
	})
}

// Cancelled ends the reading.
func (c *cutter) Cancelled() bool { return c.err != nil || c.ctx.Err() != nil }

// spool is a temporary file of frames, in the order in which they were read.
type spool struct {
	file *os.File
	out  *bufio.Writer
	end  int64
	buf  []byte
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, ".framescope-frames-*.part")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // gone with the program, where the system can do that
	return &spool{file: f, out: bufio.NewWriterSize(f, 256<<10)}, nil
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name()) // where it could not be done before
}

// add appends the message of a frame.
func (s *spool) add(message []byte) (at journal.Pos, err error) {
	at = journal.Pos{Offset: s.end}
	n, err := s.out.Write(message)
	s.end += int64(n)
	return at, err
}

// message implements messages.
func (s *spool) message(r exportRef) ([]byte, error) {
	n := int(r.size) + messageHead
	if cap(s.buf) < n {
		s.buf = make([]byte, n)
	}
	_, err := s.file.ReadAt(s.buf[:n], r.pos.Offset)
	return s.buf[:n], err
}

// messageHead is what a frame's message has besides what a file holds of it: its type and its thread.
const messageHead = 3
