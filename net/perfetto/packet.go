package perfetto

import "math"

// Numbers of fields of a packet that are messages.
const (
	ftraceBundle    = 1
	processTree     = 2
	clockSnapshot   = 6
	trackEvent      = 11
	internedData    = 12
	traceStats      = 35
	processDesc     = 43
	threadDesc      = 44
	zlibPackets     = 50
	gpuCounterEvent = 52
	gpuRenderStage  = 53
	packetDefaults  = 59
	trackDescriptor = 60
	frameTimeline   = 76
	zstdPackets     = 133

	defaultClock = 58

	flagCleared    = 1
	flagNeedsState = 2

	// Of interned data.
	gpuSpecifications = 24
	gpuDescriptors    = 47

	mostParts = 64
)

// packet is a packet, read field by field, without the meaning of the messages in it.
type packet struct {
	packetHead
	parts []part // messages; but for the event
}

type packetHead struct {
	time              uint64
	clock             uint32 // as it is; a greater one is 2^32 - 1
	seq               uint32
	flags             uint64
	pid, machine      uint32 // that the tracing service saw
	hasTime, hasClock bool
	cleared, dropped  bool
	other             bool   // it has nothing but messages of kinds that are not read
	event             []byte // a track event, the last where there are several
}

// part is a message in a packet; its data share memory with it.
type part struct {
	num  uint64
	data []byte
}

// read reads a packet; false: it is damaged.
func (p *packet) read(data []byte) bool {
	p.packetHead, p.parts = packetHead{}, p.parts[:0]
	for i := 0; i < len(data); {
		num, v, content, end := field(data, i)
		if i = end; i < 0 {
			return false
		}
		switch num {
		case 8:
			p.time, p.hasTime = v, true
		case 10:
			p.seq = uint32(v)
		case trackEvent:
			p.event = content
		case 13:
			p.flags = v
		case defaultClock:
			p.clock, p.hasClock = uint32(min(v, math.MaxUint32)), true
		case 79:
			p.pid = uint32(v)
		case 41:
			p.cleared = v != 0
		case 42:
			p.dropped = v != 0
		case 98:
			p.machine = uint32(v)
		default:
			p.message(num, content)
		}
	}
	p.other = p.other && len(p.parts) == 0 && p.event == nil
	return true
}

// message takes a message of a packet that is no event.
func (p *packet) message(num uint64, data []byte) {
	if data == nil {
		return
	}
	if message, _ := known(num); !message {
		p.other = true
	} else if len(p.parts) < mostParts {
		p.parts = append(p.parts, part{num, data})
	}
}

// each hands over the messages of a field.
func (p *packet) each(num uint64, take func(data []byte)) {
	for _, x := range p.parts {
		if x.num == num {
			take(x.data)
		}
	}
}

// The types of events.
const (
	kindNone = iota
	kindBegin
	kindEnd
	kindInstant
	kindCounter
	kindState
)

// event is a track event, read field by field, without its meaning.
type event struct {
	eventHead
	extra    [2][]uint64 // values of counters beside it: numbers, fractions
	tracks   [2][]uint64 // of these
	notes    [][]byte    // annotations
	flows    []uint64    // numbers of flows that go through it
	flowEnds []uint64    // and of those that end there
}

type eventHead struct {
	kind               uint64
	track              uint64
	hasTrack           bool
	nameIID            uint64
	name, cat          []byte // nil: it has none
	catIID             uint64 // the first one
	number             uint64 // of a counter; a fraction as bits
	isNumber, isFloat  bool
	bodyIID, prio      uint64 // of a log message
	place              []byte // in the source
	placeIID           uint64
	legacy             []byte
	oldTime            uint64 // µs, of old writers
	isDelta, isOldTime bool
}

// read reads an event; false: it is damaged.
func (e *event) read(data []byte) bool {
	e.eventHead = eventHead{}
	e.notes, e.flows, e.flowEnds = e.notes[:0], e.flows[:0], e.flowEnds[:0]
	for k := range e.extra {
		e.extra[k], e.tracks[k] = e.extra[k][:0], e.tracks[k][:0]
	}
	for i := 0; i < len(data); {
		num, v, content, end := field(data, i)
		if i = end; i < 0 {
			return false
		}
		switch num {
		case 9:
			e.kind = v
		case 11:
			e.track, e.hasTrack = v, true
		case 10:
			e.nameIID = v
		case 23:
			e.name = content
		case 3:
			e.category(v, content)
		case 22:
			if len(e.cat) == 0 {
				e.cat = content
			}
		case 4:
			e.notes = append(e.notes, content)
		case 30:
			e.number, e.isNumber, e.isFloat = v, true, false
		case 44:
			e.number, e.isNumber, e.isFloat = v, true, true
		default:
			e.field(&fields{num: num, v: v, data: content})
		}
	}
	return true
}

// category takes numbers of categories, of which the first counts.
func (e *event) category(v uint64, packed []byte) {
	if packed != nil {
		v, _ = varint(packed)
	}
	if e.catIID == 0 {
		e.catIID = v
	}
}

// field takes a field that few events have.
func (e *event) field(w *fields) {
	switch w.num {
	case 12:
		e.extra[0] = w.numbers(e.extra[0], false)
	case 46:
		e.extra[1] = w.numbers(e.extra[1], true)
	case 31:
		e.tracks[0] = w.numbers(e.tracks[0], false)
	case 45:
		e.tracks[1] = w.numbers(e.tracks[1], false)
	case 47, 36:
		e.flows = w.numbers(e.flows, w.num == 47)
	case 48, 42:
		e.flowEnds = w.numbers(e.flowEnds, w.num == 48)
	case 21:
		f := flatten(w.data)
		e.bodyIID, e.prio = f.v[2], f.v[3]
	case 33:
		e.place = w.data
	case 34:
		e.placeIID = w.v
	case 6:
		e.legacy = w.data
	case 1, 16:
		e.oldTime, e.isDelta, e.isOldTime = w.v, w.num == 1, true
	}
}
