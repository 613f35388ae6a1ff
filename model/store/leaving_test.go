package store

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// TestRemovedSessionsAreGone: whatever a session did before it was removed, nothing of the store
// holds it any more, though there was always room and nothing had to leave.
func TestRemovedSessionsAreGone(t *testing.T) {
	st := New(1 << 30)
	defer st.Close()
	var removed []weak.Pointer[Session]
	for n := range 40 {
		s := st.NewSession()
		s.Apply(model.TrackDef{ID: 0, Name: "Main", Kind: model.TrackThread})
		b := model.Batch{Track: 0}
		for number := range int64(200) {
			begin := number * 1e6
			b.Reset()
			b.HasFrame, b.Number, b.Begin, b.End = true, number, begin, begin+9e5
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + 5e5, Path: model.PathRoot})
			s.Append(&b)
			if n%4 == 1 && number == 100 {
				st.EnforceLimit(time.Time{})
			}
		}
		if n%4 != 2 {
			s.Apply(model.End{Reason: "over"})
		}
		if n%4 == 3 {
			st.EnforceLimit(time.Time{})
		}
		removed = append(removed, weak.Make(s))
		st.Remove(s)
	}
	stays := st.NewSession()
	st.EnforceLimit(time.Time{})
	runtime.GC()
	held := 0
	for _, p := range removed {
		if p.Value() != nil {
			held++
		}
	}
	testkit.That(t, held <= 0, "%d of %d removed sessions are still held", held, len(removed))
	testkit.That(t, len(st.Sessions()) == 1 && st.Sessions()[0] == stays, "the other session is not there")
}

// What has ended and is looked at stays as it is while a session goes on and takes all that there
// is room for, unless it takes more than half of the limit itself.
func TestWhatIsLookedAtStays(t *testing.T) {
	st := New(8 << 20)
	defer st.Close()
	fill := func(s *Session, from, frames int) {
		for n := from; n < from+frames; n++ {
			at := int64(n) * 1000
			b := &model.Batch{Track: 0, HasFrame: true, Number: int64(n), Begin: at, End: at + 1000}
			for k := range int64(20) {
				b.Spans = append(b.Spans, model.Span{Begin: at + k*50, End: at + k*50 + 40, Path: 1})
			}
			s.Append(b)
			if n%100 == 0 {
				st.EnforceLimit(time.Time{})
			}
		}
	}
	begin := func() *Session {
		s := st.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "App"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		return s
	}
	shown, live := begin(), begin()
	fill(shown, 0, 10_000)
	shown.Hold(true)
	shown.Apply(model.End{})
	fill(live, 0, 60_000)
	if n := shown.Track(0).NumFrames(); n != 10_000 || live.Track(0).Evicted() == 0 {
		t.Errorf("%d frames of 10,000 are left of what is looked at; %d of the live one left",
			n, live.Track(0).Evicted())
	}
	shown.Hold(false)
	fill(live, 60_000, 30_000)
	testkit.Equal(t, shown.Track(0).NumFrames(), 0, "frames are left of what nobody looks at")
	large := begin()
	large.Hold(true)
	fill(large, 0, 40_000)
	large.Apply(model.End{})
	fill(live, 90_000, 30_000)
	a, b := large.Memory().Total(), live.Memory().Total()
	testkit.That(t, a <= 5<<20 && b >= 2<<20, "what is looked at takes %d bytes, what goes on %d, of 8 MiB", a, b)
}

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

// One lane and frames in order are enough: what a node stands over leaves long before the node
// above it is made.
func TestOneLaneLeavesAgainAndAgain(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 20}
	s := st.NewSession()
	for p := range model.PathID(40) {
		s.Apply(model.PathDef{ID: p + 1, Parent: p / 2, Collector: model.CollectorID(p % 12)})
	}
	b := &model.Batch{HasFrame: true}
	for k := range int64(100) {
		b.Spans = append(b.Spans, model.Span{Path: model.PathID(1 + k%40)})
	}
	many := testkit.Rounds(500_000, 6_000_000)
	now := int64(0)
	for n := range int64(many / len(b.Spans)) {
		b.Number, b.Begin = n, now
		for k := range b.Spans {
			b.Spans[k].Begin, b.Spans[k].End = now, now+80
			now += 100
		}
		b.End = now
		s.Append(b)
		if n%30 == 0 {
			st.EnforceLimit(time.Time{})
		}
	}
	tr := s.Track(0)
	lo, hi, _ := tr.Bounds()
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0}, lo, hi, &tree)
	var count int64
	for _, n := range tree.Nodes {
		count += n.Count
	}
	testkit.That(t, count == tr.NumSpans() && tr.NumSpans() == int64(tr.NumFrames())*100 && tr.NumFrames() >= 100,
		"%d spans in the tree, %d stored, %d frames", count, tr.NumSpans(), tr.NumFrames())
}

// A lane that is seldom used has lost all but its newest frame when that frame comes again.
func TestRewindOfAllThatIsLeftOfALane(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 20}
	s := st.NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	frame := func(n int64, both, rewind bool) {
		b := &model.Batch{HasFrame: true, Number: n, Begin: n * 1000, End: n*1000 + 1000, Rewind: rewind}
		b.Spans = append(b.Spans, model.Span{Begin: n * 1000, End: n*1000 + 900, Path: 1})
		if both {
			b.Spans = append(b.Spans, model.Span{Begin: n * 1000, End: n*1000 + 500, Path: 1, Lane: 1})
		}
		s.Append(b)
	}
	n := int64(0)
	for ; n < 2048; n++ {
		frame(n, true, false)
	}
	for ; n < 398_000; n++ {
		frame(n, false, false)
		if n%1000 == 0 {
			st.EnforceLimit(time.Time{})
		}
	}
	again := n
	frame(n, true, false)
	for range 200 {
		n++
		frame(n, false, false)
	}
	st.EnforceLimit(time.Time{})
	frame(again, true, true)
	bars := s.Spans().Visible(0, 1, again*1000, again*1000+999, 0, nil)
	if len(bars) != 1 || bars[0].Begin != again*1000 || bars[0].End != again*1000+500 || s.Track(0).Frame(s.Track(0).NumFrames()-1).Number != again {
		t.Errorf("%+v", bars)
	}
}
