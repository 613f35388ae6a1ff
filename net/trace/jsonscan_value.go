package trace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// MaxDeep is how many values lie inside each other at most in one that is looked at.
const MaxDeep = 100

// Outcome is the result of reading a value.
type Outcome uint8

// The outcomes.
const (
	Whole   Outcome = iota
	Partial         // its end is not there yet
	Garbage         // it is none
)

// Value returns the value at b[i]: a string without its quotes and with its escapes, all else as it
// is, null as nil; and where it ends, or where it is damaged. deep reports nesting of more than MaxDeep
// values.
func Value(b []byte, i int) (v []byte, after int, deep bool, got Outcome) {
	switch c := b[i]; {
	case c == '"':
		to := EndOfString(b, i+1)
		if to < 0 {
			return nil, 0, false, Partial
		}
		return b[i+1 : to], to + 1, false, Whole
	case c == '{' || c == '[':
		to, deep := endOfNested(b, i)
		if to < 0 {
			return nil, 0, false, Partial
		}
		return b[i:to], to, deep, Whole
	case startsPlain(c):
		to := i + 1
		for to < len(b) && isPlain[b[to]] {
			to++
		}
		if to == len(b) {
			return nil, 0, false, Partial
		}
		if c == 'n' {
			return nil, to, false, Whole // null
		}
		return b[i:to], to, false, Whole
	}
	return nil, i, false, Garbage
}

// startsPlain reports whether a number or word begins so.
func startsPlain(c byte) bool {
	return c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'N' || c == 'I'
}

// isPlain are the bytes of numbers and words.
var isPlain = func() (t [256]bool) {
	for _, c := range "0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		t[c] = true
	}
	return
}()

// EndOfString returns the index of the quote that ends the string with text from b[i] on, -1 if it
// is not there.
func EndOfString(b []byte, i int) int {
	for ; i < len(b); i++ {
		if i+8 <= len(b) {
			word := binary.LittleEndian.Uint64(b[i:])
			found := zeroBytes(word^'"'*eachByte) | zeroBytes(word^'\\'*eachByte)
			if i += bits.TrailingZeros64(found) / 8; found == 0 {
				i-- // none of the eight
				continue
			}
		}
		switch b[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return -1
}

const eachByte = 0x0101010101010101

// zeroBytes sets the highest bit of the first byte that is 0; it may set some behind it.
func zeroBytes(word uint64) uint64 { return (word - eachByte) &^ word & (0x80 * eachByte) }

// isMark are the bytes that matter while values are skipped.
var isMark = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// endOfNested returns the end of the object or array that begins at b[i], -1 if it is not there, and
// whether too much lies inside each other in it.
func endOfNested(b []byte, i int) (end int, deep bool) {
	depth := 0
	for i < len(b) {
		c := b[i]
		if !isMark[c] {
			i++
			continue
		}
		switch c {
		case '"':
			to := EndOfString(b, i+1)
			if to < 0 {
				return -1, deep
			}
			i = to
		case '{', '[':
			depth++
			deep = deep || depth > MaxDeep
		default:
			if depth--; depth == 0 {
				return i + 1, deep
			}
		}
		i++
	}
	return -1, deep
}

// Members calls use for each key of an object, with its value as Value returns it.
func Members(object []byte, use func(key, value []byte)) {
	if len(object) > 0 && object[0] == '{' {
		EachJSON(object, func(key, value []byte, _ byte) { use(key, value) })
	}
}

// EachJSON calls use for each value in the object with which b begins, with its key, or in the array, as Value returns
// it, and with the byte that it begins with in the text: a quotation mark, a bracket, or that of a number or a word. It
// returns how long the object or array is, or where it is damaged, and whether it is deep as Value says.
func EachJSON(b []byte, use func(key, value []byte, first byte)) (n int, deep bool, got Outcome) {
	if len(b) == 0 {
		return 0, false, Partial
	}
	end := b[0] + 2 // as brackets are in ASCII
	for i := pastBlanks(b, 1); i < len(b); i = pastBlanks(b, i) {
		switch b[i] {
		case end:
			return i + 1, deep, Whole
		case ',':
			i++
			continue
		}
		var key []byte
		if end == '}' {
			if b[i] != '"' {
				return i, deep, Garbage
			}
			to := EndOfString(b, i+1)
			if to < 0 {
				break
			}
			key = b[i+1 : to]
			if i = pastBlanks(b, to+1); i < len(b) && b[i] != ':' {
				return i, deep, Garbage
			}
			if i = pastBlanks(b, i+1); i >= len(b) {
				break
			}
		}
		value, after, isDeep, got := Value(b, i)
		if deep = deep || isDeep; got != Whole {
			return after, deep, got
		}
		use(key, value, b[i])
		i = after
	}
	return 0, deep, Partial
}

// pastBlanks returns the first place from i on where no blank is.
func pastBlanks(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && b[i] != 0 {
		i++
	}
	return i
}

// Member returns the value of a key of an object, nil if there is none.
func Member(object []byte, key string) (v []byte) {
	Members(object, func(k, value []byte) {
		if string(k) == key {
			v = value
		}
	})
	return v
}

// maxMark is the most bytes of the begin of an object by which others are found.
const maxMark = 256

// blanks are what stands between values, and what damage may leave there.
const blanks = " \t\r\n\x00"

// Array reads an array: element is called for each of its values. A place that can't be read in an array of objects
// costs the object that it is in, and those up to the next one that begins as the first one does, with the same key:
// reading goes on there.
func (x *Reader) Array(element func()) bool {
	if !x.open('[') {
		return false
	}
	depth, mark := x.depth, []byte(nil)
	for first := true; x.next(']', first) || x.readOn(mark, depth); first = false {
		if mark == nil && x.buf[x.i] == '{' {
			mark = x.mark()
		}
		before := x.values
		if element(); x.values == before {
			x.Object(func([]byte) {}) // Skip would pass over other places
		}
	}
	return x.err == nil
}

// ahead returns the next bytes, which it leaves unread.
func (x *Reader) ahead() []byte {
	for x.n-x.i < maxMark && x.fill() {
	}
	return x.buf[x.i:min(x.n, x.i+maxMark)]
}

// retreat goes back to the place that can't be read, in an array of some depth, and notes it.
func (x *Reader) retreat(depth int) {
	x.err, x.i, x.hurt, x.absent, x.depth = nil, x.hurt-1, 0, false, depth
	x.spoiled.add(x.At())
	x.spoiled.left++
}

// mark returns the begin of the object at which the reader is: all up to its first value; nil where there is none.
func (x *Reader) mark() []byte {
	b := x.ahead()
	if k := bytes.IndexByte(b, ':'); k > 0 && b[0] == '{' && Control(b[:k]) < 0 {
		return bytes.Clone(b[:k+1])
	}
	return nil
}

// readOn goes to the next object with a mark, behind a place that can't be read, and notes the place. The object is in
// an array of some depth.
func (x *Reader) readOn(mark []byte, depth int) bool {
	if x.err == nil || x.hurt == 0 || mark == nil {
		return false
	}
	err := x.err
	x.retreat(depth)
	if !x.seek(mark) {
		x.Stop(err)
		return false
	}
	return true
}

// seek goes to the next place that begins with a mark. It returns false where there is none.
func (x *Reader) seek(mark []byte) bool {
	for {
		k := bytes.Index(x.buf[x.i:x.n], mark)
		if k >= 0 {
			x.i += k
			return true
		}
		if x.i = max(x.i, x.n-len(mark)+1); !x.fill() {
			x.i = x.n
			return false
		}
	}
}

// more reads so much that twice as many bytes are unread, or up to the end, where it returns false.
func (x *Reader) more() bool {
	before := x.n - x.i
	for x.n-x.i < 2*before && x.fill() {
	}
	return x.n-x.i > before
}

// Raw reads a value as it is in the text: its first bytes where it has more than most, or the text ends in it.
func (x *Reader) Raw(most int) (v []byte) {
	x.Peek()
	x.most = max(x.most, 3*most)
	for x.err == nil {
		v, end, _, got := Value(x.buf[:x.n], x.i)
		switch {
		case got == Whole:
			x.values++
			x.i = end
			return bytes.Clone(v)
		case got == Garbage || x.n-x.i > most || !x.more():
			v = bytes.Clone(x.buf[x.i:min(x.n, x.i+most)])
			x.Skip()
			return v
		}
	}
	return nil
}

// Events reads an array of objects, each by scan, which gets the text from its begin on and returns how long it is, or
// where it is damaged. Behind what is no object, and tells lost, it goes on at the next object; so it does with one of
// more than most bytes, which is BigEvent. isOpen means that the array may lack its end. Where the text ends in an
// object, cut is true.
func (x *Reader) Events(
	most int, isOpen bool, scan func(b []byte, at int64) (n int, got Outcome), lost func(kind Kind, at int64),
) (cut bool) {
	if !x.open('[') {
		return false
	}
	x.most = max(x.most, 3*most)
	for x.err == nil {
		switch x.Peek() {
		case 0:
			if !isOpen {
				x.cut()
			}
			return false
		case ',':
			x.i++
		case ']':
			x.i++
			x.depth--
			return false
		case '{':
			n, got := scan(x.buf[x.i:x.n], x.At())
			switch {
			case got == Whole:
				x.i += n
			case got == Garbage:
				lost(Gap, x.At()+int64(n))
				x.i += n
				x.seek([]byte(`{"`))
			case x.n-x.i > most:
				lost(BigEvent, x.At())
				x.Skip()
			case !x.more():
				x.cut()
				return true
			}
		default:
			lost(Gap, x.At())
			x.seek([]byte(`{"`))
		}
	}
	return false
}

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
		what = "there are control characters in texts or between values, and commas, or the values between them, are " +
			"missing: these are damaged"
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
