package journal

import "fmt"

// Parser reads the records of a session that is one file from its bytes as they come.
type Parser struct {
	// Record is called with each record; its error ends the parsing. Key and Payload are valid during
	// the call.
	Record func(Record) error
	// Damaged is called with each unreadable place; may be nil.
	Damaged func(Damage)
	// Name is the file's, for damages.
	Name string

	buf   []byte
	off   int64 // of buf[0]
	head  bool  // was read
	split splitter
}

// Write takes the next bytes, cut anywhere. It keeps none of p.
func (p *Parser) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b...)
	at, err := p.parse(false)
	if at > 0 {
		p.off += int64(at)
		p.buf = p.buf[:copy(p.buf, p.buf[at:])]
	}
	return len(b), err
}

// Finish says that no more bytes will come.
func (p *Parser) Finish() error {
	at, err := p.parse(true)
	if err == nil && !p.head && len(p.buf) > 0 {
		p.damaged(Damage{File: p.Name, Bytes: int64(len(p.buf)), Reason: errShort.Error()})
	} else if d, ok := p.split.damage(p.Name, p.off+int64(at), false); ok && err == nil {
		p.damaged(d)
	}
	p.buf = nil
	return err
}

// parse reads the buffered bytes and returns how many it is done with.
func (p *Parser) parse(last bool) (at int, err error) {
	if !p.head {
		if len(p.buf) < segmentHead {
			return 0, nil
		}
		if _, _, _, err := parseHead(p.buf); err != nil {
			if !Sniff(p.buf) {
				return 0, fmt.Errorf("%s: %w", p.Name, err)
			}
			p.damaged(Damage{File: p.Name, Bytes: int64(segmentHead), Reason: err.Error()})
		}
		p.head, at = true, segmentHead
	}
	for {
		left := int64(endless)
		if last {
			left = int64(len(p.buf) - at)
		}
		rec, skip, n, ok := p.split.next(p.buf[at:], left)
		at += skip
		if !ok {
			return at, nil
		}
		if d, lost := p.split.damage(p.Name, p.off+int64(at), true); lost {
			p.damaged(d)
		}
		rec.Pos = Pos{1, p.off + int64(at)}
		at += n
		if err := p.Record(rec); err != nil {
			return at, err
		}
	}
}

func (p *Parser) damaged(d Damage) {
	if p.Damaged != nil {
		p.Damaged(d)
	}
}
