package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/net/feed"
	"framescope/net/follow"
)

// noFileError is the error of a file that is not there.
type noFileError struct{ path string }

func NoFile(path string) error { return noFileError{path} }

// Error implements error.
func (e noFileError) Error() string { return fmt.Sprintf("there is no file %q", e.path) }

// Is implements the interface of errors.Is.
func (e noFileError) Is(target error) bool { return target == fs.ErrNotExist }

// Readable reports whether a FIFO may be read, without opening it: that would be noticed by its
// writer.
func Readable(path string) error {
	if err := follow.Readable(path); err != nil {
		return fmt.Errorf("%w: its owner can allow it, for example with `chmod a+r %s`", err, path)
	}
	return nil
}

// Recording is a whole recording: a file or folder, or the copy of a stream.
type Recording struct {
	// Path is where it is read, Name where it comes from, for people.
	Path, Name string
	// Streamed reports that it is a copy.
	Streamed bool
	// Ended reports that an interrupt ended the stream: its cut end is no damage.
	Ended  bool
	Remove func()
}

// Whole copies a stream to a file, for the commands that need a whole recording. It refuses other data
// by its beginning. An interrupt ends a stream that does not end by itself.
func (s *Streams) Whole(ctx context.Context, path string, reg feed.Registry) (*Recording, error) {
	path, err := s.SessionOr(path)
	if err != nil {
		return nil, err
	}
	if !launch.IsStream(path) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, NoFile(path)
		}
		return &Recording{Path: path, Name: path, Remove: func() {}}, nil
	}
	name := path
	if path == "-" {
		if name = launch.StandardInput; term.IsTerminal(int(os.Stdin.Fd())) {
			return nil, Usage(errors.New("standard input (-) is the keyboard: pipe a recording into it, as in " +
				"`zcat trace.log.gz | framescope report -`"))
		}
	} else if err := Readable(path); err != nil {
		return nil, err
	}
	copied, err := launch.NewSpool(reg, name)
	if err != nil {
		return nil, err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	c := &copier{Spool: copied, stop: stop, out: s.Err, name: name, patience: firstPatience}
	err = follow.Follow(reading, path, c, follow.Options{})
	if errors.Is(err, context.Canceled) {
		switch err = nil; {
		case ctx.Err() == nil:
		case c.size == 0:
			err = fmt.Errorf("%s: interrupted before any data arrived", name)
		default:
			fmt.Fprintln(s.Err, "framescope: interrupted; this is what came until then")
		}
	}
	if err != nil {
		copied.Remove()
		return nil, err
	}
	return &Recording{Path: copied.Path(), Name: name, Streamed: true, Ended: ctx.Err() != nil, Remove: copied.Remove}, nil
}

// copier copies a followed stream to a file, up to its first end. It warns when nothing comes for a
// while.
type copier struct {
	*launch.Spool
	stop     func()
	out      io.Writer
	name     string
	size     int64 // that came
	quiet    int   // times that nothing came, one after the other
	patience int   // number of these until the message
}

// firstPatience is the number of empty reads until the message, about three seconds; from then on it
// doubles each time.
const firstPatience = 60

// Write implements follow.Writer.
func (c *copier) Write(p []byte) (int, error) {
	n, err := c.Spool.Write(p)
	c.size, c.quiet = c.size+int64(n), 0
	return n, err
}

// Idle implements follow.Writer.
func (c *copier) Idle() {
	if c.quiet++; c.quiet != c.patience {
		return
	}
	c.patience *= 2
	came := "nothing has come yet"
	if c.size > 0 {
		came = "nothing more comes since " + string(format.AppendBytes(nil, c.size))
	}
	fmt.Fprintf(c.out, "framescope: %s: %s: waiting for whoever writes it (Ctrl+C ends that)\n", escape.Name(c.name), came)
}

// Restart implements follow.Writer.
func (c *copier) Restart(string) { c.stop() }
