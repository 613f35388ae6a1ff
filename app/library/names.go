package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"framescope/internal/aside"
)

// A Target is the user's file, or folder, for recordings of live sessions. Several sessions get FILE,
// FILE-2, …: one each, in the order of their first data. It is safe for use by several goroutines.
type Target struct {
	// Path is the path that the user named.
	Path string
	// Force lets a file that was there before be replaced.
	Force bool
	// Inputs are files and folders that are read, and never replaced.
	Inputs []string

	mu    sync.Mutex
	next  int      // names before are taken by sessions of this run, and earlier files
	short []string // recordings of this run that hold next to nothing
}

// Of recordings that take next to nothing, as strangers leave them behind by the thousands, so many stay.
const (
	shortBytes = 16 << 10
	mostShort  = 1000
)

// ended notes a recording that is complete. When it is one too many of the short ones, the oldest of these is removed:
// its name is returned.
func (t *Target) ended(path string) (removed string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !isShort(path) {
		return ""
	}
	if t.short = append(t.short, path); len(t.short) <= mostShort {
		return ""
	}
	removed, t.short = t.short[0], t.short[1:]
	if !isShort(removed) || os.Remove(removed) != nil {
		return ""
	}
	return removed
}

// isShort reports whether a file takes next to nothing.
func isShort(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Size() <= shortBytes
}

// maxNames bounds the names that are tried.
const maxNames = 100_000

// Claim returns the next free name. evaded reports that it skipped names of existing files. Claim
// creates an empty file of that name, so that nobody else takes it. With folder it creates a folder, or
// takes an existing one: the files in it have their own names.
func (t *Target) Claim(folder bool) (path string, evaded bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := t.next; n < maxNames; n++ {
		path = numbered(t.Path, n)
		if err := aside.Check(path); err != nil && !folder && n == 0 { // the user meant something else
			return path, false, err
		}
		err = claim(path, folder, t.Force && aside.Distinct(path, t.Inputs...) == nil)
		if errors.Is(err, fs.ErrExist) {
			evaded = true
			continue
		}
		if err != nil {
			return path, evaded, err
		}
		if !folder {
			t.next = n + 1
		}
		return path, evaded, nil
	}
	return "", evaded, fmt.Errorf("%s: this name and its %d successors are taken; choose another name", t.Path, maxNames)
}

// Check returns an error if recording is impossible: the path exists and is not a file, its folder is
// missing, or nothing can be written there. It does not check recordings to folders.
func (t *Target) Check() error {
	if err := aside.Check(t.Path); err != nil {
		return err
	}
	if err := aside.Distinct(t.Path, t.Inputs...); err != nil {
		return err
	}
	dir := filepath.Dir(t.Path)
	st, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !st.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	if t.Force && exists(t.Path) {
		f, err := os.OpenFile(t.Path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	// Only the attempt reports whether something can be made there: a disk may be mounted so that it
	// can't.
	try, err := os.CreateTemp(dir, ".framescope-*.part")
	if err != nil {
		return fmt.Errorf("cannot write to the folder %s: %w", dir, errors.Unwrap(err))
	}
	return errors.Join(try.Close(), os.Remove(try.Name()))
}

// claim creates an empty file or folder. It accepts an existing folder: the files in it have their own
// names. With force it accepts an existing file and empties it.
func claim(path string, folder, force bool) error {
	if folder {
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return fs.ErrExist
		}
		return os.MkdirAll(path, 0o755)
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if st, err := os.Stat(path); force && err == nil && st.Mode().IsRegular() {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// numbered returns the file for the n-th session that is recorded, counted from 0: "a.pstats",
// "a-2.pstats", …
func numbered(path string, n int) string {
	if n == 0 {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-" + strconv.Itoa(n+1) + ext
}

// FileName makes a file name from a program's name, which came from outside, and a moment. It keeps the letters,
// digits and symbols of all scripts.
func FileName(program string, at time.Time, ext string) string {
	clean := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(program, " "), func(r rune) bool {
		return !strings.ContainsRune("-_.", r) && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So)
	}), "-")
	for len(clean) > mostClean*3 || utf8.RuneCountInString(clean) > mostClean {
		_, last := utf8.DecodeLastRuneInString(clean)
		clean = clean[:len(clean)-last]
	}
	clean = strings.Trim(clean, "-.")
	if clean == "" {
		clean = "session"
	}
	return clean + at.Format("-20060102-150405") + ext
}

// mostClean bounds the part of a file's name that comes from a program, in letters.
const mostClean = 60
