package feed

import (
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// Goroutines that append for themselves bring what one would, with definitions before what needs them and the end
// behind everything; nothing is appended but while a poll or LetIn allows it.
func TestDivided(t *testing.T) {
	const tracks, frames, spans = 5, 400, 40
	h, st := NewHub(), &store.Store{}
	f := h.NewFeed(Options{Name: "divided"})
	f.Define(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	var mu sync.Mutex
	var all sync.WaitGroup
	for id := range model.TrackID(tracks) {
		publish := f.Divide(&mu)
		all.Go(func() {
			for n := range int64(frames) {
				path := model.PathID(int64(id)*frames + n + 1)
				mu.Lock()
				f.Define(model.PathDef{ID: path, Collector: 0})
				mu.Unlock()
				b := model.Batch{Track: id, HasFrame: true, Number: n, Begin: n * 100, End: n*100 + 100}
				for k := range int64(spans) {
					b.Spans = append(b.Spans, model.Span{Begin: n*100 + k, End: n*100 + k + 1, Path: path})
				}
				testkit.That(t, publish([]model.Batch{b}), "it was refused")
			}
		})
	}
	go func() {
		all.Wait()
		f.Define(model.End{Reason: "end of file"})
	}()
	counted, ended, let := 0, false, 0
	for !ended {
		p := h.Poll(st, 2*time.Millisecond)
		counted += p.Spans
		if ended = len(p.Ended) > 0; ended {
			break
		}
		s := h.entries[0].Session
		held := s.Ledger().Received
		time.Sleep(time.Millisecond)
		if more := s.Ledger().Received - held; held*spans != int64(counted) || more > 0 {
			t.Fatalf("%d frames were there and %d more while nobody was let in, %d spans were counted", held, more, counted)
		}
		if p.Divided {
			let++
			h.LetIn(time.Millisecond)
		}
	}
	s := h.entries[0].Session
	l := s.Ledger()
	testkit.That(t, counted == tracks*frames*spans && l.Received == tracks*frames && l.Sent == l.Received,
		"%d spans were counted; %+v", counted, l)
	testkit.That(t, let != 0, "no goroutine ever went on while nothing polled")
	testkit.Equal(t, f.Stats().Published, tracks*frames, "batches were published")
}

// A feed that is cancelled refuses what its goroutines bring, also those that wait already.
func TestDividedIsCancelled(t *testing.T) {
	h := NewHub()
	f := h.NewFeed(Options{Name: "cancelled"})
	publish := f.Divide(new(sync.Mutex))
	refused := make(chan bool)
	go func() { refused <- !publish([]model.Batch{{Track: 0, HasFrame: true, End: 10}}) }()
	for waits := false; !waits; time.Sleep(time.Millisecond) {
		h.pool.mu.Lock()
		waits = f.divided.outside > 0
		h.pool.mu.Unlock()
	}
	f.Cancel()
	testkit.That(t, <-refused && !publish([]model.Batch{{}}), "it was taken")
}
