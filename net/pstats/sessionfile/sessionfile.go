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

// Info says how a session file was read.
type Info struct {
	NarrowCounts bool  // it is of the variant with 16-bit counts (PROTOCOL.md section 12.5)
	Frames       int64 // that were read
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
