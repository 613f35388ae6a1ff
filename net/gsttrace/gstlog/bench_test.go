package gstlog_test

import (
	"testing"

	"framescope/net/gsttrace/gstlog"
)

// sink does nothing with what it gets.
type sink struct{ records, messages int64 }

func (s *sink) Class(*gstlog.Class)              {}
func (s *sink) Record(*gstlog.Record)            { s.records++ }
func (s *sink) Message(*gstlog.Entry)            { s.messages++ }
func (s *sink) Foreign(int64, []byte)            {}
func (s *sink) Unreadable(int64, []byte, string) {}

// BenchmarkReader measures the reader alone, on one core, in pieces of 64 KiB as from a file.
func BenchmarkReader(b *testing.B) {
	for _, name := range []string{"medium-av.log.gz", "mixed-debug.log.gz", "log-tracer.log.gz", "stats-mux.log.gz", "color-all.log.gz", "leaks-refs-traces.log.gz"} {
		b.Run(name, func(b *testing.B) {
			data := capture(b, name)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			s := &sink{}
			for b.Loop() {
				r := gstlog.NewReader(s, gstlog.Options{})
				for at := 0; at < len(data); at += 64 << 10 {
					r.Write(data[at:min(len(data), at+64<<10)])
				}
				r.Close()
			}
			b.ReportMetric(float64(s.records+s.messages)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}
