package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/term"

	"framescope/app/library"
	"framescope/internal/escape"
)

// Library opens the sessions on disk. Live ones of this program are not kept in it.
func (s *Streams) Library() (*library.Library, error) {
	limit, err := s.DiskLimit()
	if err != nil {
		return nil, err
	}
	return library.Open(library.Options{Dir: library.DefaultDir(), Limit: limit, Tell: s.Notice()}), nil
}

// Notice returns a function that shows a notice to the user.
func (s *Streams) Notice() func(library.Notice) {
	tell := s.Tell()
	return func(n library.Notice) { tell(n.Text) }
}

// TellLeft reports, once, sessions left by killed viewers. If nobody may read it, as in a script, the
// next run reports again.
func (s *Streams) TellLeft(lib *library.Library) {
	if s.left {
		return
	}
	s.left = true
	f, ok := ChildErr(s.Err).(*os.File)
	lib.TellLeft(ok && term.IsTerminal(int(f.Fd())))
}

// Find returns the sessions that the arguments name.
func (s *Streams) Find(names []string) (*library.Library, []library.Session, error) {
	lib, err := s.Library()
	if err != nil {
		return nil, nil, err
	}
	all := lib.Sessions()
	var out []library.Session
	for _, name := range names {
		found, err := library.Find(all, name)
		if err != nil {
			return nil, nil, err
		}
		if newer, ok := library.NewerLive(all, &found); ok && name == library.Newest {
			fmt.Fprintf(s.Err, "framescope: last is %s, %s of %s; %s is newer, and live: %s names it\n", found.ShortID(),
				escape.Line(found.Name), found.Began.Local().Format(time.DateTime),
				escape.Line(newer.Name), newer.ShortID())
		}
		if name == library.Newest && found.IsLive() {
			fmt.Fprintf(s.Err, "framescope: no session has ended: last is %s, %s of %s, which is live, up to now\n", found.ShortID(),
				escape.Line(found.Name), found.Began.Local().Format(time.DateTime))
		}
		out = append(out, found)
	}
	return lib, out, nil
}

// SessionOr returns where the newest session lies when a name is "last" and there is no file of
// that name, else the name.
func (s *Streams) SessionOr(name string) (string, error) {
	if name != library.Newest {
		return name, nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	lib, found, err := s.Find([]string{name})
	if err != nil {
		return "", err
	}
	s.TellLeft(lib)
	return found[0].Path, nil
}
