package gsttrace

import "bytes"

// pieceSize is the number of bytes of a line that gst-stats reads at once.
const pieceSize = 4999

// pieces cuts a stream as fgets with a buffer of 5000 bytes does: a piece ends behind a line feed
// or after 4999 bytes.
type pieces struct {
	buf  []byte
	call func(piece []byte)
}

func (p *pieces) write(b []byte) {
	for len(b) > 0 {
		room := pieceSize - len(p.buf)
		head := b[:min(len(b), room)]
		end := bytes.IndexByte(head, '\n')
		if end >= 0 {
			head = head[:end+1]
		}
		b = b[len(head):]
		if len(p.buf) == 0 && (end >= 0 || len(head) == pieceSize) {
			p.call(head)
			continue
		}
		p.buf = append(p.buf, head...)
		if end >= 0 || len(p.buf) == pieceSize {
			p.call(p.buf)
			p.buf = p.buf[:0]
		}
	}
}

func (p *pieces) close() {
	if len(p.buf) > 0 {
		p.call(p.buf)
		p.buf = p.buf[:0]
	}
}
