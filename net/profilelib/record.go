package profilelib

import (
	"bytes"
	"fmt"
)

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

// FirstBlock is the least id that a block can have: the counter starts at 128 and is raised before
// use.
const FirstBlock = 129

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. From EndOfStream to SignalMore they have the ids of V2 and later.
const (
	EndOfStream Kind = iota
	SysInfo
	Log
	LogMore
	Frame
	TryLock
	TryLockMore
	Lock
	LockMore
	Unlock
	UnlockMore
	Wait
	Signal // also the id of the rest of a wait's name, see Layout.Kind
	SignalMore
	WaitMore
	Block
	Unknown
)

var kindNames = [...]string{"end of stream", "system info", "log", "log continuation", "frame", "trylock", "trylock continuation", "lock", "lock continuation",
	"unlock", "unlock continuation", "wait", "signal", "signal continuation", "wait continuation", "block", "unknown"}

// String returns the kind in words.
func (k Kind) String() string { return kindNames[min(k, Unknown)] }

// More reports whether the kind is the continuation of a message.
func (k Kind) More() bool {
	switch k {
	case LogMore, TryLockMore, LockMore, UnlockMore, SignalMore, WaitMore:
		return true
	}
	return false
}

// Base returns the kind of message that a continuation continues, and other kinds as they are.
func (k Kind) Base() Kind {
	switch k {
	case LogMore, TryLockMore, LockMore, UnlockMore:
		return k - 1
	case SignalMore:
		return Signal
	case WaitMore:
		return Wait
	}
	return k
}

// Kind returns the kind of a record by its id and parent. Id 12 is a signal, or with a parent the rest
// of a wait's name: the library left no room for that (FORMAT.md section 3.1). Block numbers have 32
// bits; the upper half is negative in the program, but unsigned here.
func (l Layout) Kind(id, parent uint32) Kind {
	if id >= FirstBlock {
		return Block
	}
	if l.Variant <= V1 {
		if id > 9 {
			if id == 10 {
				return UnlockMore
			}
			return Unknown
		}
		return Kind(id) + SysInfo
	}
	if id > uint32(SignalMore) {
		return Unknown
	}
	if id == uint32(Signal) && parent != 0 {
		return WaitMore
	}
	return Kind(id)
}

// ID returns the id of a kind other than Block. ok is false where the layout has no such kind.
func (l Layout) ID(k Kind) (id uint32, ok bool) {
	if k == WaitMore {
		k = Signal
	}
	if l.Variant <= V1 {
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
	o := l.order()
	r.ID, r.Parent, r.Processor, r.Thread = o.Uint32(b), o.Uint32(b[4:]), o.Uint32(b[8:]), o.Uint32(b[12:])
	r.Start, r.End = int64(o.Uint64(b[16:])), int64(o.Uint64(b[24:]))
	r.Name = cutNUL(b[nameAt : nameAt+p.name])
	if p.wide {
		r.Previous, r.Sibling = o.Uint32(b[p.previous:]), o.Uint32(b[p.sibling:])
	} else {
		r.Previous, r.Sibling = uint32(o.Uint16(b[p.previous:])), uint32(o.Uint16(b[p.sibling:]))
	}
	if p.wideChild {
		r.Child = o.Uint32(b[p.child:])
	} else {
		r.Child = uint32(o.Uint16(b[p.child:]))
	}
	return nil
}

// Encode appends the record to out. A name longer than the field is cut so that its NUL stays, and
// links are cut to their width.
func (l Layout) Encode(r *Record, out []byte) []byte {
	p := l.place()
	at := len(out)
	out = append(out, make([]byte, p.stride)...)
	b := out[at:]
	o := l.order()
	o.PutUint32(b, r.ID)
	o.PutUint32(b[4:], r.Parent)
	o.PutUint32(b[8:], r.Processor)
	o.PutUint32(b[12:], r.Thread)
	o.PutUint64(b[16:], uint64(r.Start))
	o.PutUint64(b[24:], uint64(r.End))
	copy(b[nameAt:nameAt+p.name-1], r.Name)
	if p.wide {
		o.PutUint32(b[p.previous:], r.Previous)
		o.PutUint32(b[p.sibling:], r.Sibling)
	} else {
		o.PutUint16(b[p.previous:], uint16(r.Previous))
		o.PutUint16(b[p.sibling:], uint16(r.Sibling))
	}
	if p.wideChild {
		o.PutUint32(b[p.child:], r.Child)
	} else {
		o.PutUint16(b[p.child:], uint16(r.Child))
	}
	return out
}

// cutNUL returns b up to its first NUL.
func cutNUL(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}
