package spall

import (
	"fmt"
	"reflect"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/net/feed/feedtest"

	"framescope/model/store"
)

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"game-v3", "broken-event-type"} {
		data := recordings.Read(f, recordings.Spall, name+".spall")
		f.Add(uint8(0), data[:min(len(data), 3000)])
	}
	v1 := header(1, 0.5).begin1(1, 1, 1, "frame").begin1(1, 2, 1, "x").end1(1, 1, 2).begin1(1, 1, 3, "frame").end1(1, 2, 9).end1(1, 1, 2.5)
	f.Add(uint8(3), v1.b)
	v3 := header(3, 1).buffer(1, 1, begin3(5, "tick"), end3(9), begin3(9, "tick"), skipped(3), end3(12)).
		buffer(1, 2, named(nameThread, "w"), begin3(2, ""), begin3(7, "y"), end3(8), end3(30))
	f.Add(uint8(6), v3.b)
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		whole, wholeErr := pieces(data, func(int) int { return len(data) })
		got, err := pieces(data, func(i int) int { return 1 + int(step)*i%97 })
		if !reflect.DeepEqual(got, whole) || fmt.Sprint(err) != fmt.Sprint(wholeErr) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		s := store.NewSession()
		k := &feedtest.Into{Session: s}
		for _, c := range whole.changes {
			k.Define(c)
		}
		for i := range whole.batches {
			checkBatch(t, s, &whole.batches[i])
			s.Append(&whole.batches[i])
		}
		if n := s.Limits(); len(n) > 0 && len(data) < 1<<16 {
			t.Errorf("limits: %v", n)
		}
		_, lines := s.Losses()
		for _, line := range lines {
			for _, bad := range []string{"spans that", "batch of", "a frame "} { // what the store itself refuses
				if len(line) >= len(bad) && line[:len(bad)] == bad {
					t.Errorf("the store says: %s", line)
				}
			}
		}
	})
}

// checkBatch demands of a batch what model.Batch asks for.
func checkBatch(t *testing.T, s *store.Session, b *model.Batch) {
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
