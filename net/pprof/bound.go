package pprof

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/net/feed"
)

// A profile is in memory while it is read, and takes much more there than in its file: a sample without
// anything two bytes here, and more than a hundred there. So what it will take is reckoned before.
const (
	maxParsed   = 1 << 30
	maxPacked   = 64 << 20
	leastParsed = 64 << 20
	// Of a profile that was packed, at most leastUnpacked and mostRatio times its packed size is unpacked, in bytes:
	// others than those made to be unpacked are smaller.
	leastUnpacked = 8 << 20
	mostRatio     = 64
	partsOfShare  = 4 // how much more a profile may take than what a decoder may keep, as it is soon let go
)

// parsedBytes are what a field of a profile takes in memory (profile.proto, message Profile), by itself
// and for each byte of it.
var parsedBytes = [...]struct{ each, perByte int64 }{
	2: {170, 16}, // sample: ids and values, and pointers
	3: {250, 1},
	4: {150, 24}, // location: lines
	5: {170, 1},
	6: {40, 1},
}

// parsedSize returns what reading a profile will take in memory, roughly, up to where it is damaged: rest is behind
// that.
func parsedSize(data []byte) (bytes int64, rest []byte) {
	if isLegacy(data) {
		return legacyBytesPerByte * int64(len(data)), nil
	}
	for len(data) > 0 {
		num, wire, k := protowire.ConsumeTag(data)
		if k < 0 {
			break
		}
		size := protowire.ConsumeFieldValue(num, wire, data[k:])
		if size < 0 {
			break
		}
		if int(num) < len(parsedBytes) {
			bytes += parsedBytes[num].each + parsedBytes[num].perByte*int64(size)
		} else {
			bytes += 16 // a number of a list
		}
		data = data[k+size:]
	}
	return bytes, data
}

// parsedLimit returns how much a profile may take that is read for a sink.
func parsedLimit(sink feed.Sink) int64 {
	share := min(feed.NamesOf(sink).Share(), maxParsed)
	return min(max(share*partsOfShare, leastParsed), mostParsed())
}

// mostParsed returns the size limit of a parsed profile, by the memory limit.
func mostParsed() int64 { return feed.Room(maxParsed, 2) }

// MostPacked returns how large a profile may be as it comes, in bytes.
func MostPacked() int64 { return feed.Room(maxPacked, 16) }

// unpackedLimit returns how large a profile may be, unpacked, that may take so much memory.
func unpackedLimit(parsed int64) int64 { return parsed / 4 }

// fits returns an error if parsing a profile takes more memory than a limit.
func fits(data []byte, limit int64) error {
	if bytes, _ := parsedSize(data); bytes > limit {
		return fmt.Errorf("is a pprof profile that needs %d MiB of memory; the limit is %d", bytes>>20, limit>>20)
	}
	return nil
}
