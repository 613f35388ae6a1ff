package puffin

import (
	"testing"

	"framescope/net/feed/feedtest"
)

// bigFile returns a recording of a game with some 600 scopes a frame, as puffin packs it.
func bigFile(frames int) []byte {
	data := []byte(fileMagic)
	for i := range frames {
		f := madeFrame{number: uint64(i)}
		for th, name := range []string{"main", "render", "worker", "worker", "audio", "loader"} {
			x := madeThread{start: int64(th), name: name}
			at := int64(i)*16e6 + int64(th)*1000
			for k := range 5 {
				m := made{id: uint32(1 + k), begin: at, stop: at + 2e6}
				for j := range int64(19) {
					m.inner = append(m.inner, one(uint32(10+j*3+int64(k)), at+j*1e5, at+j*1e5+7e4+int64(i*31%977)))
				}
				x.scopes = append(x.scopes, m)
				at += 3e6
			}
			f.threads = append(f.threads, x)
		}
		data = append(data, f.record('4', packedLZ4)...)
	}
	return data
}

// BenchmarkOpen reads a recording of a million scopes. Bytes are those of the file, which is packed.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "big.puffin", bigFile(1700)) }
