package perfetto

import (
	"encoding/binary"

	"framescope/net/perfetto/heads"
	"framescope/net/perfetto/packets"
)

// event is a track event, as it stands in the file.
type event struct {
	kind      uint64
	track     uint64
	hasTrack  bool
	nameIID   uint64
	name, cat []byte
	hasName   bool
	catIID    uint64
	number    uint64 // of a counter
	fraction  uint64 // the same, as bits
	hasNumber uint8  // 1: number, 2: fraction
	bodyIID   uint64 // of a log message
	prio      uint64
	legacy    []byte
	relative  uint64
	absolute  uint64
	oldTime   uint8 // 1: relative, 2: absolute

	listed   bool // one of the lists has something
	extra    [2][]uint64
	tracks   [2][]uint64
	notes    [][]byte // annotations
	flows    []uint64 // numbers of flows that go through it
	flowEnds []uint64 // and of those that end there
	scratch  []uint64
}

// reset empties an event and keeps its lists. Field by field, as it is called for each.
func (e *event) reset() {
	e.kind, e.track, e.hasTrack, e.nameIID, e.hasName, e.catIID = 0, 0, false, 0, false, 0
	e.hasNumber, e.bodyIID, e.prio, e.oldTime = 0, 0, 0, 0
	e.cat, e.legacy = nil, nil
	if !e.listed {
		return
	}
	e.listed = false
	e.notes, e.flows, e.flowEnds = e.notes[:0], e.flows[:0], e.flowEnds[:0]
	for k := range e.extra {
		e.extra[k], e.tracks[k] = e.extra[k][:0], e.tracks[k][:0]
	}
}

// Numbers of fields of a track event, and keys of those that most have; see packetfields.go.
const (
	eventName     = 23
	eventCat      = 22
	eventNumber   = 30
	eventFlows    = 47
	keyType       = 9<<3 | packets.Varint
	keyUUID       = 11<<3 | packets.Varint
	keyNameIID    = 10<<3 | packets.Varint
	keyCatIID     = 3<<3 | packets.Varint
	keyAnnotation = 4<<3 | packets.Bytes
	keyName       = eventName<<3&0x7f | 0x80 | packets.Bytes
	keyCat        = eventCat<<3&0x7f | 0x80 | packets.Bytes
	keyNumber     = eventNumber<<3&0x7f | 0x80 | packets.Varint
	keyFlow       = eventFlows<<3&0x7f | 0x80 | packets.Fixed64
)

// usual takes the fields of an event from a place on, up to one that few events have, and returns where
// that begins. They are read here alone.
func (e *event) usual(b []byte, i int) int {
	for i+1 < len(b) {
		switch b[i] {
		case keyType, keyUUID, keyNameIID, keyCatIID:
			v, next := uint64(b[i+1]), i+2 // packets.At, which is too long to be inlined
			if v >= 0x80 {
				if v, next = packets.Long(b, i+1); next == 0 {
					return i
				}
			}
			switch b[i] {
			case keyType:
				e.kind = v
			case keyUUID:
				e.track, e.hasTrack = v, true
			case keyNameIID:
				e.nameIID = v
			case keyCatIID:
				e.catFirst(v)
			}
			i = next
		case keyAnnotation:
			note, next := heads.PartAt(b, i+1)
			if next == 0 {
				return i
			}
			e.notes, e.listed = append(e.notes, note), true
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

// long is usual of a field whose key has two bytes.
func (e *event) long(b []byte, i int) int {
	at := i + 2
	if at >= len(b) {
		return i
	}
	switch [2]byte{b[i], b[i+1]} {
	case [2]byte{keyName, eventName >> 4}, [2]byte{keyCat, eventCat >> 4}:
		text, next := heads.PartAt(b, at)
		switch {
		case next == 0:
			return i
		case b[i] == keyName:
			e.name, e.hasName = text, true
		case len(e.cat) == 0:
			e.cat = text
		}
		return next
	case [2]byte{keyNumber, eventNumber >> 4}:
		v, next := packets.At(b, at)
		if next == 0 {
			return i
		}
		e.number, e.hasNumber = v, 1
		return next
	case [2]byte{keyFlow, eventFlows >> 4}:
		if len(b)-at < 8 {
			return i
		}
		e.flows, e.listed = append(e.flows, binary.LittleEndian.Uint64(b[at:])), true
		return at + 8
	}
	return i
}

func (e *event) catFirst(iid uint64) {
	if e.catIID == 0 {
		e.catIID = iid
	}
}

// field takes any other field of an event.
func (e *event) field(w *packets.Fields) {
	e.listed = true
	switch w.Num {
	case 3:
		if e.scratch = w.Numbers(e.scratch[:0], false); len(e.scratch) > 0 {
			e.catFirst(e.scratch[0])
		}
	case 44:
		e.fraction, e.hasNumber = w.V, 2
	case 12:
		e.extra[0] = w.Numbers(e.extra[0], false)
	case 46:
		e.extra[1] = w.Numbers(e.extra[1], true)
	case 31:
		e.tracks[0] = w.Numbers(e.tracks[0], false)
	case 45:
		e.tracks[1] = w.Numbers(e.tracks[1], false)
	case eventFlows, 36:
		e.flows = w.Numbers(e.flows, w.Num == eventFlows)
	case 48, 42:
		e.flowEnds = w.Numbers(e.flowEnds, w.Num == 48)
	case 21:
		for l := (packets.Fields{Rest: w.Data}); w.Kind == packets.Bytes && l.Next(); {
			switch l.Num {
			case 2:
				e.bodyIID = l.V
			case 3:
				e.prio = l.V
			}
		}
	case 6:
		e.legacy = w.Data
	case 1:
		e.relative, e.oldTime = w.V, 1
	case 16:
		e.absolute, e.oldTime = w.V, 2
	}
}
