package trace

import (
	"bytes"
	"fmt"

	"framescope/model"
)

// NULs counts the places of data that hold more NULs behind each other than their format has: a computer that lost
// power or a damaged disk leaves them where something else was. The zero value is ready, for texts, which have none;
// Write takes the data in pieces.
type NULs struct {
	Least int64 // NULs that make a place; 0: one
	N     int64 // places
	Bytes int64 // NULs in all of them
	First int64 // byte at which the first begins
	read  int64
	run   int64 // NULs at the end of the bytes read so far
}

// Write takes the next piece. Of data with a large Least it looks at few bytes: from where a place could end backwards.
func (x *NULs) Write(b []byte) {
	least := max(x.Least, 1)
	for i := 0; i < len(b); {
		if x.run >= least {
			n := len(b) - i - len(bytes.TrimLeft(b[i:], "\x00"))
			x.Bytes += int64(n)
			if x.run, i = x.run+int64(n), i+n; i == len(b) {
				break
			}
			x.run = 0
		}
		if least == 1 {
			k := bytes.IndexByte(b[i:], 0)
			if k < 0 {
				break
			}
			i += k
		}
		part := b[i:min(int64(len(b)), int64(i)+least-x.run)]
		n := len(part) - len(bytes.TrimRight(part, "\x00"))
		if n < len(part) {
			x.run = 0
		}
		x.run += int64(n)
		if i += len(part); x.run == least {
			if x.N++; x.N == 1 {
				x.First = x.read + int64(i) - least
			}
			x.Bytes += least
		}
	}
	x.read += int64(len(b))
}

// Skip passes over so many bytes, which may be NULs.
func (x *NULs) Skip(n int) {
	if n > 0 {
		x.read, x.run = x.read+int64(n), 0
	}
}

// String says where they are; it is empty where there are none.
func (x *NULs) String() string {
	if x.N == 0 {
		return ""
	}
	text := fmt.Sprintf("byte %d: NULs in place of data", x.First)
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
