package store

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
)

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
