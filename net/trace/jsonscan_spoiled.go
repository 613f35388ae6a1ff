package trace

import "fmt"

// SpoiledError is why a text that was read to its end is damaged: control characters stand in it that no
// writer leaves there, commas are missing or too many, or places were passed over, so often, and at which byte first.
type SpoiledError struct {
	N, At  int64
	commas int64 // of N
	left   int64 // of N: places behind which reading went on
}

func (e *SpoiledError) Error() string {
	what := "there are control characters in texts or between values: these are damaged"
	switch {
	case e.left > 0:
		what = "all up to the next whole entry is left out"
	case e.commas == e.N:
		what = "the text is not JSON: commas, or the values between them, are missing"
	case e.commas > 0:
		what = "there are control characters in texts or between values, and commas, or the values between them, are missing: these are damaged"
	}
	return fmt.Sprintf("%s; the first is at byte %d", what, e.At)
}

// add notes one more.
func (e *SpoiledError) add(at int64) {
	if e.N++; e.N == 1 {
		e.At = at
	}
}

// spoil notes a control character at a byte of the buffer.
func (x *Reader) spoil(i int) { x.spoiled.add(x.at + int64(i)) }

// noJSON notes a comma too many or too few where the reader is.
func (x *Reader) noJSON() {
	if x.err == nil {
		x.spoiled.add(x.At())
		x.spoiled.commas++
	}
}

// Graver returns the graver of two errors of reading one text twice, in other parts: an incomplete read is
// graver than damage.
func Graver(first, second error) error {
	a, spoiled := first.(*SpoiledError)
	b, again := second.(*SpoiledError)
	switch {
	case second == nil, again && !spoiled && first != nil, again && spoiled && a.N > b.N:
		return first
	}
	return second
}
