//go:build !linux

package server

import (
	"net"
	"net/netip"
)

// askForDrops does nothing on systems that do not report drops.
func askForDrops(*net.UDPConn) {}

// enlarge does nothing on systems without such an option.
func enlarge(*net.UDPConn, int) {}

// A udpReader receives datagrams.
type udpReader struct{ udp *net.UDPConn }

// read receives one datagram. These systems do not report drops.
func (r *udpReader) read(buf []byte) (n int, dropped uint32, from netip.AddrPort, err error) {
	n, from, err = r.udp.ReadFromUDPAddrPort(buf)
	return n, 0, from, err
}

// dropsOf returns how many datagrams the system has dropped; here that is unknown.
func dropsOf(*net.UDPConn) (dropped uint32, ok bool) { return 0, false }

// waitingIn returns how many bytes wait in a socket; here that is unknown.
func waitingIn(*net.UDPConn) (bytes int64, ok bool) { return 0, false }
