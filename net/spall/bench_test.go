package spall

import (
	"fmt"
	"testing"

	"framescope/net/feed/feedtest"
)

// bigFile returns a recording of four threads in buffers of 64 KiB: frames of some 60 calls, four deep.
func bigFile(calls int) []byte {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("engine::system_%03d", i))
	}
	m := header(3, 1)
	for n, now := 0, uint64(1e12); n < calls; {
		for tid := range uint32(4) {
			var events [][]byte
			at := now
			for bytes := 0; bytes < 64<<10; {
				events = append(events, begin3(at, "frame"))
				for i := range 20 {
					at += 1000
					events = append(events, begin3(at, names[i]), begin3(at+100, names[20+(n+i)%180]), begin3(at+200, names[i+60]), end3(at+300), end3(at+500), end3(at+900))
				}
				at += 1000
				events = append(events, end3(at))
				n += 61
				bytes += 61 * 38
			}
			m.buffer(1, tid, events...)
			if tid == 3 {
				now = at
			}
		}
	}
	return m.b
}

// BenchmarkOpen reads a recording of a million calls.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "big.spall", bigFile(1<<20)) }
