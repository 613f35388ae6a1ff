package perfetto

import (
	"encoding/binary"
	"testing"
)

// packet makes one of so many bytes.
func packet(size int) []byte {
	return append(binary.AppendUvarint([]byte{PacketsKey}, uint64(size)), make([]byte, size)...)
}

// What is kept of a packet that comes in parts is not much more than itself, and nothing of one that is
// too large: how much it says that there is changes nothing before it comes.
func TestSplitterKeepsLittle(t *testing.T) {
	const limit, part = 1 << 20, 10_000
	sizes := []int{}
	s := Splitter{Limit: limit, Take: func(p []byte, _ int64) { sizes = append(sizes, len(p)) }}
	most := 0
	write := func(data []byte) {
		for len(data) > 0 {
			n := min(part, len(data))
			s.Write(data[:n])
			data = data[n:]
			most = max(most, cap(s.buf))
		}
	}
	write(packet(7))
	write(packet(10 * limit))
	if most > 2*part {
		t.Errorf("%d bytes were kept of one that is too large", most)
	}
	s.Write(packet(limit)[:part])
	if cap(s.buf) > 3*part {
		t.Errorf("%d bytes are kept of %d", cap(s.buf), part)
	}
	s.buf = nil
	s.at += part
	write(packet(limit))
	write(packet(limit - 1))
	if most > limit+2*part {
		t.Errorf("%d bytes were kept of a packet of %d", most, limit)
	}
	if len(sizes) != 3 || sizes[1] != limit || s.TooBig.N != 1 || s.Close() != "" {
		t.Errorf("packets of %v bytes, %d too large, %q", sizes, s.TooBig.N, s.Damage)
	}
}
