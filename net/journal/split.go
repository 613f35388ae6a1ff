package journal

import (
	"encoding/binary"
	"math"
)

// splitter finds the records in the bytes of a segment. Where a record is damaged it goes on with
// the next one that is whole: mostly that begins right behind it, because its length is good; else
// it is looked for byte by byte, by what a record's head may say and by its checksum.
//
// What bytes say about lengths may be made up so that a checksum of much is due at each of them.
// So checksums that turn out wrong are paid for: each byte that is left behind gives credit for so
// many more. The work grows with the bytes, whatever they are.
type splitter struct {
	spent   int64 // bytes of wrong checksums, less the credit earned since
	checked int64 // bytes of all checksums, for tests
	lost    bool  // the next byte is not known to begin a record
	passed  int64 // bytes before the next one that are lost
	bad     int   // length of the record that begins with the next byte, if its checksum is wrong
	claims  int64 // length of the first lost record, as its header claims; 0: implausible
	why     error
}

const (
	mostSpent  = maxBody + recordHead // so that any record may be looked at
	earned     = 32                   // bytes of checksums for each byte that is left behind
	leastBytes = recordHead + bodyHead
	endless    = math.MaxInt64 / 2 // left, as long as more may come
)

// next returns the next record in b, which begins where the last call ended: skip bytes of it are
// passed over, and the record has n. If there is none, !ok, n is how many bytes are needed, behind
// those that are passed over, to say more; 0: none will change that. left is how many bytes there
// are in all, b included.
func (s *splitter) next(b []byte, left int64) (rec Record, skip, n int, ok bool) {
	left = max(left, 0)
	if !s.lost && s.bad == 0 {
		n, err := recordLength(b)
		switch {
		case left == 0:
			return rec, 0, 0, false
		case err == errShort && left >= recordHead:
			return rec, 0, recordHead, false
		case err == nil && int64(n) <= left && n > len(b):
			return rec, 0, n, false
		case err == nil && int64(n) > left:
			err = errShort
		case err == nil:
			if rec, ok = s.check(b[:n]); ok {
				s.earn(n)
				return rec, 0, n, true
			}
			err, s.bad = errDamaged, n
		}
		s.why, s.claims, s.lost = err, int64(n), s.bad == 0
	}
	if s.bad > 0 { // perhaps only this one is damaged: then another follows it
		rec, n, is := s.candidate(b[s.bad:], left-int64(s.bad))
		switch {
		case is == maybe:
			return rec, 0, s.bad + n, false
		case is == yes:
			skip, s.bad, s.lost = s.bad, 0, true
			s.passed += int64(skip)
			return rec, skip, n, true
		}
		s.bad, s.lost = 0, true
	}
	for {
		if rest := left - int64(skip); rest < leastBytes {
			if int64(len(b)-skip) < rest {
				return rec, skip, int(rest), false
			}
			s.passed += rest
			return rec, skip + int(rest), 0, false
		}
		if s.passed > 0 { // the damage began at the first byte
			var is verdict
			if rec, n, is = s.candidate(b[skip:], left-int64(skip)); is == yes {
				s.earn(n)
			}
			if is != no {
				return rec, skip, n, is == yes
			}
		}
		if len(b) == skip {
			return rec, skip, leastBytes, false
		}
		n := 1
		for rest := b[skip+1:]; len(rest) >= 8 && binary.LittleEndian.Uint64(rest) == 0; rest = rest[5:] {
			n += 5 // a record's size is 4 bytes that are not all 0
		}
		skip += n
		s.passed += int64(n)
		s.earn(n)
	}
}

type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// candidate checks whether b, out of left bytes in all, begins with a record in today's form, n bytes
// long. maybe: a decision needs n bytes.
func (s *splitter) candidate(b []byte, left int64) (rec Record, n int, is verdict) {
	if left < leastBytes {
		return rec, 0, no
	}
	if len(b) < leastBytes {
		return rec, leastBytes, maybe
	}
	size, kind, key := binary.LittleEndian.Uint32(b), Kind(b[recordHead]), uint32(b[recordHead+1])
	if size < bodyHead || size > maxBody || kind < KindMeta || kind > KindMark ||
		key > 0 && kind != KindDefinition || key > size-bodyHead {
		return rec, 0, no
	}
	n = recordHead + int(size)
	switch {
	case int64(n) > left || int64(n) > mostSpent-s.spent:
		return rec, 0, no
	case n > len(b):
		return rec, n, maybe
	}
	rec, ok := s.check(b[:n])
	if !ok {
		return rec, 0, no
	}
	return rec, n, yes
}

// check reads the record that b is.
func (s *splitter) check(b []byte) (Record, bool) {
	if int64(len(b)) > mostSpent-s.spent {
		return Record{}, false
	}
	s.checked += int64(len(b))
	rec, _, err := parseRecord(b)
	if err != nil {
		s.spent += int64(len(b))
	}
	return rec, err == nil
}

func (s *splitter) earn(n int) { s.spent = max(0, s.spent-earned*int64(n)) }

// damage returns the bytes skipped before the one at an offset, and forgets them; ok is false if there
// are none. found reports whether a record is there.
func (s *splitter) damage(file string, offset int64, found bool) (d Damage, ok bool) {
	if s.passed > 0 {
		if found { // its length was not what it said
			s.why = errDamaged
		}
		d = Damage{
			File: file, Offset: offset - s.passed, Bytes: s.passed, Reason: s.why.Error(), Records: 1,
			Cut: s.why == errShort,
		}
		switch {
		case s.claims > s.passed: // bytes may have gone, too
			d.Records = -1
		case s.claims < s.passed:
			d.Records = max(1, s.passed/leastBytes)
		}
	}
	ok = s.passed > 0
	s.lost, s.passed, s.claims, s.why = false, 0, 0, nil
	return d, ok
}
