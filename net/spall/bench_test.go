package spall

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// nowhere is a sink that keeps nothing.
type nowhere struct {
	b     model.Batch
	spans int
}

func (n *nowhere) Define(model.Change)   {}
func (n *nowhere) Begin() *model.Batch   { n.b.Reset(); return &n.b }
func (n *nowhere) Progress(int64, int64) {}
func (n *nowhere) Publish(b *model.Batch) bool {
	n.spans += len(b.Spans)
	return true
}

// bigFile writes a recording of four threads in buffers of 64 KiB: frames of some 60 calls, four deep.
func bigFile(b *testing.B, calls int) (path string, size int64) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("engine::system_%03d", i))
	}
	m := header(3, 1)
	for n, now := 0, uint64(1e12); n < calls; {
		for tid := range uint32(4) {
			var events [][]byte
			at := now
			for bytes := 0; bytes < 64<<10; {
				events = append(events, begin3(at, "frame"))
				for i := range 20 {
					at += 1000
					events = append(events, begin3(at, names[i]), begin3(at+100, names[20+(n+i)%180]), begin3(at+200, names[i+60]), end3(at+300), end3(at+500), end3(at+900))
				}
				at += 1000
				events = append(events, end3(at))
				n += 61
				bytes += 61 * 38
			}
			m.buffer(1, tid, events...)
			if tid == 3 {
				now = at
			}
		}
	}
	path = filepath.Join(b.TempDir(), "big.spall")
	if err := os.WriteFile(path, m.b, 0o600); err != nil {
		b.Fatal(err)
	}
	return path, int64(len(m.b))
}

// BenchmarkOpen reads a recording of a million calls: the file alone, and into a session.
func BenchmarkOpen(b *testing.B) {
	const calls = 1 << 20
	path, size := bigFile(b, calls)
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(size)
		n := 0
		for b.Loop() {
			k := &nowhere{}
			if err := (Source{}).OpenFile(b.Context(), path, k); err != nil {
				b.Fatal(err)
			}
			n += k.spans
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mspans/s")
	})
	b.Run("session", func(b *testing.B) {
		b.SetBytes(size)
		n := int64(0)
		for b.Loop() {
			k := &feedtest.Into{Session: store.NewSession()}
			if err := (Source{}).OpenFile(b.Context(), path, k); err != nil {
				b.Fatal(err)
			}
			for i := range k.Session.NumTracks() {
				n += k.Session.Track(model.TrackID(i)).NumSpans()
			}
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mspans/s")
	})
}
