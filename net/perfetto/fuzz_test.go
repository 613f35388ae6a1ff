package perfetto

import (
	"fmt"
	"reflect"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/feed/feedtest"
)

// pieces reads a trace that comes in pieces, of which size gives the lengths.
func pieces(data []byte, size func(i int) int) (*taken, error) {
	k := &taken{}
	d := newDecoder(k, "x", "")
	_ = feedtest.Pieces(data, size, func(b []byte) error { d.split.Write(b); return nil })
	return k, d.finish(nil)
}

// FuzzDecoder reads anything: nothing breaks, what the store gets keeps to its rules, and in pieces it
// is the same.
func FuzzDecoder(f *testing.F) {
	for _, name := range captures {
		if recordings.Here(f, recordings.Perfetto, name) {
			data := recordings.Read(f, recordings.Perfetto, name+".pftrace")
			f.Add(uint8(len(name)), data[:min(len(data), 4000)])
			f.Add(uint8(len(name)), data[len(data)-min(len(data), 3000):])
		}
	}
	for i, trace := range made() {
		f.Add(uint8(i), []byte(trace))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		whole, wholeErr := pieces(data, func(int) int { return len(data) })
		got, err := pieces(data, func(i int) int { return 1 + int(step)*i%97 })
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) || !reflect.DeepEqual(fmt.Sprint(got.Batches), fmt.Sprint(whole.Batches)) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		k := feedtest.NewRuled(t)
		d := newDecoder(k, "x", "")
		d.split.Write(data)
		d.finish(nil)
		if int64(k.Spans) > d.events+int64(len(d.timeline)) {
			t.Fatalf("%d spans of %d events", k.Spans, d.events)
		}
		feedtest.Unrefused(t, k.Session)
	})
}
