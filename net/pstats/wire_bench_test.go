package pstats

import (
	"testing"

	"framescope/internal/testkit"
)

// BenchmarkDecodeFrame decodes frames of the two sizes that matter: the ordinary one, and the bulk
// one.
func BenchmarkDecodeFrame(b *testing.B) {
	for _, bb := range []struct {
		name   string
		events int
	}{{"24", 24}, {"2000", 2000}} {
		b.Run(bb.name, func(b *testing.B) {
			payload := AppendFrame(nil, Newest(), &Frame{Events: make([]Event, bb.events)})
			var f Frame
			b.ReportAllocs()
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				testkit.OK(b, DecodeFrame(payload, Newest(), &f))
			}
			b.ReportMetric(float64(b.N)*float64(bb.events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkChecksum sums the payload of the largest datagram.
func BenchmarkChecksum(b *testing.B) {
	payload := make([]byte, MaxUDP)
	b.SetBytes(MaxUDP)
	for b.Loop() {
		Checksum(payload)
	}
}

// BenchmarkScanner frames a stream of ordinary frames.
func BenchmarkScanner(b *testing.B) {
	message := AppendTCP(nil, AppendFrame(nil, Newest(), &Frame{Events: make([]Event, 24)}))
	var s Scanner
	var chunk []byte
	for range 400 {
		chunk = append(chunk, message...)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		s.Write(chunk)
		n := 0
		for {
			_, ok, err := s.Next()
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
			n++
		}
		if n != 400 {
			b.Fatal(n)
		}
	}
}
