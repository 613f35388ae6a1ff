package feed

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// tickingHub returns a hub whose clock goes on by step whenever it is asked.
func tickingHub(step time.Duration) *Hub {
	h := NewHub()
	now := time.Now()
	h.now = func() time.Time {
		now = now.Add(step)
		return now
	}
	return h
}

// pollAll polls until nothing is left.
func pollAll(h *Hub, st *store.Store) {
	for h.Poll(st, time.Hour).More {
	}
}

// A flood of definitions is applied a run at a time, and the batch behind it is not seen before the
// last of them.
func TestDefinitionsKeepToTheBudget(t *testing.T) {
	const many = maxDefinitions - 1
	h := tickingHub(time.Millisecond)
	var st store.Store
	f := h.NewFeed(Options{Live: true})
	for i := range many {
		f.Define(model.CollectorDef{ID: 1, Name: fmt.Sprint(i)})
	}
	frame(f, 1, false)
	applied, polls := 0, 0
	for more := true; more; polls++ {
		p := h.Poll(&st, 6*time.Millisecond)
		testkit.MustThat(t, p.Definitions <= 6*runDefinitions,
			"a poll of six ticks of the clock applied %d definitions", p.Definitions)
		applied += p.Definitions
		testkit.MustThat(t, p.Batches <= 0 || applied == many,
			"a batch was appended after %d definitions of %d", applied, many)
		more = p.More
	}
	if frames := numbers(h.Entries()[0].Session); applied != many || len(frames) != 1 {
		t.Errorf("%d definitions were applied in %d polls, %d frames stored", applied, polls, len(frames))
	}
	s := h.Stats()
	testkit.That(t, s.WaitingBytes == 0 && s.Waiting == 0, "nothing waits, and yet there is %+v", s)
}

// A producer of definitions waits when too many wait, even one whose feed has no session yet, and
// goes on when they were polled.
func TestDefinitionsAreBounded(t *testing.T) {
	h := NewHub()
	var st store.Store
	f := h.NewFeed(Options{Live: true, Guest: true})
	defined := make(chan struct{})
	go func() {
		defer close(defined)
		for range 3 * maxDefinitions {
			f.Define(model.CollectorDef{ID: 1})
		}
	}()
	for applied := 0; applied < 3*maxDefinitions; {
		applied += h.Poll(&st, time.Millisecond).Definitions
		n := f.Stats()
		testkit.MustThat(t, n.Defined-f.taken <= maxDefinitions, "%d definitions wait", n.Defined-f.taken)
	}
	<-defined
}

// Thousands of feeds that are new in one tick get their sessions a few at a time.
func TestNewFeedsKeepToTheBudget(t *testing.T) {
	const many = 3000
	h := tickingHub(time.Millisecond)
	var st store.Store
	for range many {
		frame(h.NewFeed(Options{Live: true}), 1, false)
	}
	n := 0
	for more := true; more; {
		p := h.Poll(&st, 6*time.Millisecond)
		testkit.MustThat(t, len(p.New) <= 6, "a poll of six ticks of the clock began %d sessions", len(p.New))
		n, more = n+len(p.New), p.More
	}
	testkit.That(t, n == many && len(st.Sessions()) == many, "%d sessions of %d", n, many)
}

// A feed that has nothing costs a poll nothing: only those that have something are looked at.
func TestIdleFeedsAreNotPolled(t *testing.T) {
	h := tickingHub(time.Microsecond)
	var st store.Store
	var feeds []*Feed
	for range 500 {
		f := h.NewFeed(Options{Live: true})
		frame(f, 1, false)
		feeds = append(feeds, f)
	}
	pollAll(h, &st)
	testkit.MustEqual(t, h.pool.ready.len()+h.pool.fresh.len(), 0, "feeds wait for a poll")
	frame(feeds[17], 2, false)
	frame(feeds[423], 2, false)
	testkit.Equal(t, h.pool.ready.len(), 2, "feeds wait for a poll")
	// The clock counts the runs.
	if p := h.Poll(&st, time.Hour); p.Batches != 2 || p.Took > 4*time.Microsecond {
		t.Errorf("%d batches in %v of a clock that goes by microseconds a run", p.Batches, p.Took)
	}
}

// Feeds take turns: one that always has something does not keep the others waiting.
func TestFeedsTakeTurns(t *testing.T) {
	h := tickingHub(time.Millisecond)
	var st store.Store
	busy, other := h.NewFeed(Options{Live: true}), h.NewFeed(Options{Live: true})
	for n := range int64(runBatches * 100) {
		frame(busy, n, false)
	}
	frame(other, 1, false)
	h.Poll(&st, (freshEvery+2)*time.Millisecond)
	testkit.That(t, other.session != nil && len(numbers(other.session)) == 1, "the second feed had to wait")
}

// A storm of new feeds does not keep one waiting that has its session.
func TestNewFeedsGiveWay(t *testing.T) {
	h := tickingHub(time.Millisecond)
	var st store.Store
	old := h.NewFeed(Options{Live: true})
	frame(old, 1, false)
	h.Poll(&st, time.Second)
	for range 1000 {
		frame(h.NewFeed(Options{Live: true}), 1, false)
	}
	for n := int64(2); n < 50; n++ {
		frame(old, n, false)
		testkit.MustThat(t, len(h.Poll(&st, 4*time.Millisecond).New) != 0, "new feeds do not get their turn")
		got := numbers(old.session)
		testkit.MustThat(t, got[len(got)-1] == n, "frame %d has to wait, the newest is %d", n, got[len(got)-1])
	}
}

// What comes between two polls is taken in where LetIn allows it, and only there; the next poll counts it. New feeds wait
// for that.
func TestLetIn(t *testing.T) {
	h, st := NewHub(), &store.Store{}
	f := h.NewFeed(Options{Live: true})
	frame(f, 0, false)
	h.Poll(st, time.Minute)
	s := h.Entries()[0].Session
	for round := range int64(20) {
		h.LetIn(time.Minute, func() {})
		frames(f, 100*round+1, 100*round+100)
		if round == 19 {
			f.Define(model.End{Reason: "gone"})
		}
		for waits := true; waits; time.Sleep(time.Millisecond) {
			waits = h.Stats().Waiting > 0 || round == 19 && !f.Stats().Ended
		}
		fresh := h.NewFeed(Options{Live: true})
		frame(fresh, 1, false)
		h.EndLetIn()
		held := s.Ledger().Received
		testkit.Equal(t, held, 100*round+101, "frames when nobody is let in any more")
		frame(fresh, 2, false)
		time.Sleep(2 * gather)
		testkit.That(t, fresh.session == nil && s.Ledger().Received == held, "more came while nobody was let in")
		p := h.Poll(st, time.Minute)
		testkit.That(t, p.Spans == 102 && p.Batches == 102 && len(p.New) == 1 && len(p.Ended) == int(round/19), "the poll says %+v", p)
	}
	h.LetIn(0, func() {})
	h.Close()
}

// One frame of a million spans is appended in parts.
func TestLargeFramesKeepToTheBudget(t *testing.T) {
	const many = 40 * partSpans
	h := tickingHub(time.Millisecond)
	var st store.Store
	f := h.NewFeed(Options{Live: true})
	frame(f, 1, false)
	b := f.Begin()
	b.HasFrame, b.Number, b.Begin, b.End = true, 2, 10_000, 10_000+many
	for i := range int64(many) {
		b.Spans = append(b.Spans, model.Span{Begin: 10_000 + i, End: 10_001 + i})
	}
	f.Publish(b)
	frame(f, 3, false)
	f.Define(model.End{Reason: "gone"})
	track := func() *store.Track { return h.Entries()[0].Session.Track(0) }
	var before int64
	polls := 0
	for more := true; more; polls++ {
		more = h.Poll(&st, 3*time.Millisecond).More
		if n := track().NumSpans(); n-before > 5*partSpans {
			t.Fatalf("a poll of three ticks of the clock appended %d spans", n-before)
		} else {
			before = n
		}
	}
	testkit.That(t, polls >= 3 && before == many+2 && track().NumFrames() == 3,
		"%d polls, %d spans, %d frames", polls, before, track().NumFrames())
	_, ended := h.Entries()[0].Session.Ended()
	testkit.That(t, ended, "the end never came")
	testkit.That(t, len(h.pool.free) <= 2, "%d batches are kept: the largest ones should not be", len(h.pool.free))
}

// While the store has more to let go than the time allows, nothing is appended: the bound goes
// before.
func TestLimitGoesBeforeAppending(t *testing.T) {
	h := NewHub()
	st := store.Store{MemoryLimit: 8 << 20}
	f := h.NewFeed(Options{Live: true})
	n := int64(0)
	fill := func(frames int) {
		for range frames {
			n++
			f.Publish(fat(f, n))
		}
	}
	for range 50 {
		fill(100)
		pollAll(h, &st)
	}
	st.MemoryLimit = 2 << 20
	fill(1)
	if p := h.Poll(&st, -time.Second); p.Batches != 0 || !p.More {
		t.Errorf("a poll without time appended %d batches to a store over its limit, more %v", p.Batches, p.More)
	}
	pollAll(h, &st)
	used := st.Memory().Total()
	testkit.That(t, used <= st.MemoryLimit, "%d bytes are kept, the limit is %d", used, st.MemoryLimit)
	got := numbers(h.Entries()[0].Session)
	testkit.That(t, got[len(got)-1] == n, "the newest frame is not there")
}

// Guests that bring nothing are counted and have no session; those that bring something are
// sessions like others.
func TestGuestsThatBringNothing(t *testing.T) {
	h := NewHub()
	var st store.Store
	gone, forgotten := 0, 0
	for i := range 1000 {
		f := h.NewFeed(Options{Live: true, Guest: true})
		f.Define(model.Info{Program: "guest"})
		f.Define(model.CollectorDef{ID: 1, Name: "a"})
		if i%10 == 0 {
			frame(f, 1, false)
		} else {
			gone++
		}
		if i%3 > 0 {
			f.Define(model.End{Reason: fmt.Sprint("gone ", i)})
		} else if i%10 > 0 {
			gone--
		}
	}
	for more := true; more; {
		p := h.Poll(&st, time.Hour)
		forgotten, more = forgotten+len(p.Nothing), p.More
	}
	if n := h.Nothing(); n.Guests != gone || forgotten != gone || n.Reason != "gone 998" {
		t.Errorf("%+v, %d told; want %d", n, forgotten, gone)
	}
	testkit.That(t, len(st.Sessions()) == 100 && len(h.Entries()) == 100, "%d sessions, want 100", len(st.Sessions()))
	for _, e := range h.Entries() {
		testkit.MustThat(t, e.Session.Info().Program == "guest" && len(numbers(e.Session)) == 1,
			"a session is %+v with frames %v", e.Session.Info(), numbers(e.Session))
	}
	if s := h.Stats(); s.WaitingBytes > 334*1000 { // the definitions of those that are still connected
		t.Errorf("%+v", s)
	}
}

// All feeds together keep to the hub's limit, and what has to go is taken from those that hold
// most: a client that floods does not cost a quiet one its frames.
func TestFeedsShareTheLimit(t *testing.T) {
	const limit = 4 << 20
	h := NewHub()
	h.SetLimit(limit)
	var st store.Store
	quiet, greedy, file := h.NewFeed(Options{Live: true}), h.NewFeed(Options{Live: true}), h.NewFeed(Options{})
	loaded := make(chan struct{})
	go func() { // it waits, and ends when the hub is closed
		defer close(loaded)
		for n := int64(1); ; n++ {
			if b := fat(file, n); !file.Publish(b) {
				return
			}
		}
	}()
	for n := int64(1); n <= 1000; n++ {
		greedy.Publish(fat(greedy, n))
		if n%100 == 0 {
			frame(quiet, n/100, false)
		}
		if s := h.Stats(); s.WaitingBytes > limit || s.FreeBytes > limit/4 {
			t.Fatalf("%d bytes wait and %d are kept, the limit is %d", s.WaitingBytes, s.FreeBytes, limit)
		}
	}
	if s := quiet.Stats(); s.Dropped != 0 || s.Waiting != 10 {
		t.Errorf("of the quiet client %d are dropped, %d wait", s.Dropped, s.Waiting)
	}
	if s := greedy.Stats(); s.Dropped == 0 || s.Waiting == 0 {
		t.Errorf("of the greedy client %d are dropped, %d wait", s.Dropped, s.Waiting)
	}
	h.Close()
	<-loaded
	s := file.Stats()
	testkit.That(t, s.Dropped == 0, "of the file %d are dropped", s.Dropped)
	h.Poll(&st, time.Hour)
}

func fat(sink Sink, number int64) *model.Batch {
	b := sink.Begin()
	b.HasFrame, b.Number, b.Begin, b.End = true, number, number*1000, number*1000+900
	for i := range int64(400) {
		b.Spans = append(b.Spans, model.Span{Begin: b.Begin + i, End: b.Begin + i + 1})
	}
	return b
}

// What was dropped is counted by track, however many alternate, and a batch that is larger than the
// limit comes when it is alone.
func TestDropsAreCountedByTrack(t *testing.T) {
	f := alone(Options{Live: true, Batches: 4})
	for n := int64(1); n <= 4000; n++ {
		b := f.Begin()
		b.HasFrame, b.Number, b.Track = true, n/4, model.TrackID(n%4)
		f.Publish(b)
	}
	testkit.That(t, len(f.lost) == 4, "%d losses wait to be told, want one for each track", len(f.lost))
	s := store.NewSession()
	f.Poll(s, later())
	n, _ := s.Losses()
	testkit.That(t, n[model.LossRing] == 3996, "%d dropped, want 3996", n[model.LossRing])

	f = alone(Options{Live: true})
	f.pool.limit = 1000
	f.Publish(fat(f, 1))
	f.Publish(fat(f, 2))
	if s := f.Stats(); s.Waiting != 1 || s.Dropped != 1 {
		t.Errorf("two batches larger than the limit: %+v", s)
	}
}

// The account holds to the frame for any number of threads: what we dropped is never said to be held
// back by the client, also where all that came has left memory and where the drops are before the
// first frame of a thread, behind its last one, or beside numbers that the client did leave out.
func TestDropsAreInTheAccountToTheFrame(t *testing.T) {
	const threads, rounds = 1000, 60
	for _, c := range []struct {
		name    string
		limit   int64
		batches int
		every   int // polls
	}{{"room for all", 1 << 30, 1 << 20, 1}, {"few at a time", 1 << 30, threads + 7, 7}, {"little memory", 1 << 20, threads*3 - 11, 5},
		{"less than a round", 1 << 20, 130, 3}} {
		f := alone(Options{Live: true, Batches: c.batches})
		st := &store.Store{MemoryLimit: c.limit}
		s := st.NewSession()
		f.Define(model.Info{Source: "pstats", Peer: "127.0.0.1:4000"})
		sent, held := int64(0), int64(0)
		for n := range rounds {
			for id := range threads {
				if n == 30 && id%3 == 0 { // numbers that the client leaves out
					held++
					continue
				}
				if n > 40 && id%5 == 1 || n < 20 && id%7 == 1 { // a thread ends, and one begins
					continue
				}
				b := f.Begin()
				b.HasFrame, b.Number, b.Track = true, int64(n), model.TrackID(id)
				b.Begin, b.End = int64(n)*1000, int64(n)*1000+1001 // clocks in 32 bits overlap a little
				f.Publish(b)
				sent++
			}
			if n%c.every == c.every-1 {
				f.Poll(s, later())
				st.EnforceLimit(time.Time{})
			}
		}
		f.Define(model.End{Reason: "closed"})
		f.Poll(s, later())
		st.EnforceLimit(time.Time{})
		l := s.Ledger()
		known := l.HeldBack <= held // what was left out before the first kept frame, or behind the last, nobody can know
		if c.batches >= threads*rounds {
			known = l.HeldBack == held && l.Ours == 0
		}
		testkit.That(t, l.Received+l.Ours == sent && known && l.Sent == sent+l.HeldBack && l.Ours == f.Stats().Dropped,
			"%s: %d sent, %d left out, %d dropped: %+v", c.name, sent, held, f.Stats().Dropped, l)
		testkit.That(t, c.name != "few at a time" || l.HeldBack == held && l.Ours != 0,
			"%s: %d held back of %d", c.name, l.HeldBack, held)
	}
}

// Closing gives back what waited.
func TestCancelGivesBack(t *testing.T) {
	h := NewHub()
	var st store.Store
	f := h.NewFeed(Options{Live: true})
	for n := range int64(100) {
		f.Define(model.CollectorDef{ID: 1, Name: "a"})
		frame(f, n, false)
	}
	h.Poll(&st, -time.Second)
	h.Remove(&st, h.Entries()[0].Session)
	s := h.Stats()
	testkit.That(t, s.Waiting == 0 && s.WaitingBytes == 0, "%+v", s)
	p := h.Poll(&st, time.Hour)
	testkit.That(t, p.Batches == 0 && !p.More && len(h.Entries()) == 0, "%+v", p)
}

// Clients that come with very many definitions wait, and leave half of the room to those that are
// there.
func TestDefinitionsLeaveRoomForFrames(t *testing.T) {
	const limit, newcomers = 1 << 20, 20
	h := NewHub()
	h.SetLimit(limit)
	var st store.Store
	good := h.NewFeed(Options{Live: true})
	frame(good, 1, false)
	h.Poll(&st, time.Hour)
	var over sync.WaitGroup
	for range newcomers {
		f := h.NewFeed(Options{Live: true, Guest: true})
		over.Go(func() {
			for range limit / 160 {
				f.Define(model.CollectorDef{ID: 1})
			}
		})
	}
	testkit.WaitUntil(t, "all newcomers to wait", func() bool {
		h.pool.mu.Lock()
		defer h.pool.mu.Unlock()
		return h.pool.wait == newcomers
	})
	for n := int64(2); h.Stats().WaitingBytes < limit-limit/8; n++ {
		good.Publish(fat(good, n))
	}
	if s := good.Stats(); s.Dropped != 0 || s.WaitingBytes < limit/3 {
		t.Errorf("of the good client %d are dropped, %d bytes wait", s.Dropped, s.WaitingBytes)
	}
	h.Close()
	over.Wait()
}

// When nothing has come for a while, the batches that were kept for the next ones are given up, once.
func TestHubRests(t *testing.T) {
	h := NewHub()
	f := h.NewFeed(Options{})
	send := func(n int64) {
		b := f.Begin()
		b.HasFrame, b.Number, b.Begin, b.End = true, n, n, n+1
		b.Spans = append(b.Spans, make([]model.Span, 100)...)
		f.Publish(b)
	}
	var st store.Store
	rests := func() (n int) {
		for range 3 * restAfter {
			if h.Poll(&st, time.Second).Rests {
				n++
			}
		}
		return n
	}
	for n := range int64(3) {
		send(n)
	}
	h.Poll(&st, time.Second)
	testkit.MustThat(t, h.Stats().FreeBytes != 0, "nothing is kept for the next batches")
	n := rests()
	testkit.That(t, n == 1 && h.Stats().FreeBytes == 0, "%d rests, %d bytes are kept", n, h.Stats().FreeBytes)
	testkit.Equal(t, rests(), 0, "rests of one that rests")
	send(3)
	if n := rests(); n != 1 || h.Stats().FreeBytes != 0 {
		t.Errorf("%d rests after more came, %d bytes are kept", n, h.Stats().FreeBytes)
	}
}

// What strangers cause by the thousands takes a few lines of a log.
func TestFewLines(t *testing.T) {
	n, few := 0, NewFewLines()
	for range 1000 {
		few.Write(func(string) { n++ }, "x")
	}
	testkit.That(t, n > 0 && n <= 25, "%d lines at once", n)
}
