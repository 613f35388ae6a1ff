package perfscript

import "bytes"

// maxLine bounds a line, in bytes. What is longer is left out.
const maxLine = 1 << 20

// liner cuts text that comes in pieces into lines, which end by LF or CRLF.
type liner struct {
	take func(line []byte) // valid until it returns
	n    int64             // number of the line that is taken, from 1
	long int64             // lines that were too long

	held []byte // the begin of a line
	skip bool   // it is too long
}

func (l *liner) write(b []byte) {
	for len(b) > 0 {
		at := bytes.IndexByte(b, '\n')
		if at < 0 {
			l.hold(b)
			return
		}
		line := b[:at]
		if len(l.held) > 0 || l.skip {
			l.hold(line)
			line = l.held
		}
		b = b[at+1:]
		l.line(line)
	}
}

func (l *liner) hold(b []byte) {
	if l.skip = l.skip || len(l.held)+len(b) > maxLine; !l.skip {
		l.held = append(l.held, b...)
	}
}

func (l *liner) line(line []byte) {
	l.n++
	if l.skip {
		l.long++
	} else {
		l.take(bytes.TrimSuffix(line, []byte{'\r'}))
	}
	l.held, l.skip = l.held[:0], false
}

// close tells that nothing more comes.
func (l *liner) close() {
	if len(l.held) > 0 || l.skip {
		l.line(l.held)
	}
}
