package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	readBytes = 64 << 10
	maxToken  = 1 << 20 // bytes of a string or a number that are kept at once
	maxNested = 10_000  // objects and arrays inside each other
)

// ErrCut reports a text that ends inside a value.
var ErrCut = errors.New("the file ends inside a value")

// Reader goes through a JSON text value by value. Object and Array call a function for each value; the
// function reads the value by one of the methods, or the reader skips it. A value of another kind than
// the method reads is skipped and returned empty. After an error every value is empty.
type Reader struct {
	r      io.Reader
	buf    []byte
	i, n   int   // the unread bytes are buf[i:n]
	at     int64 // the place of buf[0] in the text
	err    error
	hurt   int // one more than where in buf something can't be read that Array may pass over; 0: nothing
	values int64
	depth  int
	key    []byte
	most   int // bytes that buf may grow to

	spoiled SpoiledError
	absent  bool // the entry of a list that is to be read is not there
}

// NewReader returns a reader of a text, which may begin with a byte order mark.
func NewReader(r io.Reader) *Reader {
	x := &Reader{r: r, buf: make([]byte, readBytes), most: maxToken}
	for x.n < 3 && x.fill() {
	}
	return x.begun()
}

// ReaderOf returns a reader of a text that is at hand; it does not copy it.
func ReaderOf(text []byte) *Reader {
	return (&Reader{buf: text, n: len(text), most: maxToken}).begun()
}

// begun leaves out a byte order mark.
func (x *Reader) begun() *Reader {
	if string(x.buf[:min(x.n, 3)]) == "\xef\xbb\xbf" {
		x.i = 3
	}
	return x
}

// Err returns why nothing more was read, nil when nothing went wrong. An error of the io.Reader is
// wrapped.
func (x *Reader) Err() error { return x.err }

// End returns why not all of the text was read as it was written, once its value was: an error, that
// there is more behind its end, or that it was overwritten.
func (x *Reader) End() error {
	if x.err == nil && x.Peek() != 0 {
		x.fail("data after the end of the profile are left out")
	}
	if spoiled := x.spoiled; x.err == nil && spoiled.N > 0 {
		return &spoiled
	}
	return x.err
}

// At returns how many bytes of the text were read.
func (x *Reader) At() int64 { return x.at + int64(x.i) }

// Stop ends the reading: all that follows is empty. The first error stays.
func (x *Reader) Stop(err error) {
	if x.err == nil {
		x.err = err
	}
	x.i = x.n
}

func (x *Reader) fail(format string, args ...any) {
	if x.err == nil {
		x.hurt = x.i + 1
	}
	x.Stop(fmt.Errorf("byte %d: "+format, append([]any{x.At()}, args...)...))
}

// fill reads more bytes behind the unread ones and reports whether there were any. It invalidates slices of
// the buffer.
func (x *Reader) fill() bool {
	if x.err != nil || x.r == nil {
		return false
	}
	if x.i > 0 {
		x.at += int64(x.i)
		x.n = copy(x.buf, x.buf[x.i:x.n])
		x.i = 0
	}
	if x.n == len(x.buf) {
		if len(x.buf) >= x.most {
			x.fail("a string or number is longer than %d bytes", x.most)
			return false
		}
		x.buf = append(x.buf, make([]byte, len(x.buf))...)
	}
	for range 100 {
		n, err := x.r.Read(x.buf[x.n:])
		x.n += n
		if n > 0 {
			return true
		}
		switch {
		case errors.Is(err, io.EOF):
			return false
		case err != nil:
			x.Stop(fmt.Errorf("byte %d: %w", x.At(), err))
			return false
		}
	}
	x.Stop(io.ErrNoProgress)
	return false
}

// Peek returns the first byte of what follows, blanks left out; 0 at the end.
func (x *Reader) Peek() byte {
	if x.i < x.n && x.buf[x.i] > ' ' {
		return x.buf[x.i]
	}
	return x.peek()
}

func (x *Reader) peek() byte {
	for {
		for ; x.i < x.n; x.i++ {
			c := x.buf[x.i]
			if c > ' ' {
				return c
			}
			if IsControl(c) {
				x.spoil(x.i)
			}
		}
		if !x.fill() {
			return 0
		}
	}
}

// cut stops the reader with ErrCut: the text ends too early.
func (x *Reader) cut() { x.Stop(fmt.Errorf("byte %d: %w", x.At(), ErrCut)) }

// open enters an object or an array, or skips any other value.
func (x *Reader) open(bracket byte) bool {
	if x.Peek() != bracket {
		x.Skip()
		return false
	}
	if x.depth >= maxNested {
		x.fail("values nest deeper than %d", maxNested)
		return false
	}
	x.i++
	x.depth++
	x.values++
	return true
}

// next goes to the next value of the open object or array and reports whether there is one. first marks
// the first value.
func (x *Reader) next(bracket byte, first bool) bool {
	if i := x.i + 1; i < x.n && x.buf[i-1] == ',' && !first { // as mostly
		if c := x.buf[i]; c > ' ' && c != ',' && c != bracket {
			x.i = i
			return true
		}
	}
	return x.step(bracket, first)
}

// step is the slow path of next. A missing or extra comma is damage. In an array, a missing entry is noted
// and read as null, so that later entries keep their positions.
func (x *Reader) step(bracket byte, first bool) bool {
	c := x.Peek()
	switch {
	case first || c == 0 || c == bracket:
	case c == ',':
		x.i++
		if c = x.Peek(); c == bracket {
			x.noJSON()
		}
	default:
		x.noJSON()
	}
	for c == ',' {
		x.noJSON()
		if x.absent = bracket == ']'; x.absent {
			return true
		}
		x.i++
		c = x.Peek()
	}
	switch c {
	case bracket:
		x.i++
	case 0:
		x.cut()
	default:
		return true
	}
	x.depth--
	return false
}

// Object reads an object: member is called for each of its keys, which are valid until it reads.
func (x *Reader) Object(member func(key []byte)) bool {
	if !x.open('{') {
		return false
	}
	for first := true; x.next('}', first); first = false {
		if x.buf[x.i] != '"' {
			x.fail("%q where a key should be", x.buf[x.i])
			continue
		}
		x.key = append(x.key[:0], x.text()...)
		if x.Peek() != ':' {
			x.fail("no value follows a key")
			continue
		}
		x.i++
		before := x.values
		if member(x.key); x.values == before {
			x.Skip()
		}
	}
	return x.err == nil
}

// String reads a string, without quotes and with its escapes, for Text to make sense of. It is valid
// until the next value is read, nil where there is none.
func (x *Reader) String() []byte {
	if x.Peek() != '"' {
		x.Skip()
		return nil
	}
	x.values++
	return x.text()
}

// text reads the string at which the reader is.
func (x *Reader) text() []byte {
	for from := 1; ; {
		if to := EndOfString(x.buf[:x.n], x.i+from); to >= 0 {
			s := x.buf[x.i+1 : to]
			if k := Control(s); k >= 0 {
				x.spoil(x.i + 1 + k)
				return x.overwritten(to - x.i)
			}
			x.i = to + 1
			return s
		}
		if x.n-x.i > maxToken/2 {
			x.long()
			return []byte("…")
		}
		from = len(bytes.TrimRight(x.buf[x.i:x.n], `\`)) // the end is not before it
		if !x.fill() {
			x.cut()
			return nil
		}
	}
}

// overwritten returns a damaged string that ends so many bytes behind its begin. Where the damage took an odd number of
// quotation marks, the one at its end begins the next string: then it is read again.
func (x *Reader) overwritten(end int) []byte {
	behind := x.buf[x.i+end+1 : x.n]
	for len(bytes.TrimLeft(behind, blanks)) == 0 && len(behind) < maxToken/2 && x.fill() {
		behind = x.buf[x.i+end+1 : x.n]
	}
	if x.err != nil {
		return nil
	}
	s := x.buf[x.i+1 : x.i+end]
	behind = bytes.TrimLeft(behind, blanks)
	x.i += end
	if len(behind) == 0 || bytes.IndexByte([]byte(",:]}"), behind[0]) >= 0 {
		x.i++
	}
	return s
}

// long skips a string that is too long to keep.
func (x *Reader) long() {
	escaped, noted := false, false
	x.i++
	for {
		for ; x.i < x.n; x.i++ {
			switch c := x.buf[x.i]; {
			case c == 0 && !noted:
				x.spoil(x.i)
				noted = true
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				x.i++
				return
			}
		}
		if !x.fill() {
			x.cut()
			return
		}
	}
}

// Plain reads a number, or a word such as true. It is valid until the next value is read, nil where
// there is none, or null.
func (x *Reader) Plain() []byte {
	if !startsPlain(x.Peek()) {
		x.Skip()
		return nil
	}
	x.values++
	for k := 0; ; {
		for x.i+k < x.n && isPlain[x.buf[x.i+k]] {
			k++
		}
		if x.i+k == x.n && x.fill() {
			continue
		}
		if x.i+k == x.n && x.depth > 0 { // there may be more of it
			x.cut()
		}
		if x.err != nil {
			return nil
		}
		s := x.buf[x.i : x.i+k]
		if x.i += k; s[0] == 'n' {
			return nil
		}
		return s
	}
}

// Int reads a whole number; ok is false where there is none. Fractions are cut off.
func (x *Reader) Int() (v int64, ok bool) {
	if v, ok := x.short(); ok {
		return v, true
	}
	b := x.Plain()
	i, negative := 0, len(b) > 0 && b[0] == '-'
	if negative {
		i = 1
	}
	from := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		v = v*10 + int64(b[i]-'0')
	}
	switch {
	case i == from || i-from > 18:
		return 0, false
	case i < len(b): // a fraction, an exponent
		t, ok := ParseTime(b, 0)
		return t.Ns, ok
	case negative:
		v = -v
	}
	return v, true
}

// short is Int of a number without sign and fraction that lies in the buffer with what follows it.
func (x *Reader) short() (v int64, ok bool) {
	if x.n-x.i < 20 {
		return 0, false
	}
	b := x.buf[x.i : x.i+20]
	for i, c := range b {
		if c -= '0'; c <= 9 {
			v = v*10 + int64(c)
			continue
		}
		if i == 0 || i > 18 || isPlain[b[i]] {
			return 0, false
		}
		x.i += i
		x.values++
		return v, true
	}
	return 0, false
}

// Skip reads a value of any kind and size.
func (x *Reader) Skip() {
	x.values++
	depth := 0
	for {
		if depth > 0 {
			x.skipPlains()
		}
		switch c := x.Peek(); {
		case c == 0:
			x.cut()
			return
		case x.absent:
			x.absent = false
			return
		case c == '"':
			x.text()
		case c == '{' || c == '[':
			x.i++
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				x.fail("%q where a value should be", c)
				return
			}
			x.i++
			depth--
		case startsPlain(c):
			x.skipPlain()
		case depth == 0:
			x.fail("%q where a value should be", c)
			return
		default:
			if !isBetween[c] {
				x.spoil(x.i)
			}
			x.i++
		}
		if depth == 0 {
			return
		}
	}
}

// isBetween are the bytes of numbers and words, and what lies between values.
var isBetween = func() (t [256]bool) {
	t = isPlain
	for _, c := range " \t\r\n,:" {
		t[c] = true
	}
	return
}()

// skipPlains skips the numbers and words in an object or an array, and what lies between them.
func (x *Reader) skipPlains() {
	for {
		b := x.buf[x.i:x.n]
		i := 0
		for i < len(b) && isBetween[b[i]] {
			i++
		}
		x.i += i
		if i < len(b) || !x.fill() {
			return
		}
	}
}

func (x *Reader) skipPlain() {
	for {
		for x.i < x.n && isPlain[x.buf[x.i]] {
			x.i++
		}
		if x.i < x.n || !x.fill() {
			return
		}
	}
}

// A Reader streams JSON of any size, value by value, without building a tree. Strings and numbers are
// slices of its buffer. The jsonscan files also decode JSON strings and decimal times.
