package pstats

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"framescope/net/pstats/wire"
)

// journalSnapshot is what a journal held at one moment, ready to be written: its segments stay until unpin.
type journalSnapshot struct {
	definitions
	segments []io.ReaderAt
	refs     map[int][]placedRef // by thread, ascending by number, one for each
	bytes    map[int]int64
}

type placedRef struct {
	frameRef
	segment uint32
}

var _ Frames = (*journalSnapshot)(nil)

// snapshot flushes and pins the journal.
func (j *Journal) snapshot() (*journalSnapshot, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.segments) == 0 {
		return nil, errors.New("journal: it was removed")
	}
	j.flush()
	s := &journalSnapshot{definitions: j.defs.clone(), refs: map[int][]placedRef{}, bytes: map[int]int64{}}
	for i, seg := range j.segments {
		s.segments = append(s.segments, seg.data.view())
		for thread, refs := range seg.frames {
			all := slices.Grow(s.refs[int(thread)], len(refs))
			for _, r := range refs {
				all = append(all, placedRef{r, uint32(i)})
			}
			s.refs[int(thread)] = all
		}
	}
	for thread, refs := range s.refs {
		slices.SortStableFunc(refs, func(a, b placedRef) int { return cmp.Compare(a.number, b.number) })
		kept := refs[:0]
		for i, r := range refs {
			if r.number != -1 && (i+1 == len(refs) || refs[i+1].number != r.number) { // the last of equal ones; -1 cannot be stored
				kept = append(kept, r)
				s.bytes[thread] += int64(r.size) - 3 // without type and thread
			}
		}
		s.refs[thread] = kept
	}
	j.pins++
	return s, nil
}

// clone returns a copy that does not change with d.
func (d *definitions) clone() definitions {
	c := definitions{hello: d.hello, known: d.known, collectors: maps.Clone(d.collectors), threads: maps.Clone(d.threads), levels: make(map[int][]uint32, len(d.levels))}
	for i, words := range d.levels {
		c.levels[i] = slices.Clone(words)
	}
	return c
}

// FrameBytes implements Frames.
func (s *journalSnapshot) FrameBytes(thread int) int64 { return s.bytes[thread] }

// EachFrame implements Frames. Frames of a thread lie close to each other, so that a block of the segment is read at a time.
func (s *journalSnapshot) EachFrame(thread int, fn func(*wire.Frame) error) error {
	const block = 1 << 16
	var (
		buf      []byte
		from, to int64 // what buf holds
		segment  = -1
		f        wire.Frame
	)
	for _, r := range s.refs[thread] {
		off, end := int64(r.off), int64(r.off)+int64(r.size)
		if int(r.segment) != segment || off < from || end > to {
			size := max(block, int(r.size))
			buf = slices.Grow(buf[:0], size)[:size]
			n, err := s.segments[r.segment].ReadAt(buf, off)
			if int64(n) < int64(r.size) {
				if err == nil || err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				return fmt.Errorf("journal: frame %d: %w", r.number, err)
			}
			segment, from, to = int(r.segment), off, off+int64(n)
		}
		if err := wire.DecodeFrame(buf[off-from:end-from], fileVersion, &f); err != nil {
			return fmt.Errorf("journal: frame %d: %w", r.number, err)
		}
		if err := fn(&f); err != nil {
			return err
		}
	}
	return nil
}
