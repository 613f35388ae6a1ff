package pstats

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

var le = binary.LittleEndian

// maxString is the longest string that the wire can carry, in bytes (section 2).
const maxString = 1<<16 - 1

// AppendString appends s with its 16-bit length (section 2). A string of more than 65535 bytes is
// cut, at the border of a character.
func AppendString(dst []byte, s string) []byte {
	if len(s) > maxString {
		n := maxString
		for n > maxString-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	dst = le.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}

// AppendServerHello appends the payload of a server's hello (section 3.2).
func AppendServerHello(dst []byte, h ServerHello) []byte {
	dst = append(dst, TypeHello)
	dst = AppendString(dst, h.Host)
	dst = AppendString(dst, h.Program)
	return le.AppendUint16(dst, h.UDPPort)
}

// AppendClientHello appends the payload of a client's hello (section 3.3). The version is left out
// when it is older than 2.0, the process id when it is negative.
func AppendClientHello(dst []byte, h ClientHello) []byte {
	dst = append(dst, TypeHello)
	dst = AppendString(dst, h.Host)
	dst = AppendString(dst, h.Program)
	if !h.Version.HasVersionInHello() {
		return dst
	}
	dst = le.AppendUint16(dst, h.Version.Major)
	dst = le.AppendUint16(dst, h.Version.Minor)
	if h.PID >= 0 {
		dst = le.AppendUint32(dst, uint32(h.PID))
	}
	return dst
}

// WireMaxCollectors is how many definitions a client should send in one message at most (section 3.4).
const WireMaxCollectors = 700

// AppendCollectors appends the payload that defines defs (section 3.4). Servers accept at most
// 65535 definitions in a message; definitions beyond are left out. Send no more than MaxCollectors
// at a time.
func AppendCollectors(dst []byte, defs []CollectorDef) []byte {
	defs = defs[:min(len(defs), 1<<16-1)]
	dst = append(dst, TypeCollectors)
	dst = le.AppendUint16(dst, uint16(len(defs)))
	for i := range defs {
		dst = AppendCollectorDef(dst, &defs[i])
	}
	return dst
}

// AppendCollectorDef appends one definition as it stands in messages and in session files (sections
// 3.4 and 12.3).
func AppendCollectorDef(dst []byte, d *CollectorDef) []byte {
	dst = le.AppendUint16(dst, uint16(d.Index))
	dst = AppendString(dst, d.Name)
	dst = le.AppendUint16(dst, uint16(d.Parent))
	dst = appendFloat(dst, d.R)
	dst = appendFloat(dst, d.G)
	dst = appendFloat(dst, d.B)
	dst = le.AppendUint16(dst, uint16(d.Sort))
	dst = AppendString(dst, d.Units)
	dst = appendFloat(dst, d.Scale)
	return appendFloat(dst, d.Factor)
}

// AppendThreads appends the payload that names the threads first, first+1, … (section 3.5). Names
// beyond thread 65535 are left out.
func AppendThreads(dst []byte, first int, names []string) []byte {
	names = names[:max(0, min(len(names), 1<<16-1, 1<<16-first))]
	dst = append(dst, TypeThreads)
	dst = le.AppendUint16(dst, uint16(first))
	dst = le.AppendUint16(dst, uint16(len(names)))
	for _, name := range names {
		dst = AppendString(dst, name)
	}
	return dst
}

// AppendExpire appends the payload that says that a thread has ended (section 3.6). Clients of
// versions before 3.2 must not send it.
func AppendExpire(dst []byte, thread int) []byte {
	dst = append(dst, TypeExpire)
	return le.AppendUint16(dst, uint16(thread))
}

// FrameSize is the size in bytes of the payload that AppendFrame appends for a frame of so many
// events and levels.
func FrameSize(v Version, events, levels int) int {
	size := 6 + 4 + 6*(events+levels)
	if v.WideCounts() {
		size += 4
	}
	if v.HasFrameType() {
		size++
	}
	return size
}

// AppendFrame appends the payload of a frame as clients of version v send it (section 3.7). Events
// and levels beyond v.MaxPoints() do not fit the message and are left out: do not build such frames
// for versions before 3.2.
func AppendFrame(dst []byte, v Version, f *Frame) []byte {
	events := f.Events[:min(len(f.Events), v.MaxPoints())]
	levels := f.Levels[:min(len(f.Levels), v.MaxPoints())]
	if v.HasFrameType() {
		dst = append(dst, TypeFrame)
	}
	dst = le.AppendUint16(dst, f.Thread)
	dst = le.AppendUint32(dst, f.Number)
	dst = appendCount(dst, v, len(events))
	for _, e := range events {
		dst = le.AppendUint16(dst, e.Word)
		dst = appendFloat(dst, e.Time)
	}
	dst = appendCount(dst, v, len(levels))
	for _, l := range levels {
		dst = le.AppendUint16(dst, l.Collector)
		dst = appendFloat(dst, l.Value)
	}
	return dst
}

func appendCount(dst []byte, v Version, n int) []byte {
	if v.WideCounts() {
		return le.AppendUint32(dst, uint32(n))
	}
	return le.AppendUint16(dst, uint16(n))
}

func appendFloat(dst []byte, f float32) []byte {
	return le.AppendUint32(dst, math.Float32bits(f))
}

// AppendTCP appends payload with the 32-bit length that goes before it on TCP since version 3.0
// (section 1.1).
func AppendTCP(dst, payload []byte) []byte {
	dst = le.AppendUint32(dst, uint32(len(payload)))
	return append(dst, payload...)
}

// BeginTCP appends room for a 32-bit length, so that a payload can be appended behind it without
// another copy. EndTCP fills it in.
func BeginTCP(dst []byte) []byte { return append(dst, 0, 0, 0, 0) }

// EndTCP writes the length of the payload that was appended after BeginTCP; at is the length that
// dst had before BeginTCP.
func EndTCP(dst []byte, at int) { le.PutUint32(dst[at:], uint32(len(dst)-at-4)) }

// Checksum is the sum of the payload's bytes modulo 65536, which goes before the payload in a UDP
// datagram (section 1.2).
func Checksum(payload []byte) uint16 {
	var sum uint32
	for _, b := range payload {
		sum += uint32(b) // 2^24 bytes may be summed before this wraps, and then it wraps by a multiple of 65536
	}
	return uint16(sum)
}

// AppendUDP appends payload with the checksum that goes before it in a datagram (section 1.2).
func AppendUDP(dst, payload []byte) []byte {
	dst = le.AppendUint16(dst, Checksum(payload))
	return append(dst, payload...)
}

// CheckUDP returns the payload of a datagram. It returns false when the datagram is too short for a
// checksum or the checksum is wrong.
func CheckUDP(datagram []byte) (payload []byte, ok bool) {
	if len(datagram) < 2 {
		return nil, false
	}
	payload = datagram[2:]
	return payload, le.Uint16(datagram) == Checksum(payload)
}
