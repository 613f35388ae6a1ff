package library

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/net/journal"
)

// Sessions returns all sessions on disk, the newest first. It reads a few small files for each.
func (l *Library) Sessions() []Session {
	here := l.recordersHere()
	var out []Session
	for _, info := range l.root.List() {
		s := fromInfo(&info)
		l.complete(&s)
		if r := here[s.Path]; s.State == Live && r != nil {
			s.State = LiveHere
			kept, _ := r.Kept()
			s.Missing, s.Deleted = kept.Refused, kept.Deleted
			if kept.Err != nil {
				s.Unkept = "not kept since " + kept.place(s.Source, kept.Record+1)
			}
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Session) int {
		return cmp.Or(b.Began.Compare(a.Began), cmp.Compare(b.Path, a.Path))
	})
	return out
}

// Leaving is the data that a lower limit deletes.
type Leaving struct {
	Sessions []Session // the oldest first
	Parts    int64     // bytes of the oldest parts of live sessions
}

// Leaving returns the data to delete for a limit of so many bytes; 0 deletes nothing.
func (l *Library) Leaving(limit int64) (out Leaving) {
	if limit <= 0 {
		return out
	}
	leaving, parts := l.root.Leaving(limit)
	for i := range leaving {
		out.Sessions = append(out.Sessions, fromInfo(&leaving[i]))
	}
	out.Parts = parts
	return out
}

// None reports whether nothing leaves.
func (l *Leaving) None() bool { return len(l.Sessions) == 0 && l.Parts == 0 }

// Words describes the leaving data: "3 sessions, 1.20 GiB, and the oldest part of the live session, 40.0
// MiB".
func (l *Leaving) Words() string {
	var parts []string
	switch n := len(l.Sessions); n {
	case 0:
	case 1:
		parts = append(parts, "“"+l.Sessions[0].Name+"”, "+Bytes(l.Sessions[0].Bytes))
	default:
		parts = append(parts, fmt.Sprintf("%s sessions, %s", Count(int64(n)), Bytes(Used(l.Sessions))))
	}
	if l.Parts > 0 {
		parts = append(parts, "the oldest part of the live session, "+Bytes(l.Parts)+" or more")
	}
	return strings.Join(parts, ", and ")
}

// recordersHere returns this program's recorders, by folder.
func (l *Library) recordersHere() map[string]*Recorder {
	l.mu.Lock()
	recorders := make([]*Recorder, 0, len(l.recorders))
	for r := range l.recorders {
		recorders = append(recorders, r)
	}
	l.mu.Unlock()
	out := map[string]*Recorder{}
	for _, r := range recorders {
		if path := r.Path(); path != "" {
			out[path] = r
		}
	}
	return out
}

// complete adds facts that the journal lacks.
func (l *Library) complete(s *Session) {
	if _, err := os.Stat(filepath.Join(s.Path, "base.seg")); err == nil {
		s.Trimmed = true
	}
	if s.State == Live {
		return
	}
	sv, err := readSurvey(s.Path)
	if err == nil {
		sv.into(s)
	}
}

// Newest is the word for the newest session that is not live, where one is to be named.
const Newest = "last"

// NewerLive returns a live session that is newer than the newest ended one, found; false: there is
// none.
func NewerLive(list []Session, found *Session) (Session, bool) {
	for _, s := range list {
		if s.IsLive() && s.Began.After(found.Began) && s.ID != found.ID {
			return s, true
		}
	}
	return Session{}, false
}

// ErrNone is returned by Find when there is no session.
var ErrNone = errors.New("there are no sessions on disk yet: Framescope keeps every live session, unless --disk is 0")

// Find returns the session meant by text: its number in the list (1 is the newest), the first digits of
// its ID, its name, a part of its name, its path, or "last".
func Find(list []Session, text string) (Session, error) {
	text = strings.TrimSpace(text)
	if len(list) == 0 {
		return Session{}, ErrNone
	}
	if text == "" || text == Newest {
		newest := list[0]
		for _, s := range list {
			if !s.IsLive() {
				return s, nil
			}
		}
		return newest, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(list) {
		return list[n-1], nil
	}
	lower := strings.ToLower(text)
	abs, _ := filepath.Abs(text)
	for _, match := range []func(*Session) bool{
		func(s *Session) bool { return s.ID == lower || s.Path == text || s.Path == abs },
		func(s *Session) bool { return len(lower) >= leastID && strings.HasPrefix(s.ID, lower) },
		func(s *Session) bool { return strings.EqualFold(s.Name, text) },
		func(s *Session) bool { return strings.HasPrefix(strings.ToLower(s.Name), lower) },
		func(s *Session) bool { return strings.Contains(strings.ToLower(s.Name), lower) },
	} {
		var found []*Session
		for i := range list {
			if match(&list[i]) {
				found = append(found, &list[i])
			}
		}
		switch {
		case len(found) == 1:
			return *found[0], nil
		case len(found) > 1:
			return Session{}, &AmbiguousError{text, found}
		}
	}
	return Session{}, fmt.Errorf("no session %q: name one by its number, the first digits of its id, or its name; "+
		"`framescope sessions` lists them", text)
}

// leastID is how many digits of an ID are enough to be meant as one.
const leastID = 4

// LikeID reports whether a text may be the first digits of an ID.
func LikeID(text string) bool {
	return len(text) >= leastID && strings.Trim(strings.ToLower(text), "0123456789abcdef") == ""
}

// AmbiguousError says that several sessions may be meant.
type AmbiguousError struct {
	Text  string
	Found []*Session
}

// Error implements error.
func (e *AmbiguousError) Error() string {
	b := fmt.Sprintf("%q may be any of %d sessions; give the first digits of an id:", e.Text, len(e.Found))
	for i, s := range e.Found {
		if i == maxAmbiguous {
			b += fmt.Sprintf("\n  and %d more", len(e.Found)-i)
			break
		}
		b += fmt.Sprintf("\n  %s  %s  %s", s.ShortID(), s.Began.Local().Format("2006-01-02 15:04"), s.Name)
	}
	return b
}

const maxAmbiguous = 8

// Rename gives a session a name of the user's; empty: none.
func (l *Library) Rename(s *Session, name string) error {
	name = cleanName(name)
	if _, err := strconv.Atoi(name); err == nil || name == Newest {
		return fmt.Errorf("%q cannot be a name: it could be mistaken for a number in the list, or for %q", name, Newest)
	}
	defer l.changed()
	return journal.SetName(s.Path, name)
}

// maxName bounds a name that a user gives, in bytes.
const maxName = 200

// cleanName makes a name one line of visible characters.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if !escape.IsVisible(r) {
			return ' '
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "\uFFFD")), " ")
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return name
}

// Keep says whether a session is never deleted to make room.
func (l *Library) Keep(s *Session, keep bool) error {
	defer l.changed()
	return journal.SetKeep(s.Path, keep)
}

// Delete deletes a session from the disk. One that is live or that somebody goes on reading is not deleted.
func (l *Library) Delete(s *Session) error {
	defer l.changed()
	if s.IsLive() {
		return s.ErrLive()
	}
	return l.root.Delete(s.Path)
}

// Used returns the size of all sessions together, in bytes.
func Used(list []Session) (bytes int64) {
	for i := range list {
		bytes += list[i].Bytes
	}
	return bytes
}

// survey holds facts that a session does not state, found by reading it once. It lies in the session's
// folder.
type survey struct {
	Records  int64 `json:"records"`
	Missing  int64 `json:"missing,omitempty"` // in holes that were never kept
	Deleted  int64 `json:"deleted,omitempty"` // in holes that others made
	LengthNs int64 `json:"length_ns"`         // as journal.Info.Length
}

// into fills in the survey's results.
func (s survey) into(x *Session) {
	x.Records, x.Missing, x.Deleted, x.Length = s.Records, s.Missing, s.Deleted, s.length()
}

const surveyFile = "survey.json"

func readSurvey(dir string) (s survey, err error) {
	text, err := journal.ReadSmall(filepath.Join(dir, surveyFile))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

func (s survey) write(dir string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return aside.Small(filepath.Join(dir, surveyFile), append(text, '\n'), 0o600)
}

// exists reports whether a file of any kind has that name.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
