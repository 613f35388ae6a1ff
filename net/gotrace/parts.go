package gotrace

import (
	"bytes"
	"errors"
	"io"
)

// parts divides a stream of traces, one behind the other, at their headers. It returns bytes at once, except for
// the possible beginning of a header.
type parts struct {
	r    io.Reader
	buf  []byte // came, and was not handed out
	err  error  // of r, for when buf is empty
	more bool   // a header stands at the beginning of buf
	some bool   // of the part that is being read
	at   int64  // bytes of the stream that were handed out
	// wait is called before more is read; it may be nil.
	wait func()
	room [32 << 10]byte
}

// headMark is how each header begins.
var headMark = []byte("go 1.")

// next reports whether there is one more part, and begins it.
func (p *parts) next() bool {
	if !p.more && !p.some && len(p.buf) == 0 && p.err == nil {
		p.fill()
	}
	if !p.more && (p.some || len(p.buf) == 0) {
		return false
	}
	p.more, p.some = false, false
	return true
}

func (p *parts) fill() {
	if p.wait != nil {
		p.wait()
	}
	n, err := p.r.Read(p.room[:])
	p.buf = append(p.buf, p.room[:n]...)
	p.err = err
}

// Read implements io.Reader, up to the next header.
func (p *parts) Read(out []byte) (int, error) {
	for !p.more && len(out) > 0 {
		if n := p.ready(); n > 0 {
			n = copy(out, p.buf[:n])
			p.buf = p.buf[:copy(p.buf, p.buf[n:])]
			p.some = true
			p.at += int64(n)
			return n, nil
		}
		if p.more {
			break
		}
		if p.err != nil {
			return 0, p.err
		}
		p.fill()
	}
	if len(out) == 0 {
		return 0, nil
	}
	return 0, io.EOF
}

// ready returns how many bytes at the beginning of buf are of this part.
func (p *parts) ready() int {
	from := 0
	if !p.some {
		from = 1 // its own header
	}
	for from < len(p.buf) {
		at := bytes.IndexByte(p.buf[from:], headMark[0])
		if at < 0 {
			return len(p.buf)
		}
		from += at
		rest := p.buf[from:]
		if len(rest) < headSize && p.err == nil && bytes.HasPrefix(headMark, rest[:min(len(rest), len(headMark))]) {
			return from
		}
		if _, ok := version(rest); ok {
			if p.more = from == 0; p.more {
				return 0
			}
			return from
		}
		from++
	}
	return len(p.buf)
}

// stopped returns why the stream ended early, nil at its end.
func (p *parts) stopped() error {
	if p.err == nil || errors.Is(p.err, io.EOF) {
		return nil
	}
	return p.err
}
