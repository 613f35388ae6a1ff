// File bookmarks_file.go keeps the bookmarks of recordings on disk: in a file beside a recording, or in
// the folder of a session that is kept. It knows where these lie, and what becomes of a file that
// others change, too; what stands in it is of model/marks.

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
	"framescope/net/journal"
)

// File is where the bookmarks of a recording are kept.
type File struct {
	// Path is the file beside the recording, or in its folder.
	Path string
	// Else is used where that can't be written to, as in a folder that is read-only; empty: nothing is.
	Else string
}

// Of returns where the bookmarks of a recording are kept. state is the folder in which the program
// keeps what has no other place; empty: none.
func Of(recording, state string) File {
	if abs, err := filepath.Abs(recording); err == nil {
		recording = abs
	}
	if st, err := os.Stat(recording); err == nil && st.IsDir() && journal.Is(recording) {
		return In(recording)
	}
	f := File{Path: recording + place.Suffix}
	if state != "" {
		name := fmt.Sprintf("%x-%s", sha256.Sum256([]byte(recording)), filepath.Base(recording))
		f.Else = filepath.Join(state, "bookmarks", name[:min(len(name), 120)]+".toml")
	}
	return f
}

// In returns where the bookmarks of a session are kept that lies in a folder of its own.
func In(folder string) File { return File{Path: filepath.Join(folder, place.InFolder)} }

// Read returns the bookmarks that are kept. The error says which file can't be read; it is left as it
// is.
func (f File) Read() ([]place.Mark, error) {
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

// UnreadError says that a file of bookmarks can't be read.
type UnreadError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *UnreadError) Error() string {
	return fmt.Sprintf("bookmarks can't be read: %s: %v; the file is left as it is, and nothing is kept until it is mended or removed",
		e.Path, e.Err)
}

// Unwrap returns the reason.
func (e *UnreadError) Unwrap() error { return e.Err }

// Keep writes bookmarks that began as before, and returns what is kept then, with what others have
// written meanwhile, and in which file; empty: nothing was written, as it is there already, or there
// is nothing to keep.
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

// Write replaces what is kept. Without bookmarks there is no file.
func (f File) Write(list []place.Mark) (path string, err error) {
	text, err := place.EncodeMarks(list)
	if err != nil {
		return "", err
	}
	err = put(f.Path, text)
	if err == nil {
		if f.Else != "" {
			err = put(f.Else, nil)
		}
		return f.Path, err
	}
	if f.Else == "" {
		return "", fmt.Errorf("bookmarks are not kept: %w", err)
	}
	if failed := os.MkdirAll(filepath.Dir(f.Else), 0o700); failed != nil {
		return "", fmt.Errorf("bookmarks are not kept: %w", errors.Join(err, failed))
	}
	if failed := put(f.Else, text); failed != nil {
		return "", fmt.Errorf("bookmarks are not kept: %w", errors.Join(err, failed))
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
	if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, text) {
		return nil
	}
	return aside.Small(path, text, 0o644)
}
