// Heads are the metadata of packets: time and writer, the state that their sequence shares, and the messages in
// them. This part knows the numbers of their fields (trace_packet.proto), and not the meaning of the messages.

package perfetto

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
