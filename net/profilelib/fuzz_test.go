package profilelib

import (
	"testing"

	"framescope/net/profilelib/record"
)

// FuzzDecoder writes anything, in pieces and with idle moments that the first bytes choose.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"no-sysinfo", "exhausted"} {
		data := readFile(f, capture(f, name))
		f.Add(uint8(0), uint8(200), data[:min(len(data), 150*64)])
		f.Add(uint8(7), uint8(77), data[:min(len(data), 60*64)])
		f.Add(uint8(1), uint8(63), concat(data[:20*64], data[10*64:60*64], data[:30*64+7], make([]byte, 64*3), data[:20*64]))
	}
	f.Fuzz(func(t *testing.T, how, step uint8, data []byte) {
		o := Options{File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.Rate = 1e7
		}
		if how&8 == 0 {
			l := record.All()[int(how>>4)%10]
			o.Layout = &l
		}
		k := newSink()
		d := NewDecoder(k, o)
		n := 0
		_ = feedParts(d, data, func() int { return int(step) + 1 }, func() bool { n++; return n%int(how%5+1) == 0 })
		check(t, k)
	})
}
