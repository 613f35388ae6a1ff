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
			kind := Current.Kind(r.ID, r.Parent)
			switch kind {
			case EndOfStream:
				continue
			case SysInfo:
			case Block:
				r.ID += uint32(round * numbers)
				if r.Parent != 0 {
					r.Parent += uint32(round * numbers)
				}
				r.Start, r.End = r.Start+int64(round)*lap, r.End+int64(round)*lap
			case Frame:
				r.Start, r.End = r.Start+int64(round)*lap, r.End+int64(round)*60
			default:
				r.Start, r.End = r.Start+int64(round)*lap, r.End+int64(round*numbers)
				if r.Parent != 0 {
					r.Parent += uint32(round * numbers)
				}
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
	began := cpuTime()
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
	if spent := cpuTime() - began; spent > 0 { // the same by processor time, on machines that are busy with other things
		b.ReportMetric(float64(n)*float64(b.N)/spent.Seconds(), "records/cpu-s")
	}
}

// BenchmarkDetect looks for the layout of the beginning of a file, and of what is none.
func BenchmarkDetect(b *testing.B) {
	data := readFile(b, capture(b, "small-clean"))[:64<<10]
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, ok := Detect(data); !ok {
			b.Fatal("not recognised")
		}
	}
}
