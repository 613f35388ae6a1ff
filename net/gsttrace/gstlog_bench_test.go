package gsttrace_test

import (
	"bytes"
	"testing"

	"framescope/net/gsttrace"
)

// sink does nothing with what it gets.
type sink struct{ records, messages int64 }

func (s *sink) Class(*gsttrace.Class)            {}
func (s *sink) Record(*gsttrace.Record)          { s.records++ }
func (s *sink) Message(*gsttrace.LogEntry)       { s.messages++ }
func (s *sink) Foreign(int64, []byte)            {}
func (s *sink) Unreadable(int64, []byte, string) {}

// BenchmarkReader measures the reader alone, in pieces of 64 KiB as from a file. Run it with
// GOMAXPROCS=1 for the speed of one core. Short logs are mostly announcements, which take long and
// come once.
func BenchmarkReader(b *testing.B) {
	for _, name := range []string{"medium-av.log.gz", "mixed-debug.log.gz", "log-tracer.log.gz", "stats-mux.log.gz", "color-all.log.gz", "leaks-refs-traces.log.gz"} {
		b.Run(name, func(b *testing.B) { benchmark(b, capture(b, name)) })
	}
	b.Run("debug lines only", func(b *testing.B) {
		var log []byte
		for line := range bytes.Lines(capture(b, "mixed-debug.log.gz")) {
			if !bytes.Contains(line, []byte(" GST_TRACER ")) {
				log = append(log, line...)
			}
		}
		benchmark(b, bytes.Repeat(log, 50))
	})
}

func benchmark(b *testing.B, log []byte) {
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	s := &sink{}
	for b.Loop() {
		r := gsttrace.NewLogReader(s, gsttrace.LogOptions{})
		for at := 0; at < len(log); at += 64 << 10 {
			r.Write(log[at:min(len(log), at+64<<10)])
		}
		r.Close()
	}
	b.ReportMetric(float64(s.records)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(s.records+s.messages)/b.Elapsed().Seconds(), "entries/s")
}
