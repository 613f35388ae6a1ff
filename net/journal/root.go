package journal

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"framescope/net/journal/disk"
)

// DefaultLimit is the disk space for all sessions, in bytes, unless it is said otherwise.
const DefaultLimit = 20 << 30

// RootOptions say how sessions are kept. The zero value is good.
type RootOptions struct {
	// FS is where; nil: disk.System.
	FS disk.FS
	// Limit bounds the bytes of all sessions together; 0: DefaultLimit.
	Limit int64
	// Evicted is called with each thing that left to make room, on a goroutine of a writer's: it
	// must return soon. May be nil.
	Evicted func(Eviction)
}

// Eviction is something that left because the disk space for sessions was used up.
type Eviction struct {
	Path    string // of the session
	Title   string // for people
	Bytes   int64
	Records int64 // data records, -1 if that is not known
	Whole   bool  // the whole session left; else its oldest part
	// Err says why something that ought to have left did not.
	Err error
}

// Root is the folder that all sessions are kept in, one folder each. Several processes may use one.
// Beside the sessions it has a folder with a lock for each process that writes.
type Root struct {
	fs  disk.FS
	dir string
	opt RootOptions
	// patience is how long Delete waits for readers that are soon done, as those that take clips are.
	patience time.Duration

	limit atomic.Int64
	known atomic.Int64 // bytes of the sessions that count, as far as this process knows

	making atomic.Bool  // room is being made
	stuck  atomic.Bool  // the last time there was none to be had
	swept  atomic.Bool  // the remains of a crash were removed
	next   atomic.Int64 // when all sessions are looked at again, Unix ns

	mu      sync.Mutex
	token   string // name of our lock, empty: there is none
	unlock  func()
	writers map[*Writer]bool
}

const (
	locksDir   = ".writers"
	lockExt    = ".lock"
	deletedExt = ".deleted"
	scanEvery  = 5 * time.Minute // other processes write, too
	retryRoom  = 5 * time.Second // when no room could be made
)

// OpenRoot returns the root in a folder. The folder is made when it is needed.
func OpenRoot(dir string, o RootOptions) *Root {
	if o.FS == nil {
		o.FS = disk.System
	}
	r := &Root{fs: o.FS, dir: dir, opt: o, patience: time.Second, writers: map[*Writer]bool{}}
	r.SetLimit(o.Limit)
	return r
}

// Open opens a session of this root, as the function Open does.
func (r *Root) Open(path string) (*Reader, error) { return OpenOn(r.fs, path) }

// OpenSince opens a session of this root without the segments that were last written before a moment.
func (r *Root) OpenSince(path string, since time.Time) (*Reader, error) {
	return openSince(r.fs, path, since)
}

// SetLimit changes the disk space for all sessions. It counts from the next record on.
func (r *Root) SetLimit(bytes int64) {
	if bytes <= 0 {
		bytes = DefaultLimit
	}
	r.limit.Store(bytes)
	r.next.Store(0)
}

// Create returns a writer of a new session. Its folder is made with the first data record.
func (r *Root) Create(m Meta, o Options) *Writer {
	w := newWriter(r.fs, m, o)
	w.root = r
	return w
}

// segmentBytes is the size of a segment, unless a writer's options say otherwise: so small that the
// oldest can leave bit by bit, also after the limit was lowered.
func (r *Root) segmentBytes() int64 { return min(DefaultSegment, max(64<<10, r.limit.Load()/64)) }

// Close gives up the lock. All writers must have ended.
func (r *Root) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unlock != nil {
		r.unlock()
		r.fs.Remove(r.lockPath(r.token))
		r.unlock, r.token = nil, ""
	}
}

func (r *Root) lockPath(token string) string {
	return filepath.Join(r.dir, locksDir, token+lockExt)
}

// place makes the folder of a session, or makes it again if it had one.
func (r *Root) place(w *Writer, had string) (dir string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.hold(); err != nil {
		return "", err
	}
	dir = had
	if dir == "" {
		dir = filepath.Join(r.dir, folderName(w.meta, hex.EncodeToString(w.id[:4]))) // as people write the ID
		if _, err := r.fs.Stat(dir); err == nil {
			var random [4]byte
			rand.Read(random[:])
			dir = filepath.Join(r.dir, folderName(w.meta, hex.EncodeToString(random[:])))
		}
	}
	if err := r.fs.Mkdir(dir, 0o700); err != nil && (had == "" || !errors.Is(err, fs.ErrExist)) {
		return "", err
	}
	w.disk.dir, w.disk.token = dir, r.token
	if err := w.disk.describe(false); err != nil {
		if had == "" {
			w.disk.dir = ""
			r.fs.Remove(dir)
		}
		return "", err
	}
	r.writers[w] = true
	return dir, nil
}

// hold takes a lock that lasts as long as this process, so that others know that it writes. r.mu is
// held.
func (r *Root) hold() error {
	if r.unlock != nil {
		if _, err := r.fs.Stat(r.lockPath(r.token)); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		r.unlock() // the folder was deleted
		r.unlock, r.token = nil, ""
	}
	if err := r.fs.MkdirAll(filepath.Join(r.dir, locksDir), 0o700); err != nil {
		return err
	}
	for range lockTries {
		var random [16]byte
		rand.Read(random[:])
		token := hex.EncodeToString(random[:])
		unlock, err := r.fs.Lock(r.lockPath(token), false, true)
		switch {
		case errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK):
			return nil // sessions are kept all the same, and look to others as if they had ended
		case errors.Is(err, disk.ErrLocked): // another looks just now whether anybody has it
			continue
		case err != nil:
			return err
		}
		if _, err := r.fs.Stat(r.lockPath(token)); errors.Is(err, fs.ErrNotExist) {
			unlock() // another took it before us, as one that nobody has, and removed it
			continue
		}
		r.unlock, r.token = unlock, token
		return nil
	}
	return disk.ErrLocked
}

// lockTries bounds the locks that are tried: others look for locks that nobody has, and may meet
// one before it is taken.
const lockTries = 50

// writerRuns reports whether the process that holds a lock still runs.
func writerRuns(fsys disk.FS, root, token string) bool {
	if token == "" || strings.ContainsFunc(token, func(c rune) bool {
		return !strings.ContainsRune("0123456789abcdef", c)
	}) {
		return false
	}
	path := filepath.Join(root, locksDir, token+lockExt)
	unlock, err := fsys.Lock(path, false, false)
	if err != nil { // in doubt it counts as running: nothing may be deleted by mistake
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errors.ErrUnsupported)
	}
	// Nobody else will ever have it. While it is locked nobody can take it and find it removed
	// later.
	err = fsys.Remove(path)
	unlock()
	if err != nil { // Windows does not remove open files
		fsys.Remove(path)
	}
	return false
}

// left forgets a writer that is done.
func (r *Root) left(w *Writer) {
	r.mu.Lock()
	delete(r.writers, w)
	r.mu.Unlock()
}

// List returns all sessions, the oldest first, also badly damaged ones: see Info.Damage.
func (r *Root) List() []Info {
	entries, _ := r.fs.ReadDir(r.dir)
	var list []Info
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := ReadInfoOn(r.fs, filepath.Join(r.dir, e.Name())); err == nil {
			list = append(list, info)
		}
	}
	r.correct(list)
	slices.SortStableFunc(
		list, func(a, b Info) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Path, b.Path)) },
	)
	return list
}

// Info reads the description of a session of this root.
func (r *Root) Info(path string) (Info, error) {
	info, err := ReadInfoOn(r.fs, path)
	list := []Info{info}
	r.correct(list)
	return list[0], err
}

// correct says of sessions which of them this process is writing: it holds one lock for all that it
// ever wrote.
func (r *Root) correct(list []Info) {
	r.mu.Lock()
	running := map[string]bool{}
	for w := range r.writers {
		running[hex.EncodeToString(w.id[:])] = true
	}
	token := r.token
	r.mu.Unlock()
	for i := range list {
		list[i].Running = running[list[i].ID] || list[i].Running && list[i].writer != token
	}
}

// Delete deletes a session of this root that is not running and that nobody goes on reading.
func (r *Root) Delete(path string) error {
	if filepath.Dir(path) != filepath.Clean(r.dir) {
		return fmt.Errorf("%s: is not a session in %s", path, r.dir)
	}
	info, err := ReadInfoOn(r.fs, path)
	switch {
	case err != nil:
		return err
	case info.Running:
		return fmt.Errorf("%s: is running", path)
	case !info.Described && time.Since(info.Written) < justWritten:
		return fmt.Errorf("%s: was written to a moment ago and may still be running: %s", path, info.Damage)
	}
	err = r.remove(path)
	for end := time.Now().Add(r.patience); errors.Is(err, errRead) && time.Now().Before(end); err = r.remove(path) {
		time.Sleep(r.patience / 50)
	}
	if err == nil {
		r.uncount(&info)
	}
	return err
}

// justWritten is how long after its last write a session without a named writer may be running.
const justWritten = 10 * time.Second

// uncount takes note that a session is gone.
func (r *Root) uncount(info *Info) {
	if !info.spared(time.Now()) {
		r.known.Add(-info.Size)
	}
}

// errRead is the error for deleting a session that is in use.
var errRead = errors.New("is being read")

// remove deletes a session that nobody reads. It is gone at once or not at all, also after a crash.
func (r *Root) remove(path string) error {
	done, ok := unread(r.fs, path)
	if !ok {
		return fmt.Errorf("%s: %w", path, errRead)
	}
	aside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+deletedExt)
	err := r.fs.Rename(path, aside)
	done()
	if err != nil && filepath.Separator == '\\' { // Windows does not rename folders with open files
		err = r.fs.Rename(path, aside)
	}
	if err != nil {
		return err
	}
	return r.fs.RemoveAll(aside)
}

// sweep removes the remains of deletions that a crash interrupted.
func (r *Root) sweep() {
	entries, _ := r.fs.ReadDir(r.dir)
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, ".") && strings.HasSuffix(name, deletedExt) {
			r.fs.RemoveAll(filepath.Join(r.dir, name))
		}
	}
	// Locks that nobody holds are those of processes that are no more.
	entries, _ = r.fs.ReadDir(filepath.Join(r.dir, locksDir))
	for _, e := range entries {
		if token, ok := strings.CutSuffix(e.Name(), lockExt); ok {
			writerRuns(r.fs, r.dir, token)
		}
	}
}

// enforce makes room when the sessions take more than they may.
func (r *Root) enforce() {
	now := time.Now().UnixNano()
	due := now >= r.next.Load()
	if !due && (r.known.Load() <= r.limit.Load() || r.stuck.Load()) {
		return
	}
	if !r.making.CompareAndSwap(false, true) {
		return // another is at it
	}
	defer r.making.Store(false)
	if r.swept.CompareAndSwap(false, true) {
		r.sweep()
	}
	ok := r.makeRoom()
	r.stuck.Store(!ok)
	wait := scanEvery
	if !ok {
		wait = retryRoom
	}
	r.next.Store(now + int64(wait))
}

// makeRoom lets the oldest leave until the rest is within the limit, and reports whether it is.
func (r *Root) makeRoom() bool {
	list := r.List()
	limit := r.limit.Load()
	counted, _ := weigh(list)
	r.known.Store(counted)
	counted = letLeave(list, limit, func(info *Info) bool {
		err := r.remove(info.Path)
		if errors.Is(err, errRead) {
			return false
		}
		if err == nil {
			r.uncount(info)
		}
		r.reportEviction(Eviction{
			Path: info.Path, Title: info.Title(), Bytes: info.Size, Records: info.Records, Whole: true, Err: err,
		})
		return err == nil
	})
	running, fixed := 0, counted
	for i := range list {
		if list[i].Running {
			running++
			fixed -= list[i].Size
		}
	}
	share := max(0, limit-fixed) / int64(max(1, running))
	for r.known.Load() > limit {
		if !r.evictRunning(share) {
			return false
		}
	}
	return true
}

// foundStays is how long an unfinished session stays after the user was notified of it, though room is
// needed.
const foundStays = 7 * 24 * time.Hour

// spared reports whether a session does not make room yet: it is unfinished, and the user was notified
// of it lately or not at all.
func (i *Info) spared(now time.Time) bool {
	return !i.Running && !i.stays() && i.Ended.IsZero() &&
		(i.Found.IsZero() || now.Sub(i.Found) < foundStays)
}

// stays reports whether a session never makes room.
func (i *Info) stays() bool { return i.Keep || i.Damage != "" }

// weigh returns the sizes of the sessions that count and of the spared ones, in bytes.
func weigh(list []Info) (counted, found int64) {
	now := time.Now()
	for i := range list {
		if list[i].spared(now) {
			found += list[i].Size
		} else {
			counted += list[i].Size
		}
	}
	return counted, found
}

// Of sessions that take next to nothing, as strangers leave them behind by the thousands, so many stay.
const (
	shortBytes = 16 << 10
	mostShort  = 1000
)

// isShort reports whether a session that makes room takes next to nothing.
func (i *Info) isShort(now time.Time) bool {
	return i.Size <= shortBytes && !i.Running && !i.stays() && !i.spared(now)
}

// letLeave lets sessions leave, the oldest first, until those that count are within a limit, and no more than
// mostShort of them are short, and returns their size in bytes. Spared sessions do not count, so that a crash costs
// neither its session nor others; together they take at most the limit once more, except for the newest. leave reports
// whether a session could leave.
func letLeave(list []Info, limit int64, leave func(*Info) bool) (counted int64) {
	counted, found := weigh(list)
	now, newest, short := time.Now(), -1, 0
	for i := range list {
		if list[i].isShort(now) {
			short++
		}
		if list[i].spared(now) && (newest < 0 || !list[i].Written.Before(list[newest].Written)) {
			newest = i
		}
	}
	for i := range list {
		info := &list[i]
		switch {
		case info.Running || info.stays() || i == newest:
		case info.spared(now):
			if found > limit && leave(info) {
				found -= info.Size
			}
		case (counted > limit || short > mostShort && info.isShort(now)) && leave(info):
			if counted -= info.Size; info.isShort(now) {
				short--
			}
		}
	}
	return counted
}

// Leaving returns the sessions that leave when the limit becomes so many bytes, the oldest first,
// and how many bytes the oldest parts of those take that run and have to leave besides.
func (r *Root) Leaving(limit int64) (leaving []Info, parts int64) {
	list := r.List()
	counted := letLeave(list, limit, func(info *Info) bool {
		done, ok := unread(r.fs, info.Path)
		if ok {
			done()
			leaving = append(leaving, *info)
		}
		return ok
	})
	running := int64(0)
	for i := range list {
		if list[i].Running {
			running += list[i].Size
		}
	}
	return leaving, min(running, max(0, counted-limit))
}

// evictRunning takes away the oldest segment of those that are being written by this process and
// that take more than their share: another that is too large makes room itself.
func (r *Root) evictRunning(share int64) bool {
	r.mu.Lock()
	writers := make([]*Writer, 0, len(r.writers))
	for w := range r.writers {
		writers = append(writers, w)
	}
	r.mu.Unlock()
	type candidate struct {
		w  *Writer
		at time.Time
	}
	var all []candidate
	for _, w := range writers {
		if at, ok := w.disk.oldest(share); ok {
			all = append(all, candidate{w, at})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return a.at.Compare(b.at) })
	for _, c := range all {
		path := c.w.Path()
		done, ok := unread(r.fs, path)
		if !ok { // it is being read, or saved
			continue
		}
		bytes, records, err := c.w.disk.evict()
		done()
		if bytes > 0 || err != nil {
			r.reportEviction(Eviction{
				Path: path, Title: (&Info{Path: path, Meta: c.w.meta}).Title(), Bytes: bytes, Records: records, Err: err,
			})
		}
		if bytes > 0 && err == nil {
			return true
		}
	}
	return false
}

func (r *Root) reportEviction(e Eviction) {
	if r.opt.Evicted != nil {
		r.opt.Evicted(e)
	}
}
