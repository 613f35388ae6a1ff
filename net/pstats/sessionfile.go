package pstats

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/pstats/wire"
)

// fileMagic begins every session file (PROTOCOL.md section 12.1).
var fileMagic = [8]byte{'p', 's', 't', 'a', 't', 0, '\n', '\r'}

// Sniff tells whether head, the beginning of a file with compression undone, is that of a PStats session.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, fileMagic[:]) }

// FileInfo is what a session file holds besides the definitions and frames that go to a Handler (PROTOCOL.md section 12.2), so that it can be written again.
type FileInfo struct {
	Major, Minor uint16
	ClientKnown  bool
	Host         string
	Program      string
	PID          int32 // -1 unknown
	// NarrowCounts tells that the file was of the variant with 16-bit counts, WideColors that its colours were 64-bit (section 12.5). Both are written as the current variant.
	NarrowCounts, WideColors bool

	// LevelThreads tells for a collector which threads have level data of it: bit b of word w is thread 32·w + b.
	LevelThreads map[int][]uint32

	Colors      []FileColor
	Timelines   []FileTimeline
	StripCharts []FileStripChart
	FlameGraphs []FileFlameGraph
	PianoRolls  []FilePianoRoll

	Frames int64 // frames that were read
}

// FileColor is the colour that the viewer used for a collector, linear.
type FileColor struct {
	Collector int32
	R, G, B   float32
}

// FileWindow is the place of a graph's window in screen pixels.
type FileWindow struct {
	Present              bool // nothing else is stored if not
	X, Y, W, H           int32
	Maximized, Minimized bool
}

// FileTimeline is an open timeline. Scale is in seconds per pixel, the others are in seconds.
type FileTimeline struct {
	Scale, Start, LowestStart, HighestEnd float64
	Window                                FileWindow
}

// FileStripChart is an open strip chart. Width and Start are in seconds, Height in seconds or the level's unit.
type FileStripChart struct {
	Thread, Collector       int16
	Level, Scroll, Average  bool
	Width, Start, FullScale float64
	Window                  FileWindow
}

// FileFlameGraph is an open flame graph; collector -1 is the whole thread. Width is in seconds.
type FileFlameGraph struct {
	Thread, Collector, Original int16
	Width                       float64
	Average                     bool
	Window                      FileWindow
}

// FilePianoRoll is an open piano roll, in seconds.
type FilePianoRoll struct {
	Thread       int16
	Width, Start float64
	Window       FileWindow
}

// FileError says where and why a session file could not be read any further. What came before was delivered.
type FileError struct {
	Name      string
	Offset    int64 // in the uncompressed file
	Reason    string
	Truncated bool // the file ends too early, nothing worse
}

// Error implements error.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s: offset %d: %s", e.Name, e.Offset, e.Reason)
}

// Unwrap makes a truncated file an io.ErrUnexpectedEOF.
func (e *FileError) Unwrap() error {
	if e.Truncated {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// Frames is a store of raw frames from which a session file can be written.
type Frames interface {
	// FrameBytes returns how many bytes the frames of a thread have in a session file.
	FrameBytes(thread int) int64
	// EachFrame calls fn with the frames of a thread in ascending order of their numbers, taken as signed 32-bit integers, until fn returns an error.
	// The frame is only valid during the call.
	EachFrame(thread int, fn func(*wire.Frame) error) error
}

// definitions gathers what a client says of itself, its collectors and its threads.
type definitions struct {
	hello      wire.ClientHello
	known      bool
	collectors map[int]wire.CollectorDef
	threads    map[int]string
	levels     map[int][]uint32 // as FileInfo.LevelThreads, ancestors not included
	places     threadMap
	lastLevels []uint16 // collectors of the last frame's levels, and its thread: usually the next one has the same
	lastThread int
}

func newDefinitions() definitions {
	return definitions{hello: wire.ClientHello{PID: -1}, collectors: map[int]wire.CollectorDef{}, threads: map[int]string{}, levels: map[int][]uint32{}, places: newThreadMap()}
}

func (d *definitions) define(defs []wire.CollectorDef) {
	for _, def := range defs {
		if def.Index >= 0 {
			d.collectors[int(def.Index)] = def
		}
	}
}

// name takes the names of threads from first on and calls fn with those that are new, by their indices in a file; fn may be nil.
func (d *definitions) name(first int, names []string, fn func(index int, name string)) {
	for i, name := range names {
		wireIndex := first + i
		if wireIndex < 0 || wireIndex > math.MaxUint16 {
			continue
		}
		index := d.places.name(wireIndex, name).index
		if old, ok := d.threads[index]; !ok || name != "" && name != old {
			d.threads[index] = name
			if fn != nil {
				fn(index, name)
			}
		}
	}
}

// place returns the index in a file of the thread of a frame, and notes the thread and the collectors of its levels. renamed tells that the thread is a new one.
func (d *definitions) place(f *wire.Frame) (index uint16, renamed bool) {
	p, renamed := d.places.frame(f)
	if renamed {
		d.threads[p.index] = p.name
	}
	d.note(p.index, f)
	return uint16(p.index), renamed
}

// note notes a thread, by its index in a file, and the collectors of its frame's levels.
func (d *definitions) note(thread int, f *wire.Frame) {
	if _, ok := d.threads[thread]; !ok {
		d.threads[thread] = ""
	}
	if thread == d.lastThread && len(f.Levels) == len(d.lastLevels) {
		same := true
		for i := range f.Levels {
			if f.Levels[i].Collector != d.lastLevels[i] {
				same = false
				break
			}
		}
		if same {
			return
		}
	}
	d.lastThread, d.lastLevels = thread, d.lastLevels[:0]
	for _, l := range f.Levels {
		d.lastLevels = append(d.lastLevels, l.Collector)
		d.levels[int(l.Collector)] = setBit(d.levels[int(l.Collector)], thread)
	}
}

func setBit(words []uint32, bit int) []uint32 {
	for bit/32 >= len(words) {
		words = append(words, 0)
	}
	words[bit/32] |= 1 << (bit % 32)
	return words
}

// levelThreads returns the bits as a file has them: a collector's include those of all below it, collector 0 excepted.
func (d *definitions) levelThreads() map[int][]uint32 {
	out := map[int][]uint32{}
	for c, words := range d.levels {
		for steps := 0; steps < maxDepth; steps++ { // the parents may form a ring
			merged := out[c]
			for w, bits := range words {
				for b := range 32 {
					if bits&(1<<b) != 0 {
						merged = setBit(merged, 32*w+b)
					}
				}
			}
			out[c] = merged
			def, ok := d.collectors[c]
			if !ok || def.Parent <= 0 || int(def.Parent) == c {
				break
			}
			c = int(def.Parent)
		}
	}
	return out
}

// info returns the file information of a live session, with the one strip chart that makes the official viewer show something (section 12.6).
func (d *definitions) info() FileInfo {
	return FileInfo{
		Major: 1, Minor: 1, ClientKnown: d.known, Host: d.hello.Host, Program: d.hello.Program, PID: int32(max(-1, min(d.hello.PID, 1<<31-1))),
		LevelThreads: d.levelThreads(),
		StripCharts:  []FileStripChart{{Scroll: true, Width: 20, FullScale: 2.0 / 30}},
	}
}

// collectorList returns the definitions in order of their index.
func (d *definitions) collectorList() []wire.CollectorDef {
	out := make([]wire.CollectorDef, 0, len(d.collectors))
	for _, i := range slices.Sorted(maps.Keys(d.collectors)) {
		out = append(out, d.collectors[i])
	}
	return out
}

// RawSession keeps everything that a client sent, in memory and unchanged. It is a Handler; with it a recording can be computed with as the official viewer does
// (see CompatView), or written as a session file.
type RawSession struct {
	definitions
	frames map[int]map[int32]*wire.Frame // by thread and number
	sorted map[int][]int32               // numbers in order; nil when not known
}

var (
	_ Handler = (*RawSession)(nil)
	_ Frames  = (*RawSession)(nil)
)

// NewRawSession returns an empty session.
func NewRawSession() *RawSession {
	return &RawSession{definitions: newDefinitions(), frames: map[int]map[int32]*wire.Frame{}, sorted: map[int][]int32{}}
}

// Hello implements Handler.
func (s *RawSession) Hello(h wire.ClientHello) { s.hello, s.known = h, true }

// Collectors implements Handler.
func (s *RawSession) Collectors(defs []wire.CollectorDef) { s.define(defs) }

// Threads implements Handler.
func (s *RawSession) Threads(first int, names []string) { s.name(first, names, nil) }

// Expire implements Handler.
func (s *RawSession) Expire(thread int) { s.places.expire(thread) }

// Frame implements Handler: a repeated number replaces. The thread of a kept frame is its index in a session file, which differs from that on the wire if the client used
// that index before for another thread.
func (s *RawSession) Frame(f *wire.Frame, _ int) {
	index, _ := s.place(f)
	thread := int(index)
	byNumber := s.frames[thread]
	if byNumber == nil {
		byNumber = map[int32]*wire.Frame{}
		s.frames[thread] = byNumber
	}
	if n := s.sorted[thread]; n != nil && n[len(n)-1] < int32(f.Number) {
		s.sorted[thread] = append(n, int32(f.Number))
	} else {
		s.sorted[thread] = nil
	}
	byNumber[int32(f.Number)] = &wire.Frame{Thread: index, Number: f.Number, Events: slices.Clone(f.Events), Levels: slices.Clone(f.Levels)}
}

// Lost implements Handler.
func (s *RawSession) Lost(model.Loss) {}

// Close implements Handler.
func (s *RawSession) Close(string) {}

// ThreadIndices returns the indices of all threads that were named or sent frames, ascending.
func (s *RawSession) ThreadIndices() []int { return slices.Sorted(maps.Keys(s.threads)) }

// ThreadName returns the name of a thread, which may be empty.
func (s *RawSession) ThreadName(thread int) string { return s.threads[thread] }

// Client returns what the client said of itself.
func (s *RawSession) Client() wire.ClientHello { return s.hello }

// Collector returns a definition.
func (s *RawSession) Collector(index int) (wire.CollectorDef, bool) {
	def, ok := s.collectors[index]
	return def, ok
}

// Numbers returns the numbers of a thread's frames, ascending as signed integers. The slice is the session's own.
func (s *RawSession) Numbers(thread int) []int32 {
	if s.sorted[thread] == nil && len(s.frames[thread]) > 0 {
		s.sorted[thread] = slices.Sorted(maps.Keys(s.frames[thread]))
	}
	return s.sorted[thread]
}

// FrameOf returns a frame, nil when it was not received.
func (s *RawSession) FrameOf(thread int, number int32) *wire.Frame { return s.frames[thread][number] }

// FrameBytes implements Frames.
func (s *RawSession) FrameBytes(thread int) (n int64) {
	for number, f := range s.frames[thread] {
		if number != -1 {
			n += fileFrameSize(f)
		}
	}
	return n
}

// EachFrame implements Frames.
func (s *RawSession) EachFrame(thread int, fn func(*wire.Frame) error) error {
	for _, n := range s.Numbers(thread) {
		if err := fn(s.frames[thread][n]); err != nil {
			return err
		}
	}
	return nil
}

// WriteSession writes what is kept as a session file. info is that of the file it was read from; nil stands for a live session.
func (s *RawSession) WriteSession(w io.Writer, info *FileInfo) error {
	return writeSession(w, &s.definitions, info, s)
}
