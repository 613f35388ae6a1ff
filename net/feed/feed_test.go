package feed

import (
	"slices"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// alone returns an empty feed with a pool of its own.
func alone(o Options) *Feed { return newFeed(o, newPool(DefaultBytes)) }

func frame(sink Sink, number int64, rewind bool) bool {
	b := sink.Begin()
	b.HasFrame, b.Number, b.Rewind = true, number, rewind
	b.Begin, b.End = number*1000, number*1000+900
	b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End})
	return sink.Publish(b)
}

// frames publishes frames of so many numbers.
func frames(sink Sink, first, last int64) {
	for n := first; n <= last; n++ {
		frame(sink, n, false)
	}
}

func later() time.Time { return time.Now().Add(time.Hour) }

func numbers(s *store.Session) []int64 {
	var out []int64
	if t := s.Track(0); t != nil {
		for i := range t.NumFrames() {
			out = append(out, t.Frame(i).Number)
		}
	}
	return out
}

func TestPollAppliesInOrder(t *testing.T) {
	f := alone(Options{Live: true})
	f.Define(model.TrackDef{ID: 0, Name: "Main"})
	frames(f, 1, 200)
	f.Define(model.End{Reason: "gone"})
	s := store.NewSession()
	batches, spans, more := f.Poll(s, later())
	testkit.MustThat(t, batches == 200 && spans == 200 && !more,
		"Poll = %d batches, %d spans, more %v; want 200, 200, false", batches, spans, more)
	got := numbers(s)
	testkit.MustThat(t, len(got) == 200 && got[0] == 1 && got[199] == 200, "stored frames %v", got)
	testkit.That(t, s.Track(0).Title() == "Main", "track is called %q", s.Track(0).Title())
	reason, ended := s.Ended()
	testkit.That(t, ended && reason == "gone", "Ended = %q, %v", reason, ended)
}

func TestPollStopsAtItsBudgetAndHoldsEndBack(t *testing.T) {
	f := alone(Options{Live: true})
	frames(f, 1, 200)
	f.Define(model.End{Reason: "gone"})
	s := store.NewSession()
	batches, _, more := f.Poll(s, time.Now().Add(-time.Second))
	testkit.MustThat(t, batches == 64 && more,
		"a Poll without time took %d batches, more %v; want one run of 64 and more", batches, more)
	_, ended := s.Ended()
	testkit.That(t, !ended, "the end came before the last batches")
	f.Poll(s, later())
	_, ended = s.Ended()
	testkit.That(t, ended, "the end never came")
}

func TestLiveFeedDropsOldestAndCounts(t *testing.T) {
	f := alone(Options{Live: true, Batches: 10})
	for n := int64(1); n <= 25; n++ {
		testkit.MustThat(t, frame(f, n, false), "Publish on a live feed refused")
	}
	s := store.NewSession()
	f.Poll(s, later())
	got := numbers(s)
	testkit.MustThat(t, len(got) == 10 && got[0] == 16 && got[9] == 25, "stored %v, want 16 to 25", got)
	n, _ := s.Losses()
	testkit.That(t, n[model.LossRing] == 15, "LossRing = %d, want 15", n[model.LossRing])
	st := f.Stats()
	testkit.That(t, st.Dropped == 15 && st.Published == 25, "Stats = %+v", st)
}

func TestByteBoundHolds(t *testing.T) {
	f := alone(Options{Live: true, Bytes: 10 * (batchOverhead + 40)})
	for n := int64(1); n <= 1000; n++ {
		b := f.Begin()
		b.HasFrame, b.Number = true, n
		b.Spans = append(b.Spans[:0:0], model.Span{})
		f.Publish(b)
		if st := f.Stats(); st.WaitingBytes > f.opt.Bytes {
			t.Fatalf("after %d batches %d bytes wait, bound %d", n, st.WaitingBytes, f.opt.Bytes)
		}
	}
}

// A rewind that is dropped must be made by the track's next frame, or the store would see an old
// number as new.
func TestDroppedRewindIsCarried(t *testing.T) {
	f := alone(Options{Live: true, Batches: 4})
	s := store.NewSession()
	frames(f, 1, 4)
	f.Poll(s, later())
	// Frame 2 comes again with 3 and 4 after it, but the ring holds four batches and one more comes: 2
	// is dropped.
	frame(f, 2, true)
	frames(f, 3, 6)
	f.Poll(s, later())
	got, want := numbers(s), []int64{1, 2, 3, 4, 5, 6}
	testkit.MustThat(t, slices.Equal(got, want), "stored %v, want %v", got, want)
}

func TestFileFeedWaitsAndCancels(t *testing.T) {
	for _, o := range []Options{{Batches: 8}, {Batches: 8, Live: true, Wait: true}} {
		f := alone(o)
		var wg sync.WaitGroup
		wg.Go(func() {
			for n := int64(1); frame(f, n, false); n++ {
			}
		})
		s := store.NewSession()
		for len(numbers(s)) < 1000 {
			f.Poll(s, later().Add(-2*time.Hour))
		}
		f.Cancel()
		wg.Wait() // Publish does not go on after Cancel
		st := f.Stats()
		testkit.That(t, st.Dropped == 0, "a file feed dropped %d batches", st.Dropped)
	}
}

func TestHubPollsEveryFeed(t *testing.T) {
	h := NewHub()
	var st store.Store
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			f := h.NewFeed(Options{Live: true})
			frames(f, 1, 500)
		})
	}
	wg.Wait()
	p := h.Poll(&st, time.Hour)
	testkit.MustThat(t, len(p.New) == 8 && p.Batches == 4000 && !p.More, "Poll = %+v", p)
	for _, e := range h.Entries() {
		n := len(numbers(e.Session))
		testkit.That(t, n == 500, "a session got %d frames, want 500", n)
	}
	h.Remove(&st, h.Entries()[3].Session)
	testkit.That(t, len(h.Entries()) == 7 && len(st.Sessions()) == 7,
		"after Remove: %d entries, %d sessions", len(h.Entries()), len(st.Sessions()))
}

func TestClosedHubKeepsNobodyWaiting(t *testing.T) {
	h := NewHub()
	var st store.Store
	polled := h.NewFeed(Options{Batches: 1})
	h.Poll(&st, time.Hour)
	fresh := h.NewFeed(Options{Batches: 1})
	h.Close()
	for name, f := range map[string]*Feed{"polled": polled, "fresh": fresh, "late": h.NewFeed(Options{Batches: 1})} {
		testkit.That(t, !frame(f, 1, false) && !frame(f, 2, false), "a %s feed of a closed hub takes batches", name)
	}
}

func TestNoAllocationInSteadyState(t *testing.T) {
	f := alone(Options{Live: true})
	s := store.NewSession()
	for range 64 {
		frame(f, 1, false)
	}
	f.Poll(s, later())
	testkit.Equal(t, testing.AllocsPerRun(1000, func() { passBatch(f) }), 0, "allocations a batch")
}

// passBatch publishes a batch and takes it out again.
func passBatch(f *Feed) {
	b := f.Begin()
	b.Spans = append(b.Spans, model.Span{}, model.Span{})
	f.Publish(b)
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	f.pool.recycle(f.pop().b)
}
