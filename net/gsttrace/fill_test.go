package gsttrace

import "testing"

// A queue that leaks drops what never comes out: its level goes down with the next buffer that does, and is never
// below zero. Two buffers of one time and size are two.
func TestQueueThatLeaks(t *testing.T) {
	var f fill
	x := func(pts uint64) buffer { return buffer{pts: pts, duration: 10, size: 4} }
	level := func(want int, bytes, ns uint64) {
		t.Helper()
		if got, ok := f.span(); len(f.inside) != want || f.bytes != bytes || !ok || got != ns {
			t.Errorf("%d buffers, %d bytes, %d ns; want %d, %d, %d", len(f.inside), f.bytes, got, want, bytes, ns)
		}
	}
	f.take(x(5)) // went in before the log began
	level(0, 0, 0)
	for i := range uint64(5) {
		f.put(x(10 * i))
	}
	level(5, 20, 50)
	f.take(x(20))
	level(2, 8, 20)
	f.put(x(40))
	level(3, 12, 20)
	f.take(x(30))
	f.take(x(40))
	f.take(x(40))
	f.take(x(40))
	level(0, 0, 0)
	for range maxQueued + 1 {
		f.put(x(1))
	}
	if !f.lost {
		t.Error("it takes any number")
	}
}
