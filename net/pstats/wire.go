// The wire files encode and decode the messages of the PStats protocol, byte by byte (PROTOCOL.md
// sections 1 to 4). They know neither sockets nor the model, and import the standard library only,
// so that games can use it through the client package.

package pstats

// Message types, the first byte of every payload (section 3.1).
const (
	TypeFrame      = 0
	TypeHello      = 1
	TypeCollectors = 2
	TypeThreads    = 3
	TypeExpire     = 4
)

// DefaultPort is the TCP port on which viewers listen.
const DefaultPort = 5185

// MaxUDP is the largest payload that a client sends by UDP, in bytes, checksum not counted (section
// 1.2).
const MaxUDP = 1500

// StopBit is set in an event's collector word when the collector stops (section 3.7).
const StopBit = 0x8000

// Version is the protocol version that a client announces.
type Version struct{ Major, Minor uint16 }

// ClientHello is the client's first message (section 3.3).
type ClientHello struct {
	Host, Program string
	Version       Version
	PID           int64 // -1 when not sent
}

// ServerHello is the only message of a server (section 3.2).
type ServerHello struct {
	Host, Program string
	UDPPort       uint16
}

// CollectorDef is one collector definition (section 3.4).
type CollectorDef struct {
	Index   int16
	Name    string
	Parent  int16
	R, G, B float32 // linear
	Sort    int16
	Units   string
	Scale   float32
	Factor  float32
}

// Event is one start or stop (section 3.7).
type Event struct {
	Word uint16  // collector index, StopBit set for a stop
	Time float32 // seconds
}

// Level is one level value (section 3.7).
type Level struct {
	Collector uint16
	Value     float32
}

// Frame is one frame of one thread. Decoding reuses the slices.
type Frame struct {
	Thread uint16
	Number uint32
	Events []Event
	Levels []Level

	// Continues declares that the frame is of the same thread as those before it, whatever its number
	// and its times. It is not on the wire, and decoding does not set it.
	Continues bool
}
