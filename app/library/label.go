package library

import (
	"errors"
	"io/fs"
	"os"
)

// Label describes an open session on disk to people.
type Label struct {
	// Name is the user's name for it, empty if there is none.
	Name string
	// Interrupted reports that it did not end normally.
	Interrupted bool
	// Gone reports that it is no longer on disk.
	Gone bool
}

// Label reads it. An unreadable session has an empty label.
func (l *Library) Label(path string) (of Label) {
	st, err := os.Stat(path)
	if err != nil {
		of.Gone = errors.Is(err, fs.ErrNotExist)
		return of
	}
	if !st.IsDir() { // a recording: it says nothing of its end
		return of
	}
	info, err := l.root.Info(path)
	if err != nil {
		return of
	}
	s := fromInfo(&info)
	return Label{Name: info.Name, Interrupted: s.State == Interrupted || s.State == Damaged}
}
