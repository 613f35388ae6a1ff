package tracy

import (
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// announcement is what a program sends, as the client of Tracy does.
func announcement(port uint16, protocol uint32, pid uint64, seconds int32, name string) []byte {
	b := binary.LittleEndian.AppendUint16(nil, 3)
	b = binary.LittleEndian.AppendUint16(b, port)
	b = binary.LittleEndian.AppendUint32(b, protocol)
	b = binary.LittleEndian.AppendUint64(b, pid)
	b = binary.LittleEndian.AppendUint32(b, uint32(seconds))
	return append(append(b, name...), 0)
}

// TestDiscover hears programs that begin, repeat themselves and end, and what is no announcement.
func TestDiscover(t *testing.T) {
	conn := testkit.Must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))(t)
	defer conn.Close()
	from := testkit.Must(net.Dial("udp4", conn.LocalAddr().String()))(t)
	defer from.Close()
	for _, b := range [][]byte{
		announcement(8086, 82, 17, 5, "game"), announcement(8087, 99, 18, 65, "tool\x1b[31m"),
		announcement(8088, 82, 19, 1, "gone"), announcement(8088, 82, 19, -1, "gone"),
		announcement(1, 82, 20, 1, "short")[:19], {2, 0, 1},
	} {
		testkit.Must(from.Write(b))(t)
	}
	list := hear(t.Context(), conn, 100*time.Millisecond)
	testkit.MustThat(t, len(list) == 2, "found %v", list)
	a, b := list[0], list[1]
	testkit.Equal(t, a.Addr, netip.MustParseAddrPort("127.0.0.1:8086"), "address")
	testkit.That(t, a.Program == "game" && a.PID == 17 && a.Runs == 5*time.Second && a.Tracy() == "Tracy 0.14", "first %+v", a)
	testkit.That(t, b.Program != "tool\x1b[31m" && b.Tracy() == "Tracy's protocol 99, which Framescope does not know",
		"second %+v", b)
}
