//go:build !linux

package server

import (
	"net"
	"net/netip"
)

// askForDrops does nothing on systems that do not tell what they drop.
func askForDrops(*net.UDPConn) {}

// enlarge does nothing on systems without such an option.
func enlarge(*net.UDPConn, int) {}

// A udpReader receives datagrams.
type udpReader struct{ udp *net.UDPConn }

// read receives one datagram. These systems do not tell how many they dropped.
func (r *udpReader) read(buf []byte) (n int, dropped uint32, from netip.AddrPort, err error) {
	n, from, err = r.udp.ReadFromUDPAddrPort(buf)
	return n, 0, from, err
}

// dropsOf returns how many datagrams the system has dropped; here it does not tell.
func dropsOf(*net.UDPConn) (dropped uint32, ok bool) { return 0, false }

// waitingIn returns how many bytes wait in a socket; here the system does not tell.
func waitingIn(*net.UDPConn) (bytes int64, ok bool) { return 0, false }
