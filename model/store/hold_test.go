package store

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// A session that ended leaves before one that goes on, unless somebody looks at it: then the oldest
// data of both leave.
func TestHold(t *testing.T) {
	frames := func(s *Session, from, n int) {
		for i := range n {
			at := int64(from+i) * 1000
			b := &model.Batch{HasFrame: true, Number: int64(from + i), Begin: at, End: at + 1000}
			for k := range int64(100) {
				b.Spans = append(b.Spans, model.Span{Begin: at + k*10, End: at + k*10 + 5, Path: 1})
			}
			s.Append(b)
		}
	}
	for _, held := range []bool{false, true} {
		st := &Store{MemoryLimit: 1 << 20}
		a, b := st.NewSession(), st.NewSession()
		for _, s := range []*Session{a, b} {
			s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
		}
		frames(b, 0, 1200) // older than what the other has
		frames(a, 0, 600)
		a.Hold(held)
		a.Apply(model.End{})
		for n := range 600 {
			frames(b, 1200+n, 1)
			for st.EnforceLimit(time.Time{}) {
			}
		}
		left, other := a.Track(0).Evicted(), b.Track(0).Evicted()
		if held && (other == 0 || left > 0 && other < 1200) || !held && (left == 0 || left < 600 && other > 0) {
			t.Errorf("held %v: %d of the one that ended left, %d of the other", held, left, other)
		}
		for range 3 {
			a.Hold(true)
			a.Hold(false)
		}
		for n := range 3000 {
			frames(b, 1800+n, 1)
			for st.EnforceLimit(time.Time{}) {
			}
		}
		n := a.Track(0).NumFrames()
		testkit.That(t, n <= 1, "held %v: %d frames stay though nobody looks any more", held, n)
	}
}

// However little the limit is, something of what is looked at stays: the newest of the threads that
// sent last and of the one that is looked at, while the session goes on and after its end, until
// nobody looks any more.
func TestNewestStaysWhereOneLooks(t *testing.T) {
	const threads = 1000
	st := &Store{MemoryLimit: 1}
	s := st.NewSession()
	s.Hold(true)
	s.LookAt(7)
	round := func(n int64) {
		for id := range model.TrackID(threads) {
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: n, Begin: n * 100, End: n*100 + 100})
		}
		for st.EnforceLimit(time.Time{}) {
		}
	}
	with := func() (n int) {
		for _, t := range s.tracks {
			if t.NumFrames() > 0 {
				n++
			}
		}
		return n
	}
	for n := range int64(5) {
		round(n)
		if got := with(); got != leastTracks || s.Track(7).NumFrames() == 0 {
			t.Fatalf("round %d: %d threads have frames, the one that is looked at %d", n, got, s.Track(7).NumFrames())
		}
	}
	testkit.That(t, s.Torn() != 0 && s.Torn() <= 5*threads, "%d threads lost all and got more", s.Torn())
	s.Apply(model.End{Reason: "closed"})
	s.Hold(false)
	s.Hold(true)
	for st.EnforceLimit(time.Time{}) {
	}
	if got := with(); got != leastTracks || s.Track(7).NumFrames() == 0 || s.Latest() != 500 {
		t.Errorf("after the end %d threads have frames, the one that is looked at %d", got, s.Track(7).NumFrames())
	}
	s.Hold(false)
	for st.EnforceLimit(time.Time{}) {
	}
	l := s.Ledger()
	if got := with(); got != 0 || l.Received != 5*threads || l.HeldBack != 0 || s.Latest() != 500 {
		t.Errorf("where nobody looks %d threads have frames: %+v, until %d", got, l, s.Latest())
	}
}
