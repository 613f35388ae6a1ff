package pstats

import (
	"bytes"
	"io"
	"testing"

	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats/wire"
)

// benchSession is a session of 2,000 frames of 200 events, about 2.4 MB.
func benchSession(b *testing.B) []byte {
	raw := NewRawSession()
	f := benchFrame(202)
	for n := range 2000 {
		for i := range f.Events {
			f.Events[i].Time = (float32(n) + float32(i)/float32(len(f.Events)-1)) / 64
		}
		f.Number = uint32(n)
		raw.Frame(f, 0)
	}
	return sessionBytes(b, func(w io.Writer) error { return raw.WriteSession(w, nil) })
}

func BenchmarkReadSession(b *testing.B) {
	data := benchSession(b)
	for _, to := range []string{"decoder", "store"} {
		b.Run(to, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s := &sink{}
				if to == "store" {
					s.session = store.NewSession()
				}
				if _, err := ReadSession(bytes.NewReader(data), "bench", 0, NewDecoder(s, DecoderOptions{File: true}), nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*2000*202/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkEncoder measures what it costs the receiver of a frame to keep it, with a disk and without.
func BenchmarkEncoder(b *testing.B) {
	for _, where := range []string{"nowhere", "disk"} {
		b.Run(where, func(b *testing.B) {
			root := journal.OpenRoot(b.TempDir(), journal.RootOptions{Limit: 256 << 20})
			defer root.Close()
			w := root.Create(journal.Meta{Source: JournalSource}, journal.Options{})
			e := NewEncoder(w)
			if where == "nowhere" {
				e = NewEncoder(nowhere{})
			}
			f := benchFrame(24)
			b.SetBytes(int64(wire.FrameSize(FrameVersion, len(f.Events), 0)))
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
