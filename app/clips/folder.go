package clips

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"framescope/app/library"
	"framescope/net/journal/disk"
)

// Info describes a clip besides its frames. It lies beside the clip, as JSON.
type Info struct {
	Program string `json:"program"`
	// Cause is the root cause of the hitch in words, Mark the shape of its mark, Color the mark's
	// color, "#rrggbb"; empty: none.
	Cause string `json:"cause"`
	Mark  string `json:"mark,omitempty"`
	Color string `json:"color,omitempty"`
	// Thread and Frame are the hitch's, and how long it took.
	Thread     string `json:"thread"`
	Frame      int64  `json:"frame"`
	DurationNs int64  `json:"duration_ns"`
	// At is when the clip was filed.
	At time.Time `json:"at"`
	// LengthNs is the time from the begin of its first frame to the end of its last, Frames how many are
	// in it, Lacks how many were received in its time and are not, because the disk did not take them.
	LengthNs int64 `json:"length_ns"`
	Frames   int64 `json:"frames"`
	Lacks    int64 `json:"lacks,omitempty"`
}

// Clip is a clip in a folder.
type Clip struct {
	Info
	Path  string
	Bytes int64
}

// Limits bound the content of a folder.
type Limits struct {
	Clips int   // how many
	Bytes int64 // total size
}

// The bounds unless the user says otherwise.
const (
	DefaultClips = 50
	DefaultBytes = 1 << 30
)

// DefaultDir returns the folder of clips.
func DefaultDir() string { return filepath.Join(library.StateDir(), "clips") }

// Folder is a folder of clips. A clip is there when it is whole: until then its file has another name.
// Any goroutine may use it.
type Folder struct {
	fs   disk.FS
	dir  string
	open func(path string) bool // reports whether a clip must stay

	mu       sync.Mutex
	limits   Limits
	swept    bool
	revision uint64
}

// OpenFolder returns a folder, created when first needed. open reports whether a clip is in use and
// must stay; nil: none is. Any goroutine may call it.
func OpenFolder(dir string, l Limits, open func(path string) bool) *Folder {
	return openOn(disk.System, dir, l, open)
}

func openOn(fsys disk.FS, dir string, l Limits, open func(path string) bool) *Folder {
	return &Folder{fs: fsys, dir: dir, limits: l, open: open}
}

// Dir returns where it is.
func (f *Folder) Dir() string { return f.dir }

// SetLimits changes the bounds, for the clips that come.
func (f *Folder) SetLimits(l Limits) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limits = l
}

// Revision changes whenever this program changes the folder.
func (f *Folder) Revision() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.revision
}

const (
	clipExt = ".pstats"
	infoExt = ".json"
	partExt = ".part" // of a clip that is being written
	// abandoned is the age of an unchanged part after which nobody writes it any more.
	abandoned = time.Hour
	maxInfo   = 64 << 10 // bytes of the Info of a clip
)

// List returns the clips, the newest first. A missing folder has no clips.
func (f *Folder) List() ([]Clip, error) {
	entries, err := f.fs.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Clip
	for _, e := range entries {
		st, err := e.Info()
		if filepath.Ext(e.Name()) != clipExt || err != nil || !st.Mode().IsRegular() {
			continue
		}
		c := Clip{Path: filepath.Join(f.dir, e.Name()), Bytes: st.Size()}
		if c.Info, err = f.info(c.Path); err != nil || c.At.IsZero() {
			c.Info = Info{Cause: strings.TrimSuffix(e.Name(), clipExt), At: st.ModTime(), Frame: -1}
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Clip) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Path, a.Path)) })
	return out, nil
}

func infoPath(clip string) string { return strings.TrimSuffix(clip, clipExt) + infoExt }

// info reads the Info of a clip.
func (f *Folder) info(clip string) (i Info, err error) {
	file, err := f.fs.OpenFile(infoPath(clip), os.O_RDONLY, 0)
	if err != nil {
		return i, err
	}
	defer file.Close()
	err = json.NewDecoder(io.NewSectionReader(file, 0, maxInfo)).Decode(&i)
	return i, err
}

// Delete deletes a clip.
func (f *Folder) Delete(clip string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delete(clip)
}

func (f *Folder) delete(clip string) error {
	f.revision++
	err := f.fs.Remove(clip)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // already gone
	}
	if err == nil {
		f.fs.Remove(infoPath(clip))
	}
	return err
}

// file writes a clip; write returns how many of its frames there are. It removes others to make room. One
// goroutine at a time may call it.
func (f *Folder) file(i Info, write func(w io.Writer) (frames int64, err error)) (c Clip, err error) {
	c.Info = i
	if err := f.fs.MkdirAll(f.dir, 0o700); err != nil {
		return c, err
	}
	if !f.swept {
		f.swept = true
		f.sweep()
	}
	if c.Path, err = f.free(i); err != nil {
		return c, err
	}
	part := c.Path + partExt
	err = f.write(part, func(w io.Writer) error {
		frames, err := write(w)
		c.Frames, c.Lacks = frames, max(i.Frames-frames, 0)
		return err
	})
	if err == nil {
		err = f.write(infoPath(c.Path), func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(c.Info)
		})
	}
	if err == nil {
		c.Bytes, err = f.add(c.Info, part, c.Path)
	}
	if err != nil {
		f.fs.Remove(part)
		f.fs.Remove(infoPath(c.Path))
	}
	return c, err
}

// add makes a written file the clip path, and returns its size.
func (f *Folder) add(i Info, part, path string) (bytes int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	st, err := f.fs.Stat(part)
	if err != nil {
		return 0, err
	}
	if err := f.makeRoom(i, st.Size()); err != nil {
		return 0, err
	}
	f.revision++
	return st.Size(), f.fs.Rename(part, path)
}

// ErrNoRoom is returned for a clip that is larger than the limit of all clips, or that would displace
// open ones.
var ErrNoRoom = errors.New("the clip does not fit into the limits for clips")

// makeRoom lets clips leave until one more of a program and a cause has room.
func (f *Folder) makeRoom(i Info, size int64) error {
	all, err := f.List()
	if err != nil {
		return err
	}
	bytes := size
	for k := range all {
		bytes += all[k].Bytes
	}
	for bytes > f.limits.Bytes || len(all) >= f.limits.Clips {
		k := f.leastMissed(all, i)
		if k < 0 || size > f.limits.Bytes {
			return ErrNoRoom
		}
		if err := f.delete(all[k].Path); err != nil {
			return err
		}
		bytes -= all[k].Bytes
		all = slices.Delete(all, k, k+1)
	}
	return nil
}

// leastMissed returns which clip leaves first for one more, -1: all are open. It is one of the program with the most
// clips, of that program's cause with the most, and of these the mildest hitch; of equal ones the oldest.
func (f *Folder) leastMissed(all []Clip, more Info) (least int) {
	type kind struct{ program, cause string }
	programs, kinds := map[string]int{more.Program: 1}, map[kind]int{{more.Program, more.Cause}: 1}
	for i := range all {
		programs[all[i].Program]++
		kinds[kind{all[i].Program, all[i].Cause}]++
	}
	least = -1
	for i := range all {
		a := &all[i]
		if f.open != nil && f.open(a.Path) {
			continue
		}
		if least < 0 || cmp.Or(
			cmp.Compare(programs[all[least].Program], programs[a.Program]),
			cmp.Compare(kinds[kind{all[least].Program, all[least].Cause}], kinds[kind{a.Program, a.Cause}]),
			cmp.Compare(a.DurationNs, all[least].DurationNs)) <= 0 {
			least = i
		}
	}
	return least
}

// maxSame bounds the names that are tried for one clip.
const maxSame = 1000

// free returns an unused name for a clip: game, cause, frame, time.
func (f *Folder) free(i Info) (string, error) {
	name := library.FileName(fmt.Sprintf("%s %s frame %d", clipped(i.Program), clipped(i.Cause), i.Frame), i.At, "")
	for n := range maxSame {
		path := filepath.Join(f.dir, name+clipExt)
		if n > 0 {
			path = filepath.Join(f.dir, fmt.Sprintf("%s-%d%s", name, n+1, clipExt))
		}
		_, err := f.fs.Stat(path)
		_, errPart := f.fs.Stat(path + partExt)
		if errors.Is(err, fs.ErrNotExist) && errors.Is(errPart, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: there are already %d clips with such a name; move some of them away", f.dir, maxSame)
}

// clipped shortens a component of a name, to leave room for the rest.
func clipped(name string) string {
	const most = 20
	if r := []rune(name); len(r) > most {
		name = string(r[:most])
	}
	return strings.TrimSpace(name)
}

// write writes a new file, and waits until it is on the disk.
func (f *Folder) write(path string, fill func(w io.Writer) error) error {
	file, err := f.fs.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 1<<18)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	return cmp.Or(err, file.Close())
}

// sweep removes the leftovers of a program killed while it wrote: parts, and Info files without a clip.
func (f *Folder) sweep() {
	entries, err := f.fs.ReadDir(f.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(f.dir, e.Name())
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() || time.Since(st.ModTime()) < abandoned {
			continue
		}
		switch filepath.Ext(path) {
		case partExt:
			f.fs.Remove(path)
		case infoExt:
			if _, err := f.fs.Stat(strings.TrimSuffix(path, infoExt) + clipExt); errors.Is(err, fs.ErrNotExist) {
				f.fs.Remove(path)
			}
		}
	}
}
