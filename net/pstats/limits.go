package pstats

import (
	"strings"
)

// NoDatagrams says why frames are lost on the way of a client of whom no datagram ever came, and what helps.
const NoDatagrams = "no datagram of the game ever came, only TCP, as through a tunnel (ssh, adb, a container) or " +
	"a firewall: " +
	"most of its frames are lost on the way. Set pstats-tcp-ratio 1 in its Config.prc, so that all of them come by TCP"

// Limits of plausible values from a client, for all readers.
const (
	// MaxSeconds is the greatest plausible time.
	MaxSeconds = 1e9

	// MaxLevel is the greatest plausible level, either way, before its factor.
	MaxLevel = 1e24

	// MaxCollectors is how many collectors have a number.
	MaxCollectors = 1 << 15

	// MaxDepth is how many spans run at the same time: a start beyond is counted as LossLimit and
	// shown nowhere. No chain of parents is followed further.
	MaxDepth = 1000

	// MaxFrameEvents bounds the events of a frame; the rest is counted as LossLimit.
	MaxFrameEvents = 1 << 21

	// HistoryNs is pstats-history: how far apart two clocks must be to be taken for different ones.
	HistoryNs = 60e9

	// WindowFrames is how many of the newest frames of a thread a late frame finds its place among.
	WindowFrames = 4096

	// MaxName bounds the names that a client gives, in bytes: 32,768 collectors of 64 KiB each would
	// be 2 GiB.
	MaxName = 1 << 10
)

// Short cuts a name to so many bytes, more than anybody could read. The rest does not stay in memory.
func Short(name string, most int) string {
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most-len("…")], "") + "…"
}

// Nanoseconds converts a time of the protocol, in seconds. ok is false for times that cannot be:
// NaN, infinite, negative, or beyond MaxSeconds.
func Nanoseconds(sec float32) (ns int64, ok bool) {
	s := float64(sec)
	if !(s >= 0 && s <= MaxSeconds) {
		return 0, false
	}
	return int64(s*1e9 + 0.5), true
}

// FirstTime returns the first possible time among events, in nanoseconds.
func FirstTime(events []Event) (ns int64, ok bool) {
	for _, e := range events {
		if ns, ok := Nanoseconds(e.Time); ok {
			return ns, true
		}
	}
	return 0, false
}
