package client

import (
	"math"

	"framescope/net/pstats"
)

// rateCost is how many frames a frame of so many bytes counts for the rate limit: one, or one for
// each 1500 bytes when it is too big for UDP (section 6).
func rateCost(bytes int) float64 {
	if bytes <= pstats.MaxUDP {
		return 1
	}
	return math.Ceil(float64(bytes) / pstats.MaxUDP)
}

// mixer decides which of the small frames go by UDP, so that a given share of them goes by TCP
// (section 6).
type mixer struct {
	udpFactor, tcpFactor float64
	udp, tcp             float64 // frames so far, from 1
}

func newMixer(tcpRatio float64) mixer {
	m := mixer{udp: 1, tcp: 1}
	switch {
	case tcpRatio >= 1:
		m.udpFactor = 1
	case tcpRatio <= 0:
		m.tcpFactor = 1
	default:
		m.udpFactor, m.tcpFactor = math.Sin(tcpRatio*math.Pi/2), math.Cos(tcpRatio*math.Pi/2)
	}
	return m
}

func (m *mixer) useUDP() bool { return m.udp*m.udpFactor < m.tcp*m.tcpFactor }
