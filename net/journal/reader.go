package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"framescope/net/journal/disk"
)

// Damage is an unreadable place of a session. The records before and behind it are readable.
type Damage struct {
	File   string
	Offset int64 // of the first unreadable byte
	Bytes  int64 // that were passed over, 0 if it is not known
	Reason string
	// Records is the largest number of records that the place may have held: -1 if unbounded, 0 if the
	// damage hit no record.
	Records int64
	// Cut reports whether the session is cut off there, in the middle of a record.
	Cut bool
}

// Error implements error.
func (d Damage) Error() string {
	if d.Bytes > 0 {
		return fmt.Sprintf("%s: offset %d: %s, %d bytes cannot be read", d.File, d.Offset, d.Reason, d.Bytes)
	}
	return fmt.Sprintf("%s: offset %d: %s", d.File, d.Offset, d.Reason)
}

// maxDamage bounds the damages that are listed; more are counted.
const maxDamage = 100

// Reader reads the records of a session one after the other, also while they are being written. One
// goroutine at a time may use it.
//
// The reader skips damage up to the next whole record and lists it in Damage.
type Reader struct {
	fs     disk.FS
	path   string
	dir    bool // path is a folder of segments
	id     ID
	meta   Meta
	unpin  func()
	opened bool // the first segment was looked for

	// The segment that is being read.
	seg    segmentFile
	f      disk.File
	buf    []byte // the part of it that is read
	at     int    // of the next record in buf
	off    int64  // offset of buf[0] in the file
	size   int64  // of the file, when that was looked at last
	ended  bool   // nothing more will be written to it
	split  splitter
	last   uint64 // newest segment that was opened, or is folded into the base that was read
	here   Pos    // of the newest record
	kind   Kind   // of that
	before int64  // bytes of the segments before
	length int64  // of the segment before, 0: unknown, or its end is damaged
	lacks  Hole   // with definitions that were deleted, and that nothing has given again yet
	gap    uint64 // segments that are missing before this one, and nothing has said yet that they were deleted

	records int64        // that session.json of an ended session tells of: its segments have to end with its end
	owed    bool         // that end
	over    bool         // nothing more will be written at all
	final   bool         // the segment is the last one
	report  func(Damage) // may be nil
	damage  []Damage
	damaged int     // also those that are not listed
	single  *Reader // of At
}

// Open opens a session: a folder, or a file. While a folder is open it is not deleted to make room.
func Open(path string) (*Reader, error) { return OpenOn(disk.System, path) }

// OpenOn is Open on another file system.
func OpenOn(fsys disk.FS, path string) (*Reader, error) { return openSince(fsys, path, time.Time{}) }

// openSince is OpenOn without the segments that were last written before a moment.
func openSince(fsys disk.FS, path string, since time.Time) (*Reader, error) {
	st, err := fsys.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{fs: fsys, path: path, dir: st.IsDir()}
	if r.dir && IsOn(fsys, path) { // other folders stay as they are
		r.unpin = PinOn(fsys, path)
		list, _ := listSegments(fsys, path)
		for _, s := range list {
			if s.written.Before(since) {
				r.last = max(r.last, s.number)
			}
		}
	}
	if err := r.begin(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// begin opens the first segment and reads the session's description.
func (r *Reader) begin() error {
	var s session
	described := r.dir && readJSON(r.fs, filepath.Join(r.path, sessionFile), &s) == nil && s.Format == 1
	switch ok, err := r.next(); {
	case err != nil:
		return err
	case !ok && described:
		return fmt.Errorf("%s: the session cannot be read: %w", r.path, errNoSegments)
	case !ok:
		return fmt.Errorf("%s: holds no session", r.path)
	}
	if described {
		r.meta, r.records, r.owed = s.Meta.clean(), s.Records, !s.Ended.IsZero()
		if id, err := hex.DecodeString(s.ID); err == nil && len(id) == len(r.id) {
			r.id = ID(id)
		}
	}
	// The first whole record says it, too: it must be looked at before Next is called.
	if err := r.fill(2 * (recordHead + 1<<10)); err != nil {
		return err
	}
	var first splitter
	if rec, _, _, ok := first.next(r.buf[r.at:], int64(len(r.buf)-r.at)); ok && rec.Kind == KindMeta {
		r.takeMeta(&rec)
	}
	if r.dir && r.meta.Source == "" {
		r.takeMetaOfSegments()
	}
	return nil
}

// takeMetaOfSegments takes the description from a later segment, for a session whose own cannot be read: the base has
// none.
func (r *Reader) takeMetaOfSegments() {
	list, _ := listSegments(r.fs, r.path)
	for _, s := range list {
		one, err := OpenOn(r.fs, filepath.Join(r.path, s.name))
		if err != nil {
			continue
		}
		r.meta = one.Meta()
		one.Close()
		if r.meta.Source != "" {
			return
		}
	}
}

func (r *Reader) takeMeta(rec *Record) {
	var m Meta
	if r.meta.Source == "" && rec.Decode(&m) == nil {
		r.meta = m.clean()
	}
}

// Meta returns the session's description.
func (r *Reader) Meta() Meta { return r.meta }

// Close closes the session's files.
func (r *Reader) Close() {
	r.closeSegment()
	if r.single != nil {
		r.single.closeSegment()
	}
	r.Unpin()
}

// Unpin lets unread segments leave when room is needed, for readers that follow a session for long;
// the definitions of segments that left are still read.
func (r *Reader) Unpin() {
	if r.unpin != nil {
		r.unpin()
		r.unpin = nil
	}
}

func (r *Reader) closeSegment() {
	if r.f != nil {
		r.f.Close()
		r.f = nil
	}
	r.buf, r.at, r.off, r.size, r.ended = r.buf[:0], 0, 0, 0, false
}

// Last returns the place of the record that Next returned last.
func (r *Reader) Last() Pos { return r.here }

// Damage returns the unreadable places so far, at most a hundred, and their total number. Bytes behind
// the last whole record count as damage only when Next has come there after Finish.
func (r *Reader) Damage() (list []Damage, n int) { return r.damage, r.damaged }

// Unread is an error about a copy of a journal: it is whole except for the unreadable places.
type Unread struct {
	First Damage
	More  int // places besides
}

// Error implements error.
func (u Unread) Error() string {
	return "not all of it can be read: " + u.First.Error() + MorePlaces(u.More)
}

// MorePlaces says how many more places are damaged, to follow the words on the first; empty: none.
func MorePlaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return "; one more place is damaged"
	}
	return fmt.Sprintf("; %d more places are damaged", n)
}

// Unread returns an error of the type Unread where anything could not be read so far.
func (r *Reader) Unread() error {
	if r.damaged == 0 {
		return nil
	}
	return Unread{r.damage[0], r.damaged - 1}
}

// Watch calls report with each damage before Next returns the record behind it. It reports the damages
// found so far at once.
func (r *Reader) Watch(report func(Damage)) {
	r.report = report
	for _, d := range r.damage {
		report(d)
	}
}

func (r *Reader) note(d Damage) {
	if r.report != nil {
		r.report(d)
	}
	if r.damaged++; len(r.damage) < maxDamage {
		r.damage = append(r.damage, d)
	}
}

// Next returns the next record. io.EOF means that there is none yet: when the session is still being
// written, a later call may find one. Other errors are those of the file system.
func (r *Reader) Next() (Record, error) {
	for {
		if r.f == nil {
			ok, err := r.next()
			if err != nil {
				return Record{}, err
			}
			if !ok {
				return Record{}, io.EOF
			}
		}
		rec, ok, err := r.record()
		if err != nil {
			return Record{}, err
		}
		if ok {
			if rec.Kind == KindMeta {
				r.takeMeta(&rec)
				continue
			}
			r.explain(&rec)
			switch r.kind = rec.Kind; r.kind {
			case KindHole:
				var h Hole
				if rec.Decode(&h) == nil && h.Deleted() {
					r.lacks = h
				}
			case KindDefinition:
				r.lacks = Hole{}
			}
			return rec, nil
		}
		// No more in this segment. It is over when there is a later one; first read the records added
		// before that one began.
		if !r.ended {
			more, err := r.newer()
			if err != nil {
				return Record{}, err
			}
			if !more && !r.over {
				r.wait()
				return Record{}, io.EOF
			}
			if _, err := r.left(); err != nil {
				return Record{}, err
			}
			r.ended, r.final = true, !more
			continue
		}
		r.explain(nil)
		if !r.final && r.off+int64(r.at) == 0 {
			r.note(Damage{File: r.file(), Reason: "it is empty", Records: -1})
		}
		r.length = 0
		if d, ok := r.split.damage(r.file(), r.off+int64(r.at), false); ok {
			d.Cut = d.Cut && r.final
			r.note(d)
		} else if r.final && r.owed && r.kind != KindEnd {
			r.note(Damage{File: r.file(), Offset: r.off + int64(r.at), Records: -1, Reason: fmt.Sprintf(
				"the rest is missing: %s says that the session ended, with %d records", sessionFile, r.records)})
		} else if r.seg.number > 0 {
			r.length = r.off + int64(r.at)
		} else if r.kind != KindEvicted { // which is the last one of a base
			r.note(Damage{File: r.file(), Offset: r.off + int64(r.at), Reason: "its end is missing", Records: -1})
		}
		if r.final {
			r.owed = false
			r.noteLacking()
			return Record{}, io.EOF
		}
		r.before += r.off + int64(r.at)
		r.closeSegment()
	}
}

// All goes through the records that are there now. An error of the file system ends it.
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// wait lets go of the first bytes of a record that is not whole yet: its writer may give it up, and write
// another in its place.
func (r *Reader) wait() {
	if !r.split.lost && r.split.bad == 0 {
		r.buf = r.buf[:r.at]
		r.size = r.off + int64(r.at)
	}
}

// At reads a record again, at a place that Next returned. It is valid until the next call of At.
func (r *Reader) At(pos Pos) (Record, error) {
	if r.single == nil {
		r.single = &Reader{fs: r.fs, path: r.path, dir: r.dir}
	}
	rec, err := r.single.readAt(pos)
	if err != nil {
		err = fmt.Errorf("%s: segment %d, offset %d: %w", r.path, pos.Segment, pos.Offset, err)
	}
	return rec, err
}

// readAt reads the record at a place.
func (r *Reader) readAt(pos Pos) (rec Record, err error) {
	if r.f == nil || r.seg.number != pos.Segment {
		r.closeSegment()
		r.seg = segmentFile{name: segmentName(pos.Segment), number: pos.Segment}
		if r.f, err = r.fs.OpenFile(r.file(), os.O_RDONLY, 0); err != nil {
			return rec, err
		}
	}
	if pos.Offset < r.off || pos.Offset > r.off+int64(len(r.buf)) {
		r.buf, r.off = r.buf[:0], pos.Offset
	}
	r.at = int(pos.Offset - r.off)
	for n := recordHead; ; {
		if err := r.fill(n); err != nil {
			return rec, err
		}
		if len(r.buf)-r.at < n {
			return rec, io.ErrUnexpectedEOF
		}
		if rec, n, err = parseRecord(r.buf[r.at:]); !errors.Is(err, errShort) {
			rec.Pos = pos
			return rec, err
		}
	}
}

// Finish declares that nothing more will be written: bytes behind the last whole record are damage. It
// may be called at any time.
func (r *Reader) Finish() { r.over = true }

// file returns the path of the segment.
func (r *Reader) file() string {
	if r.dir {
		return r.seg.path(r.path)
	}
	return r.path
}

// record reads the next record of the segment; ok is false when there is none that can be read,
// yet.
func (r *Reader) record() (rec Record, ok bool, err error) {
	for {
		left := int64(endless)
		if r.ended {
			if left, err = r.left(); err != nil {
				return rec, false, err
			}
		}
		rec, skip, n, ok := r.split.next(r.buf[r.at:], left)
		r.at += skip
		if ok {
			if d, lost := r.split.damage(r.file(), r.off+int64(r.at), true); lost {
				r.note(d)
			}
			rec.Pos = Pos{r.seg.number, r.off + int64(r.at)}
			r.here = rec.Pos
			r.at += n
			return rec, true, nil
		}
		if n == 0 {
			return rec, false, nil
		}
		// A length is valid only within the file.
		if left, err = r.left(); err != nil || int64(n) > left {
			if !r.ended {
				r.size = min(r.size, r.off+int64(len(r.buf))) // is looked at again the next time
			}
			return rec, false, err
		}
		if err := r.fill(n); err != nil {
			return rec, false, err
		}
		if len(r.buf)-r.at < n { // it was cut meanwhile
			r.size = r.off + int64(len(r.buf))
			if !r.ended {
				return rec, false, nil
			}
		}
	}
}

// left returns how many bytes of the segment there are from the next record on. How long the file
// is, is looked at when all that was there has been read, as long as it may grow.
func (r *Reader) left() (int64, error) {
	if !r.ended && r.off+int64(len(r.buf)) >= r.size {
		st, err := r.f.Stat()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.file(), err)
		}
		r.size = st.Size()
	}
	return r.size - r.off - int64(r.at), nil
}

// headBlock is how much of a session is read first, readBlock how much at once, at least.
const (
	headBlock = 4 << 10
	readBlock = 256 << 10
)

// fill reads on until n bytes are there from the next record on, or the file has no more. It trusts
// n only as far as bytes come.
func (r *Reader) fill(n int) error {
	if r.at > 0 && (r.at == len(r.buf) || r.at+n > cap(r.buf)) {
		r.off += int64(r.at)
		r.buf = r.buf[:copy(r.buf, r.buf[r.at:])]
		r.at = 0
	}
	for len(r.buf)-r.at < n {
		if len(r.buf) == cap(r.buf) {
			block := readBlock
			if cap(r.buf) == 0 { // perhaps only the head is wanted
				block = headBlock
			}
			r.buf = slices.Grow(r.buf, max(block, min(len(r.buf), n)))
		}
		free := r.buf[len(r.buf):cap(r.buf)]
		k, err := r.f.ReadAt(free, r.off+int64(len(r.buf)))
		r.buf = r.buf[:len(r.buf)+k]
		if err == io.EOF || k == 0 && err == nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: offset %d: %w", r.file(), r.off+int64(len(r.buf)), err)
		}
	}
	return nil
}

// newer reports whether there is a segment behind the one that is being read.
func (r *Reader) newer() (bool, error) {
	if !r.dir {
		return false, nil
	}
	list, err := listSegments(r.fs, r.path)
	if err != nil {
		return false, err
	}
	return len(list) > 0 && list[len(list)-1].number > r.last, nil
}

// next opens the segment after the last one; ok is false if there is none. For unread segments that
// left, the base has the definitions.
func (r *Reader) next() (ok bool, err error) {
	if !r.dir {
		if r.opened {
			return false, nil
		}
		r.opened = true
		return r.openSegment(segmentFile{name: filepath.Base(r.path), number: 1})
	}
	for range 100 { // segments may leave while they are being looked for
		list, err := listSegments(r.fs, r.path)
		if err != nil {
			return false, err
		}
		for _, s := range list {
			if s.number == 0 {
				folded := r.folded(s)
				if folded <= r.last {
					continue
				}
			} else if s.number <= r.last {
				continue
			}
			ok, err := r.openSegment(s)
			if ok || err != nil {
				return ok, err
			}
			break // it has left
		}
		if len(list) == 0 || list[len(list)-1].number <= r.last {
			return false, nil
		}
	}
	return false, fmt.Errorf("%s: segments are deleted faster than they can be read", r.path)
}

// folded returns the number of the newest segment in a base, 0 if the base is unreadable.
func (r *Reader) folded(s segmentFile) uint64 {
	head, err := readHead(r.fs, s.path(r.path))
	if err != nil {
		return 0
	}
	_, _, folded, err := parseHead(head)
	if err != nil {
		return 0
	}
	return folded
}

// openSegment opens a segment and reads its head; ok is false when it is gone.
func (r *Reader) openSegment(s segmentFile) (ok bool, err error) {
	r.closeSegment()
	r.seg = s
	f, err := r.fs.OpenFile(r.file(), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) && r.dir {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r.f = f
	return r.openHead()
}

// openHead reads the head of the segment that was opened.
func (r *Reader) openHead() (ok bool, err error) {
	before, s := r.last, r.seg
	if err := r.fill(segmentHead); err != nil {
		return false, err
	}
	r.last = max(r.last, s.number)
	id, number, length, err := parseHead(r.buf)
	switch {
	case err != nil && !r.dir && !Sniff(r.buf):
		return false, fmt.Errorf("%s: %w", r.path, err)
	case err != nil && len(r.buf) < segmentHead: // the crash came right at its beginning
		if len(r.buf) > 0 {
			r.note(Damage{File: r.file(), Bytes: int64(len(r.buf)), Reason: err.Error(), Records: -1})
		}
		r.at = len(r.buf)
		return true, nil
	case err != nil: // records have checksums of their own
		r.note(Damage{File: r.file(), Bytes: int64(segmentHead), Reason: err.Error()})
	case r.id != (ID{}) && id != r.id:
		r.note(Damage{File: r.file(), Bytes: s.size, Reason: "is of another session", Records: -1})
		r.off, r.buf = s.size, r.buf[:0]
		return true, nil
	case s.number == 0:
		r.id, r.last = id, max(r.last, length)
	default:
		r.id = id
		if r.dir && number != s.number {
			r.note(Damage{File: r.file(), Reason: fmt.Sprintf("was the segment %d of its session", number)})
		}
	}
	if s.number > before+1 {
		r.gap = s.number - before - 1
	} else if missing := int64(length) - r.length; s.number > 0 && r.length > 0 && missing > 0 {
		r.note(Damage{
			File: segmentFile{name: segmentName(before)}.path(r.path), Offset: r.length, Records: -1,
			Reason: fmt.Sprintf("%d bytes at its end are missing", missing),
		})
	}
	r.at = segmentHead
	return true, nil
}

// explain checks whether a segment's first record, definitions aside, explains the missing records
// before it, which were deleted during the recording. nil: it has no more records.
func (r *Reader) explain(rec *Record) {
	if r.gap == 0 || rec != nil && rec.Kind == KindDefinition {
		return
	}
	missing := r.gap
	r.gap = 0
	var h Hole
	switch {
	case rec != nil && rec.Kind == KindHole && rec.Decode(&h) == nil && h.Deleted():
	case missing == 1:
		r.note(Damage{File: r.file(), Reason: "the segment before it is missing", Records: -1})
	default:
		r.note(Damage{File: r.file(), Reason: fmt.Sprintf("%d segments before it are missing", missing), Records: -1})
	}
}

// noteLacking notes definitions that were deleted while the session was recorded, and that its source did not
// give again.
func (r *Reader) noteLacking() {
	if r.lacks.Definitions > 0 {
		r.note(Damage{
			File: r.file(), Offset: r.off + int64(r.at),
			Reason: fmt.Sprintf("definitions are missing, such as names: %d %s", r.lacks.Definitions, r.lacks.Reason),
		})
		r.lacks = Hole{}
	}
}

// errNoSegments is the error of a session without segments.
var errNoSegments = errors.New("segments: missing")
