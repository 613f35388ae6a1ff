package gotrace

import (
	"bytes"
	"errors"
	"io"
	"slices"
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
	head []byte // the header of the part that is being read
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
			if !p.some {
				p.head = append(p.head[:0], p.buf[:min(headSize, len(p.buf))]...)
			}
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

// What makes a place of a damaged trace the begin of a batch: so many that follow each other.
const (
	sureBatches = 4
	mostBatch   = 64 << 10 // bytes of data
)

// resume makes a part of the rest of a damaged trace, from the first generation behind after that is there from its
// begin. recent is what came since the begin of the newest generation, nil where that is not known.
func (p *parts) resume(recent []byte, after uint64) {
	p.buf, p.at, p.more = append(recent, p.buf...), p.at-int64(len(recent)), false
	last := uint64(0) // generation of the batch before, 0: not known
	if recent != nil {
		last = after
	}
	for i := 0; ; {
		for len(p.buf)-i < (sureBatches+1)*mostBatch && p.err == nil {
			p.buf, i = p.buf[:copy(p.buf, p.buf[i:])], p.skip(i)
			p.fill()
		}
		b := p.buf[i:]
		_, p.more = version(b)
		gen, n := uint64(0), 0
		if !p.more {
			gen, n = chain(b)
		}
		if begins := n > 0 && last > 0 && gen != last && gen > after; begins || p.more || len(b) == 0 {
			p.skip(i)
			if p.buf, p.some = b, !p.more; begins {
				p.buf, p.more = slices.Concat(p.head, b), true
			}
			return
		}
		switch {
		case n > 0:
			last = gen
		case b[0] != evEndOfGeneration:
			last = 0
		}
		i += max(n, 1)
	}
}

// skip counts bytes that are left out; it returns 0.
func (p *parts) skip(n int) int {
	p.at += int64(n)
	return 0
}

// chain returns the generation and length of the batch with which b begins, if others follow it; else the length is 0.
func chain(b []byte) (gen uint64, length int) {
	rest := b
	for k := 0; k < sureBatches && len(rest) > 0; k++ {
		if rest[0] == evEndOfGeneration && k > 0 {
			rest = rest[1:]
			k--
			continue
		}
		g, size, data, ok := batchHeader(rest)
		if !ok || size > mostBatch || size > uint64(len(data)) || k > 0 && (g < gen || g > gen+1) {
			return 0, 0
		}
		rest = data[size:]
		if k == 0 {
			gen, length = g, len(b)-len(rest)
		}
	}
	return gen, length
}

// stopped returns why the stream ended early, nil at its end.
func (p *parts) stopped() error {
	if p.err == nil || errors.Is(p.err, io.EOF) {
		return nil
	}
	return p.err
}
