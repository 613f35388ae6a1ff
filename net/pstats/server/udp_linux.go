package server

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"strconv"
	"syscall"
)

// soRxqOvfl is SO_RXQ_OVFL, which the syscall package does not name on all architectures: each
// datagram then comes with the number of those that were dropped before it because the receive
// buffer was full.
const soRxqOvfl = 40

// askForDrops makes the system report with each datagram how many did not fit before it. Where that
// fails, dropsOf still works.
func askForDrops(udp *net.UDPConn) {
	if raw, err := udp.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soRxqOvfl, 1) // fails on foreign kernels
		})
	}
}

// enlarge gives the socket a receive buffer beyond the limit of the system, which only a privileged
// process may do. Otherwise nothing changes.
func enlarge(udp *net.UDPConn, bytes int) {
	if raw, err := udp.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUFFORCE, bytes)
		})
	}
}

// A udpReader receives datagrams.
type udpReader struct {
	udp *net.UDPConn
	oob [64]byte
}

// read receives one datagram. dropped is the system's count of drops since the socket was opened:
// modulo 2^32, and 0 when there were none.
func (r *udpReader) read(buf []byte) (n int, dropped uint32, from netip.AddrPort, err error) {
	n, oobn, _, from, err := r.udp.ReadMsgUDPAddrPort(buf, r.oob[:])
	return n, droppedBefore(r.oob[:oobn]), from, err
}

// droppedBefore takes the number of dropped datagrams out of a control message. (The parser in the
// syscall package allocates, and after the first drop every datagram has one.)
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

// dropsOf returns how many datagrams the system has dropped since the socket was opened, modulo 2^32,
// including those that no datagram has reported. ok is false where the system's list of sockets cannot
// be read.
func dropsOf(udp *net.UDPConn) (dropped uint32, ok bool) {
	state, ok := stateOf(udp)
	return state.dropped, ok
}

// waitingIn returns how many bytes wait in a socket, with the system's overhead for each datagram.
func waitingIn(udp *net.UDPConn) (bytes int64, ok bool) {
	state, ok := stateOf(udp)
	return state.waiting, ok
}

// socketState is a socket's entry in the system's list.
type socketState struct {
	waiting int64 // bytes
	dropped uint32
}

// stateOf reads the system's list of sockets.
func stateOf(udp *net.UDPConn) (state socketState, ok bool) {
	inode, ok := inodeOf(udp)
	if !ok {
		return state, false
	}
	for _, list := range [...]string{"/proc/self/net/udp", "/proc/self/net/udp6"} {
		f, err := os.Open(list)
		if err != nil {
			continue
		}
		state, ok = stateIn(bufio.NewScanner(f), inode)
		f.Close()
		if ok {
			return state, true
		}
	}
	return state, false
}

// inodeOf returns the number by which the system's lists know a socket.
func inodeOf(udp *net.UDPConn) (inode uint64, ok bool) {
	raw, err := udp.SyscallConn()
	if err != nil {
		return 0, false
	}
	raw.Control(func(fd uintptr) {
		var st syscall.Stat_t
		if syscall.Fstat(int(fd), &st) == nil {
			inode, ok = uint64(st.Ino), true
		}
	})
	return inode, ok
}

// stateIn finds a socket in a list: the bytes that wait to be sent and to be read stand in the
// fifth column, its inode in the tenth, and the drops in the last.
func stateIn(lines *bufio.Scanner, inode uint64) (state socketState, ok bool) {
	const queueColumn, inodeColumn, dropsColumn = 4, 9, 12
	for lines.Scan() {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) <= dropsColumn {
			continue
		}
		if n, err := strconv.ParseUint(string(fields[inodeColumn]), 10, 64); err != nil || n != inode {
			continue
		}
		_, waiting, _ := bytes.Cut(fields[queueColumn], []byte(":"))
		rx, errRx := strconv.ParseUint(string(waiting), 16, 32)
		n, err := strconv.ParseUint(string(fields[dropsColumn]), 10, 64)
		return socketState{int64(rx), uint32(n)}, err == nil && errRx == nil
	}
	return state, false
}
