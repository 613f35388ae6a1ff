package pstats

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"framescope/model"
	"framescope/net/pstats/wire"
)

// Limits of a journal, unless its options say otherwise.
const (
	DefaultJournalLimit       = 4 << 30   // bytes on disk
	DefaultMemoryJournalLimit = 256 << 20 // bytes in memory
	journalSegments           = 64        // a journal consists of about so many segments; the oldest leaves as a whole
	minJournalSegment         = 1 << 20
	journalFlushAfter         = 250 * time.Millisecond
)

// JournalOptions says where a journal is kept and how much of it.
type JournalOptions struct {
	// Dir is the folder for the journal's files; it is created, and must not hold another journal. Empty keeps the journal in memory.
	Dir string
	// Limit bounds the bytes of the journal; the oldest frames leave first. 0 means DefaultJournalLimit or DefaultMemoryJournalLimit.
	Limit int64
}

// JournalStats are the counters of a journal.
type JournalStats struct {
	Frames, Bytes int64 // that it holds
	Evicted       int64 // frames that left because of the limit
	Refused       int64 // frames that came after an error
	Err           error // why nothing more is kept, nil while all is well
}

// A Journal keeps every raw frame of a live session without holding it in memory, so that a session file can be written at any time. It is a Handler; its other methods
// may be called from any goroutine at the same time.
//
// On disk it is a folder of segments, each a run of records "u32 length, u32 CRC-32C, payload", where the payloads are the messages of the protocol (version 3.2) as a client would
// send them. Every segment begins with all definitions known by then, so that the oldest may be deleted at any time. What was flushed (every 250 ms) outlives a crash:
// see RecoverJournal. In memory there are 12 bytes for each frame.
type Journal struct {
	mu       sync.Mutex
	defs     definitions
	dir      string
	limit    int64
	segSize  int64
	segments []*segment
	nextID   int
	out      *bufio.Writer // to the last segment
	flushing bool          // a flush is due
	buf      []byte
	placed   wire.Frame // scratch of Frame
	head     [8]byte    // scratch of record
	pins     int        // session files that are being written; segments stay
	stats    JournalStats
	closed   bool
}

var _ Handler = (*Journal)(nil)

// frameRef is the place of a frame in a segment.
type frameRef struct {
	number int32
	off    uint32 // of the payload
	size   uint32 // of the payload
}

// segment is a part of a journal.
type segment struct {
	data   segmentData
	size   int64
	frames map[uint16][]frameRef // by thread, in order of arrival
	n      int64
}

var (
	journalMagic = []byte("psjrnl1\n")
	castagnoli   = crc32.MakeTable(crc32.Castagnoli)
)

// NewJournal starts an empty journal.
func NewJournal(o JournalOptions) (*Journal, error) {
	j := &Journal{defs: newDefinitions(), dir: o.Dir, limit: o.Limit}
	if j.limit <= 0 {
		j.limit = DefaultMemoryJournalLimit
		if j.dir != "" {
			j.limit = DefaultJournalLimit
		}
	}
	j.segSize = max(minJournalSegment, j.limit/journalSegments)
	if j.dir != "" {
		if err := os.MkdirAll(j.dir, 0o755); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
		if old, _ := filepath.Glob(filepath.Join(j.dir, segmentPattern)); len(old) > 0 {
			return nil, fmt.Errorf("journal: %s holds another journal; recover or remove it first", j.dir)
		}
	}
	if err := j.newSegment(); err != nil {
		return nil, err
	}
	return j, nil
}

// Hello implements Handler.
func (j *Journal) Hello(h wire.ClientHello) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.defs.hello, j.defs.known = h, true
	j.buf = wire.AppendClientHello(j.buf[:0], h)
	j.record(j.buf)
}

// Collectors implements Handler.
func (j *Journal) Collectors(defs []wire.CollectorDef) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.defs.define(defs)
	j.recordCollectors(defs)
}

// Threads implements Handler.
func (j *Journal) Threads(first int, names []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.defs.name(first, names, j.recordThread)
}

// Expire implements Handler. Session files do not know of it, but the next thread of that index is another one.
func (j *Journal) Expire(thread int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.defs.places.expire(thread)
}

// Frame implements Handler.
func (j *Journal) Frame(f *wire.Frame, _ int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stats.Err != nil || j.closed {
		j.stats.Refused++
		return
	}
	index, renamed := j.defs.place(f)
	if renamed {
		j.recordThread(int(index), j.defs.threads[int(index)])
	}
	if seg := j.last(); seg.size >= j.segSize {
		if err := j.newSegment(); err != nil {
			j.stop(err)
			return
		}
	}
	j.placed = *f
	j.placed.Thread = index
	j.buf = wire.AppendFrame(j.buf[:0], fileVersion, &j.placed)
	j.placed = wire.Frame{} // its slices are the caller's
	off, ok := j.record(j.buf)
	if !ok {
		return
	}
	seg := j.last()
	seg.frames[index] = append(seg.frames[index], frameRef{int32(f.Number), uint32(off), uint32(len(j.buf))})
	seg.n++
	j.stats.Frames++
	j.evict()
}

// Lost implements Handler.
func (j *Journal) Lost(model.Loss) {}

// Close implements Handler. What was kept stays readable until Remove.
func (j *Journal) Close(string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	j.flush()
}

// Stats returns the counters of now.
func (j *Journal) Stats() JournalStats {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stats
}

// Flush hands everything to the operating system.
func (j *Journal) Flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.flush()
	return j.stats.Err
}

// Remove closes the journal and deletes its files.
func (j *Journal) Remove() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	var errs []error
	for _, seg := range j.segments {
		errs = append(errs, seg.data.remove())
	}
	j.segments, j.out = nil, nil
	if j.dir != "" {
		os.Remove(j.dir) // only if nothing else is in it
	}
	return errors.Join(errs...)
}

func (j *Journal) last() *segment { return j.segments[len(j.segments)-1] }

func (j *Journal) stop(err error) {
	if j.stats.Err == nil {
		j.stats.Err = err
	}
}

func (j *Journal) flush() {
	j.flushing = false
	if j.out == nil {
		return
	}
	if err := j.out.Flush(); err != nil {
		j.stop(fmt.Errorf("journal: %w", err))
	}
}

// newSegment starts a segment with all definitions.
func (j *Journal) newSegment() error {
	if j.out != nil {
		j.flush()
	}
	j.nextID++
	data, err := newSegmentData(j.dir, j.nextID)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.segments = append(j.segments, &segment{data: data, frames: map[uint16][]frameRef{}})
	j.out = bufio.NewWriterSize(data, 1<<17)
	j.out.Write(journalMagic)
	j.last().size = int64(len(journalMagic))
	j.stats.Bytes += j.last().size
	if j.defs.known {
		j.record(wire.AppendClientHello(nil, j.defs.hello))
	}
	j.recordCollectors(j.defs.collectorList())
	for thread, name := range j.defs.threads {
		j.recordThread(thread, name)
	}
	return nil
}

func (j *Journal) recordThread(index int, name string) {
	j.record(wire.AppendThreads(nil, index, []string{name}))
}

// recordCollectors writes definitions in messages of the size that clients use.
func (j *Journal) recordCollectors(defs []wire.CollectorDef) {
	for run := range slices.Chunk(defs, 500) {
		j.record(wire.AppendCollectors(nil, run))
	}
}

// record appends a message to the last segment and returns the offset of its payload.
func (j *Journal) record(payload []byte) (off int64, ok bool) {
	if j.stats.Err != nil || j.out == nil || j.closed {
		return 0, false
	}
	binary.LittleEndian.PutUint32(j.head[:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(j.head[4:], crc32.Checksum(payload, castagnoli))
	seg := j.last()
	j.out.Write(j.head[:])
	if _, err := j.out.Write(payload); err != nil {
		j.stop(fmt.Errorf("journal: %w", err))
		return 0, false
	}
	off = seg.size + 8
	seg.size = off + int64(len(payload))
	j.stats.Bytes += 8 + int64(len(payload))
	if !j.flushing && j.dir != "" {
		j.flushing = true
		time.AfterFunc(journalFlushAfter, func() {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.flush()
		})
	}
	return off, true
}

// evict deletes the oldest segments beyond the limit.
func (j *Journal) evict() {
	for j.stats.Bytes > j.limit && len(j.segments) > 1 && j.pins == 0 {
		old := j.segments[0]
		j.segments = slices.Delete(j.segments, 0, 1)
		j.stats.Bytes -= old.size
		j.stats.Frames -= old.n
		j.stats.Evicted += old.n
		if err := old.data.remove(); err != nil {
			j.stop(fmt.Errorf("journal: %w", err))
		}
	}
}

// WriteSession writes all that the journal holds as a session file, while the session may go on. A frame number that came twice is written once, as it came last.
func (j *Journal) WriteSession(w io.Writer) error {
	snap, err := j.snapshot()
	if err != nil {
		return err
	}
	defer j.unpin()
	return writeSession(w, &snap.definitions, nil, snap)
}

// SaveSession writes a session file. An existing file is replaced only when all is written.
func (j *Journal) SaveSession(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	err = j.WriteSession(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		os.Chmod(f.Name(), 0o644)
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (j *Journal) unpin() {
	j.mu.Lock()
	j.pins--
	j.evict()
	j.mu.Unlock()
}
