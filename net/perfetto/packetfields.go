package perfetto

import "framescope/net/perfetto/packets"

// Keys of fields that most packets have; of those with two bytes the first, and the second.
const (
	keyTime       = fieldTime<<3 | packets.Varint
	keyUID        = 3<<3 | packets.Varint
	keySequence   = fieldSequence<<3 | packets.Varint
	keyFlags      = fieldFlags<<3 | packets.Varint
	keyTrackEvent = fieldTrackEvent<<3 | packets.Bytes
	keyClock      = fieldClock<<3&0x7f | 0x80 | packets.Varint
	keyClock2     = fieldClock >> 4
	keyPid        = fieldPid<<3&0x7f | 0x80 | packets.Varint
	keyPid2       = fieldPid >> 4
)

// reset empties it, field by field, as it is called for each packet.
func (p *packet) reset() {
	p.time, p.clock, p.seq, p.flags, p.event = 0, 0, 0, 0, nil
	p.hasTime, p.hasClock, p.cleared, p.dropped, p.shares = false, false, false, false, false
	p.parts = p.parts[:0]
}

// usual takes the fields of a packet from a place on, up to one that few packets have, and returns where
// that begins. They are read here alone.
func (d *decoder) usual(p *packet, b []byte, i int) int {
	for i < len(b) {
		key, at := b[i], i+1
		switch key {
		case keyTime, keySequence, keyFlags, keyUID:
		case keyTrackEvent:
			part, next := partAt(b, at)
			if next == 0 {
				return i
			}
			if i = next; p.event == nil {
				p.event = part
			} else {
				p.add(fieldTrackEvent, part)
			}
			continue
		case keyClock, keyPid:
			if at == len(b) || b[at] != keyClock2 && b[at] != keyPid2 || (b[at] == keyPid2) != (key == keyPid) {
				return i
			}
			at++
		default:
			return i
		}
		if at == len(b) {
			return i
		}
		v, next := uint64(b[at]), at+1 // packets.At, which is too long to be inlined
		if v >= 0x80 {
			if v, next = packets.Long(b, at); next == 0 {
				return i
			}
		}
		switch i = next; key {
		case keyTime:
			p.time, p.hasTime = v, true
		case keySequence:
			p.seq = uint32(v)
		case keyFlags:
			p.flags = v
		case keyClock:
			p.clock, p.hasClock = uint32(min(v, clockLost)), true
		case keyPid:
			d.pid.pid = uint32(v)
		}
	}
	return i
}

// partAt returns the bytes whose length stands at a place, and where they end, 0 where they are cut off.
func partAt(b []byte, i int) (part []byte, next int) {
	if i == len(b) {
		return nil, 0
	}
	size, from := uint64(b[i]), i+1
	if size >= 0x80 {
		size, from = packets.Long(b, i)
	}
	if from == 0 || size > uint64(len(b)-from) {
		return nil, 0
	}
	next = from + int(size)
	return b[from:next:next], next
}

func (p *packet) add(num uint32, data []byte) {
	if len(p.parts) < mostParts {
		p.parts = append(p.parts, part{num, data})
	}
}

// field takes any other field of a packet. It tells whether that is of a kind that is not read.
func (d *decoder) field(p *packet, w *packets.Fields) (other bool) {
	switch w.Num {
	case fieldCleared:
		p.cleared = w.V != 0
	case fieldDropped:
		p.dropped = w.V != 0
	case fieldMachine:
		d.pid.machine = uint32(w.V)
	case fieldInterned, fieldDefaults, fieldSnapshot:
		if w.Kind == packets.Bytes {
			p.shares = true
			p.add(w.Num, w.Data)
		}
	case fieldTrack, fieldProcessTree, fieldProcess, fieldThread, fieldZlib, fieldZstd, fieldTimeline, fieldStats:
		if w.Kind == packets.Bytes {
			p.add(w.Num, w.Data)
		}
	case fieldConfig, fieldMark, fieldSystem, fieldService, fieldUUID:
	default:
		return w.Kind == packets.Bytes
	}
	return false
}
