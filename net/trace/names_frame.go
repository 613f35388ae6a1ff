package trace

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Frame reports whether what happens at a moment and is called so begins a frame: it is called frame,
// in any case, or frame and something that is no letter. number are the first digits in it, nil where
// there are none.
func Frame(name []byte) (number []byte, ok bool) {
	const frame = "frame"
	if len(name) < len(frame) {
		return nil, false
	}
	for i := range len(frame) {
		if name[i]|0x20 != frame[i] {
			return nil, false
		}
	}
	rest := name[len(frame):]
	if r, _ := utf8.DecodeRune(rest); unicode.IsLetter(r) {
		return nil, false
	}
	isDigit := func(c byte) bool { return c-'0' <= 9 }
	if from := slices.IndexFunc(rest, isDigit); from >= 0 {
		rest = rest[from:]
		if to := slices.IndexFunc(rest, func(c byte) bool { return !isDigit(c) }); to >= 0 {
			rest = rest[:to]
		}
		return rest, true
	}
	return nil, true
}
