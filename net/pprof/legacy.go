package pprof

import "encoding/binary"

// legacyWords are the words that CPU profiles of gperftools begin with: no count, three words behind it, a version,
// which is 1 for Java's, a period in µs (https://gperftools.github.io/gperftools/cpuprofile-fileformat.html).
var legacyWords = [...]uint64{0, 3, 0, 0, 0}

const (
	versionWord        = 2
	periodWord         = 3
	legacyBytesPerByte = 40 // what a profile of gperftools takes in memory: samples of three words are the worst
)

// isLegacy reports whether a file is a CPU profile of gperftools, or Java's in its form. It has words of 4 or 8 bytes
// in either order.
func isLegacy(head []byte) bool {
	for _, order := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if isLegacyOf(head, 8, order.Uint64) ||
			isLegacyOf(head, 4, func(b []byte) uint64 { return uint64(order.Uint32(b)) }) {
			return true
		}
	}
	return false
}

func isLegacyOf(head []byte, size int, word func([]byte) uint64) bool {
	if len(head) < size*len(legacyWords) {
		return false
	}
	for i, want := range legacyWords {
		got := word(head[i*size:])
		ok := got == want
		switch i {
		case versionWord:
			ok = got <= 1
		case periodWord:
			ok = got > 0
		}
		if !ok {
			return false
		}
	}
	return true
}
