package trace

import (
	"bytes"
	"slices"

	"framescope/net/feed"
)

// Hole is a damaged part of a list: its entries from From on that come before Behind. In truth these may be more or
// fewer.
type Hole struct {
	Any          bool
	From, Behind int
}

func (h *Hole) widen(from, behind int) {
	if !h.Any {
		h.Any, h.From = true, from
	}
	h.Behind = behind
}

// Entries reads an array that is a member of an object. Damage costs the entries beside it, too: reading goes on
// behind it, and the hole says which these are. element keeps an entry each time it is called, unless the reader has
// an error.
func (x *Reader) Entries(element func()) (h Hole) {
	if !x.open('[') {
		return h
	}
	level, count, kind, hurt := x.depth, 0, byte(0), false
	for first, more := true, true; more && x.err == nil; first = false {
		harm, from := x.harm(), max(count-1, 0)
		more = x.next(']', first)
		damaged := h.Any || x.harm() != harm
		is := kindOf(x.Peek())
		switch {
		case !more && damaged && x.err == nil && !x.closes(): // a bracket of an entry: the other one was lost
			x.depth, more = level, true
		case !more:
		case x.absent && damaged:
			x.absent = false
		case damaged && kind != '{' && (is == '}' || x.atKey()): // the bracket at the end was lost
			x.depth--
			more = false
		case damaged && is != kind && is*kind != 0: // it is a part of an entry
			x.fail("%q where %q should be", is, kind)
		default:
			values := x.values
			if element(); x.values == values {
				x.Skip()
			}
			if x.err == nil {
				count++
			}
			if kind == 0 {
				kind = is
			}
		}
		behind := hurt
		if hurt = x.err != nil && x.hurt > 0; hurt {
			x.retreat(level)
			x.i, more = min(x.i+1, x.n), true
		}
		if behind || x.harm() != harm {
			h.widen(from, count)
		}
	}
	return h
}

// harm counts what damages entries: all but commas.
func (x *Reader) harm() int64 { return x.spoiled.N - x.spoiled.commas }

// kindOf is the kind of an entry by its first byte: a bracket, a quotation mark, 0 for null, '0' for all else.
func kindOf(first byte) byte {
	switch first {
	case 'n':
		return 0
	case '[', '{', '}', '"':
		return first
	}
	return '0'
}

// atKey reports whether the reader is at the key of an object.
func (x *Reader) atKey() bool {
	b := x.ahead()
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	to := EndOfString(b, 1)
	return to > 0 && bytes.HasPrefix(bytes.TrimLeft(b[to+1:], blanks), []byte(":"))
}

// closes reports whether the bracket that was read ends a list: behind it an object ends, or has another key.
func (x *Reader) closes() bool {
	b := bytes.TrimLeft(x.ahead(), blanks)
	if len(b) > 0 && b[0] == ',' {
		return bytes.HasPrefix(bytes.TrimLeft(b[1:], blanks), []byte{'"'})
	}
	return len(b) == 0 || b[0] == '}'
}

// Fit returns a list with a hole as one of n entries: as many missing ones stand in the hole as there are too few. What
// comes behind the hole is left out where n is not known, or can't be right.
func Fit[T any](room *feed.Names, list []T, h Hole, n int, missing T) []T {
	if !h.Any || len(list) < h.Behind {
		return list
	}
	lost := n - h.From - (len(list) - h.Behind)
	if lost < 0 {
		return list[:h.From]
	}
	list, ok := feed.Grow(room, list, lost)
	if !ok {
		return list[:h.From]
	}
	return slices.Replace(list, h.From, h.Behind, slices.Repeat([]T{missing}, lost)...)
}
