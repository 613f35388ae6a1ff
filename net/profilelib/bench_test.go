package profilelib

import (
	"testing"
)

// repeated returns a stream of about so many records: the blocks of a capture again and again, each
// time with later times and numbers.
func repeated(t testing.TB, records int) []byte {
	data := readFile(t, capture(t, "small-clean"))
	var out []byte
	var r Record
	const lap, numbers = 500e6, 2000
	for round := 0; len(out) < records*RecordSize; round++ {
		for i := 0; i < len(data); i += RecordSize {
			_ = Current.Decode(data[i:], &r)
			r.Start += int64(round) * lap
			if r.Parent != 0 {
				r.Parent += uint32(round * numbers)
			}
			switch Current.Kind(r.ID, r.Parent) {
			case EndOfStream:
				continue
			case SysInfo:
				r.Start, r.Parent = r.Start-int64(round)*lap, 0
			case Block:
				r.ID += uint32(round * numbers)
				r.End += int64(round) * lap
			case Frame:
				r.End += int64(round) * 60
			default:
				r.End += int64(round * numbers)
			}
			out = Current.Encode(&r, out)
		}
	}
	return out
}

// BenchmarkDecode decodes a stream into a session, bytes to store.
func BenchmarkDecode(b *testing.B) {
	data := repeated(b, 1_000_000)
	n := len(data) / RecordSize
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		k := newSink()
		main := uint32(31118)
		d := NewDecoder(k, Options{File: true, MainThread: &main, Rate: 1e9})
		for p := data; len(p) > 0; {
			m := min(len(p), 256<<10)
			_, _ = d.Write(p[:m])
			p = p[m:]
		}
		d.Close("end")
		if lost := k.lost(2); lost > int64(n/1849*2000) {
			b.Fatalf("%d lost: %v", lost, k.losses)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
