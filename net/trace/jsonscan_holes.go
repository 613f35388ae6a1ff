package trace

import (
	"bytes"
	"slices"
	"strings"

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

// Entries reads an array that is a member of an object. Damage costs the entries that it touches: reading goes on
// behind it, and the hole says which these are. element keeps an entry each time it is called, unless the reader has
// an error.
func (x *Reader) Entries(element func()) (h Hole) {
	if !x.open('[') {
		return h
	}
	l := entries{Reader: x, level: x.depth}
	for first, more := true, true; more; first = false {
		harm, from := x.harm(), l.count
		comma := x.Peek() == ','
		between := x.harm() - harm
		if between > 0 {
			l.widen(from, from)
		}
		apart := comma || !l.Any
		switch more = l.next(']', first); {
		case l.absent && x.harm() != harm:
			l.absent = false
		case more:
			apart = l.read(element) && apart
		}
		more = l.goOn(more)
		if more && !apart || x.harm() != harm+between || x.i < x.n && bytes.IndexByte(ends, x.buf[x.i]) < 0 {
			l.widen(from, l.count)
		}
	}
	return l.Hole
}

// ends are what follows an entry.
var ends = []byte(", ]\n\r\t}")

// harm counts what damages entries: all but commas.
func (x *Reader) harm() int64 { return x.spoiled.N - x.spoiled.commas }

// entries is an array that is read.
type entries struct {
	*Reader
	Hole
	level, count int
	kind         byte // of the first entry that is not null
}

// read reads an entry. It is false for one of another kind behind damage: that is a part of an entry.
func (l *entries) read(element func()) bool {
	kind := kindOf(l.Peek())
	if kind != l.kind && l.kind != 0 && kind != 0 && kind != '0' && (l.Any || l.atKey()) {
		l.fail("%q where %q should be", kind, l.kind)
		return false
	}
	values := l.values
	if element(); l.values == values {
		l.Skip()
	}
	if l.err == nil {
		l.count++
	}
	if l.kind == 0 {
		l.kind = kind
	}
	return !l.Any || kind == 0 || kind == l.kind
}

// kindOf is the kind of an entry by its first byte: a bracket, a quotation mark, 0 for null, '0' for all else.
func kindOf(first byte) byte {
	switch first {
	case 'n':
		return 0
	case '[', '{', '"':
		return first
	}
	return '0'
}

// goOn goes on behind what can't be read, if the array does, and behind a bracket that does not end it, as one that
// opens was lost. more says that it had not ended.
func (l *entries) goOn(more bool) bool {
	switch {
	case l.err != nil && l.hurt == 0:
		return false
	case l.err != nil:
		l.retreat(l.level)
		if l.kind != '{' && (l.Peek() == '}' && l.ends("}]", `"{`) || l.atKey()) {
			l.depth--
			return false
		}
		l.i = min(l.i+1, l.n)
		return true
	case !more && l.Any && l.err == nil:
		l.i-- // the bracket is in the buffer
		ends := l.ends("}", `"`)
		l.i++
		if !ends {
			l.depth = l.level
		}
		return !ends
	}
	return more
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

// ends reports whether the bracket at which the reader is closes something: behind it stands one of some bytes, or a
// comma and one of others.
func (x *Reader) ends(next, afterComma string) bool {
	b := bytes.TrimLeft(x.ahead()[1:], blanks)
	if len(b) > 0 && b[0] == ',' {
		next, b = afterComma, bytes.TrimLeft(b[1:], blanks)
	}
	return len(b) == 0 || strings.IndexByte(next, b[0]) >= 0
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
