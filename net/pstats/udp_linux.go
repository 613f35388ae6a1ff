package pstats

import (
	"encoding/binary"
	"net"
	"net/netip"
	"syscall"
)

// soRxqOvfl is SO_RXQ_OVFL, which the syscall package does not name on all architectures: each datagram then comes with the number of those
// that were dropped before it because the receive buffer was full.
const soRxqOvfl = 40

// tuneUDP gives the socket a receive buffer beyond the limit of the system, which only a privileged process may do, and asks to be told of datagrams that did not fit.
// Otherwise, and where that fails, nothing changes.
func tuneUDP(udp *net.UDPConn, bytes int) {
	raw, err := udp.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUFFORCE, bytes) // fails if not privileged
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soRxqOvfl, 1)                  // fails on foreign kernels
	})
}

// A udpReader receives datagrams.
type udpReader struct {
	udp *net.UDPConn
	oob [64]byte
}

// read receives one datagram. dropped is how many the system has dropped since the socket was opened, as far as it tells: modulo 2^32, and 0 when there were none.
func (r *udpReader) read(buf []byte) (n int, dropped uint32, from netip.AddrPort, err error) {
	n, oobn, _, from, err := r.udp.ReadMsgUDPAddrPort(buf, r.oob[:])
	return n, droppedBefore(r.oob[:oobn]), from, err
}

// droppedBefore takes the number of dropped datagrams out of a control message. (The parser in the syscall package allocates, and after the first drop every datagram has one.)
func droppedBefore(oob []byte) uint32 {
	const head = syscall.SizeofCmsghdr // a length of machine size, i32 level, i32 type
	if len(oob) < head+4 {
		return 0
	}
	level := binary.NativeEndian.Uint32(oob[head-8:])
	kind := binary.NativeEndian.Uint32(oob[head-4:])
	if level != syscall.SOL_SOCKET || kind != soRxqOvfl {
		return 0
	}
	return binary.NativeEndian.Uint32(oob[head:])
}
