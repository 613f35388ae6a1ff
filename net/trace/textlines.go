// File textlines.go cuts text into lines, whatever its encoding (UTF-8, with a mark or without one, or
// UTF-16 with one), its line ends (LF or CRLF) and the pieces in which it comes.

package trace

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"framescope/net/feed"
)

// MostLine bounds a line, in bytes.
const MostLine = 1 << 20

// Cutter cuts a text that comes in pieces. The zero value with a Take is ready to use.
type Cutter struct {
	// Take takes a line without its end, in UTF-8; it is valid until Take returns.
	Take func(line []byte)
	// Long is called instead where a line is longer than MostLine, unless it is nil.
	Long func()
	// N is the number of the line that is taken, from 1.
	N int64
	// NULs are those of the text.
	NULs NULs
	// Unended marks the last line of a text without a final line end.
	Unended bool

	held    []byte // the beginning of a line
	skip    bool   // it is too long
	begun   bool   // the encoding is known
	head    []byte // while it is not
	wide    bool   // UTF-16
	big     bool   // with the high byte first
	odd     []byte // bytes that are no whole character of UTF-16 yet
	high    rune   // a first half of a pair, or 0
	decoded []byte
}

// ReadLines gives the lines of a file to a Cutter, gzip and the like undone. Where it can't be read to its end, the
// lines before are taken, and the last part of a line is not.
func ReadLines(ctx context.Context, path string, c *Cutter, progress func(done, total int64)) error {
	err := feed.Copy(ctx, path, progress, c)
	if err == nil {
		c.Close()
	}
	return err
}

// Write takes a piece, all of it.
func (c *Cutter) Write(b []byte) (int, error) {
	switch {
	case c.begun:
		c.text(b)
	case len(c.head)+len(b) < 3:
		c.head = append(c.head, b...)
	default:
		c.head = append(c.head, b...)
		c.text(c.begin())
	}
	return len(b), nil
}

// Close ends the text and takes the last line.
func (c *Cutter) Close() {
	if !c.begun {
		c.text(c.begin())
	}
	if len(c.held) > 0 || c.skip {
		c.Unended = true
		c.line(c.held)
	}
}

// begin finds out the encoding, and returns what comes behind its mark.
func (c *Cutter) begin() []byte {
	b := c.head
	c.begun, c.head = true, nil
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		c.wide = true
		return b[2:]
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		c.wide, c.big = true, true
		return b[2:]
	}
	return bytes.TrimPrefix(b, []byte{0xef, 0xbb, 0xbf})
}

func (c *Cutter) text(b []byte) {
	if c.wide {
		b = c.decode(b)
	}
	c.NULs.Write(b)
	for len(b) > 0 {
		at := bytes.IndexByte(b, '\n')
		if at < 0 {
			c.hold(b)
			return
		}
		line := b[:at]
		if len(c.held) > 0 || c.skip || at > MostLine {
			c.hold(line)
			line = c.held
		}
		b = b[at+1:]
		c.line(line)
	}
}

func (c *Cutter) hold(b []byte) {
	if c.skip = c.skip || len(c.held)+len(b) > MostLine; !c.skip {
		c.held = append(c.held, b...)
	}
}

func (c *Cutter) line(line []byte) {
	c.N++
	switch {
	case !c.skip:
		c.Take(bytes.TrimSuffix(line, []byte{'\r'}))
	case c.Long != nil:
		c.Long()
	}
	c.held, c.skip = c.held[:0], false
}

// decode turns UTF-16 into UTF-8. Halves of pairs alone are replaced.
func (c *Cutter) decode(b []byte) []byte {
	c.odd = append(c.odd, b...)
	b, c.decoded = c.odd, c.decoded[:0]
	for ; len(b) >= 2; b = b[2:] {
		r := rune(b[0]) | rune(b[1])<<8
		if c.big {
			r = rune(b[1]) | rune(b[0])<<8
		}
		if c.high != 0 {
			pair := utf16.DecodeRune(c.high, r)
			c.high = 0
			c.decoded = utf8.AppendRune(c.decoded, pair)
			if pair != utf8.RuneError {
				continue
			}
		}
		if r >= 0xd800 && r < 0xdc00 {
			c.high = r
			continue
		}
		c.decoded = utf8.AppendRune(c.decoded, r)
	}
	c.odd = append(c.odd[:0], b...)
	return c.decoded
}

// Head returns up to most lines from the begin of a text. whole marks head as the whole text; otherwise
// the last line may be incomplete, and is left out. So are lines with NULs, if they are no more than damage would
// have left.
func Head(head []byte, whole bool, most int) (list []string) {
	c := Cutter{Take: func(line []byte) {
		if len(list) < most {
			list = append(list, string(line))
		}
	}}
	if !whole {
		head = head[:min(len(head), bytes.LastIndexByte(head, '\n')+3)] // an end in UTF-16 has two bytes, a mark three
	}
	for len(head) > 0 && len(list) < most {
		n := bytes.IndexByte(head, '\n') + 1
		if n == 0 {
			n = len(head)
		}
		c.Write(head[:n])
		head = head[n:]
	}
	if whole {
		c.Close()
	}
	intact := slices.DeleteFunc(slices.Clone(list), func(line string) bool { return strings.IndexByte(line, 0) >= 0 })
	if len(list)-len(intact) <= max(len(list)/4, 1) {
		return intact
	}
	return list
}
