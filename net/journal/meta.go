package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"framescope/net/journal/disk"
)

// Meta describes a session at its beginning.
type Meta struct {
	// Source names the kind of data: "pstats", "profilelib", "gsttrace", "flare".
	Source  string    `json:"source"`
	Program string    `json:"program,omitempty"`
	Host    string    `json:"host,omitempty"`
	Peer    string    `json:"peer,omitempty"` // address, path or command line, for people
	PID     int64     `json:"pid,omitempty"`  // 0: not known
	Start   time.Time `json:"start"`          // zero: now
}

// Files of a session's folder, besides segments.
const (
	sessionFile = "session.json" // written by the session's writer only
	userFile    = "user.json"    // the user's notes; written by other processes
	baseFile    = "base.seg"     // definitions of the segments that have left
	pinFile     = "pin"          // locked by its readers
	segmentExt  = ".seg"
)

// maxMeta bounds the texts of a Meta, which come from outside, in bytes each.
const maxMeta = 1 << 10

// clean cuts foreign text to a bearable length.
func (m Meta) clean() Meta {
	for _, s := range []*string{&m.Source, &m.Program, &m.Host, &m.Peer} {
		if len(*s) > maxMeta {
			*s = (*s)[:maxMeta]
		}
		*s = strings.ToValidUTF8(*s, "\uFFFD")
	}
	return m
}

// session is session.json.
type session struct {
	Format int    `json:"format"` // 1
	ID     string `json:"id"`     // hexadecimal
	Meta
	// Writer names the lock that is held while somebody writes the session.
	Writer string `json:"writer,omitempty"`
	// Ended is when it ended in order; zero while it runs, and for ever after a crash.
	Ended   time.Time `json:"ended,omitzero"`
	Reason  string    `json:"reason,omitempty"`
	Records int64     `json:"records,omitempty"` // data records on disk when it ended
	Bytes   int64     `json:"bytes,omitempty"`   // in them, and their definitions
	Refused int64     `json:"refused,omitempty"` // data records that could not be kept, or were deleted by others
	Deleted int64     `json:"deleted,omitempty"` // of these, those that were deleted by others
	// LengthNs is the time of the last record.
	LengthNs int64 `json:"length_ns,omitempty"`
}

// user is user.json.
type user struct {
	Name string `json:"name,omitempty"`
	Keep bool   `json:"keep,omitempty"`
	// Found is when the user was notified of an unfinished session.
	Found time.Time `json:"found,omitzero"`
}

// ReadSmall reads a file of at most 64 KiB beside sessions. It opens regular files only.
func ReadSmall(path string) ([]byte, error) { return readFile(disk.System, path, maxText) }

// readJSON reads a small file.
func readJSON(fsys disk.FS, path string, v any) error {
	data, err := readFile(fsys, path, maxText)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readFile reads a file of at most so many bytes.
func readFile(fsys disk.FS, path string, most int64) ([]byte, error) {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > most {
		return nil, fmt.Errorf("%s: not a file of at most %d bytes", path, most)
	}
	data := make([]byte, st.Size())
	n, err := f.ReadAt(data, 0)
	if n < len(data) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// writeJSON replaces a small file at once, or leaves it as it was.
func writeJSON(fsys disk.FS, path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(fsys, path, func(out *sequence) error {
		out.buf = append(data, '\n')
		return nil
	})
}

// replaceFile replaces a file by what write writes, at once, or leaves it as it was.
func replaceFile(fsys disk.FS, path string, write func(out *sequence) error) error {
	aside := path + ".new"
	f, err := fsys.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	out := &sequence{f: f}
	if err = write(out); err == nil {
		err = out.flush(0)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = fsys.Rename(aside, path)
	}
	if err != nil {
		fsys.Remove(aside)
	}
	return err
}

// folderName makes the name of a session's folder. The program's name comes from outside.
func folderName(m Meta, random string) string {
	program := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, m.Program)
	program = strings.Trim(program[:min(len(program), 40)], "-")
	if program == "" {
		program = m.Source
	}
	if program != "" {
		program += "-"
	}
	return m.Start.UTC().Format("20060102-150405") + "-" + program + random
}

// Info is the description of a session, read from its folder.
type Info struct {
	Path string
	ID   string
	Meta
	// Name is the user's name for it, empty if none.
	Name string
	// Keep protects the session from being deleted to make room.
	Keep bool
	// Found is when the user was notified of the session, zero if never: see SetFound.
	Found time.Time
	// Running reports whether a process is writing the session now.
	Running bool
	// Ended is when it ended in order, Reason why. Zero: it runs, or its program crashed.
	Ended  time.Time
	Reason string
	// Written is when it was last written to.
	Written time.Time
	// Length is how long it is, from the first to the last record that is there.
	Length time.Duration
	// Size is its size on disk, in bytes.
	Size int64
	// Records and Refused count data records that were kept and that could not be. They are
	// known for sessions that ended in order and could say so in session.json, -1 for others.
	Records, Refused int64
	// Deleted counts data records that were kept until others deleted them, those in the middle only
	// of a session that ended in order.
	Deleted int64
	// Headless reports whether the session's beginning is gone.
	Headless bool
	// Newest is the time of its newest record, as far as it is known; zero: it is not.
	Newest time.Time

	// Described reports whether session.json is readable. Without it the session's end is unknown.
	Described bool
	// Damage names the unreadable files of the folder, with the reasons; empty: none. Such a session
	// never leaves to make room.
	Damage string

	writer string // name of the writer's lock
}

// Title names the session for people.
func (i *Info) Title() string {
	for _, s := range []string{i.Name, i.Program, i.Peer} {
		if s != "" {
			return s
		}
	}
	return filepath.Base(i.Path)
}

// Is reports whether a folder is that of a session, or a file is a session.
func Is(path string) bool { return IsOn(disk.System, path) }

// IsOn is Is on another file system.
func IsOn(fsys disk.FS, path string) bool {
	st, err := fsys.Stat(path)
	if err != nil {
		return false
	}
	if !st.IsDir() {
		if !st.Mode().IsRegular() {
			return false
		}
		head, err := readHead(fsys, path)
		return err == nil && Sniff(head)
	}
	list, err := listSegments(fsys, path)
	if err != nil {
		return false
	}
	for _, s := range list[:min(len(list), 4)] { // the first may be damaged
		if head, err := readHead(fsys, filepath.Join(path, s.name)); err == nil && Sniff(head) {
			return true
		}
	}
	// A session with missing or invalid segments is unreadable: opening it returns the reason.
	var s session
	return readJSON(fsys, filepath.Join(path, sessionFile), &s) == nil && s.Format == 1
}

// readHead reads the head of a segment, or as much as there is.
func readHead(fsys disk.FS, path string) ([]byte, error) {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, segmentHead)
	n, err := f.ReadAt(head, 0)
	if n == 0 {
		return nil, err
	}
	return head[:n], nil
}

// ReadInfo reads the description of a session from its folder, or from the file of a recording.
func ReadInfo(path string) (Info, error) { return ReadInfoOn(disk.System, path) }

// ReadInfoOn is ReadInfo on another file system.
func ReadInfoOn(fsys disk.FS, path string) (Info, error) {
	info := Info{Path: path, Records: -1, Refused: -1}
	st, err := fsys.Stat(path)
	if err != nil {
		return info, err
	}
	if !st.IsDir() {
		info.Size, info.Written, info.Described = st.Size(), st.ModTime(), true
		if err := info.fromSegment(fsys, path); err != nil {
			return info, err
		}
		if ns, _ := lastTime(fsys, path, info.Size); ns > 0 {
			info.Length = time.Duration(ns)
		}
		return info, nil
	}
	list, err := listSegments(fsys, path)
	if err != nil {
		return info, err
	}
	for _, s := range list {
		info.Size += s.size
		if s.written.After(info.Written) {
			info.Written = s.written
		}
	}
	var s session
	err = readJSON(fsys, filepath.Join(path, sessionFile), &s)
	if err == nil && s.Format != 1 {
		err = fmt.Errorf("the format %d is unknown", s.Format)
	}
	switch {
	case err == nil:
		info.Described = true
		info.ID, info.Meta, info.Ended, info.Reason, info.writer = s.ID, s.Meta.clean(), s.Ended, s.Reason, s.Writer
		if info.Ended.IsZero() {
			info.Running = writerRuns(fsys, filepath.Dir(path), s.Writer)
		} else {
			info.Records, info.Length = s.Records, time.Duration(s.LengthNs)
			info.Refused, info.Deleted = max(0, s.Refused-s.Deleted), s.Deleted
		}
		if len(list) == 0 {
			if info.Running { // it is just being made
				return info, fmt.Errorf("%s: holds no session", path)
			}
			info.damaged("segments", fs.ErrNotExist)
		}
	case len(list) == 0 && errors.Is(err, fs.ErrNotExist):
		return info, fmt.Errorf("%s: holds no session", path)
	default: // the segments say it, too
		info.damaged(sessionFile, err)
		info.fromSegments(fsys, list)
	}
	var u user
	switch err := readJSON(fsys, filepath.Join(path, userFile), &u); {
	case err == nil:
		info.Name, info.Keep, info.Found = u.Name, u.Keep, u.Found
	case !errors.Is(err, fs.ErrNotExist):
		info.damaged(userFile, err)
	}
	if info.Ended.IsZero() {
		info.Length = info.lengthOf(fsys, list)
	}
	if from, deleted, cut := beginning(fsys, path, list); cut {
		info.Headless, info.Length = true, max(0, info.Length-time.Duration(from))
		info.Deleted = max(info.Deleted, deleted)
	} else if missing := s.Bytes - info.Size; missing > 0 && s.Deleted == 0 && len(list) > 0 {
		info.damaged("segments", fmt.Errorf("at least %d of %d bytes are missing", missing, s.Bytes))
	}
	if _, err := fsys.Stat(path); err != nil { // deleted meanwhile, so the data may be incomplete
		return info, err
	}
	return info, nil
}

// mostBeginning bounds the bytes of a segment read to find its first data record.
const mostBeginning = 16 << 20

// beginning returns the beginning of a session without its first segment (cut): the time of its first
// remaining data record, and the number of deleted records before it.
func beginning(fsys disk.FS, dir string, list []segmentFile) (fromNs, deleted int64, cut bool) {
	for len(list) > 0 && list[0].number == 0 {
		list, cut = list[1:], true
	}
	if len(list) == 0 || list[0].number == 1 && !cut {
		return 0, 0, cut
	}
	r := &Reader{fs: fsys, path: list[0].path(dir)}
	defer r.Close()
	if r.begin() != nil {
		return 0, 0, true
	}
	for rec, err := range r.All() {
		if err != nil || r.Done() >= mostBeginning {
			break
		}
		fromNs = rec.Time
		if rec.Kind == KindData {
			break
		}
		var h Hole
		if rec.Kind == KindHole && rec.Decode(&h) == nil && h.Deleted() {
			deleted += max(0, h.Records)
		}
	}
	return max(0, fromNs), deleted, true
}

// damaged notes an unreadable file of the session's folder.
func (i *Info) damaged(name string, err error) {
	reason := cause(err)
	if errors.Is(err, fs.ErrNotExist) {
		reason = "missing"
	}
	reason = strings.TrimPrefix(reason, filepath.Join(i.Path, name)+": ")
	if i.Damage != "" {
		i.Damage += "; "
	}
	i.Damage += name + ": " + reason
}

// fromSegments reads the description from the segments, newest first; without a readable one, the
// folder's name identifies the session.
func (i *Info) fromSegments(fsys disk.FS, list []segmentFile) {
	for n := len(list) - 1; n >= 0 && n >= len(list)-4; n-- {
		if i.fromSegment(fsys, list[n].path(i.Path)) == nil && i.ID != noID {
			return
		}
	}
	sum := sha256.Sum256([]byte(filepath.Base(i.Path)))
	i.ID, i.Start = hex.EncodeToString(sum[:len(ID{})]), i.Written
}

// noID is the ID of a segment with an unreadable head.
var noID = hex.EncodeToString(make([]byte, len(ID{})))

// fromSegment reads the description in a segment.
func (i *Info) fromSegment(fsys disk.FS, path string) error {
	r := &Reader{fs: fsys, path: path}
	defer r.Close()
	if err := r.begin(); err != nil {
		return err
	}
	i.ID, i.Meta = hex.EncodeToString(r.id[:]), r.meta
	return nil
}

// lengthOf returns the length of a session without a stored length: the time of its last record, or
// else of the last write to it. A session with an end record has ended, even if the disk was too full
// to note this in session.json.
func (i *Info) lengthOf(fsys disk.FS, list []segmentFile) time.Duration {
	for n := len(list) - 1; n >= 0 && n >= len(list)-2; n-- { // the newest may have just begun
		if ns, end := lastTime(fsys, list[n].path(i.Path), list[n].size); ns > 0 {
			if end != nil && i.Described {
				i.Ended, i.Reason, i.Running = i.Start.Add(time.Duration(ns)), end.Reason, false
			}
			i.Newest = i.Start.Add(time.Duration(ns))
			return time.Duration(ns)
		}
	}
	return max(0, i.Written.Sub(i.Start))
}

// SetName gives a session a name of the user's.
func SetName(path, name string) error {
	return changeUser(disk.System, path, func(u *user) { u.Name = strings.TrimSpace(name) })
}

// SetKeep says whether a session is to be kept when room is needed.
func SetKeep(path string, keep bool) error {
	return changeUser(disk.System, path, func(u *user) { u.Keep = keep })
}

// SetFound stores when the user was notified of an imported session, or one that a killed program left
// unfinished. Some days later it makes room as all others do.
func SetFound(path string, at time.Time) error {
	return changeUser(disk.System, path, func(u *user) { u.Found = at })
}

func changeUser(fsys disk.FS, path string, change func(*user)) error {
	if st, err := fsys.Stat(path); err != nil {
		return err
	} else if !st.IsDir() {
		return fmt.Errorf("%s: is a recording, not a session", path)
	}
	var u user
	file := filepath.Join(path, userFile)
	if err := readJSON(fsys, file, &u); err != nil && !errors.Is(err, fs.ErrNotExist) {
		u = user{} // damaged: the new values replace it
	}
	change(&u)
	return writeJSON(fsys, file, &u)
}

// PinOn protects a session on a file system from deletion by any process until release is called. A
// read-only folder is not pinned: nobody can delete it either.
func PinOn(fsys disk.FS, path string) (release func()) {
	if st, err := fsys.Stat(path); err != nil || !st.IsDir() {
		return func() {}
	}
	for range 500 {
		unlock, err := fsys.Lock(filepath.Join(path, pinFile), true, true)
		if err == nil {
			return unlock
		}
		if !errors.Is(err, disk.ErrLocked) {
			break
		}
		time.Sleep(10 * time.Millisecond) // something of it is just being deleted
	}
	return func() {}
}

// unread makes sure that nobody reads a session until done is called; ok is false if somebody does.
func unread(fsys disk.FS, path string) (done func(), ok bool) {
	unlock, err := fsys.Lock(filepath.Join(path, pinFile), false, true)
	switch {
	case err == nil:
		return unlock, true
	case errors.Is(err, disk.ErrLocked):
		return nil, false
	}
	return func() {}, true // no locks here, or nothing can be written: then nothing is deleted either
}
