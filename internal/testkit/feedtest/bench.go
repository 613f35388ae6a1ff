package feedtest

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// nowhere is a sink that keeps nothing but how much came.
type nowhere struct {
	spans int64
	batch model.Batch
}

func (n *nowhere) Define(model.Change)   {}
func (n *nowhere) Begin() *model.Batch   { n.batch.Reset(); return &n.batch }
func (n *nowhere) Progress(int64, int64) {}
func (n *nowhere) Publish(b *model.Batch) bool {
	n.spans += int64(len(b.Spans))
	return true
}

// BenchOpen reads a file from the disk up to its last batch: by the decoder alone, and into a session.
func BenchOpen[T string | []byte](b *testing.B, source feed.Source, name string, data T) {
	path := File(b, name, data)
	run := func(how string, sink func() feed.Sink, spans func() int64) {
		b.Run(name+"/"+how, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := source.OpenFile(b.Context(), path, sink()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(spans())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mspans/s")
		})
	}
	var last nowhere
	run("decode", func() feed.Sink { last = nowhere{}; return &last }, func() int64 { return last.spans })
	run("session", func() feed.Sink { return &Into{Session: store.NewSession()} }, func() int64 { return last.spans })
}
