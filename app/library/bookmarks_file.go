// The bookmarks of a recording lie in a file beside it; those of a kept session in its folder. Other
// programs may change the file too. model/marks defines its content.

package library

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"framescope/internal/aside"
	"framescope/model/place"
	"framescope/net/feed"
	"framescope/net/framescope"
	"framescope/net/journal"
	"framescope/net/journal/disk"
)

// File is where the bookmarks of a recording are kept.
type File struct {
	// Path is the file beside the recording, or in its folder.
	Path string
	// Else is used where Path is not writable, as in a read-only folder; empty: nothing is.
	Else string

	session string // a session file, which may have bookmarks in it; empty: none
}

// Of returns the file for the bookmarks of a recording. state is the folder for files without another
// place; empty: none.
func Of(recording, state string) File {
	if abs, err := filepath.Abs(recording); err == nil {
		recording = abs
	}
	if st, err := os.Stat(recording); err == nil && st.IsDir() && journal.Is(recording) {
		return In(recording)
	}
	f := File{Path: recording + place.Suffix}
	if framescope.Is(recording) {
		f.session = recording
	}
	if state != "" {
		name := fmt.Sprintf("%x-%s", sha256.Sum256([]byte(recording)), filepath.Base(recording))
		f.Else = filepath.Join(state, "bookmarks", name[:min(len(name), 120)]+".toml")
	}
	return f
}

// In returns where the bookmarks of a session are kept that lies in a folder of its own.
func In(folder string) File { return File{Path: filepath.Join(folder, place.InFolder)} }

// Read returns the stored bookmarks: those in the file beside the recording, or, where there is none, those
// in a session file. The error names an unreadable file, which stays unchanged.
func (f File) Read() ([]place.Mark, error) {
	if f.session != "" && !isThere(f.Path) && !isThere(f.Else) {
		return f.readSession()
	}
	var all place.MarkList
	for _, path := range []string{f.Path, f.Else} {
		if path == "" {
			continue
		}
		list, err := place.ReadMarks(path)
		if err != nil {
			return nil, &UnreadError{path, err}
		}
		all.Merge(nil, list)
	}
	return all.All(), nil
}

// readSession returns the bookmarks in a session file.
func (f File) readSession() ([]place.Mark, error) {
	text, err := framescope.ReadAttached(f.session, framescope.Bookmarks)
	if errors.Is(err, fs.ErrNotExist) || err == nil && text == nil {
		return nil, nil
	}
	if err == nil {
		var list []place.Mark
		if list, err = place.DecodeMarks(text); err == nil {
			return list, nil
		}
	}
	return nil, &UnreadError{f.session, err}
}

// noMarks is the file beside a session file with bookmarks in it, after all of them were removed.
const noMarks = "# no bookmarks\n"

// hidesSession reports whether a file without bookmarks has to hide those in the session file.
func (f File) hidesSession() bool {
	if f.session == "" {
		return false
	}
	list, err := f.readSession()
	return err != nil || len(list) > 0
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

// UnreadError reports an unreadable file of bookmarks.
type UnreadError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *UnreadError) Error() string {
	return fmt.Sprintf("bookmarks cannot be read: %s: %v; repair or remove the file: until then, bookmarks are not saved",
		e.Path, feed.Plain(e.Err))
}

// Unwrap returns the reason.
func (e *UnreadError) Unwrap() error { return e.Err }

// Keep merges the changes from before to now with those that others have written meanwhile, and writes
// the result. It returns the merged bookmarks and the file; path is empty if nothing was written, as
// the file has them already or there are none.
func (f File) Keep(before, now []place.Mark) (kept []place.Mark, path string, err error) {
	theirs, err := f.Read()
	if err != nil {
		return nil, "", err
	}
	var all place.MarkList
	all.Merge(nil, now)
	all.Merge(before, theirs)
	kept = all.All()
	if place.SameMarks(kept, theirs) {
		return kept, "", nil
	}
	path, err = f.Write(kept)
	return kept, path, err
}

// Write replaces the stored bookmarks. Without bookmarks there is no file.
func (f File) Write(list []place.Mark) (path string, err error) {
	text, err := place.EncodeMarks(list)
	if err != nil {
		return "", err
	}
	if text == nil && f.hidesSession() {
		text = []byte(noMarks)
	}
	err = put(f.Path, text)
	if err == nil {
		if f.Else != "" {
			err = put(f.Else, nil)
		}
		return f.Path, err
	}
	if f.Else == "" {
		return "", fmt.Errorf("bookmarks cannot be saved: %w", err)
	}
	if failed := os.MkdirAll(filepath.Dir(f.Else), 0o700); failed != nil {
		return "", fmt.Errorf("bookmarks cannot be saved: %w", errors.Join(err, failed))
	}
	if failed := put(f.Else, text); failed != nil {
		return "", fmt.Errorf("bookmarks cannot be saved: %w", errors.Join(err, failed))
	}
	return f.Else, nil
}

// put writes a file, or takes it away where there is nothing to write.
func put(path string, text []byte) error {
	if text == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if was, err := disk.ReadFile(path, place.MaxMarkBytes+1); err == nil && bytes.Equal(was, text) {
		return nil
	}
	return aside.Small(path, text, 0o644)
}
