//go:build !linux

package pstats

import "net"

// forceReadBuffer does nothing on systems without such an option.
func forceReadBuffer(*net.UDPConn, int) {}
