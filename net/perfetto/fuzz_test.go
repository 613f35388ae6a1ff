package perfetto

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// pieces reads a trace that comes in pieces, of which size gives the lengths.
func pieces(data []byte, size func(i int) int) (*taken, error) {
	k := &taken{}
	d := newDecoder(k, "x", "")
	for i, rest := 0, append([]byte(nil), data...); len(rest) > 0; i++ {
		n := min(max(size(i), 1), len(rest))
		d.split.Write(append([]byte(nil), rest[:n]...))
		rest = rest[n:]
	}
	return k, d.finish(nil)
}

// checks is a sink that demands of each batch what model.Batch asks for, and fills a session.
type checks struct {
	feedtest.Into
	t     *testing.T
	spans int
}

func (c *checks) Publish(b *model.Batch) bool {
	checkBatch(c.t, b)
	c.spans += len(b.Spans)
	return c.Into.Publish(b)
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
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) || !reflect.DeepEqual(fmt.Sprint(got.batches), fmt.Sprint(whole.batches)) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		s := store.NewSession()
		k := &checks{Into: feedtest.Into{Session: s}, t: t}
		d := newDecoder(k, "x", "")
		d.split.Write(data)
		d.finish(nil)
		if int64(k.spans) > d.events+int64(len(d.timeline)) {
			t.Fatalf("%d spans of %d events", k.spans, d.events)
		}
		_, lines := s.Losses()
		for _, line := range lines {
			for _, bad := range []string{"spans that", "batch of", "a frame "} { // what the store itself refuses
				if strings.HasPrefix(line, bad) {
					t.Errorf("the store says: %s", line)
				}
			}
		}
	})
}

// checkBatch demands of a batch what model.Batch asks for.
func checkBatch(t *testing.T, b *model.Batch) {
	t.Helper()
	for i, sp := range b.Spans {
		if sp.End < sp.Begin {
			t.Fatalf("a span from %d to %d", sp.Begin, sp.End)
		}
		if i > 0 {
			if p := b.Spans[i-1]; sp.Begin < p.Begin || sp.Begin == p.Begin && sp.Lane < p.Lane {
				t.Fatalf("spans out of order: %+v, %+v", p, sp)
			}
		}
		if b.HasFrame && (sp.Begin < b.Begin || sp.Begin > b.End) {
			t.Fatalf("a span at %d in the frame from %d to %d", sp.Begin, b.Begin, b.End)
		}
	}
	sum := int64(0)
	for i, a := range b.Alone {
		sum += a.Ns
		if a.Ns < 0 || i > 0 && a.Collector <= b.Alone[i-1].Collector {
			t.Fatalf("alone: %+v", b.Alone)
		}
	}
	if sum > b.End-b.Begin {
		t.Fatalf("%d ns alone in a frame of %d", sum, b.End-b.Begin)
	}
}
