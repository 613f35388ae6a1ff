package gsttrace

import (
	"bytes"
	"unicode/utf8"
)

const esc = 0x1b

// traceMessage matches a line with the pattern of gst-stats 1.22, plain or coloured, and returns
// the message of one of level TRACE; nil for all others.
func traceMessage(line []byte, colored bool) []byte {
	if nul := bytes.IndexByte(line, 0); nul >= 0 {
		line = line[:nul] // it is a C string
	}
	c := cursor{line, true}
	c.some(func(b byte) bool { return b-'0' < 10 || b == ':' || b == '.' })
	c.blanks()
	if colored {
		c.color(false)
		c.any(isBlank)
	}
	c.some(gststatsIsDigit)
	if colored {
		c.color(true)
	}
	c.blanks()
	if colored {
		c.literal("0x")
	} else {
		c.optional('0')
		c.optional('x')
	}
	c.some(gststatsIsHex)
	c.blanks()
	if colored && c.ok && len(c.b) > 0 && c.b[0] == esc {
		c.color(false)
	}
	level := c.some(isUpper)
	c.blanks()
	if colored {
		c.color(true)
		c.blanks()
		c.color(false)
		c.blanks()
	}
	c.some(isCategory)
	c.blanks()
	c.any(notColon)
	c.literal(":")
	c.some(gststatsIsDigit)
	c.literal(":")
	c.any(notColon)
	c.literal(":")
	if colored && c.ok && len(c.b) > 0 && c.b[0] == esc {
		c.color(true)
	}
	c.blanks()
	if !c.ok || string(level) != "TRACE" {
		return nil
	}
	message, ok := lastLine(c.b)
	if !ok || !utf8.Valid(line) {
		return nil
	}
	return message
}

// lastLine takes one line end of any kind off the end; ok is false when another is left, which the
// pattern's dot does not match.
func lastLine(m []byte) (text []byte, ok bool) {
	switch n := len(m); {
	case bytes.HasSuffix(m, []byte("\r\n")):
		m = m[:n-2]
	case n > 0 && m[n-1] >= '\n' && m[n-1] <= '\r':
		m = m[:n-1]
	}
	for i := 0; i < len(m); i++ {
		if b := m[i]; b >= '\n' && b <= '\r' || b == 0xc2 && i+1 < len(m) && m[i+1] == 0x85 || b == 0xe2 && i+2 < len(m) && m[i+1] == 0x80 && m[i+2]&^1 == 0xa8 {
			return nil, false
		}
	}
	if m == nil {
		m = []byte{}
	}
	return m, true
}

// cursor walks along a line as long as it matches.
type cursor struct {
	b  []byte
	ok bool
}

func (c *cursor) any(class func(byte) bool) []byte {
	n := 0
	for n < len(c.b) && class(c.b[n]) {
		n++
	}
	head := c.b[:n]
	c.b = c.b[n:]
	return head
}

func (c *cursor) some(class func(byte) bool) []byte {
	if !c.ok {
		return nil
	}
	head := c.any(class)
	c.ok = len(head) > 0
	return head
}

func (c *cursor) blanks() { c.some(isBlank) }

func (c *cursor) optional(b byte) {
	if c.ok && len(c.b) > 1 && c.b[0] == b && (gststatsIsHex(c.b[1]) || b == '0' && c.b[1] == 'x') {
		c.b = c.b[1:]
	}
}

func (c *cursor) literal(text string) {
	if c.ok = c.ok && len(c.b) >= len(text) && string(c.b[:len(text)]) == text; c.ok {
		c.b = c.b[len(text):]
	}
}

// color takes ESC [ … m; end is ESC [00m.
func (c *cursor) color(end bool) {
	if end {
		c.literal("\x1b[00m")
		return
	}
	c.literal("\x1b[")
	c.some(func(b byte) bool { return gststatsIsDigit(b) || b == ';' })
	c.literal("m")
}

func isBlank(b byte) bool         { return b == ' ' }
func gststatsIsDigit(b byte) bool { return b-'0' < 10 }
func gststatsIsHex(b byte) bool   { return gststatsIsDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }
func isUpper(b byte) bool         { return b >= 'A' && b <= 'Z' }
func isAlpha(b byte) bool         { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isCategory(b byte) bool      { return isAlpha(b) || b == '_' || b == '-' }
func notColon(b byte) bool        { return b != ':' }
