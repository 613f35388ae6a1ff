package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/app/sessions"
	"framescope/net/feed"
	"framescope/net/follow"
)

// openNewest is how many of the logs that are in a folder already are opened when it is watched.
const openNewest = 3

// arguments are what the command line names: recordings that are whole, what is read as it grows,
// and what can't be opened.
type arguments struct {
	files    []string
	inputs   []launch.Input
	unopened []sessions.Unopened
}

// sortArguments finds out for each name what it is. One that can't be opened does not keep the
// others from being opened; when none can be, that is the error, told before a window opens.
func sortArguments(names []string, following bool, reg feed.Registry) (a arguments, err error) {
	stdin := false
	for _, name := range names {
		if name == "-" && stdin {
			return a, usageError{errors.New("standard input (-) can be read only once")}
		}
		stdin = stdin || name == "-"
		if wrong := a.add(name, following, reg); wrong != nil {
			err = cmp.Or(err, wrong)
			a.unopened = append(a.unopened, sessions.Unopened{Path: name, Err: wrong})
		}
	}
	switch {
	case len(a.unopened) < len(names):
		err = nil
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%w, and no command of that name; with open --follow it would be waited for", err)
	}
	return a, err
}

// add takes one name.
func (a *arguments) add(name string, following bool, reg feed.Registry) error {
	st, err := os.Stat(name)
	switch {
	case name == "-":
		if term.IsTerminal(int(os.Stdin.Fd())) {
			return usageError{errors.New("standard input (-) is the keyboard: pipe a recording into it, as in " +
				"`cat trace.log | framescope open -`")}
		}
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case errors.Is(err, fs.ErrNotExist) && following:
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case errors.Is(err, fs.ErrNotExist):
		return usageError{noFile(name)}
	case err != nil:
		return err
	case st.IsDir():
		if src, err := reg.Recognise(name); err == nil {
			if folders, ok := src.(feed.FolderFollower); ok && following {
				a.inputs = append(a.inputs, launch.Session{Path: name, Source: folders})
				break
			}
			a.files = append(a.files, name)
		} else if following {
			a.inputs = append(a.inputs, launch.Folder{Path: name, Registry: reg, Newest: openNewest})
		} else {
			return usageError{fmt.Errorf("%q is a folder: name the recordings in it, or watch it for new ones with --follow", name)}
		}
	case launch.IsStream(name):
		if err := readable(name); err != nil {
			return err
		}
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case following:
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	default:
		a.files = append(a.files, name)
	}
	return nil
}

// noFileError is the error of a file that is not there.
type noFileError struct{ path string }

func noFile(path string) error { return noFileError{path} }

// Error implements error.
func (e noFileError) Error() string { return fmt.Sprintf("there is no file %q", e.path) }

// Is implements the interface of errors.Is.
func (e noFileError) Is(target error) bool { return target == fs.ErrNotExist }

// readable tells whether a FIFO may be read, without opening it: that would be noticed by its
// writer.
func readable(path string) error {
	if err := follow.Readable(path); err != nil {
		return fmt.Errorf("%w: ask its owner for the right to read it, as with `chmod a+r %s`", err, path)
	}
	return nil
}

// recording is one that is whole: a file or folder, or the copy of what could be read only once.
type recording struct {
	// path is where it is read, name where it comes from, for people.
	path, name string
	// streamed tells that it is a copy.
	streamed bool
	remove   func()
}

// whole makes a file of what can be read only once, for the commands that need a recording that is
// whole. What is no recording is refused by its beginning. An interrupt ends a stream that does not
// end by itself.
func (s *streams) whole(ctx context.Context, path string, reg feed.Registry) (*recording, error) {
	path, err := s.sessionOr(path)
	if err != nil {
		return nil, err
	}
	if !launch.IsStream(path) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, noFile(path)
		}
		return &recording{path: path, name: path, remove: func() {}}, nil
	}
	name := path
	if path == "-" {
		if name = launch.StandardInput; term.IsTerminal(int(os.Stdin.Fd())) {
			return nil, usageError{errors.New("standard input (-) is the keyboard: pipe a recording into it, as in " +
				"`zcat trace.log.gz | framescope report -`")}
		}
	} else if err := readable(path); err != nil {
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
			fmt.Fprintln(s.err, "framescope: interrupted; this is what came until then")
		}
	}
	if err != nil {
		copied.Remove()
		return nil, err
	}
	return &recording{path: copied.Path(), name: name, streamed: true, remove: copied.Remove}, nil
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
