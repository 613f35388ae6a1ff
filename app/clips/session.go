package clips

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"framescope/internal/aside"
	"framescope/model/place"
	"framescope/net/feed"
	"framescope/net/framescope"
)

// Session describes a session file to write: the recording, and the part of it.
type Session struct {
	Path    string // of the recording
	Name    string // where it comes from, for people, when Path is only that of a copy
	Sources feed.Registry
	Part    framescope.Part
	// Marks are the bookmarks of the recording; those outside the part are left out.
	Marks []place.Mark
	// Attached are further additions, as in framescope.Options; AttachedTo are those to its program.
	Attached   map[string][]byte
	AttachedTo func(program string) map[string][]byte
	Progress   func(done, total int64)
}

// Save writes the session to a file. unread is what the recording's source could not read: the rest is
// in the file, as it is when the recording is opened. Where nothing can be read there is no file, and err says why.
func (s *Session) Save(ctx context.Context, to string, force bool) (unread, err error) {
	if err := s.check(to, force); err != nil {
		return nil, err
	}
	err = aside.Put(to, force, func(out io.Writer) error {
		unread, err = s.Write(ctx, out)
		return err
	})
	return unread, err
}

func (s *Session) check(to string, force bool) error {
	if err := inFolder(to); err != nil {
		return err
	}
	if err := aside.Distinct(to, s.Path); err != nil {
		return err
	}
	return aside.Free(to, force)
}

// Write is Save to a writer.
func (s *Session) Write(ctx context.Context, out io.Writer) (unread, err error) {
	o := framescope.Options{Part: s.Part, Attached: maps.Clone(s.Attached), AttachedTo: s.AttachedTo, Progress: s.Progress}
	list := s.Marks
	if !s.Part.Whole() {
		list = within(list, s.Part.Begin, s.Part.End)
	}
	if len(list) > 0 {
		text, err := place.EncodeMarks(list)
		if err != nil {
			return nil, err
		}
		if o.Attached == nil {
			o.Attached = map[string][]byte{}
		}
		o.Attached[framescope.Bookmarks] = text
	}
	w := framescope.NewWriter(out, o)
	var sink feed.Sink = w
	if s.Name != "" && s.Name != s.Path {
		sink = feed.Named(sink, s.Path, s.Name)
	}
	unread = feed.NameError(s.Sources.Open(ctx, s.Path, sink), s.Path, s.Name)
	if err := w.Close(); err != nil {
		return nil, err
	}
	if name := cmp.Or(s.Name, s.Path); unread == nil && w.Damaged.N > 0 {
		unread = fmt.Errorf("%s: %s", name, strings.TrimPrefix(w.Damaged.String(), name+": "))
	}
	if errors.Is(unread, context.Canceled) || unread != nil && w.Empty() {
		return nil, unread
	}
	return unread, nil
}
