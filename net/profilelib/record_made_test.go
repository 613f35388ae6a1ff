package profilelib

import (
	"encoding/binary"
	"fmt"
)

// Records as tests make them and look at them.

// Record is one record as it stands in the stream. The meaning of its fields depends on its Kind
// (FORMAT.md section 3).
type Record struct {
	ID        uint32 // see Layout.Kind
	Parent    uint32 // of a block: the id of the enclosing one, 0 for none; of a continuation: the number of the piece before
	Processor uint32
	Thread    uint32
	Start     int64 // ticks since the library was initialised; of system information: ticks per second
	End       int64 // ticks; of a message its own number, of a frame the program's counter
	// Name is the text without the NUL. Of a decoded record it is a part of the bytes that were
	// decoded.
	Name []byte
	// Previous, Sibling and Child are positions in the library's work buffer: the preceding sibling or
	// else the parent, the next older sibling, the newest child. 0 is none.
	Previous, Sibling, Child uint32
}

// NameSize returns the bytes of the name field, the NUL included that ends every name and every piece of a message.
func (l Layout) NameSize() int { return l.place().name }

// ID returns the id of a kind other than Block. ok is false where the layout has no such kind.
func (l Layout) ID(k Kind) (id uint32, ok bool) {
	if k == WaitMore {
		k = Signal
	}
	if l == V1 {
		if k == EndOfStream || k >= Wait {
			return 0, false
		}
		return uint32(k) - 1, true
	}
	return uint32(k), k <= SignalMore
}

// Decode reads the record at the beginning of b into r; r.Name is a part of b. It fails only when b
// is shorter than the layout's stride.
func (l Layout) Decode(b []byte, r *Record) error {
	p := l.place()
	if len(b) < p.stride {
		return fmt.Errorf("profile stream: a record has %d bytes instead of %d", len(b), p.stride)
	}
	o := binary.LittleEndian
	r.ID, r.Parent, r.Processor, r.Thread = o.Uint32(b), o.Uint32(b[4:]), o.Uint32(b[8:]), o.Uint32(b[12:])
	r.Start, r.End = int64(o.Uint64(b[16:])), int64(o.Uint64(b[24:]))
	r.Name = cutNUL(b[nameAt : nameAt+p.name])
	previous, sibling, child := l.links(b)
	r.Previous, r.Sibling, r.Child = uint32(previous), uint32(sibling), child
	return nil
}

// Encode appends the record to out. A name longer than the field is cut so that its NUL stays, and
// links are cut to their width.
func (l Layout) Encode(r *Record, out []byte) []byte {
	p := l.place()
	at := len(out)
	out = append(out, make([]byte, p.stride)...)
	b := out[at:]
	o := binary.LittleEndian
	o.PutUint32(b, r.ID)
	o.PutUint32(b[4:], r.Parent)
	o.PutUint32(b[8:], r.Processor)
	o.PutUint32(b[12:], r.Thread)
	o.PutUint64(b[16:], uint64(r.Start))
	o.PutUint64(b[24:], uint64(r.End))
	copy(b[nameAt:nameAt+p.name-1], r.Name)
	o.PutUint16(b[p.previous:], uint16(r.Previous))
	o.PutUint16(b[p.sibling:], uint16(r.Sibling))
	if p.wide {
		o.PutUint32(b[p.child:], r.Child)
	} else {
		o.PutUint16(b[p.child:], uint16(r.Child))
	}
	return out
}
