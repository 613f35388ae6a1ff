// The wire files encode and decode the messages of the PStats protocol, byte by byte (PROTOCOL.md
// sections 1 to 4). They know neither sockets nor the model, and import the standard library only,
// so that games can use it through the client package.

package pstats

import "fmt"

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

// Error is the place and reason of a decoding failure.
type Error struct {
	Message string // which message: "client hello", "frame", …
	Offset  int    // byte offset in the payload at which decoding stopped; the type byte is at 0
	Reason  string
}

// Error returns the whole story in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("pstats: %s: offset %d: %s", e.Message, e.Offset, e.Reason)
}

// TypeName returns the name of a message type from client to server, for logs.
func TypeName(t byte) string {
	switch t {
	case TypeFrame:
		return "frame"
	case TypeHello:
		return "hello"
	case TypeCollectors:
		return "collectors"
	case TypeThreads:
		return "threads"
	case TypeExpire:
		return "expire thread"
	}
	return fmt.Sprintf("unknown type %d", t)
}

// Newest returns the newest version of the protocol that this package knows. Clients that announce
// a higher minor are decoded as this one (section 4.3).
func Newest() Version { return Version{3, 2} }

// AtLeast reports whether v is major.minor or later.
func (v Version) AtLeast(major, minor uint16) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// HasVersionInHello reports whether a hello of v carries the version itself: since 2.0 (section 4.1).
func (v Version) HasVersionInHello() bool { return v.AtLeast(2, 0) }

// HasFrameType reports whether frame data begin with the type byte, which also means that frames may
// travel over TCP: since 2.1 (section 4.1).
func (v Version) HasFrameType() bool { return v.AtLeast(2, 1) }

// HasNestedStarts reports whether a collector may be started again while it runs on the same thread:
// since 3.1 (section 4.1).
func (v Version) HasNestedStarts() bool { return v.AtLeast(3, 1) }

// WideCounts reports whether the counts of events and levels in a frame have 32 bits: since 3.2.
// Before, they had 16 (section 3.7).
func (v Version) WideCounts() bool { return v.AtLeast(3, 2) }

// HasExpire reports whether a client may send the expire message: since 3.2 (section 3.6).
func (v Version) HasExpire() bool { return v.AtLeast(3, 2) }

// MaxPoints is the largest number of events, and of levels, that a frame of v can hold.
func (v Version) MaxPoints() int {
	if v.WideCounts() {
		return 1<<31 - 1
	}
	return 1<<16 - 1
}

// String returns the version as people write it, for example "3.2".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }
