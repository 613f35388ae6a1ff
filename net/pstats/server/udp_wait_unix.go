//go:build unix

package server

import (
	"net"
	"syscall"
)

// waitDatagram waits until there is a datagram to read, or the socket's deadline, without a buffer
// for it: most connections never send one.
func waitDatagram(udp *net.UDPConn) {
	raw, err := udp.SyscallConn()
	if err != nil {
		return
	}
	var one [1]byte
	raw.Read(func(fd uintptr) bool {
		for {
			_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK) // the socket does not block
			if err != syscall.EINTR {
				return err != syscall.EAGAIN
			}
		}
	})
}
