package profilelib

import (
	"bytes"
	"encoding/binary"
)

// RecordSize is the size of a record in the current layout, in bytes.
const RecordSize = 64

// Current record, little-endian: where its fields are.
const (
	AtID, AtParent, AtProcessor, AtThread = 0, 4, 8, 12
	AtStart, AtEnd, AtName                = 16, 24, nameAt
	AtPrevious, AtSibling, AtChild        = 58, 60, 62
	NameBytes                             = 26
)

// maxSlot is the greatest link: the library's buffer has at most 65,535 slots.
const maxSlot = 1<<16 - 1

// noID is an id that no layout has: ToCurrent gives it to records of an unknown kind, so that they
// are not plausible.
const noID = 128

// ToCurrent writes the record at the beginning of raw to out in the current layout, with the ids of V2
// and later, so that a reader need know only one. raw holds at least a record. Bytes without a place
// in the current layout are lost, but never make a record look better: implausible fields stay so.
func (l Layout) ToCurrent(raw []byte, out *[RecordSize]byte) {
	if l == Current {
		copy(out[:], raw)
		return
	}
	p, o := l.place(), binary.LittleEndian
	copy(out[:AtName], raw)
	if id := o.Uint32(raw); l == V1 && id < FirstBlock {
		k := l.Kind(id, o.Uint32(raw[AtParent:]))
		if k == Unknown {
			k = noID
		}
		o.PutUint32(out[AtID:], uint32(k))
	}
	n := copy(out[AtName:AtName+NameBytes], raw[nameAt:nameAt+p.name])
	clear(out[AtName+n : AtPrevious])
	previous, sibling, child := l.links(raw)
	if child > maxSlot {
		o.PutUint32(out[AtID:], noID)
	}
	o.PutUint16(out[AtPrevious:], previous)
	o.PutUint16(out[AtSibling:], sibling)
	o.PutUint16(out[AtChild:], uint16(child))
}

// Fault is why a record cannot be one, in words. The zero value means that nothing is wrong with it.
type Fault string

// The faults that a record can have.
const (
	NoFault       Fault = ""
	FaultID       Fault = "an id that no kind of record has"
	FaultTime     Fault = "an impossible time" // negative, too late or before its begin
	FaultParent   Fault = "an impossible parent"
	FaultName     Fault = "a name that is no text" // followed by zeros
	FaultContents Fault = "a field out of range"
)

// MaxTicks bounds plausible times: 104 days of nanoseconds, far more of any coarser clock.
const MaxTicks = 1 << 53

// Plausible rates, in ticks per second.
const (
	minRate = 1000
	maxRate = 100e9
)

// CheckRecord returns the fault of a record of the current layout (see ToCurrent), by the rules of
// FORMAT.md section 6. b holds at least Size bytes.
func CheckRecord(b []byte) Fault {
	if f := CheckFields(b); f != NoFault {
		return f
	}
	return CheckName(b)
}

// CheckFields is Check without the look at the name.
func CheckFields(b []byte) Fault {
	_ = b[RecordSize-1]
	o := binary.LittleEndian
	id, parent := o.Uint32(b), o.Uint32(b[AtParent:])
	start, end := o.Uint64(b[AtStart:]), o.Uint64(b[AtEnd:])
	if id >= FirstBlock {
		if start > end || end > MaxTicks {
			return FaultTime
		}
		if parent != 0 && (parent < FirstBlock || parent == id) {
			return FaultParent
		}
		return NoFault
	}
	if id > uint32(SignalMore) {
		return FaultID
	}
	kind := Kind(id)
	switch more := kind.More(); {
	case kind == EndOfStream:
		if uint64(parent)|start|end != 0 || !zero(b[8:RecordSize]) {
			return FaultContents
		}
	case kind == SysInfo:
		if parent != 0 || end != 0 || start < minRate || start > maxRate {
			return FaultContents
		}
	case start > MaxTicks:
		return FaultTime
	case more && parent < FirstBlock, !more && parent != 0 && (parent < FirstBlock || kind != Signal):
		return FaultParent
	case kind == Frame:
		if b[AtName] != 0 {
			return FaultName
		}
	case end < FirstBlock || end > 1<<32-1:
		return FaultContents
	}
	return NoFault
}

// CheckName reports whether the name of a record of the current layout is text, followed by zeros
// only. Text may have any byte from 0x20 on, since names may be cut inside a UTF-8 character and
// may be in another encoding; messages may have tabs and line ends, too.
func CheckName(b []byte) Fault {
	name := b[AtName : AtName+NameBytes]
	n := bytes.IndexByte(name, 0)
	if n < 0 {
		return FaultName
	}
	if !zero(name[n:]) {
		return FaultName
	}
	block := binary.LittleEndian.Uint32(b) >= FirstBlock
	for _, c := range name[:n] {
		if c < 0x20 && (block || c != '\t' && c != '\n' && c != '\r' && c != 0x1b) || c == 0x7f {
			return FaultName
		}
	}
	return NoFault
}

func zero(b []byte) bool { return bytes.Count(b, []byte{0}) == len(b) }
