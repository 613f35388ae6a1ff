package server

import (
	"net/netip"
	"time"

	"framescope/net/pstats"
)

// ClientInfo describes a connection, for a list of clients.
type ClientInfo struct {
	ID        uint64
	Peer      netip.AddrPort
	UDPPort   int // 0 if everything comes by TCP
	Connected time.Time

	// Known reports whether the client has said hello. Hello is empty before.
	Known bool
	Hello pstats.ClientHello

	TCPFrames, UDPFrames int64 // frames that were understood
	TCPBytes, UDPBytes   int64 // everything that arrived, lengths and checksums included
	Messages             int64 // messages and datagrams that were handled, frames among them
	Lost                 int64 // messages, frames and datagrams that were not understood or not taken
}

// Frames is the number of frames received.
func (c ClientInfo) Frames() int64 { return c.TCPFrames + c.UDPFrames }

// Bytes is the number of bytes received.
func (c ClientInfo) Bytes() int64 { return c.TCPBytes + c.UDPBytes }

// Clients returns the clients that are connected, in the order in which they came. It waits for no
// client and may be called at any time.
func (s *Server) Clients() []ClientInfo {
	conns := s.sorted()
	infos := make([]ClientInfo, len(conns))
	for i, c := range conns {
		infos[i] = c.info()
	}
	return infos
}
