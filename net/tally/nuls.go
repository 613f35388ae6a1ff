package tally

import (
	"bytes"
	"fmt"

	"framescope/model"
)

// NULs counts the places of a text that hold NULs, which text never does: a computer that lost power or a
// damaged disk leaves them where lines were. The zero value is ready; Write takes the text in pieces.
type NULs struct {
	N     int64 // places
	Bytes int64 // NULs in all of them
	First int64 // byte at which the first begins
	read  int64
	in    bool // the last byte was a NUL
}

// Write takes the next piece.
func (x *NULs) Write(b []byte) {
	for rest := b; len(rest) > 0; {
		if rest[0] != 0 {
			x.in = false
			next := bytes.IndexByte(rest, 0)
			if next < 0 {
				break
			}
			rest = rest[next:]
		}
		if !x.in {
			if x.N++; x.N == 1 {
				x.First = x.read + int64(len(b)-len(rest))
			}
			x.in = true
		}
		n := len(rest) - len(bytes.TrimLeft(rest, "\x00"))
		x.Bytes += int64(n)
		rest = rest[n:]
	}
	x.read += int64(len(b))
}

// String says where they are; it is empty where there are none.
func (x *NULs) String() string {
	if x.N == 0 {
		return ""
	}
	text := fmt.Sprintf("byte %d: NULs in place of text", x.First)
	if x.N > 1 {
		text += fmt.Sprintf(", and in %d more places", x.N-1)
	}
	if x.Bytes > 1 {
		text += fmt.Sprintf(", %d bytes", x.Bytes)
	}
	return text
}

// Tell defines a loss of the recording, if there are any.
func (x *NULs) Tell(define func(model.Change)) {
	if x.N > 0 {
		define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: x.N, Detail: x.String()})
	}
}
