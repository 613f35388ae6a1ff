package records

import (
	"testing"

	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// BenchmarkEncoder measures what it costs the receiver of a frame to keep it, with a disk and
// without.
func BenchmarkEncoder(b *testing.B) {
	for _, where := range []string{"nowhere", "disk"} {
		b.Run(where, func(b *testing.B) {
			root := journal.OpenRoot(b.TempDir(), journal.RootOptions{Limit: 256 << 20})
			defer root.Close()
			w := root.Create(journal.Meta{Source: Source}, journal.Options{})
			e := NewEncoder(w)
			if where == "nowhere" {
				e = NewEncoder(nowhere{})
			}
			f := pstatstest.Frame(24)
			b.SetBytes(int64(pstats.FrameSize(sessionfile.FrameVersion, len(f.Events), 0)))
			b.ReportAllocs()
			n := uint32(0)
			for b.Loop() {
				f.Number = n
				n++
				e.Frame(f, 1)
				if n%20000 == 0 { // 4 MB: the disk keeps up
					w.Flush()
				}
			}
			b.StopTimer()
			if s := w.Stats(); s.Trouble != nil || s.Refused > 0 {
				b.Fatalf("%+v", s)
			}
			w.Discard()
		})
	}
}
