package store

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// wide appends a frame with a number on each of so many tracks, one after the other.
func wide(s *Session, tracks int, number int64) {
	b := &model.Batch{HasFrame: true, Number: number}
	b.Spans = []model.Span{{Begin: 0, End: 900, Path: 1}, {Begin: 100, End: 500, Path: 1, Lane: 1}}
	b.Self = []model.CollectorTime{{Collector: 1, Ns: 900, Count: 2}}
	for k := range tracks {
		b.Track, b.Begin, b.End = model.TrackID(k), number*1_000_000, number*1_000_000+1000
		b.Spans[0].Begin, b.Spans[0].End = b.Begin, b.End
		b.Spans[1].Begin, b.Spans[1].End = b.Begin+100, b.End-100
		s.Append(b)
	}
}

// A session of very many tracks, with a frame or two on each, is held to its share: its neighbour
// loses nothing, and what left is on the account, also when the tracks go on.
func TestVeryManyTracksPayForThemselves(t *testing.T) {
	tracks := testkit.Rounds(1<<14, 1<<16) // as many as there can be
	limit := int64(tracks) * 1792
	st := &Store{MemoryLimit: limit}
	good, bad := st.NewSession(), st.NewSession()
	good.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	bad.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	for n := range int64(2000) {
		wide(good, 2, n)
	}
	for n := range int64(2) {
		for k := 0; k < tracks; k += 256 { // as the game loop does, between two looks at the limit
			b := &model.Batch{HasFrame: true, Number: 1 + 3*n, Begin: (1 + 3*n) * 1_000_000, End: (1+3*n)*1_000_000 + 1000}
			b.Spans = []model.Span{{Begin: b.Begin, End: b.End, Path: 1}}
			for i := range 256 {
				b.Track = model.TrackID(k + i)
				bad.Append(b)
			}
			for st.EnforceLimit(time.Time{}) {
			}
			total := st.Memory().Total()
			testkit.MustThat(t, total <= limit, "%d bytes in all after %d tracks", total, k)
		}
	}
	if l := good.Ledger(); l.Evicted != 0 || l.Received != 4000 {
		t.Errorf("of the neighbour: %+v", l)
	}
	l := bad.Ledger()
	testkit.That(t, l.Received == int64(2*tracks) && l.Missing == l.Received && l.Evicted != 0 && bad.NumTracks() == tracks,
		"%d tracks: %+v", bad.NumTracks(), l)
	wide(bad, 1, 9)
	tr := bad.Track(0)
	testkit.That(t, tr.NumFrames() != 0 && tr.Frame(tr.NumFrames()-1).Number == 9,
		"the first track has not its newest frame")
}

// What a track with one frame takes, and one that was only defined.
func TestTracksWithLittleAreSmall(t *testing.T) {
	const n = 1000
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	before := s.Memory().Total()
	for k := range model.TrackID(n) {
		s.Apply(model.TrackDef{ID: k, Name: "x"})
	}
	defined := s.Memory().Total()
	wide(s, n, 1)
	each := (defined - before) / n
	testkit.That(t, each <= 440, "a track without data takes %d bytes", each)
	each = (s.Memory().Total() - before) / n
	testkit.That(t, each <= 5000, "a track with one frame takes %d bytes", each)
	t.Logf("%d and %d bytes", (defined-before)/n, (s.Memory().Total()-before)/n)
}

// A late frame takes back frames of a track that held nothing any more: they count once.
func TestATrackThatLeftComesBack(t *testing.T) {
	st := &Store{MemoryLimit: 1}
	s := st.NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	wide(s, 1, 1)
	wide(s, 1, 4)
	wide(s, 2*leastTracks, 5)
	st.EnforceLimit(time.Time{})
	testkit.MustEqual(t, s.Track(0).NumFrames(), 0, "the first track holds … frames")
	for i, number := range []int64{4, 5, 7} {
		s.Append(&model.Batch{HasFrame: true, Number: number, Begin: number, End: number, Rewind: i == 0})
	}
	tr := s.Track(0)
	got := tr.Evicted() + int64(tr.NumFrames())
	testkit.That(t, got == 4 && tr.Losses()[model.LossNumbers] == 2+1,
		"%d frames, %d missing", got, tr.Losses()[model.LossNumbers])
}

// Each thread has a number that no other has: the source's where it is the first thread with it.
func TestThreadNumbers(t *testing.T) {
	s := NewSession()
	define := func(defs ...model.TrackDef) {
		for _, def := range defs {
			def.ID = model.TrackID(s.NumTracks())
			s.Apply(def)
		}
	}
	define(model.TrackDef{Name: "task", Kind: model.TrackAsync, Index: 7}, model.TrackDef{Name: "a", Index: 7},
		model.TrackDef{Name: "b", Index: 8}, model.TrackDef{Name: "a of another", Index: 7}, model.TrackDef{Name: "none", Index: -1},
		model.TrackDef{Name: "low", Index: 1})
	var x ThreadNumbers
	got := func() (out []int64) {
		for id := range model.TrackID(s.NumTracks()) {
			out = append(out, x.Of(s, id))
		}
		return out
	}
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1}, "numbers")
	define(model.TrackDef{Name: "late", Index: 3}, model.TrackDef{Name: "later", Index: 9})
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1, 4, 9}, "with two that came later")
	testkit.Equal(t, x.Of(s, 99), -1, "a thread that is not there has number")
}
