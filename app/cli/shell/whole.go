package shell

import (
	"context"
	"errors"
	"fmt"
	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/net/follow"
	"io/fs"
	"os"

	"golang.org/x/term"
)

// noFileError is the error of a file that is not there.
type noFileError struct{ path string }

func NoFile(path string) error { return noFileError{path} }

// Error implements error.
func (e noFileError) Error() string { return fmt.Sprintf("there is no file %q", e.path) }

// Is implements the interface of errors.Is.
func (e noFileError) Is(target error) bool { return target == fs.ErrNotExist }

// Readable tells whether a FIFO may be read, without opening it: that would be noticed by its
// writer.
func Readable(path string) error {
	if err := follow.Readable(path); err != nil {
		return fmt.Errorf("%w: ask its owner for the right to read it, as with `chmod a+r %s`", err, path)
	}
	return nil
}

// Recording is one that is whole: a file or folder, or the copy of what could be read only once.
type Recording struct {
	// Path is where it is read, Name where it comes from, for people.
	Path, Name string
	// Streamed tells that it is a copy.
	Streamed bool
	// Ended tells that an interrupt ended the stream: that it is cut off there is no damage.
	Ended  bool
	Remove func()
}

// Whole makes a file of what can be read only once, for the commands that need a recording that is
// whole. What is no recording is refused by its beginning. An interrupt ends a stream that does not
// end by itself.
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
	err = follow.Follow(reading, path, copier{copied, stop}, follow.Options{})
	if errors.Is(err, context.Canceled) {
		if err = nil; ctx.Err() != nil {
			fmt.Fprintln(s.Err, "framescope: interrupted; this is what came until then")
		}
	}
	if err != nil {
		copied.Remove()
		return nil, err
	}
	return &Recording{Path: copied.Path(), Name: name, Streamed: true, Ended: ctx.Err() != nil, Remove: copied.Remove}, nil
}

// copier writes what is followed to a file, up to its first end.
type copier struct {
	*launch.Spool
	stop func()
}

// Idle implements follow.Writer.
func (copier) Idle() {}

// Restart implements follow.Writer.
func (c copier) Restart(string) { c.stop() }
