package pstats

import (
	"net"
	"syscall"
)

// forceReadBuffer gives the socket a receive buffer beyond the limit of the system, which only a privileged process may do. Otherwise nothing changes.
func forceReadBuffer(udp *net.UDPConn, bytes int) {
	raw, err := udp.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) {
		// An error means: not privileged. Then the buffer is as large as the system allows.
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUFFORCE, bytes)
	})
}
