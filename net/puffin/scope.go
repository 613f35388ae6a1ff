package puffin

import (
	"encoding/binary"
	"math"
)

// scope is a call in the stream of a thread.
type scope struct {
	begin, stop int64
	id          uint32 // of PFD4; the others have name and place
	name, place []byte
	data        []byte // the text that the call was given
	body, end   int    // where its callees begin and end
}

// scopeTail is what follows the callees: a bracket and the time of the end, in bytes.
const scopeTail = 9

// scopeAt reads the scope that begins at a place of a stream, up to limit. ok is false where there
// is none, or one that never ended.
func scopeAt(b []byte, at, limit int, numbered bool, s *scope) (ok bool) {
	r := reader{b: b[at:limit]}
	if r.byte() != '(' {
		return false
	}
	if numbered {
		if id := r.take(4); id != nil {
			s.id = binary.LittleEndian.Uint32(id)
		}
	}
	if t := r.take(8); t != nil {
		s.begin = int64(binary.LittleEndian.Uint64(t))
	}
	if !numbered {
		s.name = r.take(uint64(r.byte()))
		s.place = r.take(uint64(r.byte()))
	}
	s.data = r.take(uint64(r.byte()))
	size := r.take(8)
	if size == nil {
		return false
	}
	n := binary.LittleEndian.Uint64(size)
	if n > math.MaxInt32 || int(n)+scopeTail > len(r.b) || r.b[n] != ')' {
		return false
	}
	s.body = limit - len(r.b)
	s.end = s.body + int(n)
	s.stop = int64(binary.LittleEndian.Uint64(r.b[n+1:]))
	return s.stop >= s.begin
}
