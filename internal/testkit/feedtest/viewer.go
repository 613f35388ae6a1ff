// Package feedtest provides a viewer for tests of sources: a hub and a store with a limit, which take
// in a decoder's output while their memory is measured.
package feedtest

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// Viewer is a hub and the store that it fills, with the shares of a limit of resident memory that
// the program gives them.
type Viewer struct {
	Hub   *feed.Hub
	Store *store.Store

	// Account is the maximum of the accounts of sessions and feeds together, and Heap that of the live
	// heap since the viewer was made, both in bytes.
	Account, Heap int64

	limit  int64
	before int64
	looks  int
}

// New returns a viewer with a limit in bytes.
func New(t testing.TB, limit int64) *Viewer {
	v := &Viewer{limit: limit, Hub: feed.NewHub(), Store: store.New(limit * 7 / 8)}
	v.Hub.SetLimit(limit / 8)
	v.before = live()
	t.Cleanup(v.Hub.Close)
	t.Cleanup(v.Store.Close)
	return v
}

// lookEvery is how many polls go between two heap measurements, each of which is a collection.
const lookEvery = 64

// Run runs a producer that writes to a new feed until it returns, and takes in its output. The feed
// loses nothing: the producer waits.
func (v *Viewer) Run(produce func(feed.Sink)) *store.Session {
	f := v.Hub.NewFeed(feed.Options{Live: true, Wait: true})
	done := make(chan struct{})
	go func() {
		defer close(done)
		produce(f)
	}()
	for {
		select {
		case <-done:
			v.drain()
			v.look()
			e := v.Hub.Entries()
			return e[len(e)-1].Session
		case <-time.After(time.Millisecond):
			v.drain()
			if v.looks++; v.looks%lookEvery == 0 {
				v.look()
			}
		}
	}
}

// drain polls until nothing is left. As a window does, it asks each session for the tree of its
// names.
func (v *Viewer) drain() {
	for more := true; more; {
		more = v.Hub.Poll(v.Store, time.Second/120).More
		for _, s := range v.Store.Sessions() {
			s.Collectors().Children(0)
		}
		h := v.Hub.Stats()
		v.Account = max(v.Account, v.Store.Memory().Total()+h.WaitingBytes+h.FreeBytes+h.HeldBytes)
	}
}

// look measures the live heap. A collection counts memory allocated during it as live, and on a busy
// machine that is much: a result above the limit is measured again, and the least one is nearest.
func (v *Viewer) look() {
	heap := live() - v.before
	for again := 0; heap > v.limit && again < 4; again++ {
		heap = min(heap, live()-v.before)
	}
	v.Heap = max(v.Heap, heap)
}

// Check demands that the viewer kept to its limit, by the accounts and by the live heap (sessions lie
// there only in part), and that the ended decoders hold nothing back.
func (v *Viewer) Check(t testing.TB) {
	t.Helper()
	if v.Account > v.limit+v.limit/5 {
		t.Errorf("%d KiB on the accounts with a limit of %d", v.Account>>10, v.limit>>10)
	}
	if v.Heap > v.limit {
		t.Errorf("%d KiB in the heap with a limit of %d", v.Heap>>10, v.limit>>10)
	}
	if h := v.Hub.Stats().HeldBytes; h != 0 {
		t.Errorf("%d bytes are held back when all are gone", h)
	}
}

// CheckMore demands that a session had more names than there was room for: that they are shown as one,
// which has time, are counted, and are reported in words only once.
func (v *Viewer) CheckMore(t testing.TB, s *store.Session) {
	t.Helper()
	found := false
	for id := range s.Collectors().Len() {
		c := s.Collector(model.CollectorID(id))
		found = found || c.Name == feed.MoreNames && c.HasTime
	}
	if !found {
		t.Errorf("nothing is shown as %q", feed.MoreNames)
	}
	losses, lines := s.Losses()
	told := map[string]int{}
	for _, line := range lines {
		told[line]++
		if told[line] == 2 {
			t.Errorf("told twice: %s", line)
		}
	}
	if losses[model.LossLimit] == 0 || !strings.Contains(strings.Join(lines, "\n"), feed.MoreNames) {
		t.Errorf("%d beyond a limit, told as %q", losses[model.LossLimit], lines)
	}
}

// live returns the bytes in use in the collected heap.
func live() int64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
