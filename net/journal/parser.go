package journal

import (
	"errors"
	"fmt"
)

// Parser reads the records of a session that is one file from its bytes as they come.
type Parser struct {
	// Record is called with each record; what it returns ends the parsing. Key and Payload are
	// valid during the call.
	Record func(Record) error
	// Damaged is called with each place that can't be read; nil: nobody wants to know.
	Damaged func(Damage)
	// Name is the file's, for damages.
	Name string

	buf  []byte
	off  int64 // of buf[0]
	head bool  // was read
	lost bool  // nothing more can be understood
}

// Write takes the next bytes, cut anywhere. It keeps none of p.
func (p *Parser) Write(b []byte) (int, error) {
	if p.lost {
		return len(b), nil
	}
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
	if rest := len(p.buf) - at; rest > 0 && err == nil && !p.lost {
		p.damage(at, rest, errShort)
	}
	p.buf = nil
	return err
}

// parse reads what is there and returns how many bytes of it are done with.
func (p *Parser) parse(last bool) (at int, err error) {
	if !p.head {
		if len(p.buf) < segmentHead {
			return 0, nil
		}
		if _, _, _, err := parseHead(p.buf); err != nil {
			if !Sniff(p.buf) {
				return 0, fmt.Errorf("%s: %w", p.Name, err)
			}
			p.damage(0, segmentHead, err)
		}
		p.head, at = true, segmentHead
	}
	for !p.lost {
		rec, n, err := parseRecord(p.buf[at:])
		switch {
		case err == nil:
			rec.Pos = Pos{1, p.off + int64(at)}
			if err := p.Record(rec); err != nil {
				return at + n, err
			}
			at += n
		case errors.Is(err, errShort):
			return at, nil
		case n > 0 && len(p.buf)-at == n && !last:
			return at, nil // what follows will tell
		default:
			// Only this record may be damaged: then another follows it.
			if n > 0 {
				_, _, next := parseRecord(p.buf[at+n:])
				if errors.Is(next, errShort) && !last {
					return at, nil
				}
				if next == nil {
					p.damage(at, n, err)
					at += n
					continue
				}
			}
			p.damage(at, len(p.buf)-at, err)
			p.lost = true
			return len(p.buf), nil
		}
	}
	return at, nil
}

func (p *Parser) damage(at, bytes int, err error) {
	if p.Damaged != nil {
		p.Damaged(Damage{p.Name, p.off + int64(at), int64(bytes), err.Error()})
	}
}
