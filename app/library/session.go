package library

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"framescope/model"
	"framescope/net/journal"
)

// State is the state of a session on disk.
type State uint8

// The states.
const (
	Ended       State = iota // in order
	LiveHere                 // is being received by this program
	Live                     // is being received by another viewer
	Interrupted              // the viewer that received it was killed, or the machine went down
	Damaged                  // the file with its state is unreadable
)

var stateNames = [...]string{Ended: "ended", LiveHere: "live here", Live: "live", Interrupted: "interrupted",
	Damaged: "damaged"}

// String returns the state in words.
func (s State) String() string { return stateNames[s] }

// Session is a session on disk.
type Session struct {
	// ID identifies it: hexadecimal digits; the first few are enough for people.
	ID string
	// Path is the folder that Framescope opens.
	Path string
	// Name is its name: the user's, else the program's own.
	Name string
	// Named reports that the user gave the name.
	Named bool
	// Program, Host and Peer are the source's own names.
	Program, Host, Peer string
	// Source is the kind of data: "pstats", "profilelib", "gsttrace", "flare", "puffin", "gotrace", "pprof" or "tracy".
	Source string
	State  State
	// Reason is why it ended, in words.
	Reason string
	// Began is when it began; Length is its duration, for a live one as far as it is on disk.
	Began  time.Time
	Length time.Duration
	// Bytes is its size on disk.
	Bytes int64
	// Records are the records of data in it, for PStats its frames; -1: not known yet.
	Records int64
	// Unkept says since when the disk takes nothing of a session that is live here, empty while all is
	// well.
	Unkept string
	// Written is when it was last written to, Newest the time of its newest record; zero: not known.
	Written, Newest time.Time
	// Missing are the records that could not be kept, for want of room or because the disk failed.
	Missing int64
	// Deleted are the records that were kept until another program deleted them.
	Deleted int64
	// Trimmed reports that its oldest part was deleted for room.
	Trimmed bool
	// Damage lists the unreadable files of its folder, with reasons; empty: none. A damaged session is
	// never deleted for room.
	Damage string
	// Kept reports that it is never deleted for room.
	Kept bool
	// New reports that it was interrupted and the user does not know yet.
	New bool
}

// Frames returns the number of frames, -1 where that is not known or there are none.
func (s *Session) Frames() int64 {
	if s.Source != sourcePStats {
		return -1
	}
	return s.Records
}

// BrokeOff reports whether its program or the connection broke.
func (s *Session) BrokeOff() bool { return strings.HasPrefix(s.Reason, model.BrokeOff) }

// IsLive reports whether it is being received, by this program or another.
func (s *Session) IsLive() bool { return s.State == Live || s.State == LiveHere }

// ErrLive is the error for deleting a live session.
func (s *Session) ErrLive() error {
	return fmt.Errorf("%s is live: it can be deleted when it has ended", s.Name)
}

// ShortID is the ID as people write it.
func (s *Session) ShortID() string { return s.ID[:min(len(s.ID), shortID)] }

const shortID = 8

// Words describes the state of the session for people: "ended", "interrupted, 12 frames not recorded".
func (s *Session) Words() string {
	parts := []string{s.State.String()}
	if s.BrokeOff() {
		parts[0] = "broke off"
	}
	switch {
	case s.Unkept != "":
		parts = append(parts, s.Unkept)
	case s.Silent():
		parts = append(parts, "nothing new on disk for "+Length(s.idle().Truncate(time.Second)))
	}
	if s.Missing > 0 {
		parts = append(parts, fmt.Sprintf("%s %s not recorded", Count(s.Missing), unit(s.Source, s.Missing)))
	}
	if s.Deleted > 0 {
		parts = append(parts, fmt.Sprintf("part deleted: %s %s", Count(s.Deleted), unit(s.Source, s.Deleted)))
	}
	if s.Damage != "" {
		parts = append(parts, "can't be read: "+s.Damage)
	}
	if s.Trimmed {
		parts = append(parts, "oldest part deleted")
	}
	return strings.Join(parts, ", ")
}

// Silent reports whether it is live and no data reaches the disk.
func (s *Session) Silent() bool { return s.IsLive() && s.idle() > longIdle }

// idle is for how long nothing new has come to the disk.
func (s *Session) idle() time.Duration {
	if s.Newest.IsZero() {
		return time.Since(s.Written)
	}
	return time.Since(s.Newest) // a disk that is full is written to again and again
}

// longIdle is the time after which a live session without data on disk counts as silent: the game is
// stopped, or the disk takes nothing.
const longIdle = 10 * time.Second

// The sources, as the journals name them.
const (
	sourcePStats     = "pstats"
	sourceProfileLib = "profilelib"
	sourceGStreamer  = "gsttrace"
	sourceFlare      = "flare"
	sourcePuffin     = "puffin"
	sourceGoTrace    = "gotrace"
	sourcePprof      = "pprof"
	sourceTracy      = "tracy"
)

// kinds are the sources for people: their names, and the extensions of their files.
var kinds = map[string]struct{ name, extension string }{
	sourcePStats:     {"PStats", ".pstats"},
	sourceProfileLib: {"profile_lib", ".prof"},
	sourceGStreamer:  {"GStreamer", ".log"},
	sourceFlare:      {"Flare", ""}, // a folder
	sourcePuffin:     {"puffin", ".puffinstream"},
	sourceGoTrace:    {"Go trace", ".trace"},
	sourcePprof:      {"pprof", ".pprof"},
	sourceTracy:      {"Tracy", ".tracystream"},
}

// SourceName names a kind of data for people.
func SourceName(source string) string { return cmp.Or(kinds[source].name, source) }

// Extension is the extension of files exported from a kind of data; empty: a folder.
func Extension(source string) string { return kinds[source].extension }

// Extension is the extension of files exported from the session; empty: a folder.
func (s *Session) Extension() string { return Extension(s.Source) }

// IsExtension reports whether an extension is one of the kinds'.
func IsExtension(ext string) bool {
	for _, source := range [...]string{sourcePStats, sourceProfileLib, sourceGStreamer, sourcePuffin, sourceGoTrace,
		sourcePprof} {
		if ext == Extension(source) {
			return true
		}
	}
	return false
}

// fromInfo makes the session from its folder's data.
func fromInfo(i *journal.Info) Session {
	s := Session{
		ID: i.ID, Path: i.Path, Name: i.Title(), Named: i.Name != "", Program: i.Program, Host: i.Host, Peer: i.Peer,
		Source: i.Source, Reason: i.Reason, Began: i.Start, Length: i.Length, Bytes: i.Size, Records: i.Records,
		Missing: max(i.Refused, 0), Kept: i.Keep, Written: i.Written, Deleted: i.Deleted, Newest: i.Newest, Damage: i.Damage,
	}
	switch {
	case i.Running:
		s.State = Live
	case !i.Described:
		s.State = Damaged
	case i.Ended.IsZero():
		s.State = Interrupted
		s.New = i.Found.IsZero()
	}
	return s
}

// FileName suggests a name for the file that the session is exported to.
func (s *Session) FileName() string {
	return FileName(s.Name, s.Began.Local(), Extension(s.Source))
}
