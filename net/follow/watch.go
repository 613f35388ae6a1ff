package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// WatchOptions says which files of a folder are of interest.
type WatchOptions struct {
	// Accept reports whether a file is of interest, given its first HeadBytes bytes at most. It is
	// called again as the file grows, until it returns true or HeadBytes bytes are there. nil accepts
	// every file that is not empty.
	Accept func(head []byte, path string) bool
	// HeadBytes bounds the bytes passed to Accept; 0: 64 KiB.
	HeadBytes int
	// Newest is how many of the files that are there in the beginning are found, the newest ones.
	// Others are found when they change.
	Newest int

	rest time.Duration // instead of restEvery, in tests
}

// maxFolder bounds the files of a watched folder.
const maxFolder = 100_000

// candidate is a file of the folder.
type candidate struct {
	path     string
	size     int64
	modified time.Time
	found    bool
	refused  bool // by a whole head
	seen     int  // the scan that saw it last
}

// folder is one Watch.
type folder struct {
	dir   string
	o     WatchOptions
	files map[string]*candidate
	scans int
	found func(path string)
	head  []byte
}

// Watch calls found, on its own goroutine, once for the path of each accepted file that appears or
// changes in a folder, until ctx is done or the folder becomes unreadable. It ignores sub-folders,
// FIFOs and the like.
func Watch(ctx context.Context, dir string, o WatchOptions, found func(path string)) error {
	if o.HeadBytes <= 0 {
		o.HeadBytes = 64 << 10
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("%s: is not a folder", dir)
	}
	w := &folder{dir: dir, o: o, files: map[string]*candidate{}, found: found, head: make([]byte, o.HeadBytes)}
	there, err := w.scan()
	if err != nil {
		return err
	}
	w.newest(ctx, there)
	const restEvery = 500 * time.Millisecond
	rest := time.NewTicker(cmp.Or(o.rest, restEvery))
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-rest.C:
		}
		changed, err := w.scan()
		if err != nil {
			return err
		}
		for _, c := range changed {
			if ctx.Err() == nil && w.accepts(c) {
				w.report(c)
			}
		}
	}
}

// scan reads the folder, and returns the new and changed files that may be of interest, in the order in which they
// were written.
func (w *folder) scan() (changed []*candidate, err error) {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return nil, err
	}
	w.scans++
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() { // it has just been removed
			continue
		}
		c := w.files[e.Name()]
		if c == nil {
			if len(w.files) >= maxFolder {
				return nil, fmt.Errorf("%s: there are more than %d files in this folder; watch one with fewer", w.dir, maxFolder)
			}
			c = &candidate{path: filepath.Join(w.dir, e.Name())}
			w.files[e.Name()] = c
		}
		same := st.Size() == c.size && st.ModTime().Equal(c.modified)
		c.refused = c.refused && st.Size() >= c.size // else it was written anew
		c.size, c.modified, c.seen = st.Size(), st.ModTime(), w.scans
		if !same && !c.found && !c.refused && c.size > 0 {
			changed = append(changed, c)
		}
	}
	for name, c := range w.files {
		if c.seen != w.scans && !c.found { // one that was found and comes again is its follower's business
			delete(w.files, name)
		}
	}
	slices.SortFunc(changed, func(a, b *candidate) int {
		return cmp.Or(a.modified.Compare(b.modified), cmp.Compare(a.path, b.path))
	})
	return changed, nil
}

// newest finds the newest of the files that are there in the beginning, oldest first.
func (w *folder) newest(ctx context.Context, there []*candidate) {
	var chosen []*candidate
	// Of thousands of files that are something else, not every one is opened.
	const maxLooks = 1000
	for _, c := range slices.Backward(there[max(0, len(there)-maxLooks):]) {
		if len(chosen) >= w.o.Newest || ctx.Err() != nil {
			break
		}
		if w.accepts(c) {
			chosen = append(chosen, c)
		}
	}
	for _, c := range slices.Backward(chosen) {
		w.report(c)
	}
}

// accepts looks into a file.
func (w *folder) accepts(c *candidate) bool {
	if w.o.Accept == nil {
		return true
	}
	// Check the kind again: only a regular file may be opened.
	if st, err := os.Lstat(c.path); err != nil || !st.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(c.path)
	if errors.Is(err, fs.ErrPermission) {
		c.refused = true
	}
	if err != nil {
		return false
	}
	defer f.Close()
	n, err := io.ReadFull(f, w.head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	if w.o.Accept(w.head[:n], c.path) {
		return true
	}
	c.refused = n == len(w.head)
	return false
}

func (w *folder) report(c *candidate) {
	c.found = true
	w.found(c.path)
}
