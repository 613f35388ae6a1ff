// Package sessionfile reads and writes session files of the official viewer (PROTOCOL.md section 12)
// in every layout ever written. It owns their bytes and the mapping from a client's threads to those
// of a file, and sends their content to a pstats.Handler. It knows nothing of the model but its words
// for losses.
package sessionfile

import (
	"bytes"
	"fmt"
	"io"

	"framescope/net/pstats"
)

// MagicLen is how many bytes Sniff looks at.
const MagicLen = 8

// fileMagic begins every session file (PROTOCOL.md section 12.1).
var fileMagic = [MagicLen]byte{'p', 's', 't', 'a', 't', 0, '\n', '\r'}

// Sniff reports whether head, the beginning of a file with compression undone, is that of a PStats
// session.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, fileMagic[:]) }

// Info is the content of a session file besides the definitions and frames that go to a Handler
// (PROTOCOL.md section 12.2), so that it can be written again.
type Info struct {
	Major, Minor uint16
	ClientKnown  bool
	Host         string
	Program      string
	PID          int32 // -1 unknown
	// NarrowCounts marks a file of the variant with 16-bit counts, WideColors one with 64-bit colors
	// (section 12.5). Both are written as the current variant.
	NarrowCounts, WideColors bool

	// LevelThreads maps a collector to the threads with its level data: bit b of word w is thread 32·w
	// + b.
	LevelThreads map[int][]uint32

	Colors      []Color
	Timelines   []Timeline
	StripCharts []StripChart
	FlameGraphs []FlameGraph
	PianoRolls  []PianoRoll

	Frames int64 // frames that were read
}

// Color is the color that the viewer used for a collector, linear.
type Color struct {
	Collector int32
	R, G, B   float32
}

// Window is the place of a graph's window in screen pixels.
type Window struct {
	Present              bool // nothing else is stored if not
	X, Y, W, H           int32
	Maximized, Minimized bool
}

// Timeline is an open timeline. Scale is in seconds per pixel, the others are in seconds.
type Timeline struct {
	Scale, Start, LowestStart, HighestEnd float64
	Window                                Window
}

// StripChart is an open strip chart. Width and Start are in seconds, Height in seconds or the
// level's unit.
type StripChart struct {
	Thread, Collector       int16
	Level, Scroll, Average  bool
	Width, Start, FullScale float64
	Window                  Window
}

// FlameGraph is an open flame graph; collector -1 is the whole thread. Width is in seconds.
type FlameGraph struct {
	Thread, Collector, Original int16
	Width                       float64
	Average                     bool
	Window                      Window
}

// PianoRoll is an open piano roll, in seconds.
type PianoRoll struct {
	Thread       int16
	Width, Start float64
	Window       Window
}

// Error is the place and reason of a reading failure. Everything before it was delivered.
type Error struct {
	Name      string
	Offset    int64 // in the uncompressed file
	Reason    string
	Truncated bool // the file ends too early, nothing worse
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: offset %d: %s", e.Name, e.Offset, e.Reason)
}

// Unwrap makes a truncated file an io.ErrUnexpectedEOF.
func (e *Error) Unwrap() error {
	if e.Truncated {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// Frames is a store of raw frames from which a session file can be written.
type Frames interface {
	// FrameBytes returns how many bytes the frames of a thread have in a session file.
	FrameBytes(thread int) int64
	// EachFrame calls fn with the frames of a thread in ascending order of their numbers, taken as
	// signed 32-bit integers, until fn returns an error. The frame is only valid during the call.
	EachFrame(thread int, fn func(*pstats.Frame) error) error
}
