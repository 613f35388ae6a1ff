package journal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
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
			ahead := given.Load() - w.Stats().Records
			testkit.MustThat(t, asked <= 0 || ahead <= 40, "%d records wait", ahead)
			continue
		case <-done:
		}
		break
	}
	close(gate)
	w.Close("")
	testkit.OK(t, w.Wait(20*time.Second))
	s := w.Stats()
	testkit.That(t, s.Records == records && s.Refused == 0 && s.Holes == 0, "%+v", s)
}

// A disk that takes nothing is waited for once, until it takes something again.
func TestPatienceEnds(t *testing.T) {
	var fits bool
	var taken, asked int64
	room := func() (bool, int64) { asked++; return fits, taken }
	p := Pace{Patience: 20 * time.Millisecond}
	p.Await(nil, room)
	testkit.That(t, asked >= 2, "nobody waited")
	asked = 0
	p.Await(nil, room)
	testkit.That(t, asked == 1, "it was waited for again: asked %d times", asked)
	taken, asked = 5, 0
	p.Await(nil, room)
	testkit.That(t, asked >= 2, "it takes something, and nobody waited")
	fits = true
	p.Await(nil, room)
	stop := make(chan struct{})
	close(stop)
	fits = false
	p.Patience = time.Hour
	taken = 6
	p.Await(stop, room) // or this test never ends
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
		testkit.That(t, s.Trouble == nil || s.Trouble.Record != 0 && s.Trouble.AtNs != 0, "trouble %+v", s.Trouble)
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
		testkit.MustThat(t, trouble == (i%2 == 0), "told %v", told)
	}
	testkit.That(t, len(told) >= 3, "told %v", told)
}

// A stream of bytes comes out as it went in; when its oldest part has left, its head still comes
// first.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		limit int64
		all   bool
		lines int // that come at once
	}{{1 << 30, true, 1}, {1 << 20, false, 1}, {1 << 30, true, 2000}, {1 << 20, false, 2000}} {
		root := OpenRoot(filepath.Join(t.TempDir(), "s"), RootOptions{Limit: c.limit})
		w := root.Create(Meta{Source: "profilelib"}, Options{})
		b := ByteTape{Tape: w}
		var sent, some []byte
		for n := range 40_000 {
			some = fmt.Appendf(some, "line %08d of a stream that is long enough\n", n)
			if (n+1)%c.lines > 0 {
				continue
			}
			sent = append(sent, some...)
			testkit.MustThat(t, b.Write(some), "refused")
			if some = some[:0]; n%500 == 0 || c.lines > 500 {
				w.Flush()
			}
		}
		w.Close("")
		<-w.Done()
		r := testkit.Must(Open(w.Path()))(t)
		var got []byte
		holes := []string{}
		err := EachPiece(r, func(p []byte) error { got = append(got, p...); return nil },
			func(reason string, _ Hole) error { holes = append(holes, reason); return nil })
		r.Close()
		root.Close()
		switch {
		case err != nil:
			t.Error(err)
		case c.all && (!bytes.Equal(got, sent) || len(holes) > 0):
			t.Errorf("%d of %d bytes came back, holes %q", len(got), len(sent), holes)
		case !c.all && (!bytes.HasPrefix(got, sent[:HeadBytes]) || !bytes.HasSuffix(sent, got[HeadBytes:]) || len(got) < 300_000):
			t.Errorf("%d of %d bytes came back, not the first and the last ones", len(got), len(sent))
		case !c.all && (len(holes) == 0 || !strings.Contains(holes[0], "room")):
			t.Errorf("holes %q", holes)
		}
	}
}
