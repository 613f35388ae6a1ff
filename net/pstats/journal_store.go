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

	"framescope/net/pstats/wire"
)

const segmentPattern = "segment-*.psjrnl"

// segmentData is where the bytes of a segment are.
type segmentData interface {
	io.Writer
	io.ReaderAt
	// view returns what there is now, for a reader while more is written.
	view() io.ReaderAt
	remove() error
}

func newSegmentData(dir string, id int) (segmentData, error) {
	if dir == "" {
		return &memorySegment{}, nil
	}
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("segment-%08d.psjrnl", id)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return &fileSegment{f}, nil
}

type fileSegment struct{ *os.File }

func (s *fileSegment) view() io.ReaderAt { return s.File }

func (s *fileSegment) remove() error {
	s.Close() // before the deletion, or Windows refuses it
	return os.Remove(s.Name())
}

// memorySegment keeps its bytes in blocks, so that growing copies nothing and readers are not disturbed by it.
type memorySegment struct {
	blocks [][]byte
	size   int64
}

const memoryBlock = 1 << 18

func (s *memorySegment) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		used := int(s.size % memoryBlock)
		if used == 0 {
			s.blocks = append(s.blocks, make([]byte, memoryBlock))
		}
		n := copy(s.blocks[len(s.blocks)-1][used:], rest)
		s.size += int64(n)
		rest = rest[n:]
	}
	return len(p), nil
}

func (s *memorySegment) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off < s.size {
		block := s.blocks[off/memoryBlock]
		at := off % memoryBlock
		k := copy(p[n:], block[at:min(memoryBlock, at+s.size-off)])
		n += k
		off += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *memorySegment) view() io.ReaderAt { return &memorySegment{s.blocks, s.size} }

func (s *memorySegment) remove() error { return nil }

// RecoverJournal opens the journal that a program left in a folder, for instance when it crashed: up to the last record that is whole. Nothing can be added to it, but
// WriteSession, SaveSession and Remove work. A folder without a journal is an error.
func RecoverJournal(dir string) (*Journal, error) {
	paths, err := filepath.Glob(filepath.Join(dir, segmentPattern))
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("journal: there is none in %s", dir)
	}
	slices.Sort(paths)
	j := &Journal{defs: newDefinitions(), dir: dir, limit: DefaultJournalLimit, closed: true}
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_RDONLY, 0)
		if err != nil {
			j.closeFiles()
			return nil, fmt.Errorf("journal: %w", err)
		}
		seg := &segment{data: &fileSegment{f}, frames: map[uint16][]frameRef{}}
		j.segments = append(j.segments, seg)
		if err := j.scan(seg, f); err != nil {
			j.stop(fmt.Errorf("journal: %s: %w; what came before was recovered", path, err))
		}
		j.stats.Bytes += seg.size
		j.stats.Frames += seg.n
	}
	return j, nil
}

func (j *Journal) closeFiles() {
	for _, seg := range j.segments {
		seg.data.(*fileSegment).Close()
	}
}

// scan reads a segment's records, their definitions and the places of its frames. A record that is cut off or damaged ends it.
func (j *Journal) scan(seg *segment, r io.Reader) error {
	br := bufio.NewReaderSize(r, 1<<20)
	magic := make([]byte, len(journalMagic))
	if _, err := io.ReadFull(br, magic); err != nil || string(magic) != string(journalMagic) {
		return errors.New("not a segment of a journal")
	}
	seg.size = int64(len(magic))
	var payload []byte
	var f wire.Frame
	for {
		var head [8]byte
		if _, err := io.ReadFull(br, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("offset %d: cut off in the head of a record", seg.size)
		}
		size := binary.LittleEndian.Uint32(head[:])
		if size > wire.DefaultMaxMessage {
			return fmt.Errorf("offset %d: a record of %d bytes cannot be", seg.size, size)
		}
		var err error
		if payload, err = readGrowing(br, payload[:0], int(size)); err != nil {
			return fmt.Errorf("offset %d: cut off in a record", seg.size)
		}
		if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
			return fmt.Errorf("offset %d: a record is damaged", seg.size)
		}
		if err := j.replay(seg, payload, &f); err != nil {
			return fmt.Errorf("offset %d: %w", seg.size, err)
		}
		seg.size += 8 + int64(size)
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

// replay takes one record of a segment.
func (j *Journal) replay(seg *segment, payload []byte, f *wire.Frame) error {
	if len(payload) == 0 {
		return nil
	}
	switch payload[0] {
	case wire.TypeHello:
		h, err := wire.DecodeClientHello(payload)
		if err != nil {
			return err
		}
		j.defs.hello, j.defs.known = h, true
	case wire.TypeCollectors:
		var defs []wire.CollectorDef
		if err := wire.DecodeCollectors(payload, func(d wire.CollectorDef) { defs = append(defs, d) }); err != nil {
			return err
		}
		j.defs.define(defs)
	case wire.TypeThreads:
		first, names, err := wire.DecodeThreads(payload)
		if err != nil {
			return err
		}
		for i, name := range names {
			j.defs.threads[int(first)+i] = name
		}
	case wire.TypeFrame:
		if err := wire.DecodeFrame(payload, fileVersion, f); err != nil {
			return err
		}
		j.defs.note(int(f.Thread), f)
		seg.frames[f.Thread] = append(seg.frames[f.Thread], frameRef{int32(f.Number), uint32(seg.size + 8), uint32(len(payload))})
		seg.n++
	}
	return nil
}
