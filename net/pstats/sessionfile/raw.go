package sessionfile

import (
	"io"
	"maps"
	"slices"

	"framescope/net/pstats"
)

// Raw keeps everything that a client sent, in memory and unchanged. It is a Handler; with it a
// recording can be computed with as the official viewer does (see View), or written as a session
// file.
type Raw struct {
	Definitions
	frames map[int]map[int32]*pstats.Frame // by thread and number
	sorted map[int][]int32                 // numbers in order; nil when not known
}

// NewRaw returns an empty session.
func NewRaw() *Raw {
	return &Raw{Definitions: NewDefinitions(), frames: map[int]map[int32]*pstats.Frame{}, sorted: map[int][]int32{}}
}

// Frame implements Handler: a repeated number replaces. The thread of a kept frame is its index in
// a session file, which differs from that on the wire if the client used that index before for
// another thread.
func (s *Raw) Frame(f *pstats.Frame, _ int) {
	index := s.Place(f)
	thread := int(index)
	byNumber := s.frames[thread]
	if byNumber == nil {
		byNumber = map[int32]*pstats.Frame{}
		s.frames[thread] = byNumber
	}
	if n := s.sorted[thread]; n != nil && n[len(n)-1] < int32(f.Number) {
		s.sorted[thread] = append(n, int32(f.Number))
	} else {
		s.sorted[thread] = nil
	}
	byNumber[int32(f.Number)] = &pstats.Frame{
		Thread: index, Number: f.Number, Events: slices.Clone(f.Events), Levels: slices.Clone(f.Levels),
	}
}

// Numbers returns the numbers of a thread's frames, ascending as signed integers. The slice is the
// session's own.
func (s *Raw) Numbers(thread int) []int32 {
	if s.sorted[thread] == nil && len(s.frames[thread]) > 0 {
		s.sorted[thread] = slices.Sorted(maps.Keys(s.frames[thread]))
	}
	return s.sorted[thread]
}

// FrameOf returns a frame, nil when it was not received.
func (s *Raw) FrameOf(thread int, number int32) *pstats.Frame { return s.frames[thread][number] }

// FrameBytes implements Frames.
func (s *Raw) FrameBytes(thread int) (n int64) {
	for number, f := range s.frames[thread] {
		if number != -1 {
			n += FrameSize(f)
		}
	}
	return n
}

// EachFrame implements Frames.
func (s *Raw) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	for _, n := range s.Numbers(thread) {
		if err := fn(s.frames[thread][n]); err != nil {
			return err
		}
	}
	return nil
}

// WriteSession writes the stored session as a session file.
func (s *Raw) WriteSession(w io.Writer) error { return WriteLive(w, &s.Definitions, s) }
