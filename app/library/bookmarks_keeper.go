package library

import (
	"errors"
	"path/filepath"
	"slices"

	"framescope/model/place"
	"framescope/model/store"
)

// Recording is where a session is on disk.
type Recording struct {
	// Path is its file or folder; empty: none yet.
	Path string
	// Folder reports whether it is the folder of a session being kept.
	Folder bool
	// Never reports that there is no recording and will be none.
	Never bool
}

// Link returns the link to a place of the session; ok is false where it is not on disk.
func (r Recording) Link(p place.Place) (link string, ok bool) {
	if r.Path == "" {
		return "", false
	}
	if abs, err := filepath.Abs(r.Path); err == nil {
		r.Path = abs
	}
	return r.Path + "#" + p.String(), true
}

// Marked is the view of a session and its bookmarks.
type Marked interface {
	Session() *store.Session
	Marks() *place.MarkList
	SetMarks(l *place.MarkList)
}

// Keeper keeps the bookmarks of sessions as they are changed in the window. One goroutine calls its
// methods; Do runs slow work.
type Keeper struct {
	// Do runs work in the background, and then its result on the goroutine of the window; Later runs a
	// function there at the next tick.
	Do    func(work func() (then func()))
	Later func(func())
	// Report and Warn show a message; Home shortens a path for people.
	Report func(format string, args ...any)
	Warn   func(err error)
	Home   func(path string) string
	// State is the folder for files that cannot lie beside their recording.
	State string
	// Still reads at once, and writes nothing: for pictures.
	Still bool

	books map[*store.Session]*book
}

// book is the bookmarks of a session and their state relative to their file. Sessions of one recording
// share it.
type book struct {
	list   *place.MarkList
	of     string       // the recording; empty: none yet, or never
	file   File         // if there is a recording
	known  []place.Mark // content of the file, as of the last read or write
	kept   uint64       // revision of the list that is there
	read   bool
	busy   bool   // a goroutine is at the file
	failed string // the last reported problem
	where  string // the last reported path
}

// bookOf returns the bookmarks of a session, which its view has.
func (k *Keeper) bookOf(v Marked, at Recording) *book {
	b := k.books[v.Session()]
	if b == nil {
		b = &book{list: v.Marks()}
		if k.books == nil {
			k.books = map[*store.Session]*book{}
		}
		k.books[v.Session()] = b
	}
	if at.Path == b.of || at.Path == "" || b.busy {
		return b
	}
	for _, o := range k.books {
		if o.of == at.Path { // the same recording once more
			o.list.Merge(nil, b.list.All())
			k.books[v.Session()] = o
			v.SetMarks(o.list)
			return o
		}
	}
	if b.of != "" { // it goes on in another place: all is written there
		b.known, b.kept = nil, 0
	}
	if b.of, b.file = at.Path, In(at.Path); !at.Folder {
		b.file = Of(at.Path, k.State)
	}
	return b
}

// Tick reads the bookmarks of a new session, and writes changed ones.
func (k *Keeper) Tick(v Marked, at Recording) {
	switch b := k.bookOf(v, at); {
	case b.busy:
	case b.of == "":
		k.warnUnkept(b, at)
	case !b.read:
		k.readBook(b)
	case b.kept != b.list.Revision() && !k.Still:
		k.write(b)
	}
}

// warnUnkept warns once that bookmarks vanish with the window.
func (k *Keeper) warnUnkept(b *book, at Recording) {
	if b.list.Len() > 0 && b.failed == "" && at.Never && !k.Still {
		b.failed = "Bookmarks of this session are lost when it is closed: it is not kept on disk"
		k.Report("%s", b.failed)
	}
}

// readBook reads the stored bookmarks.
func (k *Keeper) readBook(b *book) {
	file := b.file
	b.busy = true
	work := func() func() {
		list, err := file.Read()
		return func() {
			b.read, b.busy = true, false
			if err != nil {
				k.fail(b, err)
				return
			}
			mine := b.list.Len() > 0
			b.list.Merge(nil, list)
			if b.known = list; !mine {
				b.kept = b.list.Revision()
			}
		}
	}
	if k.Still { // pictures have them from the first one on
		work()()
		return
	}
	k.Do(work)
}

// write writes the changes, and merges those that others made meanwhile.
func (k *Keeper) write(b *book) {
	b.busy = true
	rev, now := b.list.Revision(), b.list.All()
	k.Do(func() func() {
		kept, path, err := b.keep(now)
		return func() {
			b.busy, b.kept = false, rev // a failed write is tried again with the next change
			if err != nil {
				k.fail(b, err)
				return
			}
			b.failed = ""
			b.list.Merge(now, kept)
			if place.SameMarks(b.list.All(), kept) {
				b.kept = b.list.Revision()
			}
			k.reportPlace(b, path)
		}
	})
}

// keep writes bookmarks, and notes the new content of the file. Only one goroutine at a time calls it.
func (b *book) keep(now []place.Mark) (kept []place.Mark, path string, err error) {
	kept, path, err = b.file.Keep(b.known, now)
	if err == nil {
		b.known = slices.Clone(kept)
	}
	return kept, path, err
}

// fail warns of an error, once.
func (k *Keeper) fail(b *book, err error) {
	if text := err.Error(); text != b.failed {
		b.failed = text
		k.Warn(err)
	}
}

// reportPlace reports once where bookmarks are stored, unless in the folder of a session.
func (k *Keeper) reportPlace(b *book, path string) {
	if path == "" || path == b.where || filepath.Base(path) == place.InFolder {
		return
	}
	switch b.where = path; path {
	case b.file.Path:
		k.Report("Bookmarks are kept beside the recording, in %s", filepath.Base(path))
	default:
		k.Report("%s can't be written to: bookmarks are kept in %s", k.Home(filepath.Dir(b.file.Path)), k.Home(path))
	}
}

// Close writes the unwritten changes. All work given to Do is done.
func (k *Keeper) Close() (err error) {
	for s, b := range k.books {
		delete(k.books, s)
		if b.of == "" || b.kept == b.list.Revision() || k.Still {
			continue
		}
		b.kept = b.list.Revision()
		_, _, failed := b.keep(b.list.All())
		err = errors.Join(err, failed)
	}
	return err
}

// Forget writes and frees the bookmarks of a session that is taken off the screen.
func (k *Keeper) Forget(s *store.Session) {
	b := k.books[s]
	delete(k.books, s)
	if b == nil || b.of == "" || b.kept == b.list.Revision() || k.Still {
		return
	}
	for _, o := range k.books {
		if o == b { // another session uses them
			return
		}
	}
	k.keepLast(b, b.list.All())
}

// keepLast writes bookmarks for the last time, after a running write to their file.
func (k *Keeper) keepLast(b *book, now []place.Mark) {
	if b.busy {
		k.Later(func() { k.keepLast(b, now) })
		return
	}
	k.Do(func() func() {
		_, _, err := b.keep(now)
		return func() {
			if err != nil {
				k.Warn(err)
			}
		}
	})
}
