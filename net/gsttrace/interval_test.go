package gsttrace

import (
	"slices"
	"testing"
)

// The intervals at a pad are the distances of the buffers that went over it, and their spread is
// the jitter.
func TestIntervalsAreThoseOfTheBuffers(t *testing.T) {
	for _, capture := range []string{"medium-av", "all-audio-chain", "stats-mux"} {
		s, compared := load(t, capture), 0
		for _, l := range s.Topology().Links() {
			flow := s.Series().ByID(l.Flow)
			if flow == nil || flow.Len() < 2 {
				continue
			}
			var want []float64
			last := int64(-1)
			for _, v := range flow.Samples(-1<<60, 1<<60, 0, nil) {
				if last >= 0 && v.Time > last {
					want = append(want, float64(v.Time-last))
				}
				last = v.Time
			}
			if got := values(seriesNamed(t, s, "buffer interval", flow.Def.Name)); !slices.Equal(got, want) {
				t.Errorf("%s: %s: intervals %v, want %v", capture, flow.Def.Name, got, want)
			}
			compared++
		}
		if compared == 0 {
			t.Errorf("%s: no link", capture)
		}
	}
}
