// Heads are the metadata of packets: time and writer, the state that their sequence shares, and the messages in
// them. This part knows the numbers of their fields (trace_packet.proto), and not the meaning of the messages.

package perfetto

import "math"

// Numbers of fields of a packet, and flags.
const (
	ProcessTree   = 2
	HeadsSnapshot = 6
	UID           = 3
	Time          = 8
	Sequence      = 10
	TrackEvent    = 11
	Interned      = 12
	Flags         = 13
	Config        = 33
	Stats         = 35
	Mark          = 36
	Cleared       = 41
	HeadsDropped  = 42
	Process       = 43
	Thread        = 44
	System        = 45
	Zlib          = 50
	Clock         = 58
	Defaults      = 59
	Track         = 60
	Service       = 69
	Timeline      = 76
	Pid           = 79
	UUID          = 89
	Machine       = 98
	Zstd          = 133

	FlagCleared    = 1
	FlagNeedsState = 2

	mostParts = 64
)

// Packet is the head of a packet.
type Packet struct {
	Time              uint64
	Clock             uint32 // as it is; a greater one is 2^32 - 1
	Seq               uint32
	Flags             uint64
	Pid, Machine      uint32 // that the tracing service saw
	HasTime, HasClock bool
	Cleared, Dropped  bool
	Shares            bool   // later packets of its sequence depend on it
	Other             bool   // it has nothing but messages of kinds that are not read
	Event             []byte // a track event, the last where there are several
	Parts             []Part // the other messages
}

// Part is a message in a packet; its data share memory with it.
type Part struct {
	Num  uint32
	Data []byte
}

// Read parses a packet into p; false: it is damaged. The memory of p's lists is reused.
func (p *Packet) Read(data []byte) (whole bool) {
	p.reset()
	other := false
	for i := p.usual(data, 0); i < len(data); i = p.usual(data, i) {
		w := Fields{Rest: data[i:]}
		if !w.Next() {
			return false
		}
		other = p.field(&w) || other
		i = len(data) - len(w.Rest)
	}
	p.Other = other && len(p.Parts) == 0 && p.Event == nil
	return true
}

const (
	keyTime       = Time<<3 | Varint
	keyUID        = UID<<3 | Varint
	keySequence   = Sequence<<3 | Varint
	keyFlags      = Flags<<3 | Varint
	keyTrackEvent = TrackEvent<<3 | Bytes
	keyClock      = Clock<<3&0x7f | 0x80 | Varint
	keyClock2     = Clock >> 4
	keyPid        = Pid<<3&0x7f | 0x80 | Varint
	keyPid2       = Pid >> 4
)

// reset empties it, field by field, as it is called for each packet.
func (p *Packet) reset() {
	p.Time, p.Clock, p.Seq, p.Flags, p.Pid, p.Machine, p.Event = 0, 0, 0, 0, 0, 0, nil
	p.HasTime, p.HasClock, p.Cleared, p.Dropped, p.Shares, p.Other = false, false, false, false, false, false
	p.Parts = p.Parts[:0]
}

// usual takes the fields of a packet from a place on, up to one that few packets have, and returns where
// that begins. They are read here alone.
func (p *Packet) usual(b []byte, i int) int {
	for i < len(b) {
		key, at := b[i], i+1
		switch key {
		case keyTime, keySequence, keyFlags, keyUID:
		case keyTrackEvent:
			part, next := PartAt(b, at)
			if next == 0 {
				return i
			}
			p.Event, i = part, next
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
			if v, next = Long(b, at); next == 0 {
				return i
			}
		}
		switch i = next; key {
		case keyTime:
			p.Time, p.HasTime = v, true
		case keySequence:
			p.Seq = uint32(v)
		case keyFlags:
			p.Flags = v
		case keyClock:
			p.Clock, p.HasClock = uint32(min(v, math.MaxUint32)), true
		case keyPid:
			p.Pid = uint32(v)
		}
	}
	return i
}

// PartAt returns the length-delimited bytes at a position, and their end, 0 if they are cut off.
func PartAt(b []byte, i int) (part []byte, next int) {
	if i == len(b) {
		return nil, 0
	}
	size, from := uint64(b[i]), i+1
	if size >= 0x80 {
		size, from = Long(b, i)
	}
	if from == 0 || size > uint64(len(b)-from) {
		return nil, 0
	}
	next = from + int(size)
	return b[from:next:next], next
}

// each hands over the messages of a field.
func (p *Packet) each(num uint32, take func(data []byte)) {
	for _, x := range p.Parts {
		if x.Num == num {
			take(x.Data)
		}
	}
}

func (p *Packet) add(num uint32, data []byte) {
	if len(p.Parts) < mostParts {
		p.Parts = append(p.Parts, Part{num, data})
	}
}

// field takes any other field of a packet. It reports whether that is of a kind that is not read.
func (p *Packet) field(w *Fields) (other bool) {
	switch w.Num {
	case Cleared:
		p.Cleared = w.V != 0
	case HeadsDropped:
		p.Dropped = w.V != 0
	case Machine:
		p.Machine = uint32(w.V)
	case Interned, Defaults, HeadsSnapshot:
		if w.Kind == Bytes {
			p.Shares = true
			p.add(w.Num, w.Data)
		}
	case Track, ProcessTree, Process, Thread, Zlib, Zstd, Timeline, Stats:
		if w.Kind == Bytes {
			p.add(w.Num, w.Data)
		}
	case Config, Mark, System, Service, UUID:
	default:
		return w.Kind == Bytes
	}
	return false
}
