//go:build !linux

package pstats

import (
	"net"
	"net/netip"
)

// tuneUDP does nothing on systems without such options.
func tuneUDP(*net.UDPConn, int) {}

// A udpReader receives datagrams.
type udpReader struct{ udp *net.UDPConn }

// read receives one datagram. These systems do not tell how many they dropped.
func (r *udpReader) read(buf []byte) (n int, dropped uint32, from netip.AddrPort, err error) {
	n, from, err = r.udp.ReadFromUDPAddrPort(buf)
	return n, 0, from, err
}
