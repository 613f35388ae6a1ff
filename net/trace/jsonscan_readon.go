package trace

import "bytes"

// maxMark is the most bytes of the begin of an object by which others are found.
const maxMark = 256

// blanks are what stands between values, and what damage may leave there.
const blanks = " \t\r\n\x00"

// Objects reads an array of objects as Array does. A place that can't be read costs the object that it is in, and
// those up to the next one that begins as the first one does, with the same key: reading goes on there.
func (x *Reader) Objects(element func()) bool {
	if !x.open('[') {
		return false
	}
	depth, mark := x.depth, []byte(nil)
	for first := true; x.next(']', first) || x.readOn(mark, depth); first = false {
		if mark == nil {
			mark = x.mark()
		}
		before := x.values
		if element(); x.values == before {
			x.Object(func([]byte) {}) // Skip would pass over other places
		}
	}
	return x.err == nil
}

// ahead returns the next bytes, which it leaves unread.
func (x *Reader) ahead() []byte {
	for x.n-x.i < maxMark && x.fill() {
	}
	return x.buf[x.i:min(x.n, x.i+maxMark)]
}

// retreat goes back to the place that can't be read, in an array of some depth, and notes it.
func (x *Reader) retreat(depth int) {
	x.err, x.i, x.hurt, x.absent, x.depth = nil, x.hurt-1, 0, false, depth
	x.spoiled.add(x.At())
	x.spoiled.left++
}

// mark returns the begin of the object at which the reader is: all up to its first value; nil where there is none.
func (x *Reader) mark() []byte {
	b := x.ahead()
	if k := bytes.IndexByte(b, ':'); k > 0 && b[0] == '{' && Control(b[:k]) < 0 {
		return bytes.Clone(b[:k+1])
	}
	return nil
}

// readOn goes to the next object with a mark, behind a place that can't be read, and notes the place. The object is in
// an array of some depth.
func (x *Reader) readOn(mark []byte, depth int) bool {
	if x.err == nil || x.hurt == 0 || mark == nil {
		return false
	}
	err := x.err
	x.retreat(depth)
	for {
		k := bytes.Index(x.buf[x.i:x.n], mark)
		if k >= 0 {
			x.i += k
			break
		}
		if x.i = max(x.i, x.n-len(mark)+1); !x.fill() {
			x.Stop(err)
			return false
		}
	}
	return true
}
