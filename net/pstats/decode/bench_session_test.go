package decode

import (
	"bytes"
	"io"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// benchSession is a session of 2,000 frames of 200 events, about 2.4 MB.
func benchSession(b *testing.B) []byte {
	raw := sessionfile.NewRaw()
	f := pstatstest.Frame(202)
	for n := range 2000 {
		for i := range f.Events {
			f.Events[i].Time = (float32(n) + float32(i)/float32(len(f.Events)-1)) / 64
		}
		f.Number = uint32(n)
		raw.Frame(f, 0)
	}
	return pstatstest.Written(b, func(w io.Writer) error { return raw.WriteSession(w, nil) })
}

func BenchmarkReadSession(b *testing.B) {
	data := benchSession(b)
	for _, to := range []string{"decoder", "store"} {
		b.Run(to, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s := &pstatstest.Sink{}
				if to == "store" {
					s.Session = store.NewSession()
				}
				testkit.Must(sessionfile.Read(bytes.NewReader(data), "bench", 0, New(s, Options{File: true}), nil))(b)
			}
			b.ReportMetric(float64(b.N)*2000*202/b.Elapsed().Seconds(), "events/s")
		})
	}
}
