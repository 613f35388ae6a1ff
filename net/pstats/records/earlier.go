package records

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// Journals of earlier versions: a folder for each session, whose name is a time and the process that
// wrote it, with segments "segment-00000001.psjrnl". A segment is a magic number and records "u32
// length, u32 CRC-32C, payload"; the payloads are messages of the protocol, version 3.2, and every
// segment begins with all definitions known by then.
const (
	earlierMagic   = "psjrnl1\n"
	earlierPattern = "segment-*.psjrnl"
	earlierTime    = "20060102-150405.000000000"
	importedExt    = ".imported"
)

var earlierTable = crc32.MakeTable(crc32.Castagnoli)

// Earlier returns the folders of journals of earlier versions in the folder of all of them,
// the oldest first. Those of programs that still run are left out.
func Earlier(parent string) []string {
	entries, _ := os.ReadDir(parent)
	var dirs []string
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		_, pid, ok := earlierName(dir)
		if !e.IsDir() || !ok || processRuns(pid) {
			continue
		}
		if segments, _ := filepath.Glob(filepath.Join(dir, earlierPattern)); len(segments) > 0 {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// earlierName reads the name of an earlier journal's folder.
func earlierName(dir string) (start time.Time, pid int, ok bool) {
	name := filepath.Base(dir)
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return start, 0, false
	}
	start, err := time.Parse(earlierTime, name[:at])
	if err != nil {
		return start, 0, false
	}
	pid, err = strconv.Atoi(name[at+1:])
	return start, pid, err == nil && pid > 0
}

// processRuns tells whether there is a process of that number. It may be another one.
func processRuns(pid int) bool {
	if pid == os.Getpid() {
		return true
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	// Windows knows no such signal: there a process that was found is one that runs.
	return err == nil || !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// ImportEarlier makes a session of an earlier version's journal, with its time, and returns the
// folder; it is empty if there was not one frame. The journal is deleted when the session is
// complete on disk. A journal that is damaged elsewhere than at its end stays, under another name,
// beside what could be read of it.
func ImportEarlier(ctx context.Context, root *journal.Root, dir string) (path string, err error) {
	start, pid, ok := earlierName(dir)
	segments, err := filepath.Glob(filepath.Join(dir, earlierPattern))
	if err != nil || len(segments) == 0 || !ok {
		return "", fmt.Errorf("%s: no journal of an earlier version", dir)
	}
	slices.Sort(segments)
	origin := filepath.Base(dir)
	for _, s := range root.List() {
		if s.Imported != origin || s.Running {
			continue
		}
		if !s.Ended.IsZero() { // only the deletion is missing
			return s.Path, removeEarlier(dir, segments)
		}
		if err := root.Delete(s.Path); err != nil {
			return "", err
		}
	}
	im := &importer{ctx: ctx, root: root}
	im.meta = journal.Meta{Source: Source, PID: int64(pid), Start: start, Imported: origin}
	im.make = func() *journal.Writer {
		return root.Create(im.meta, journal.Options{
			Now: func() time.Time { return start.Add(time.Duration(im.atNs.Load())) },
		})
	}
	defer im.release()
	var damage []error
	for i, file := range segments {
		err := im.segment(file)
		if err == nil {
			continue
		}
		if ctx.Err() != nil || im.failed != nil {
			im.discard()
			return "", errors.Join(ctx.Err(), im.failed)
		}
		if im.enc != nil {
			im.enc.Lost(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: err.Error()})
		}
		if i < len(segments)-1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			damage = append(damage, err)
		}
	}
	if path, err = im.finish(root); err != nil {
		return "", err
	}
	if len(damage) > 0 {
		return path, os.Rename(dir, dir+importedExt)
	}
	return path, removeEarlier(dir, segments)
}

// removeEarlier deletes a journal, and nothing else that is in its folder.
func removeEarlier(dir string, segments []string) error {
	var errs []error
	for _, file := range segments {
		errs = append(errs, os.Remove(file))
	}
	os.Remove(dir) // if it is empty
	return errors.Join(errs...)
}

// importer writes what is in an earlier journal to a new one. The clock of frames is that of their
// times, since an earlier journal has no other.
type importer struct {
	ctx    context.Context
	meta   journal.Meta
	make   func() *journal.Writer
	root   *journal.Root
	atNs   atomic.Int64 // since the start
	unpin  func()
	w      *journal.Writer
	enc    *Encoder
	waits  []func(*Encoder) // definitions before the first frame
	frame  wire.Frame
	zeroNs int64
	frames int64
	queued int
	failed error // of the new journal
}

// importFlush is how much is handed to the new journal before it is waited for, in bytes.
const importFlush = 1 << 20

// maxEarlierJump is how far the time of a frame may be after the latest one, to be believed, in ns.
const maxEarlierJump = int64(24 * time.Hour)

// segment reads a segment as far as it is whole. A cut at its end is io.ErrUnexpectedEOF.
func (im *importer) segment(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	br := bufio.NewReaderSize(f, 1<<20)
	magic := make([]byte, len(earlierMagic))
	if _, err := io.ReadFull(br, magic); err != nil || string(magic) != earlierMagic {
		return fmt.Errorf("%s: not a segment of a journal", path)
	}
	off := int64(len(magic))
	var payload []byte
	for {
		var head [8]byte
		if _, err := io.ReadFull(br, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: offset %d: in the head of a record: %w", path, off, err)
		}
		size := binary.LittleEndian.Uint32(head[:])
		if size > wire.DefaultMaxMessage {
			return fmt.Errorf("%s: offset %d: a record of %d bytes cannot be", path, off, size)
		}
		if payload, err = readGrowing(br, payload[:0], int(size)); err != nil {
			return fmt.Errorf("%s: offset %d: in a record: %w", path, off, io.ErrUnexpectedEOF)
		}
		if crc32.Checksum(payload, earlierTable) != binary.LittleEndian.Uint32(head[4:]) {
			return fmt.Errorf("%s: offset %d: a record is damaged", path, off)
		}
		if err := im.record(payload); err != nil {
			return fmt.Errorf("%s: offset %d: %w", path, off, err)
		}
		off += 8 + int64(size)
	}
}

// readGrowing appends n bytes to buf, without trusting n for more than what comes.
func readGrowing(r io.Reader, buf []byte, n int) ([]byte, error) {
	for len(buf) < n {
		k := min(n-len(buf), 1<<20)
		at := len(buf)
		buf = slices.Grow(buf, k)[:at+k]
		if _, err := io.ReadFull(r, buf[at:]); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// record takes one record.
func (im *importer) record(payload []byte) error {
	if len(payload) == 0 {
		return nil
	}
	switch payload[0] {
	case wire.TypeHello:
		h, err := wire.DecodeClientHello(payload)
		if err != nil {
			return err
		}
		if im.enc == nil {
			im.meta.Program, im.meta.Host = h.Program, h.Host
		}
		im.define(func(e *Encoder) { e.Hello(h) })
	case wire.TypeCollectors:
		var defs []wire.CollectorDef
		if err := wire.DecodeCollectors(payload, func(d wire.CollectorDef) { defs = append(defs, d) }); err != nil {
			return err
		}
		im.define(func(e *Encoder) { e.Collectors(defs) })
	case wire.TypeThreads:
		first, names, err := wire.DecodeThreads(payload)
		if err != nil {
			return err
		}
		im.define(func(e *Encoder) { e.Threads(int(first), names) })
	case wire.TypeFrame:
		if err := wire.DecodeFrame(payload, sessionfile.FrameVersion, &im.frame); err != nil {
			return err
		}
		im.takeFrame(len(payload))
	}
	im.queued += len(payload)
	if im.queued < importFlush || im.w == nil {
		return nil
	}
	im.queued = 0
	if err := im.ctx.Err(); err != nil {
		return err
	}
	if im.failed = im.w.Flush(); im.failed != nil { // a full disk: the next start tries again
		return im.failed
	}
	if im.unpin == nil { // no part of it leaves before it is whole
		im.unpin = im.root.Pin(im.w.Path())
	}
	return nil
}

func (im *importer) define(fn func(*Encoder)) {
	if im.enc == nil {
		im.waits = append(im.waits, fn)
		return
	}
	fn(im.enc)
}

func (im *importer) takeFrame(bytes int) {
	ns, timed := pstats.FirstTime(im.frame.Events)
	if im.enc == nil {
		im.w = im.make()
		im.enc = NewEncoder(im.w)
		for _, fn := range im.waits {
			fn(im.enc)
		}
		im.waits = nil
		im.zeroNs = ns
	}
	if at, now := ns-im.zeroNs, im.atNs.Load(); timed && at > now && at-now < maxEarlierJump {
		im.atNs.Store(at)
	}
	im.frames++
	im.enc.Frame(&im.frame, bytes)
}

func (im *importer) release() {
	if im.unpin != nil {
		im.unpin()
		im.unpin = nil
	}
}

func (im *importer) discard() {
	im.release()
	if im.w != nil {
		im.w.Discard()
	}
}

// finish makes sure that the new journal is complete and on disk.
func (im *importer) finish(root *journal.Root) (path string, err error) {
	if im.w == nil {
		return "", nil
	}
	im.enc.Close("the viewer was interrupted")
	<-im.w.Done()
	s := im.w.Stats()
	switch {
	case s.Trouble != nil:
		err = s.Trouble
	case s.Records != im.frames || s.Refused > 0 || s.Evicted.Records > 0:
		err = fmt.Errorf("%d of %d frames were written", s.Records, im.frames)
	default:
		err = root.Sync(s.Path)
	}
	if err != nil {
		im.discard()
		return "", fmt.Errorf("a journal of an earlier version stays as it is: %w", err)
	}
	return s.Path, nil
}
