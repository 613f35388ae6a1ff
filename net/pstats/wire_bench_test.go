package pstats

import (
	"fmt"
	"testing"

	"framescope/internal/testkit"
)

// BenchmarkDecodeFrame decodes frames of the two sizes that matter: the ordinary one, and the bulk
// one.
func BenchmarkDecodeFrame(b *testing.B) {
	for _, events := range []int{24, 2000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			payload := AppendFrame(nil, Newest(), &Frame{Events: make([]Event, events)})
			var f Frame
			b.ReportAllocs()
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				testkit.OK(b, DecodeFrame(payload, Newest(), &f))
			}
			b.ReportMetric(float64(b.N)*float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
