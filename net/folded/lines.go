// Package folded reads folded (collapsed) stacks: text with a line for each distinct stack of a
// sampling profiler, its frames from the outermost to the innermost between semicolons, and how many
// samples had it. There are no times.
package folded

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLine bounds a line, in bytes. What is longer is no stack.
const maxLine = 1 << 20

// liner cuts a text into lines, whatever its encoding and the pieces in which it comes.
type liner struct {
	take func(n int64, line []byte) // n counts from 1; line is without its end, and valid until take returns

	n       int64
	held    []byte // the beginning of a line
	long    bool   // it is too long
	begun   bool   // the encoding is known
	head    []byte // while it is not
	wide    bool   // UTF-16
	big     bool   // with the high byte first
	odd     []byte // bytes that are no whole character of UTF-16 yet
	high    rune   // a first half of a pair, or 0
	decoded []byte
}

func (l *liner) write(b []byte) {
	if !l.begun {
		l.head = append(l.head, b...)
		if len(l.head) < 3 {
			return
		}
		b = l.begin()
	}
	l.text(b)
}

// begin finds out the encoding, and returns what comes behind its mark.
func (l *liner) begin() []byte {
	b := l.head
	l.begun, l.head = true, nil
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		l.wide = true
		return b[2:]
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		l.wide, l.big = true, true
		return b[2:]
	}
	return bytes.TrimPrefix(b, []byte{0xef, 0xbb, 0xbf})
}

func (l *liner) text(b []byte) {
	if l.wide {
		b = l.decode(b)
	}
	for len(b) > 0 {
		part, rest, whole := bytes.Cut(b, []byte{'\n'})
		if !l.long && len(l.held)+len(part) <= maxLine {
			l.held = append(l.held, part...)
		} else {
			l.long = true
		}
		if b = rest; !whole {
			return
		}
		l.line()
	}
}

func (l *liner) line() {
	l.n++
	if l.long {
		l.held = append(l.held[:0], '?') // no stack
	}
	l.take(l.n, bytes.TrimSuffix(l.held, []byte{'\r'}))
	l.held, l.long = l.held[:0], false
}

// decode turns UTF-16 into UTF-8. Halves of pairs alone are replaced.
func (l *liner) decode(b []byte) []byte {
	l.odd = append(l.odd, b...)
	b, l.decoded = l.odd, l.decoded[:0]
	for ; len(b) >= 2; b = b[2:] {
		r := rune(b[0]) | rune(b[1])<<8
		if l.big {
			r = rune(b[1]) | rune(b[0])<<8
		}
		if l.high != 0 {
			pair := utf16.DecodeRune(l.high, r)
			l.high = 0
			l.decoded = utf8.AppendRune(l.decoded, pair)
			if pair != utf8.RuneError {
				continue
			}
		}
		if r >= 0xd800 && r < 0xdc00 {
			l.high = r
			continue
		}
		l.decoded = utf8.AppendRune(l.decoded, r)
	}
	l.odd = append(l.odd[:0], b...)
	return l.decoded
}

// close tells that nothing more comes.
func (l *liner) close() {
	if !l.begun {
		l.text(l.begin())
	}
	if len(l.held) > 0 || l.long {
		l.line()
	}
}

// stack is what a line says.
type stack struct {
	frames []byte
	count  float64
	before int // where another number begins before the count, at the space; -1 without one
}

// skipped tells whether a line says nothing.
func skipped(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 || line[0] == '#'
}

// parseLine reads a line; ok is false where it is no stack with a count.
func parseLine(line []byte) (s stack, ok bool) {
	line = bytes.TrimRight(line, " \t")
	at := bytes.LastIndexByte(line, ' ')
	if at <= 0 {
		return s, false
	}
	if s.count, ok = number(line[at+1:]); !ok {
		return s, false
	}
	s.frames = line[:at]
	s.before = bytes.LastIndexByte(s.frames, ' ')
	if _, two := number(s.frames[s.before+1:]); s.before <= 0 || !two {
		s.before = -1
	}
	return s, true
}

// number reads a count: digits, perhaps with a fraction.
func number(b []byte) (v float64, ok bool) {
	if len(b) == 0 || len(b) > 32 {
		return 0, false
	}
	for _, c := range b {
		if c != '.' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil && v < maxCount
}
