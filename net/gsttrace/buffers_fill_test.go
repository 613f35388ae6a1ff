package gsttrace

import (
	"testing"
)

// A queue that leaks drops what never comes out: its level goes down with the next buffer that
// does, and is never below zero. Two buffers of one time and size are two.
func TestQueueThatLeaks(t *testing.T) {
	var f Fill
	x := func(pts uint64) Buffer { return Buffer{PTS: pts, Duration: 10, Size: 4} }
	level := func(want int, bytes, ns uint64) {
		t.Helper()
		if got, ok := f.Span(); len(f.inside) != want || f.Bytes != bytes || !ok || got != ns {
			t.Errorf("%d buffers, %d bytes, %d ns; want %d, %d, %d", len(f.inside), f.Bytes, got, want, bytes, ns)
		}
	}
	f.Take(x(5)) // went in before the log began
	level(0, 0, 0)
	for i := range uint64(5) {
		f.Put(x(10 * i))
	}
	level(5, 20, 50)
	f.Take(x(20))
	level(2, 8, 20)
	f.Put(x(40))
	level(3, 12, 20)
	f.Take(x(30))
	f.Take(x(40))
	f.Take(x(40))
	f.Take(x(40))
	level(0, 0, 0)
	for range MaxQueued + 1 {
		f.Put(x(1))
	}
	if !f.Lost {
		t.Error("it takes any number")
	}
}
