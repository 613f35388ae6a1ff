package trace

import "bytes"

// maxMark is the most bytes of the begin of an object by which others are found.
const maxMark = 256

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
			x.Skip()
		}
	}
	return x.err == nil
}

// mark returns the begin of the object at which the reader is: all up to its first value; nil where there is none.
func (x *Reader) mark() []byte {
	for x.n-x.i < maxMark && x.fill() {
	}
	b := x.buf[x.i:min(x.n, x.i+maxMark)]
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
	x.err, x.i, x.hurt, x.absent = nil, x.hurt-1, 0, false
	at := x.At()
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
	x.depth = depth
	x.spoiled.add(at)
	x.spoiled.left++
	return true
}
