// Track events of Perfetto, read field by field, without their meaning.

package perfetto

import (
	"encoding/binary"
)

// Event is a track event.
type Event struct {
	Kind      uint64
	Track     uint64
	HasTrack  bool
	NameIID   uint64
	Name, Cat []byte
	HasName   bool
	CatIID    uint64
	Number    uint64 // of a counter
	Fraction  uint64 // the same, as bits
	HasNumber uint8  // 1: number, 2: fraction
	BodyIID   uint64 // of a log message
	Prio      uint64
	Legacy    []byte
	Relative  uint64
	Absolute  uint64
	OldTime   uint8 // 1: relative, 2: absolute

	Listed   bool // one of the lists has something
	Extra    [2][]uint64
	Tracks   [2][]uint64
	Notes    [][]byte // annotations
	Flows    []uint64 // numbers of flows that go through it
	FlowEnds []uint64 // and of those that end there
	scratch  []uint64
}

// reset empties an event and keeps its lists. Field by field, as it is called for each.
func (e *Event) reset() {
	e.Kind, e.Track, e.HasTrack, e.NameIID, e.HasName, e.CatIID = 0, 0, false, 0, false, 0
	e.HasNumber, e.BodyIID, e.Prio, e.OldTime = 0, 0, 0, 0
	e.Cat, e.Legacy = nil, nil
	if !e.Listed {
		return
	}
	e.Listed = false
	e.Notes, e.Flows, e.FlowEnds = e.Notes[:0], e.Flows[:0], e.FlowEnds[:0]
	for k := range e.Extra {
		e.Extra[k], e.Tracks[k] = e.Extra[k][:0], e.Tracks[k][:0]
	}
}

// Numbers of fields of a track event, and keys of those that most have.
const (
	eventName     = 23
	eventCat      = 22
	eventNumber   = 30
	eventFlows    = 47
	keyType       = 9<<3 | Varint
	keyUUID       = 11<<3 | Varint
	keyNameIID    = 10<<3 | Varint
	keyCatIID     = 3<<3 | Varint
	keyAnnotation = 4<<3 | Bytes
	keyName       = eventName<<3&0x7f | 0x80 | Bytes
	keyCat        = eventCat<<3&0x7f | 0x80 | Bytes
	keyNumber     = eventNumber<<3&0x7f | 0x80 | Varint
	keyFlow       = eventFlows<<3&0x7f | 0x80 | Fixed64
)

// Read reads an event; false: it is damaged.
func (e *Event) Read(data []byte) bool {
	e.reset()
	for i := e.usual(data, 0); i < len(data); i = e.usual(data, i) {
		w := Fields{Rest: data[i:]}
		if !w.Next() {
			return false
		}
		e.field(&w)
		i = len(data) - len(w.Rest)
	}
	return true
}

// usual takes the fields of an event from a place on, up to one that few events have, and returns where
// that begins. They are read here alone.
func (e *Event) usual(b []byte, i int) int {
	for i+1 < len(b) {
		switch b[i] {
		case keyType, keyUUID, keyNameIID, keyCatIID:
			v, next := uint64(b[i+1]), i+2 // packets.At, which is too long to be inlined
			if v >= 0x80 {
				if v, next = Long(b, i+1); next == 0 {
					return i
				}
			}
			switch b[i] {
			case keyType:
				e.Kind = v
			case keyUUID:
				e.Track, e.HasTrack = v, true
			case keyNameIID:
				e.NameIID = v
			case keyCatIID:
				e.catFirst(v)
			}
			i = next
		case keyAnnotation:
			note, next := PartAt(b, i+1)
			if next == 0 {
				return i
			}
			e.Notes, e.Listed = append(e.Notes, note), true
			i = next
		default:
			next := e.long(b, i)
			if next == i {
				return i
			}
			i = next
		}
	}
	return i
}

// long is usual for a field with a key of two bytes.
func (e *Event) long(b []byte, i int) int {
	at := i + 2
	if at >= len(b) {
		return i
	}
	switch [2]byte{b[i], b[i+1]} {
	case [2]byte{keyName, eventName >> 4}, [2]byte{keyCat, eventCat >> 4}:
		text, next := PartAt(b, at)
		switch {
		case next == 0:
			return i
		case b[i] == keyName:
			e.Name, e.HasName = text, true
		case len(e.Cat) == 0:
			e.Cat = text
		}
		return next
	case [2]byte{keyNumber, eventNumber >> 4}:
		v, next := At(b, at)
		if next == 0 {
			return i
		}
		e.Number, e.HasNumber = v, 1
		return next
	case [2]byte{keyFlow, eventFlows >> 4}:
		if len(b)-at < 8 {
			return i
		}
		e.Flows, e.Listed = append(e.Flows, binary.LittleEndian.Uint64(b[at:])), true
		return at + 8
	}
	return i
}

func (e *Event) catFirst(iid uint64) {
	if e.CatIID == 0 {
		e.CatIID = iid
	}
}

// field takes any other field of an event.
func (e *Event) field(w *Fields) {
	e.Listed = true
	switch w.Num {
	case 3:
		if e.scratch = w.Numbers(e.scratch[:0], false); len(e.scratch) > 0 {
			e.catFirst(e.scratch[0])
		}
	case 44:
		e.Fraction, e.HasNumber = w.V, 2
	case 12:
		e.Extra[0] = w.Numbers(e.Extra[0], false)
	case 46:
		e.Extra[1] = w.Numbers(e.Extra[1], true)
	case 31:
		e.Tracks[0] = w.Numbers(e.Tracks[0], false)
	case 45:
		e.Tracks[1] = w.Numbers(e.Tracks[1], false)
	case eventFlows, 36:
		e.Flows = w.Numbers(e.Flows, w.Num == eventFlows)
	case 48, 42:
		e.FlowEnds = w.Numbers(e.FlowEnds, w.Num == 48)
	case 21:
		for l := (Fields{Rest: w.Data}); w.Kind == Bytes && l.Next(); {
			switch l.Num {
			case 2:
				e.BodyIID = l.V
			case 3:
				e.Prio = l.V
			}
		}
	case 6:
		e.Legacy = w.Data
	case 1:
		e.Relative, e.OldTime = w.V, 1
	case 16:
		e.Absolute, e.OldTime = w.V, 2
	}
}
