package spall

import (
	"fmt"
	"reflect"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/feed/feedtest"
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
		whole, wholeErr := pieces(data, feedtest.Steps(len(data)))
		got, err := pieces(data, func(i int) int { return 1 + int(step)*i%97 })
		if !reflect.DeepEqual(got, whole) || fmt.Sprint(err) != fmt.Sprint(wholeErr) {
			t.Fatalf("pieces of %d: %v, whole: %v", step, err, wholeErr)
		}
		k := feedtest.NewRuled(t)
		for _, c := range whole.Changes {
			k.Define(c)
		}
		for i := range whole.Batches {
			k.Publish(&whole.Batches[i])
		}
		if n := k.Session.Limits(); len(n) > 0 && len(data) < 1<<16 {
			t.Errorf("limits: %v", n)
		}
		feedtest.Unrefused(t, k.Session)
	})
}

// bigFile returns a recording of four threads in buffers of 64 KiB: frames of some 60 calls, four deep.
func bigFile(calls int) []byte {
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
	return m.b
}

// BenchmarkOpen reads a recording of a million calls.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "big.spall", bigFile(1<<20)) }
