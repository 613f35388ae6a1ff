package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/net/feed"
)

// openNewest is how many of the logs that are in a folder already are opened when it is watched.
const openNewest = 3

// arguments are the inputs on the command line: complete recordings, inputs read as they grow, and
// those that cannot be opened.
type arguments struct {
	files    []string
	inputs   []launch.Input
	unopened []sessions.Unopened
}

// sortArguments classifies each name. A name that cannot be opened does not stop the others; if all
// fail, that is the error, reported before a window opens.
func sortArguments(names []string, following bool, reg feed.Registry) (a arguments, err error) {
	stdin := false
	for _, name := range names {
		if name == "-" && stdin {
			return a, Usage(errors.New("standard input (-) can be read only once"))
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
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(names[0], `./\`): // perhaps a mistyped command
		err = Usage(fmt.Errorf("%w, and no command with this name; open --follow waits for a file to appear", err))
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%w; open --follow waits for a file to appear", err)
	}
	return a, err
}

// add takes one name.
func (a *arguments) add(name string, following bool, reg feed.Registry) error {
	st, err := os.Stat(name)
	switch {
	case name == "-":
		if term.IsTerminal(int(os.Stdin.Fd())) {
			return Usage(errors.New("standard input (-) is the keyboard: pipe a recording into it, as in " +
				"`cat trace.log | framescope open -`"))
		}
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case errors.Is(err, fs.ErrNotExist) && following:
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case errors.Is(err, fs.ErrNotExist):
		return NoFile(name)
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
			return Usage(fmt.Errorf("%q is a folder: name the recordings in it, or watch it for new ones with --follow", name))
		}
	case launch.IsStream(name):
		if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(st, null) {
			return fmt.Errorf("%s: the file is empty", name)
		}
		if err := Readable(name); err != nil {
			return err
		}
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	case following:
		if src, err := reg.Recognise(name); err == nil && load.IsTogether(name) {
			a.inputs = append(a.inputs, launch.Session{Path: name, Source: src.(feed.FolderFollower)})
			break
		}
		a.inputs = append(a.inputs, launch.File{Path: name, Registry: reg})
	default:
		a.files = append(a.files, name)
	}
	return nil
}
