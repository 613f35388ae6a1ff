package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/net/follow"
)

// openNewest is how many of the logs that are in a folder already are opened when it is watched.
const openNewest = 3

// arguments are what the command line names: recordings that are whole, and what is read as it grows.
type arguments struct {
	files  []string
	inputs []launch.Input
}

// sortArguments finds out for each name what it is, and tells early, before a window opens, what can't be read.
func sortArguments(names []string, following bool, reg feed.Registry) (a arguments, err error) {
	stdin := false
	for _, name := range names {
		st, err := os.Stat(name)
		switch {
		case name == "-":
			if stdin {
				return a, usageError{errors.New("standard input (-) can be read only once")}
			}
			if stdin = true; term.IsTerminal(int(os.Stdin.Fd())) {
				return a, usageError{errors.New("standard input (-) is the keyboard: pipe a recording into it, as in `cat trace.log | framescope open -`")}
			}
			a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
		case errors.Is(err, fs.ErrNotExist) && following:
			a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
		case errors.Is(err, fs.ErrNotExist):
			return a, usageError{fmt.Errorf("there is no file %q, and no command of that name", name)}
		case err != nil:
			return a, err
		case st.IsDir():
			if _, err := reg.Recognise(name); err == nil {
				a.files = append(a.files, name)
			} else if following {
				a.inputs = append(a.inputs, launch.Folder{Path: name, Registry: reg, Newest: openNewest})
			} else {
				return a, usageError{fmt.Errorf("%q is a folder: name the recordings in it, or watch it for new ones with --follow", name)}
			}
		case launch.IsStream(name):
			if err := readable(name); err != nil {
				return a, err
			}
			a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
		case following:
			a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
		default:
			a.files = append(a.files, name)
		}
	}
	return a, nil
}

// readable tells whether a FIFO may be read, without opening it: that would be noticed by its writer.
func readable(path string) error {
	if err := follow.Readable(path); err != nil {
		return fmt.Errorf("%w: ask its owner for the right to read it, as with `chmod a+r %s`", err, path)
	}
	return nil
}

// whole makes a file of what can be read only once, for the commands that need a recording that is whole. remove deletes it. An interrupt ends a stream that does not end by itself.
func (s *streams) whole(ctx context.Context, path string) (file string, remove func(), err error) {
	if !launch.IsStream(path) {
		return path, func() {}, nil
	}
	if path == "-" && term.IsTerminal(int(os.Stdin.Fd())) {
		return "", nil, usageError{errors.New("standard input (-) is the keyboard: pipe a recording into it, as in `zcat trace.log.gz | framescope report -`")}
	}
	if path != "-" {
		if err := readable(path); err != nil {
			return "", nil, err
		}
	}
	f, err := os.CreateTemp("", "framescope-*")
	if err != nil {
		return "", nil, err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	err = follow.Follow(reading, path, copier{f, stop}, follow.Options{})
	if errors.Is(err, context.Canceled) {
		if err = nil; ctx.Err() != nil {
			fmt.Fprintln(s.err, "framescope: interrupted; this is what came until then")
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", nil, err
	}
	return f.Name(), func() { os.Remove(f.Name()) }, nil
}

// copier writes what is followed to a file, up to its first end.
type copier struct {
	*os.File
	stop func()
}

// Idle implements follow.Writer.
func (copier) Idle() {}

// Restart implements follow.Writer.
func (c copier) Restart(string) { c.stop() }
