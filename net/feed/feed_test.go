package feed

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// alone returns an empty feed with a pool of its own.
func alone(o Options) *Feed { return newFeed(o, newPool(DefaultBytes)) }

// Poll applies waiting data to the session until nothing waits or the deadline has passed; at least
// one run is taken. It returns the numbers of appended batches and spans and whether something is
// left. It is what a hub does, for a
// feed alone.
func (f *Feed) Poll(s *store.Session, deadline time.Time) (batches, spans int, more bool) {
	var r run
	for {
		d := f.step(s, &r, time.Now, deadline)
		batches, spans = batches+d.batches, spans+d.spans
		if !d.more || !time.Now().Before(deadline) {
			return batches, spans, d.more
		}
	}
}

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

// A name in an error is short, however long it is in the file; the words around it stay.
func TestLongNames(t *testing.T) {
	long := strings.Repeat(`a"\x01`, 1000)
	words := strings.Repeat("is not what was meant, ", 20)
	got := PlainText(fmt.Sprintf("offset 3: %q %s %q: unexpected EOF", "short", words, long))
	testkit.That(t, len(got) < len(words)+mostQuoted+100, "%d bytes", len(got))
	testkit.That(t, strings.HasPrefix(got, `offset 3: "short" `+words) && strings.HasSuffix(got, `…": the data end too early`), "%s", got)
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

// A batch waits for the very last definition before it.
func TestBatchWaitsForTheLastDefinition(t *testing.T) {
	f := alone(Options{Live: true})
	for i := range runDefinitions + 1 {
		f.Define(model.CollectorDef{ID: 1, Name: fmt.Sprint(i)})
	}
	frame(f, 1, false)
	var r run
	for _, want := range [][2]int{{runDefinitions, 0}, {1, 1}} {
		f.fillRun(&r)
		testkit.Equal(t, [2]int{len(r.defs), len(r.batches)}, want, "definitions and batches")
	}
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

// hall is a set of seats with a clock that the test moves.
type hall struct {
	*ConnLimit
	now  time.Time
	left []string
}

func newHall(max int) *hall {
	h := &hall{ConnLimit: &ConnLimit{Max: max}, now: time.Unix(1000, 0)}
	h.ConnLimit.Now = func() time.Time { return h.now }
	return h
}

func (h *hall) take(name string) *ConnSlot {
	return h.Take(func(string) { h.left = append(h.left, name) })
}
func (h *hall) wait(d time.Duration) { h.now = h.now.Add(d) }

func (h *hall) expect(t *testing.T, names ...string) {
	t.Helper()
	testkit.MustThat(t, slices.Equal(h.left, names), "%q had to leave, want %q", h.left, names)
}

func TestSilentOnesGiveWay(t *testing.T) {
	h := newHall(3)
	good := h.take("good")
	h.take("mute")
	talker := h.take("talker")
	good.Used()
	testkit.MustThat(t, h.take("early") == nil, "a newcomer got a place though nobody was silent for long")
	h.wait(IdleGrace)
	talker.Heard()
	testkit.MustThat(t, h.take("first") != nil, "a newcomer got no place")
	h.expect(t, "mute")
	testkit.MustThat(t, h.take("second") == nil, "the grace of the talker is not over")
	for range 20 { // drops of bytes do not hold a place for ever
		h.wait(IdleLimit / 20)
		talker.Heard()
	}
	h.take("third") // the first is silent longer
	h.expect(t, "mute", "first")
	h.take("fourth")
	h.expect(t, "mute", "first", "talker")
	testkit.That(t, len(h.taken) == 3, "%d places are taken", len(h.taken))
}

// A decoder that makes up names without end takes half of the room, and the next half of what is
// left: nobody is left without. What is refused changes nothing, and a decoder that is gone gives
// all back.
func TestNamesAreShared(t *testing.T) {
	h := NewHub()
	h.SetLimit(1 << 20)
	total := NamesLimit(1 << 20)
	fill := func() *Names {
		n := NamesOf(Until(t.Context(), Named(h.NewFeed(Options{}), "a", "b")))
		for n.Admit(model.CollectorDef{Name: "a name"}) {
		}
		return n
	}
	first := fill()
	const slack = 1 << 10
	testkit.That(t, first.taken <= total/2 && first.taken >= total/2-slack,
		"one alone took %d of %d", first.taken, total)
	second := fill()
	testkit.That(t, second.taken <= total/4 && second.taken >= total/4-slack,
		"the second took %d of %d", second.taken, total)
	if held := h.Stats().HeldBytes; held != first.own+second.own || held == 0 {
		t.Errorf("%d bytes held back, %d and %d by decoders", held, first.own, second.own)
	}
	before := first.taken
	testkit.That(t, !first.Take(1<<20) && first.taken == before, "what was refused is on the account")
	first.Close()
	second.Close()
	testkit.That(t, h.Stats().HeldBytes == 0 && h.pool.names.Bytes() == 0, "not everything was given back")
}

// Without anybody who bounds names all are let in.
func TestNamesWithoutLimit(t *testing.T) {
	n := NamesOf(nil)
	testkit.That(t, n.Admit(model.TrackDef{}) && n.Take(1<<40), "refused")
	n.Give(5)
	n.Close()
}

// A list grows within its room, the old one of which is given back, by what fits at last, and keeps what it has.
func TestGrow(t *testing.T) {
	h := NewHub()
	h.SetLimit(3 << 20)
	room := NamesOf(h.NewFeed(Options{}))
	limit := DataLimit(3 << 20)
	var list []int64
	for ok := true; ok; {
		if list, ok = Grow(room, list, 1); ok {
			list = append(list, int64(len(list)))
		}
		if held := h.Stats().HeldBytes; held > limit || held < int64(8*cap(list)) {
			t.Fatalf("%d bytes are taken for %d values, of %d", held, cap(list), limit)
		}
	}
	if n := int64(8 * len(list)); n < limit*2/5 || list[len(list)-1] != int64(len(list)-1) {
		t.Errorf("%d bytes are in it with a limit of %d", n, limit)
	}
	_, ok := Grow(room, []byte(nil), int(limit))
	testkit.That(t, !ok, "there is room for what is too large")
	more, ok := Grow(room, []byte("abc"), 1000)
	testkit.That(t, ok && string(more) == "abc" && cap(more) >= 1003, "%q, %d, %t", more, cap(more), ok)
	room.Close()
	testkit.That(t, h.Stats().HeldBytes == 0, "%d bytes are held by nobody", h.Stats().HeldBytes)
	free, ok := Grow(nil, list, 1000)
	testkit.That(t, ok && len(free) == len(list), "without limit there is no room")
}

// What is gathered takes nothing from names, and is given back when it has become the session's.
func TestDataOfTheirOwn(t *testing.T) {
	h := NewHub()
	h.SetLimit(3 << 20)
	n := NamesOf(h.NewFeed(Options{}))
	taken := int64(0)
	for n.TakeData(1 << 10) {
		taken += 1 << 10
	}
	testkit.That(t, taken == DataLimit(3<<20) && h.Stats().HeldBytes == taken && !h.Held().Over(),
		"%d bytes were taken of %d, %d are held", taken, DataLimit(3<<20), h.Stats().HeldBytes)
	testkit.That(t, n.Admit(model.CollectorDef{Name: "a name"}), "there is no room for a name")
	testkit.That(t, !NamesOf(h.NewFeed(Options{})).TakeData(1), "another has more than there is")
	n.Close()
	testkit.Equal(t, h.Stats().HeldBytes, 0, "bytes are held by nobody")
}

// Rhythms of sources that there are, and what is usual for each.
func TestUsualInterval(t *testing.T) {
	const ms = time.Millisecond
	every := func(n int, gaps ...time.Duration) (all []time.Duration) {
		for range n {
			all = append(all, gaps...)
		}
		return all
	}
	for name, c := range map[string]struct {
		gaps        []time.Duration
		least, most time.Duration
	}{
		"nothing":                     {nil, 0, 0},
		"60 Hz":                       {every(100, 16*ms), LeastUsual, LeastUsual},
		"four threads at 60 Hz":       {every(100, ms, ms, ms, 13*ms), LeastUsual, LeastUsual},
		"four threads at 1 Hz":        {every(20, ms, ms, ms, 997*ms), 900 * ms, 1000 * ms},
		"spread threads at 1 Hz":      {every(20, 100*ms, 100*ms, 100*ms, 700*ms), 700 * ms, 1000 * ms},
		"a log in blocks":             {every(12, append(every(200, ms/10), 3*time.Second)...), 2500 * ms, 3200 * ms},
		"a steady stream, no pauses":  {every(5000, ms), LeastUsual, 300 * ms},
		"a few, then a long pause":    {append(every(3, 16*ms), 5*time.Second), 5 * time.Second, 5 * time.Second},
		"two stops at a breakpoint":   {append(append(every(40, 16*ms), 20*time.Second), append(every(10, 16*ms), 9*time.Second, 16*ms)...), LeastUsual, LeastUsual},
		"slower than it was":          {append(every(100, 16*ms), every(31, 2*time.Second)...), 2 * time.Second, 2 * time.Second},
		"one that sends once an hour": {every(9, time.Hour), time.Hour, time.Hour},
	} {
		now := time.Unix(1000, 0)
		p := pulse{since: now}
		p.beat(now)
		for _, gap := range c.gaps {
			now = now.Add(gap)
			p.beat(now)
		}
		got := p.usual()
		testkit.That(t, got >= c.least && got <= c.most, "%s: %v, want %v to %v", name, got, c.least, c.most)
		testkit.That(t, p.last.Equal(now), "%s: last at %v, want %v", name, p.last, now)
	}
}

func TestPulseOfAFeed(t *testing.T) {
	f := alone(Options{Live: true})
	p := f.Pulse()
	testkit.That(t, !p.Since.IsZero() && p.LastAt.IsZero() && p.Usual == 0, "a new feed: %+v", p)
	testkit.Equal(t, p.Silence(p.Since.Add(3*time.Second)), 3*time.Second, "silent for")
	f.Define(model.Info{Program: "x"})
	f.Define(model.Loss{Reason: model.LossLate, N: 1})
	f.Define(model.End{})
	f.Define(model.CollectorDef{ID: 0, Name: "All"})
	if p := f.Pulse(); !p.LastAt.IsZero() {
		t.Errorf("what only tells of the connection counts as data: %+v", p)
	}
	f.Define(model.TrackDef{ID: 1, Name: "a"})
	defined := f.Pulse().LastAt
	testkit.That(t, !defined.IsZero(), "a definition is no arrival")
	f.Publish(f.Begin())
	p = f.Pulse()
	testkit.That(t, !p.LastAt.Before(defined), "a batch is no arrival: %+v", p)
	s := p.Silence(p.LastAt.Add(-time.Second))
	testkit.That(t, s == 0, "silent for %v before the arrival", s)
	b := f.Begin()
	n := testing.AllocsPerRun(100, func() { f.pulse.beat(time.Now()); f.Pulse() })
	testkit.That(t, n == 0, "%v allocations an arrival", n)
	f.Publish(b)
}

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
			h.LetIn(time.Millisecond, func() {})
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

// Of several damaged places the one behind which all is lost is named, else the first.
func TestWorstPlaceIsNamed(t *testing.T) {
	var p Places
	for _, l := range []model.Loss{
		{Reason: model.LossMalformed, Track: model.NoTrack, N: 9, Detail: "one"}, {Reason: model.LossDamaged, N: 1, Detail: "two"},
		{Reason: model.LossTruncated, N: 1, Detail: "the rest"}, {Reason: model.LossTruncated, N: 1, Detail: "more"},
	} {
		p.Note(l)
	}
	testkit.Equal(t, p.String(), "the rest; 3 more places are damaged", "it says")
}
