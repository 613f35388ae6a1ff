package why_test

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

const (
	cMutex, cDisk = 20, 21
	tAudio        = 3
)

// locked plays what threads did with two locks, at times in microseconds.
type lockedAt struct {
	track model.TrackID
	us    int64
	kind  model.LockKind
	lock  model.CollectorID
}

func locked(events ...lockedAt) *store.Session {
	s := newGame().s
	s.Apply(model.TrackDef{ID: tAudio, Name: "Audio"})
	s.Apply(model.CollectorDef{ID: cMutex, Name: "mutex"})
	s.Apply(model.CollectorDef{ID: cDisk, Name: "disk"})
	for _, track := range []model.TrackID{tMain, tDraw, tLoader, tAudio} {
		b := model.Batch{Track: track}
		for _, e := range events {
			if e.track == track {
				b.Locks = append(b.Locks, model.LockEvent{Time: e.us * 1000, Lock: e.lock, Kind: e.kind})
			}
		}
		if track == tLoader {
			b.Spans = []model.Span{{Begin: 100_000, End: 2_900_000, Path: cDecode + 1}}
		}
		s.Append(&b)
	}
	return s
}

// steps returns the kinds, threads and names of a chain.
func steps(chain []why.Step) (out [][3]int64) {
	for _, x := range chain {
		out = append(out, [3]int64{int64(x.Kind), int64(x.Track), int64(x.Collector)})
	}
	return out
}

// A wait for a lock is explained by who held it, what that did, and what it waited for itself.
func TestWhoHeldTheLock(t *testing.T) {
	const try, got, gave = model.LockTry, model.LockAcquired, model.LockReleased
	s := locked(
		lockedAt{tMain, 10, try, cMutex}, lockedAt{tMain, 11, got, cMutex}, lockedAt{tMain, 12, gave, cMutex}, // as ever
		lockedAt{tLoader, 100, try, cMutex}, lockedAt{tLoader, 101, got, cMutex}, lockedAt{tLoader, 3000, gave, cMutex},
		lockedAt{tMain, 1000, try, cMutex}, lockedAt{tMain, 3001, got, cMutex}, lockedAt{tMain, 3010, gave, cMutex},
		// Audio waits for Draw, which has the mutex, and waits for the disk, which Loader has.
		lockedAt{tLoader, 4000, try, cDisk}, lockedAt{tLoader, 4001, got, cDisk}, lockedAt{tLoader, 9000, gave, cDisk},
		lockedAt{tDraw, 4100, try, cMutex}, lockedAt{tDraw, 4101, got, cMutex},
		lockedAt{tDraw, 4200, try, cDisk}, lockedAt{tDraw, 9001, got, cDisk}, lockedAt{tDraw, 9010, gave, cDisk},
		lockedAt{tDraw, 9020, gave, cMutex},
		lockedAt{tAudio, 4150, try, cMutex}, lockedAt{tAudio, 9021, got, cMutex}, lockedAt{tAudio, 9022, gave, cMutex},
		lockedAt{tMain, 9990, try, cMutex}, lockedAt{tMain, 9991, got, cMutex}, lockedAt{tMain, 9992, gave, cMutex},
		// Nobody has it.
		lockedAt{tMain, 20000, try, cMutex}, lockedAt{tMain, 21000, got, cMutex}, lockedAt{tMain, 21001, gave, cMutex},
	)
	const waited, held, ran = int64(why.StepWaited), int64(why.StepHeld), int64(why.StepRan)
	e := why.NewEngine(s)
	for i, c := range []struct {
		us, unexplainedUs int64
		chain             [][3]int64
	}{
		{4871, 1, [][3]int64{{waited, tAudio, cMutex}, {held, tDraw, cMutex}, {waited, tDraw, cDisk}, {held, tLoader, cDisk}}},
		{4801, 1, [][3]int64{{waited, tDraw, cDisk}, {held, tLoader, cDisk}}},
		{2001, 1, [][3]int64{{waited, tMain, cMutex}, {held, tLoader, cMutex}, {ran, tLoader, cDecode}}},
		{1000, 1000, [][3]int64{{waited, tMain, cMutex}}},
	} {
		waits := e.Waits(model.NoTrack, model.MinTime, model.MaxTime, 4)
		testkit.MustEqual(t, len(waits), 4, "waits")
		w := &waits[i]
		if w.Ns() != c.us*1000 || w.UnexplainedNs != c.unexplainedUs*1000 || !slices.Equal(steps(w.Chain), c.chain) {
			t.Errorf("%d: %d ns, %d not explained, %v; want %v", i, w.Ns(), w.UnexplainedNs, steps(w.Chain), c.chain)
		}
		testkit.That(t, w.Lock != cMutex || w.TypicalNs == 1000 && w.Of == 7,
			"%d: typical %d ns of %d", i, w.TypicalNs, w.Of)
	}
	w := e.Waits(tMain, 0, 5_000_000, 9)
	testkit.That(t, len(w) == 2 && w[0].Track == tMain && w[0].Ns() == 2_001_000, "of Main, to 5 ms: %+v", w)
}

// Two threads that wait for each other for ever are told, and no more than once.
func TestADeadlock(t *testing.T) {
	const try, got = model.LockTry, model.LockAcquired
	s := locked(
		lockedAt{tMain, 10, try, cMutex}, lockedAt{tMain, 11, got, cMutex}, lockedAt{tDraw, 10, try, cDisk}, lockedAt{tDraw, 11, got, cDisk},
		lockedAt{tMain, 100, try, cDisk}, lockedAt{tDraw, 100, try, cMutex}, lockedAt{tLoader, 9000, try, cMutex},
	)
	w := why.NewEngine(s).Waits(tMain, model.MinTime, model.MaxTime, 1)
	const waited, held = int64(why.StepWaited), int64(why.StepHeld)
	want := [][3]int64{{waited, tMain, cDisk}, {held, tDraw, cDisk}, {waited, tDraw, cMutex}, {held, tMain, cMutex}}
	testkit.That(t, len(w) == 1 && w[0].OpenEnd && slices.Equal(steps(w[0].Chain), want), "%+v", w)
}

// Who holds a lock and waits for a condition meanwhile waits for the one who signals it.
func TestAHolderThatWaitsForACondition(t *testing.T) {
	s := locked(
		lockedAt{tDraw, 10, model.LockTry, cMutex}, lockedAt{tDraw, 11, model.LockAcquired, cMutex},
		lockedAt{tDraw, 100, model.LockWait, cDisk}, lockedAt{tAudio, 5000, model.LockSignal, cDisk},
		lockedAt{tDraw, 5010, model.LockWoken, cDisk}, lockedAt{tDraw, 5020, model.LockReleased, cMutex},
		lockedAt{tMain, 50, model.LockTry, cMutex}, lockedAt{tMain, 5021, model.LockAcquired, cMutex},
		lockedAt{tMain, 5030, model.LockReleased, cMutex},
	)
	w := why.NewEngine(s).Waits(tMain, model.MinTime, model.MaxTime, 1)
	want := [][3]int64{
		{int64(why.StepWaited), tMain, cMutex}, {int64(why.StepHeld), tDraw, cMutex}, {int64(why.StepWaited), tDraw, cDisk},
		{int64(why.StepSignalled), tAudio, cDisk},
	}
	testkit.That(t, len(w) == 1 && slices.Equal(steps(w[0].Chain), want), "%+v", w)
}
