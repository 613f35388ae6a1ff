// Package widgets holds the panels around the charts: sessions, threads, details, losses, spikes,
// menus, dialogs, the tool bar and the status line. Each panel behaves like a chart: it takes a
// rectangle and an input, and fills a draw list. The windows they live in are the app's.
package widgets

import (
	"cmp"
	"path/filepath"
	"time"

	"framescope/charts/format"
	"framescope/model/store"
	"framescope/net/feed"
)

// Program is the interface of panels to the program around them.
type Program interface {
	// Sessions lists the sessions in the order of their arrival. The slice is only valid during the
	// tick.
	Sessions() []SessionRow
	// Select makes a session the one that all panels show.
	Select(s *store.Session)
	// Forget takes an ended session off the screen.
	Forget(s *store.Session)
	// Offer opens the menu of a session, at the mouse.
	Offer(s *store.Session)
	// Silent counts the programs that connected, sent nothing that could be shown, and are gone.
	Silent() Silent
	// Listening returns the address on which the viewer awaits clients, or why there is none.
	Listening() Listening
	// ListenAgain tries an address once more that could not be listened on.
	ListenAgain()
	// Copy puts a text on the clipboard.
	Copy(text string)
	// PlayDemo lets the built-in game connect.
	PlayDemo()
}

// Silent counts programs that connected, brought nothing that could be shown, and are gone.
type Silent struct {
	Nothing       int    // sent nothing
	NotPStats     int    // sent something else to the port of PStats
	NotProfileLib int    // and to that of profile_lib
	Why           string // the last of those ended; may be empty
}

// kinds is how many of the counts are not 0.
func (s Silent) kinds() (n int) {
	for _, count := range [...]int{s.Nothing, s.NotPStats, s.NotProfileLib} {
		if count > 0 {
			n++
		}
	}
	return n
}

// lines puts the counts into words, those left out that are 0.
func (s Silent) lines() (out []string) {
	count := func(n int) string { return string(format.AppendCount(nil, int64(n))) }
	switch {
	case s.Nothing == 1:
		out = append(out, "1 client connected and sent no frame")
	case s.Nothing > 1:
		out = append(out, count(s.Nothing)+" clients connected and sent no frame")
	}
	other := func(n int, format string) {
		switch {
		case n == 1:
			out = append(out, "1 connection sent something other than "+format)
		case n > 1:
			out = append(out, count(n)+" connections sent something other than "+format)
		}
	}
	other(s.NotPStats, "PStats")
	other(s.NotProfileLib, "profile_lib")
	return out
}

// SessionRow is one session as the list shows it.
type SessionRow struct {
	Session *store.Session
	Active  bool
	Name    string // until the program's own name is known: the file's path or the client's address
	Path    string // of its file, else Name
	// Apart distinguishes it from others of the same name: its file, or its address; empty: no other
	// has it.
	Apart string
	// Title is the name that the user gave the session on disk, empty if none.
	Title string
	// OnDisk is the state of the session on disk, in a word, if it is unusual; empty: nothing
	// special.
	OnDisk string
	Live   bool
	// At is when it ended; the zero time: it has not, or that is not known.
	At time.Time
	// Followed means that the viewer itself reads the session's source as it grows, so that closing
	// it stops the reading.
	Followed bool
	// State describes the progress of a followed session, in words.
	State string
	Feed  feed.Stats
	// Silence is for how long nothing has come, while something may.
	Silence Silence
	// Problem is why a file could not be read, in words; empty if all is well.
	Problem string
	// Recording is the file that the session is being written to, empty if none.
	Recording string
	// Recorded is how many bytes are in that file.
	Recorded int64
	// Unrecorded is why nothing can be written to that file now, and Unkept why nothing can be to the
	// sessions on disk: since when, why, which file; empty if all is well.
	Unrecorded, Unkept string
	// Why is the one of them that counts more in a few words, the reason first.
	Why string
	// Deleted describes the part of it on disk that another program deleted, in words; empty:
	// nothing.
	Deleted string
}

// Called is the name of the session in lists.
func (r *SessionRow) Called() string {
	if name := cmp.Or(r.Title, r.Session.Info().Program); name != "" {
		return name
	}
	return filepath.Base(r.Name)
}
