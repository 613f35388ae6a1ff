package journal

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/journaltest"
)

// Who asks for room loses nothing to a disk that is slow.
func TestRoomIsAwaited(t *testing.T) {
	const records, size = 500, 1000
	memory := journaltest.NewMemory()
	memory.MkdirAll("/", 0o700)
	gate := make(chan struct{})
	o := Options{QueueBytes: 16 * size, Flush: time.Microsecond}
	w := CreateFileOn(gated(memory, gate), "/run", Meta{Source: "test"}, o)
	var given atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		pace := Pace{Patience: time.Hour}
		for range records {
			pace.Await(nil, func() (bool, int64) { return w.Room(size) })
			w.Data(make([]byte, size))
			given.Add(1)
		}
	}()
	for asked := 0; ; asked++ {
		select {
		case gate <- struct{}{}:
			if ahead := given.Load() - w.Stats().Records; asked > 0 && ahead > 40 {
				t.Fatalf("%d records wait", ahead)
			}
			continue
		case <-done:
		}
		break
	}
	close(gate)
	w.Close("")
	testkit.OK(t, w.Wait(20*time.Second))
	if s := w.Stats(); s.Records != records || s.Refused != 0 || s.Holes != 0 {
		t.Errorf("%+v", s)
	}
}

// A disk that takes nothing is waited for once, until it takes something again.
func TestPatienceEnds(t *testing.T) {
	var fits bool
	var taken, asked int64
	room := func() (bool, int64) { asked++; return fits, taken }
	p := Pace{Patience: 20 * time.Millisecond}
	p.Await(nil, room)
	if asked < 2 {
		t.Error("nobody waited")
	}
	asked = 0
	p.Await(nil, room)
	if asked != 1 {
		t.Errorf("it was waited for again: asked %d times", asked)
	}
	taken, asked = 5, 0
	p.Await(nil, room)
	if asked < 2 {
		t.Error("it takes something, and nobody waited")
	}
	fits = true
	p.Await(nil, room)
	stop := make(chan struct{})
	close(stop)
	fits = false
	p.Patience = time.Hour
	taken = 6
	p.Await(stop, room) // or this test never ends
}

// A session of nothing but definitions is kept when these are many, and not for a few.
func TestManyDefinitionsAreKept(t *testing.T) {
	for _, n := range []int{3, 3000} {
		memory := journaltest.NewMemory()
		memory.MkdirAll("/", 0o700)
		w := CreateFileOn(memory, "/run", Meta{Source: "test"}, Options{QueueBytes: 64 << 10, Flush: time.Microsecond})
		var pace Pace
		for i := range n {
			pace.Await(nil, func() (bool, int64) { return w.Room(100) })
			if !w.Define(fmt.Sprint("m:", i), make([]byte, 100)) {
				t.Fatalf("definition %d was refused", i)
			}
		}
		w.Close("")
		testkit.OK(t, w.Wait(20*time.Second))
		_, err := memory.Stat("/run")
		if kept := err == nil; kept != (n > 3) {
			t.Errorf("%d definitions: kept %v", n, kept)
		}
		if n > 3 {
			r := testkit.Must(OpenOn(memory, "/run"))(t)
			defer r.Close()
			got := 0
			each(r, func(rec *Record) {
				if rec.Kind == KindDefinition {
					got++
				}
			})
			if got != n {
				t.Errorf("%d of %d definitions", got, n)
			}
		}
	}
}

// What became of the writing is told in the order in which it happened: trouble before its end.
func TestTroubleIsToldInOrder(t *testing.T) {
	memory := journaltest.NewMemory()
	memory.MkdirAll("/", 0o700)
	gate := make(chan struct{})
	var mu sync.Mutex
	var told []bool
	o := Options{QueueBytes: 8 << 10, Flush: time.Microsecond, Changed: func(s Stats) {
		mu.Lock()
		defer mu.Unlock()
		if s.Trouble != nil && (s.Trouble.Record == 0 || s.Trouble.AtNs == 0) {
			t.Errorf("since record %d, at %d ns", s.Trouble.Record, s.Trouble.AtNs)
		}
		told = append(told, s.Trouble != nil)
	}}
	w := CreateFileOn(gated(memory, gate), "/run", Meta{Source: "test"}, o)
	for w.Data(make([]byte, 1000)) {
	}
	close(gate)
	for round := range 4 {
		w.Flush()
		for w.Data(make([]byte, 1000)) && round > 0 {
		}
	}
	w.Close("")
	testkit.OK(t, w.Wait(20*time.Second))
	mu.Lock()
	defer mu.Unlock()
	for i, trouble := range told[:len(told)-1] { // the last is the end
		if trouble != (i%2 == 0) {
			t.Fatalf("told %v", told)
		}
	}
	if len(told) < 3 {
		t.Errorf("told %v", told)
	}
}
