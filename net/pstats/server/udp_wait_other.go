//go:build !unix

package server

import "net"

// waitDatagram returns at once: these systems cannot wait without a buffer.
func waitDatagram(*net.UDPConn) {}
