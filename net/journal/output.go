package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"framescope/net/journal/disk"
)

// output is a writer's part on disk. Only the writer's goroutine writes; any process that makes room
// may remove the oldest segment.
//
// An error may leave the first bytes of a record at the end of a segment. They are cut off before anything
// else is written.
type output struct {
	w *Writer

	mu      sync.Mutex
	dir     string    // of a session, empty if there is none yet
	token   string    // of the lock by which others know that it is being written
	f       disk.File // newest segment, nil: none
	segs    []segment
	failed  bool      // the last attempt
	ours    bool      // the single file was made by us
	rotated time.Time // last attempt that failed
	gone    Hole      // records that another process deleted
	evicted Evicted
	folded  []segment // into the base, but not deleted yet
	base    int64     // size of the base
	next    uint64    // number of the next segment
}

// segment is a segment on disk.
type segment struct {
	number  uint64
	size    int64
	data    int64 // records
	refused int64 // records in holes
	defs    int64 // definitions
	fromNs  int64
	toNs    int64
}

// ErrGone is the trouble with files that were deleted while they were being written.
var ErrGone = errors.New("another program deleted or truncated it")

// path returns the file that is being written.
func (o *output) path() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.current()
}

func (o *output) current() string {
	switch {
	case o.w.root == nil:
		return o.w.file
	case o.dir == "":
		return o.w.root.dir
	case len(o.segs) == 0:
		return o.dir
	}
	return filepath.Join(o.dir, segmentName(o.segs[len(o.segs)-1].number))
}

// endRoom is the room that a segment reserves on the disk for the records of finish, in bytes.
const endRoom = 4 << 10

// write writes as many records as the segment takes and returns the number of bytes of whole records
// written. After an error, call it again with the rest. It writes nothing unless more further bytes
// fit on the disk, where the system reports its free space.
func (o *output) write(rest []byte, more int64) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() { o.failed = err != nil }()
	if err := o.look(false); err != nil {
		return 0, err
	}
	if o.f == nil {
		if err := o.open(); err != nil {
			return 0, err
		}
	}
	limit := o.w.segmentBytes()
	seg := &o.segs[len(o.segs)-1]
	if o.w.root != nil && seg.fromNs >= 0 && seg.size+int64(recordSize(rest)) > limit {
		if err := o.rotate(limit); err != nil {
			return 0, err
		}
		seg = &o.segs[len(o.segs)-1]
	}
	piece := rest[:recordSize(rest)]
	for len(piece) < len(rest) {
		k := recordSize(rest[len(piece):])
		if o.w.root != nil && seg.size+int64(len(piece)+k) > limit {
			break
		}
		piece = rest[:len(piece)+k]
	}
	err = o.f.Reserve(seg.size, int64(len(piece))+more)
	if disk.Full(err) { // perhaps the first one fits
		piece = rest[:recordSize(rest)]
		err = o.f.Reserve(seg.size, int64(len(piece))+more)
	}
	k := 0
	if err == nil {
		k, err = o.f.WriteAt(piece, seg.size)
	}
	if k < len(piece) && err == nil {
		err = io.ErrShortWrite
	}
	n = o.account(seg, piece[:k])
	if err == nil {
		return n, nil
	}
	if st, statErr := o.f.Stat(); statErr != nil || st.Size() > seg.size {
		o.cut()
	}
	if o.failed {
		o.reopen(err)
	}
	return n, err
}

// account notes that the bytes of piece are on disk, and returns how many of them are whole records.
func (o *output) account(seg *segment, piece []byte) (n int) {
	w := o.w
	data := int64(0)
	for len(piece)-n >= recordHead && len(piece)-n >= recordSize(piece[n:]) {
		b := piece[n:]
		size := recordSize(b)
		switch Kind(b[recordHead]) {
		case KindData:
			data++
		case KindDefinition:
			seg.defs++
		case KindHole:
			var h Hole
			if rec, _, err := parseRecord(b); err == nil && rec.Decode(&h) == nil {
				seg.refused += h.Records
			}
		}
		if seg.fromNs < 0 {
			seg.fromNs = timeOf(b)
		}
		seg.toNs = timeOf(b)
		n += size
	}
	seg.size += int64(n)
	seg.data += data
	w.mu.Lock()
	w.stats.Records += data
	w.mu.Unlock()
	o.count(int64(n))
	return n
}

// count notes that the session takes so many bytes more.
func (o *output) count(bytes int64) {
	o.w.mu.Lock()
	o.w.stats.Bytes += bytes
	o.w.mu.Unlock()
	if o.w.root != nil {
		o.w.root.known.Add(bytes)
	}
}

// open makes the first segment, or the first after all were deleted, and the folder.
func (o *output) open() error {
	w := o.w
	if w.root != nil {
		dir, err := w.root.place(w, o.dir)
		if err != nil {
			return err
		}
		o.dir = dir
	}
	return o.newSegment()
}

// newSegment begins the next segment, and closes the one before.
func (o *output) newSegment() error {
	w := o.w
	number, before := max(1, o.next), uint64(0)
	if n := len(o.segs); n > 0 {
		number = max(number, o.segs[n-1].number+1)
		before = uint64(o.segs[n-1].size)
	}
	path, flag := w.file, os.O_RDWR|os.O_CREATE|os.O_TRUNC
	if w.root != nil {
		path = filepath.Join(o.dir, segmentName(number))
	} else if !o.ours {
		flag |= os.O_EXCL
	}
	f, err := w.fs.OpenFile(path, flag, w.perm())
	if err != nil {
		return err
	}
	o.ours = true
	head := appendMeta(appendHead(nil, w.id, number, before), w.meta)
	if o.gone.Records+o.gone.Definitions > 0 {
		head = appendJSON(head, KindHole, o.gone.ToNs, o.gone)
	}
	if n, err := f.WriteAt(head, 0); err != nil || n < len(head) {
		f.Close()
		w.fs.Remove(path)
		if err == nil {
			err = io.ErrShortWrite
		}
		return err
	}
	if o.f != nil {
		o.cut()
		o.f.Close()
	}
	o.f = f
	o.segs = append(o.segs, segment{number: number, size: int64(len(head)), refused: o.gone.Records, fromNs: -1})
	o.next = number + 1
	o.gone = Hole{}
	o.count(int64(len(head)))
	w.mu.Lock()
	w.stats.Path = w.file
	if w.root != nil {
		w.stats.Path = o.dir
	}
	w.mu.Unlock()
	return nil
}

// cut removes the bytes behind the last whole record of the segment, and the reserved room. If that
// fails, they stay, and readers skip them.
func (o *output) cut() {
	seg := &o.segs[len(o.segs)-1]
	if o.f.Truncate(seg.size) == nil {
		return
	}
	if st, err := o.f.Stat(); err == nil && st.Size() > seg.size {
		o.count(st.Size() - seg.size)
		seg.size = st.Size()
	}
}

// rotate begins the next segment because this one is full. When that fails, this one goes on for a
// while: as long as it takes records, nothing is lost.
func (o *output) rotate(limit int64) error {
	now := o.w.opt.Now()
	full := o.segs[len(o.segs)-1].size > 2*limit
	if !full && now.Sub(o.rotated) < o.w.opt.Retry {
		return nil
	}
	err := o.newSegment()
	if err != nil && !full {
		o.rotated = now
		return nil
	}
	return err
}

// reopen tries to get over an error that stays: the file may be of a disk that was away meanwhile.
func (o *output) reopen(err error) {
	seg := o.segs[len(o.segs)-1]
	if disk.Full(err) {
		return
	}
	if o.w.root != nil {
		if seg.fromNs >= 0 { // not one that was just begun
			o.newSegment()
		}
		return
	}
	f, err := o.w.fs.OpenFile(o.w.file, os.O_RDWR, 0)
	if err != nil {
		return
	}
	if st, err := f.Stat(); err != nil || st.Size() < seg.size {
		f.Close()
		return
	}
	o.f.Close()
	o.f = f
}

// look finds out whether the file is still there, and as long as it was: writing to one that was deleted
// succeeds, and makes one that was cut as long again. all: so are the other segments and the base. ErrGone says
// that something is not; the next writing begins anew, and the source is asked for its definitions again.
func (o *output) look(all bool) error {
	if o.f == nil {
		return nil
	}
	newest := o.segs[len(o.segs)-1]
	cut := o.short(o.current(), newest.size)
	if !cut && (!all || o.w.root == nil) {
		return nil
	}
	kept, files, deleted := make([]segment, 0, len(o.segs)), 0, int64(0)
	for _, s := range o.segs {
		if s.number != newest.number && !o.short(filepath.Join(o.dir, segmentName(s.number)), s.size) ||
			s.number == newest.number && !cut {
			kept = append(kept, s)
			continue
		}
		if files == 0 && o.gone.Records == 0 {
			o.gone.FromNs = s.fromNs
		}
		files++
		o.gone.Records += s.data + s.refused
		o.gone.Definitions += s.defs
		deleted += s.data
		o.gone.Bytes += s.size
		o.gone.ToNs = max(o.gone.ToNs, s.toNs)
		o.count(-s.size)
	}
	if o.base > 0 && o.short(filepath.Join(o.dir, baseFile), o.base) {
		files++
		o.gone.Definitions++ // at least
		o.count(-o.base)
		o.base = 0
	}
	if files == 0 {
		return nil
	}
	o.gone.Reason = goneReason
	o.segs = kept
	o.w.mu.Lock()
	o.w.stats.Deleted += deleted
	o.w.mu.Unlock()
	o.w.restate.Store(true)
	if cut {
		o.f.Close()
		o.f = nil
	} else if err := o.newSegment(); err != nil {
		return err
	}
	return ErrGone
}

// short reports whether a file is gone, or shorter than it was.
func (o *output) short(path string, size int64) bool {
	st, err := o.w.fs.Stat(path)
	return err == nil && st.Size() < size || errors.Is(err, fs.ErrNotExist)
}

// check looks at all files while nothing is to be written.
func (o *output) check() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.look(true)
}

// perm returns the permissions of new files: a recording is the user's, a session nobody else's.
func (w *Writer) perm() fs.FileMode {
	if w.root == nil {
		return 0o644
	}
	return 0o600
}

// describe writes session.json.
func (o *output) describe(ended bool) error {
	w := o.w
	s := session{Format: 1, ID: hex.EncodeToString(w.id[:]), Meta: w.meta, Writer: o.token}
	if ended {
		w.mu.Lock()
		s.Ended, s.Reason = w.opt.Now(), w.reason
		s.Bytes, s.Refused, s.Deleted = w.stats.Bytes, w.stats.Refused+w.stats.Deleted, w.stats.Deleted
		w.mu.Unlock()
		for _, seg := range o.segs {
			s.Records += seg.data
			s.LengthNs = max(s.LengthNs, seg.toNs)
		}
	}
	return writeJSON(w.fs, filepath.Join(o.dir, sessionFile), &s)
}

// close closes the session's file.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		return
	}
	o.cut()
	err := o.f.Close()
	o.f = nil
	if o.w.root != nil {
		err = errors.Join(err, o.describe(true))
	}
	if err != nil { // the written records are there all the same
		o.w.mu.Lock()
		if o.w.stats.Trouble == nil {
			o.w.stats.Trouble = &Trouble{File: o.dir, Err: fmt.Errorf("at the end: %w", err), Record: o.w.stats.Records}
		}
		o.w.mu.Unlock()
	}
}

// oldest returns the time of the oldest record; false when there is nothing that could leave, or the
// session takes no more than its share, in bytes.
func (o *output) oldest(share int64) (at time.Time, ok bool) {
	if !o.mu.TryLock() { // the disk may be slow: try the others
		return at, false
	}
	defer o.mu.Unlock()
	if o.f == nil || len(o.segs) == 1 && o.segs[0].data == 0 {
		return at, false
	}
	size := o.base
	for _, seg := range o.segs {
		size += seg.size
	}
	if size <= share {
		return at, false
	}
	return o.w.meta.Start.Add(time.Duration(max(0, o.segs[0].fromNs))), true
}

// evict takes the oldest segment away, its definitions folded into the base, and returns how many
// bytes and data records left. The newest segment is closed for that if there is no other.
func (o *output) evict() (bytes, records int64, err error) {
	if !o.mu.TryLock() {
		return 0, 0, nil
	}
	defer o.mu.Unlock()
	if o.f == nil {
		return 0, 0, nil
	}
	if err := o.look(true); err != nil { // a deleted segment cannot be evicted
		return 0, 0, err
	}
	if len(o.segs) == 1 {
		if o.segs[0].data == 0 {
			return 0, 0, nil
		}
		if err := o.newSegment(); err != nil {
			return 0, 0, err
		}
	}
	seg := o.segs[0]
	told := o.evicted
	told.Records += seg.data
	told.Refused += seg.refused
	told.Bytes += seg.size
	told.ToNs = seg.toNs
	size, damaged, err := fold(o.w.fs, o.dir, o.w.id, seg, &told, max(o.w.segmentBytes(), minBase))
	if err != nil {
		return 0, 0, err
	}
	if damaged > 0 { // perhaps of definitions
		o.w.restate.Store(true)
	}
	o.evicted = told
	o.count(size - o.base)
	bytes = o.base - size
	o.base = size
	o.segs = append(o.segs[:0], o.segs[1:]...)
	o.w.mu.Lock()
	o.w.stats.Evicted = told
	o.w.mu.Unlock()
	// On Windows an open segment cannot be deleted. Readers skip it, since it is in the base.
	o.folded = append(o.folded, seg)
	for len(o.folded) > 0 {
		old := o.folded[0]
		err := o.w.fs.Remove(filepath.Join(o.dir, segmentName(old.number)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return bytes, seg.data, err
		}
		o.folded = o.folded[1:]
		o.count(-old.size)
		bytes += old.size
	}
	return bytes, seg.data, nil
}
