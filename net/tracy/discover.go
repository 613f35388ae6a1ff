package tracy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"time"

	"framescope/net/trace"
)

// Announced is a program that says on the network where it listens, as it does every three seconds.
type Announced struct {
	Addr     netip.AddrPort
	Program  string
	PID      uint64
	Protocol uint32
	Runs     time.Duration
}

// Tracy returns the version of Tracy that the program has in it, in words.
func (a *Announced) Tracy() string {
	if release := releases[a.Protocol]; release != "" {
		return "Tracy " + release
	}
	return fmt.Sprintf("Tracy's protocol %d, which Framescope does not know", a.Protocol)
}

const (
	broadcastPort    = 8086
	broadcastVersion = 3
)

// Discover listens for so long, and returns the programs that announced themselves, by their addresses.
func Discover(ctx context.Context, lasts time.Duration) ([]Announced, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{Port: broadcastPort})
	if err != nil {
		return nil, fmt.Errorf("can't listen for programs with Tracy: %w", err)
	}
	defer conn.Close()
	return hear(ctx, conn, lasts), ctx.Err()
}

func hear(ctx context.Context, conn *net.UDPConn, lasts time.Duration) (list []Announced) {
	stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Now()) })
	defer stop()
	conn.SetReadDeadline(time.Now().Add(lasts))
	found := map[netip.AddrPort]Announced{}
	for buf := make([]byte, 1500); ; {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil { // the time is over
			break
		}
		a, gone, ok := parseAnnounced(buf[:n], from.Addr())
		switch {
		case gone:
			delete(found, a.Addr)
		case ok:
			found[a.Addr] = a
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Announced) int {
		return cmp.Or(a.Addr.Compare(b.Addr), cmp.Compare(a.PID, b.PID))
	})
}

// parseAnnounced reads a datagram (BroadcastMessage of TracyProtocol.hpp). gone: the program has ended.
func parseAnnounced(b []byte, from netip.Addr) (a Announced, gone, ok bool) {
	const head = 2 + 2 + 4 + 8 + 4
	if len(b) < head || binary.LittleEndian.Uint16(b) != broadcastVersion {
		return a, false, false
	}
	name, _, _ := bytes.Cut(b[head:min(len(b), head+programSize)], []byte{0})
	seconds := int32(binary.LittleEndian.Uint32(b[16:]))
	return Announced{
		Addr:     netip.AddrPortFrom(from.Unmap(), binary.LittleEndian.Uint16(b[2:])),
		Protocol: binary.LittleEndian.Uint32(b[4:]), PID: binary.LittleEndian.Uint64(b[8:]),
		Runs: time.Duration(seconds) * time.Second, Program: trace.Shown(string(name)),
	}, seconds < 0, seconds >= 0
}
