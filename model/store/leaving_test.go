package store

import (
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	"github.com/google/go-cmp/cmp"

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
	testkit.That(t, len(bars) == 1 && bars[0].Begin == again*1000 && bars[0].End == again*1000+500 &&
		s.Track(0).Frame(s.Track(0).NumFrames()-1).Number == again, "%+v", bars)
}

// ledgerSession is a session whose client is at peer, with frames of these numbers on a track.
func ledgerSession(peer string, numbers ...int64) *Session {
	s := NewSession()
	s.Apply(model.Info{Source: "pstats", Peer: peer})
	for _, n := range numbers {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 10, End: n*10 + 10})
	}
	return s
}

// adds fails when a ledger does not add up.
func adds(t *testing.T, l model.Ledger) {
	t.Helper()
	known := l.System + l.Damaged + l.Late + l.Ours + l.Unrecorded + l.LeftDisk
	testkit.Equal(t, l.Sent, l.Received+l.HeldBack+known, "the sum is wrong: %+v", l)
	testkit.Equal(t, l.Missing, l.HeldBack+known-l.Outside, "the gaps do not add up: %+v", l)
}

func TestLedgerAddsUp(t *testing.T) {
	kernel := func(n, begin int64) model.Loss {
		return model.Loss{Reason: model.LossSystem, Track: model.NoTrack, N: n, Frames: n, Begin: begin}
	}
	for name, c := range map[string]struct {
		peer   string
		frames []int64
		losses []model.Loss
		want   model.Ledger
	}{
		"nothing lost": {"127.0.0.1:4000", []int64{1, 2, 3}, nil, model.Ledger{Received: 3, Sent: 3}},
		"held back":    {"[::1]:4000", []int64{1, 2, 6}, nil, model.Ledger{Received: 3, Sent: 6, Missing: 3, HeldBack: 3}},
		"or lost": {"10.0.0.9:4000", []int64{1, 6}, nil,
			model.Ledger{Received: 2, Sent: 6, Missing: 4, HeldBack: 4, OnTheWay: true}},
		"all by the system": {"127.0.0.1:4000", []int64{1, 6}, []model.Loss{kernel(4, 20)},
			model.Ledger{Received: 2, Sent: 6, Missing: 4, System: 4}},
		"some by the system": {"127.0.0.1:4000", []int64{1, 6}, []model.Loss{kernel(3, 20)},
			model.Ledger{Received: 2, Sent: 6, Missing: 4, System: 3, HeldBack: 1}},
		"at the end": {"127.0.0.1:4000", []int64{1, 2}, []model.Loss{kernel(7, 30)},
			model.Ledger{Received: 2, Sent: 9, System: 7, Outside: 7}},
		"in between and at the end": {"127.0.0.1:4000", []int64{1, 5, 6}, []model.Loss{kernel(1, 20), kernel(7, 70)},
			model.Ledger{Received: 3, Sent: 13, Missing: 3, System: 8, Outside: 7, HeldBack: 2}},
		"more than is missing": {"127.0.0.1:4000", []int64{1, 5}, []model.Loss{kernel(9, 20)},
			model.Ledger{Received: 2, Sent: 11, Missing: 3, System: 9, Outside: 6}},
		"other things are no frames": {"127.0.0.1:4000", []int64{1, 2},
			[]model.Loss{{Reason: model.LossStranger, N: 5}, {Reason: model.LossMalformed, N: 9, Frames: 2}, {Reason: model.LossImplausible, N: 3}},
			model.Ledger{Received: 2, Sent: 4, Damaged: 2, Outside: 2, Malformed: 7, Strangers: 5, Implausible: 3}},
		"refused by the disk": {"127.0.0.1:4000", []int64{1, 5}, []model.Loss{{Reason: model.LossNotRecorded, N: 3, Frames: 3, Begin: 20}},
			model.Ledger{Received: 2, Sent: 5, Missing: 3, Unrecorded: 3}},
		"the oldest left the disk": {"127.0.0.1:4000", []int64{12, 13, 15}, []model.Loss{{Reason: model.LossLeftDisk, N: 11, Frames: 11}},
			model.Ledger{Received: 3, Sent: 15, LeftDisk: 11, HeldBack: 1, Missing: 1, Outside: 11}},
		"of those that left the disk, two were held back": {"127.0.0.1:4000", []int64{14, 15},
			[]model.Loss{{Reason: model.LossLeftDisk, N: 11, Frames: 11}, {Reason: model.LossNumbers, N: 2}},
			model.Ledger{Received: 2, Sent: 15, LeftDisk: 11, HeldBack: 2, Missing: 2, Outside: 11}},
		"only the recording lacks them": {"127.0.0.1:4000", []int64{1, 2}, []model.Loss{{Reason: model.LossNotRecorded, N: 2, Begin: 20}},
			model.Ledger{Received: 2, Sent: 2, NotRecorded: 2}},
		"not counted here": {"127.0.0.1:4000", []int64{1, 4}, []model.Loss{{Reason: model.LossSystem, Uncounted: true}},
			model.Ledger{Received: 2, Sent: 4, Missing: 2, HeldBack: 2, SystemUnknown: true}},
		"late and ours": {"127.0.0.1:4000", []int64{1, 2, 9},
			[]model.Loss{{Reason: model.LossLate, N: 2, Frames: 1, Begin: 20, End: 20}, {Reason: model.LossRing, N: 3, Frames: 3, Begin: 30, End: 60}},
			model.Ledger{Received: 3, Sent: 9, Missing: 6, Late: 1, Ours: 3, HeldBack: 2, TooLate: 1}},
		"a frame that is refused": {"127.0.0.1:4000", []int64{1, 5, 3}, nil,
			model.Ledger{Received: 2, Sent: 5, Missing: 3, Late: 1, HeldBack: 2}},
		"no frames": {"", nil, []model.Loss{{Reason: model.LossMalformed, N: 4}}, model.Ledger{Malformed: 4, OnTheWay: true}},
	} {
		s := ledgerSession(c.peer, c.frames...)
		for _, l := range c.losses {
			s.Apply(l)
		}
		got := s.Ledger()
		adds(t, got)
		c.want.Framed = c.want.Sent > 0
		if len(c.frames) > 0 {
			c.want.Threads = 1
		}
		testkit.NoDiff(t, cmp.Diff(c.want, got), "%s (-want +got)", name)
	}
}

// Frames are counted by the frame: where those of one thread cut what the others did, its own
// count; where each thread sends frames of its own, the words say of how many threads they are.
func TestLedgerCountsFrames(t *testing.T) {
	for _, cut := range []bool{true, false} {
		s := NewSession()
		for id := range model.TrackID(3) {
			s.Apply(model.TrackDef{ID: id, Main: cut && id == 1})
			for n := range int64(20) {
				if id != 2 || n > 15 {
					s.Append(&model.Batch{Track: id, HasFrame: true, Number: n, Begin: n * 10, End: n*10 + 10})
				}
			}
		}
		s.Apply(model.Loss{Reason: model.LossRing, Track: 2, N: 3, Frames: 3})
		want, threads, word := int64(44), 3, "frames of 3 threads"
		if cut {
			want, threads, word = 20, 1, "frames in all"
		}
		l := s.Ledger()
		adds(t, l)
		testkit.That(t, l.Received == want && l.Threads == threads && l.Lines(nil)[0].Label == word, "%+v", l)
		testkit.That(t, !cut || l.Ours == 0 && l.Dropped == 3, "%+v", l)
	}
}

// A loss behind the last frame lies between frames as soon as another one comes.
func TestLedgerAtTheEnd(t *testing.T) {
	s := ledgerSession("127.0.0.1:4000", 1, 2)
	s.Apply(model.Loss{Reason: model.LossSystem, N: 5, Frames: 5, Begin: 30})
	l := s.Ledger()
	testkit.That(t, l.Outside == 5 && l.HeldBack == 0 && l.Sent == 7, "before: %+v", l)
	s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 10, Begin: 100, End: 110})
	l = s.Ledger()
	testkit.That(t, l.Outside == 0 && l.HeldBack == 2 && l.Sent == 10, "after: %+v", l)
	for i := range int64(10 * maxRecent) { // the book stays short
		s.Apply(model.Loss{Reason: model.LossSystem, N: 1, Frames: 1, Begin: 110 + i})
	}
	if l := s.Ledger(); l.Outside != 10*maxRecent || l.HeldBack != 2 || len(s.ledger.recent) > maxRecent {
		t.Errorf("many: %+v, %d kept", l, len(s.ledger.recent))
	}
}

func TestLossesTellWhen(t *testing.T) {
	s := NewSession()
	s.Apply(model.Loss{Reason: model.LossSystem, N: 1, Begin: 1_500_000_000, Detail: "x"})
	a := model.Loss{Reason: model.LossSystem, N: 1, Frames: 1, Begin: 2e9, End: 3e9, Detail: "y"}
	a.Add(model.Loss{Reason: model.LossSystem, N: 2, Frames: 2, Begin: 1e9, End: 2e9, Detail: "y"})
	a.Add(model.Loss{Reason: model.LossSystem, N: 4, Detail: "y"})
	s.Apply(a)
	_, lines := s.Losses()
	testkit.NoDiff(t, cmp.Diff([]string{"after 1.5s: x", "between 1s and 3s: y"}, lines), "lines")
	testkit.That(t, a.N == 7 && a.Frames == 3, "sum %+v", a)
}

func TestLedgerLines(t *testing.T) {
	s := ledgerSession("127.0.0.1:4000", 1, 3)
	l := s.Ledger()
	var got []string
	for _, line := range l.Lines(nil) {
		got = append(got, line.Key)
	}
	testkit.NoDiff(t, cmp.Diff([]string{"in_all", "received", "held_back", "dropped_by_viewer"}, got), "got")
	empty := NewSession().Ledger()
	lines := empty.Lines(nil)
	testkit.That(t, empty.Empty() && len(lines) == 1 && lines[0].Key == "dropped_by_viewer",
		"an empty session has %v", lines)
	testkit.That(t, !l.Empty(), "the account of frames is empty")
}

// A loss of which no thread is known lies between the frames that came, also when all of these have
// left memory: nobody is blamed for it twice.
func TestLedgerWhereAllHasLeft(t *testing.T) {
	st := &Store{MemoryLimit: 1}
	s := st.NewSession()
	s.Apply(model.Info{Source: "pstats", Peer: "127.0.0.1:4000"})
	for _, n := range []int64{1, 5, 6} {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 10, End: n*10 + 10})
	}
	s.Apply(model.Loss{Reason: model.LossSystem, Track: model.NoTrack, N: 2, Frames: 2, Begin: 20})
	s.Apply(model.Loss{Reason: model.LossRing, Track: 0, N: 1, Frames: 1, Begin: 40})
	s.Apply(model.Loss{Reason: model.LossRing, Track: 0, N: 1, Frames: 1, Begin: 70})
	want := s.Ledger()
	s.Apply(model.End{Reason: "closed"})
	for st.EnforceLimit(time.Time{}) {
	}
	got := s.Ledger()
	adds(t, got)
	want.Evicted = 3
	d := cmp.Diff(want, got)
	testkit.That(t, d == "" && got.Sent == 7 && got.HeldBack == 0 && got.Outside == 1,
		"%+v (-before +after)\n%s", got, d)
}

// Gaps between traces come every second: one line tells of all of them, and pushes out no other.
func TestGapsAreOneLine(t *testing.T) {
	s := NewSession()
	s.Apply(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: 1, Detail: "first"})
	gap := func(n int64) {
		s.Apply(model.Loss{
			Reason: model.LossBetween, Track: model.NoTrack, N: 1, Begin: n * 1e9, End: n*1e9 + 10e6, Detail: "nothing was recorded",
		})
	}
	gap(1)
	if _, lines := s.Losses(); !slices.Equal(lines, []string{"first", "between 1s and 1.01s: nothing was recorded"}) {
		t.Errorf("%q", lines)
	}
	for n := range int64(200) {
		gap(2 + n)
	}
	s.Apply(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: 1, Detail: "last"})
	n, lines := s.Losses()
	want := []string{"first", "between 1s and 3m21.01s: nothing was recorded: 201 times, 2.01s in all", "last"}
	testkit.That(t, slices.Equal(lines, want) && n[model.LossBetween] == 201, "%d: %q", n[model.LossBetween], lines)
}

// Where the disk refused the last frames, the recording does not know how many the client held back after them.
func TestHeldBackBehindTheLastRecorded(t *testing.T) {
	for begin, want := range map[int64]string{20: "held back by the client", 90: "held back by the client, as far as recorded"} {
		s := ledgerSession("127.0.0.1:4000", 1, 5)
		s.Apply(model.Loss{Reason: model.LossNotRecorded, N: 3, Frames: 3, Begin: begin})
		l := s.Ledger()
		lines := l.Lines(nil)
		at := slices.IndexFunc(lines, func(x model.LedgerLine) bool { return x.Key == "held_back" })
		testkit.That(t, at >= 0 && lines[at].Label == want, "%d: %+v", begin, lines)
	}
}
