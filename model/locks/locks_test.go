package locks_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

const (
	lockA model.CollectorID = 3
	lockB model.CollectorID = 5
)

func lockSession(t *testing.T, tracks ...[]model.LockEvent) *store.Session {
	t.Helper()
	s := store.NewSession()
	for id, events := range tracks {
		s.Append(&model.Batch{Track: model.TrackID(id), Locks: events})
	}
	return s
}

func lev(timeNs int64, kind model.LockKind, lock model.CollectorID) model.LockEvent {
	return model.LockEvent{Time: timeNs, Kind: kind, Lock: lock}
}

func TestOpenUsesReachTheSession(t *testing.T) {
	s := lockSession(t, []model.LockEvent{lev(10, model.LockTry, lockA)}, []model.LockEvent{lev(90, model.LockAcquired, lockB)})
	want := []locks.Use{{Lock: lockA, Kind: locks.Waiting, Begin: 10, End: 90, OpenEnd: true}}
	testkit.NoDiff(t, gocmp.Diff(want, s.Locks().Uses(lockA, 50, 60, nil)), "a thread that waits for ever")
	s.Apply(model.TrackEnd{ID: 0})
	got := s.Locks().Uses(lockA, 50, 60, nil)
	testkit.That(t, len(got) == 0, "a thread that is gone does not wait: %v", got)
	testkit.EqualSlices(t, s.Locks().All(nil), []model.CollectorID{lockA, lockB}, "locks")
}

func TestDeepRecursion(t *testing.T) {
	var events []model.LockEvent
	for i := range 1000 {
		events = append(events, lev(int64(i), model.LockAcquired, lockA))
	}
	for i := range 1000 {
		events = append(events, lev(int64(2000+i), model.LockReleased, lockA))
	}
	s := lockSession(t, events)
	uses := s.Locks().Uses(lockA, 0, 1e6, nil)
	testkit.MustEqual(t, len(uses), 64, "levels")
	for i, u := range uses {
		testkit.That(t, u.Depth == i && u.Begin == int64(i) && u.End == int64(2999-i) && !u.OpenBegin && !u.OpenEnd,
			"level %d: %+v", i, u)
	}
}

func TestSignalArrows(t *testing.T) {
	// Two workers wait; the first signal ends the wait of the one that woke first.
	s := lockSession(t,
		[]model.LockEvent{lev(10, model.LockWait, lockA), lev(40, model.LockWoken, lockA), lev(50, model.LockWait, lockA), lev(95, model.LockWoken, lockA)},
		[]model.LockEvent{lev(12, model.LockWait, lockA), lev(35, model.LockWoken, lockA)},
		[]model.LockEvent{lev(5, model.LockSignal, lockA), lev(30, model.LockSignal, lockA), lev(32, model.LockSignal, lockA), lev(33, model.LockSignal, lockA), lev(90, model.LockSignal, lockB)})
	want := []locks.Arrow{
		{Lock: lockA, FromTrack: 2, ToTrack: 1, FromTime: 30, ToTime: 35, WaitBegin: 12},
		{Lock: lockA, FromTrack: 2, ToTrack: 0, FromTime: 32, ToTime: 40, WaitBegin: 10},
	}
	testkit.NoDiff(t, gocmp.Diff(want, s.Locks().Arrows(0, 100, nil)), "Arrows")
	got := s.Locks().Arrows(36, 39, nil)
	testkit.That(t, len(got) == 1 && got[0].ToTime == 40, "what touches a range: %v", got)
}

// refLocks is the plain way to the same answers.
type refLocks struct {
	events [][]model.LockEvent // by track, in order of time
	frames [][]int64
}

func (r *refLocks) uses(s *store.Session, track int) (uses []locks.Use) {
	_, now, _ := s.Bounds()
	type state struct {
		holds []int64
		known int64
	}
	states := map[model.CollectorID]*state{}
	try, cond := -1, -1 // indices of events
	events := r.events[track]
	lo, _, _ := s.Track(model.TrackID(track)).Bounds()
	of := func(l model.CollectorID) *state {
		if states[l] == nil {
			states[l] = &state{known: lo}
		}
		return states[l]
	}
	add := func(u locks.Use) { u.Track = model.TrackID(track); uses = append(uses, u) }
	for i, e := range events {
		x := of(e.Lock)
		known := x.known
		if try >= 0 && e.Kind != model.LockWoken {
			u := locks.Use{Lock: events[try].Lock, Kind: locks.Failed, Begin: events[try].Time, End: e.Time}
			if e.Kind == model.LockAcquired && u.Lock == e.Lock {
				u.Kind = locks.Waiting
			} else if u.Lock == e.Lock {
				known = max(known, u.Begin)
			}
			add(u)
			of(u.Lock).known = e.Time
			try = -1
		}
		switch e.Kind {
		case model.LockTry:
			try = i
		case model.LockAcquired:
			x.holds = append(x.holds, e.Time)
		case model.LockReleased:
			if n := len(x.holds); n > 0 {
				add(locks.Use{Lock: e.Lock, Kind: locks.Holding, Begin: x.holds[n-1], End: e.Time, Depth: n - 1})
				x.holds = x.holds[:n-1]
			} else {
				add(locks.Use{Lock: e.Lock, Kind: locks.Holding, Begin: known, End: e.Time, OpenBegin: true})
			}
			x.known = e.Time
		case model.LockWait, model.LockWoken:
			if cond >= 0 && (e.Kind == model.LockWait || events[cond].Lock == e.Lock) {
				add(locks.Use{Lock: events[cond].Lock, Kind: locks.Condition, Begin: events[cond].Time, End: e.Time})
				of(events[cond].Lock).known = e.Time
				cond = -1
			} else if e.Kind == model.LockWoken {
				add(locks.Use{Lock: e.Lock, Kind: locks.Condition, Begin: known, End: e.Time, OpenBegin: true})
				x.known = e.Time
			}
			if e.Kind == model.LockWait {
				cond = i
			}
		case model.LockSignal:
			x.known = e.Time
		}
	}
	for l, x := range states {
		for d, b := range x.holds {
			add(locks.Use{Lock: l, Kind: locks.Holding, Begin: b, End: now, Depth: d, OpenEnd: true})
		}
	}
	if try >= 0 {
		add(locks.Use{Lock: events[try].Lock, Kind: locks.Waiting, Begin: events[try].Time, End: now, OpenEnd: true})
	}
	if cond >= 0 {
		add(locks.Use{Lock: events[cond].Lock, Kind: locks.Condition, Begin: events[cond].Time, End: now, OpenEnd: true})
	}
	return uses
}

// arrows goes by the words of the specification: each signal, in order of time, takes the waiter
// that woke first.
func (r *refLocks) arrows(uses []locks.Use, lock model.CollectorID) (out []locks.Arrow) {
	type sig struct {
		time  int64
		track int
	}
	var signals []sig
	for tr, events := range r.events {
		for _, e := range events {
			if e.Kind == model.LockSignal && e.Lock == lock {
				signals = append(signals, sig{e.Time, tr})
			}
		}
	}
	slices.SortStableFunc(signals, func(a, b sig) int { return cmp.Compare(a.time, b.time) })
	taken := map[int]bool{}
	for _, g := range signals {
		best := -1
		for i, u := range uses {
			if u.Lock != lock || u.Kind != locks.Condition || u.OpenBegin || u.OpenEnd || taken[i] || u.Begin >= g.time || u.End < g.time || int(u.Track) == g.track {
				continue
			}
			if best < 0 || cmp.Or(cmp.Compare(u.End, uses[best].End), cmp.Compare(u.Track, uses[best].Track)) < 0 {
				best = i
			}
		}
		if best >= 0 {
			taken[best] = true
			u := uses[best]
			out = append(out, locks.Arrow{Lock: lock, FromTrack: model.TrackID(g.track), ToTrack: u.Track, FromTime: g.time, ToTime: u.End, WaitBegin: u.Begin})
		}
	}
	return out
}

func sortUses(uses []locks.Use) {
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	slices.SortFunc(uses, func(a, b locks.Use) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.End, b.End), bit(a.OpenBegin)-bit(b.OpenBegin), bit(a.OpenEnd)-bit(b.OpenEnd))
	})
}

// TestLocksLikePlain compares with the plain way while late events come and frames are taken back.
func TestLocksLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tracks = 3
		s := store.NewSession()
		r := &refLocks{events: make([][]model.LockEvent, tracks), frames: make([][]int64, tracks)}
		number := make([]int64, tracks)
		now := make([]int64, tracks)
		// The earliest event of each track is fixed, so that where it begins does not depend on the order
		// of what comes.
		for k := range tracks {
			e := lev(0, model.LockSignal, 9)
			s.Append(&model.Batch{Track: model.TrackID(k), Locks: []model.LockEvent{e}})
			r.events[k], r.frames[k] = append(r.events[k], e), append(r.frames[k], model.NoFrame)
		}
		for range rapid.IntRange(1, 40).Draw(t, "batches") {
			k := rapid.IntRange(0, tracks-1).Draw(t, "track")
			b := &model.Batch{Track: model.TrackID(k), HasFrame: rapid.Bool().Draw(t, "frame")}
			frame := model.NoFrame
			if b.HasFrame {
				if number[k] > 0 && rapid.IntRange(0, 3).Draw(t, "rewinds") == 0 {
					b.Rewind = true
					number[k] = rapid.Int64Range(max(0, number[k]-5), number[k]-1).Draw(t, "back")
					for i := len(r.events[k]) - 1; i >= 0; i-- {
						if r.frames[k][i] >= number[k] {
							r.events[k], r.frames[k] = slices.Delete(r.events[k], i, i+1), slices.Delete(r.frames[k], i, i+1)
						}
					}
				}
				frame = number[k]
				b.Number, b.Begin, b.End = frame, now[k], now[k]
				number[k]++
			}
			for range rapid.IntRange(0, 30).Draw(t, "events") {
				now[k] += rapid.Int64Range(0, 9).Draw(t, "step")
				e := lev(now[k], model.LockKind(rapid.IntRange(0, int(model.LockWoken)).Draw(t, "kind")), model.CollectorID(rapid.IntRange(1, 3).Draw(t, "lock")))
				if rapid.IntRange(0, 9).Draw(t, "late") == 0 {
					e.Time = max(1, e.Time-rapid.Int64Range(0, 100).Draw(t, "by"))
				}
				b.Locks = append(b.Locks, e)
			}
			s.Append(b)
			for _, e := range b.Locks {
				i := len(r.events[k])
				for i > 0 && r.events[k][i-1].Time > e.Time {
					i--
				}
				r.events[k], r.frames[k] = slices.Insert(r.events[k], i, e), slices.Insert(r.frames[k], i, frame)
			}
			if rapid.IntRange(0, 4).Draw(t, "ask") == 0 {
				s.Locks().Arrows(0, 1e6, nil)
				s.Locks().Stats(0, 1e6, nil)
			}
		}
		var all []locks.Use
		for k := range tracks {
			diff := gocmp.Diff(r.events[k], s.Locks().Events(model.TrackID(k), 0, 1e6, nil))
			testkit.MustThat(t, diff == "", "events of track %d: %s", k, diff)
			all = append(all, r.uses(s, k)...)
		}
		sortUses(all)
		var arrows []locks.Arrow
		for lock := model.CollectorID(1); lock <= 3; lock++ {
			arrows = append(arrows, r.arrows(all, lock)...)
		}
		for range 5 {
			t0 := rapid.Int64Range(-5, 400).Draw(t, "t0")
			t1 := t0 + rapid.Int64Range(0, 300).Draw(t, "length")
			table := map[model.CollectorID]locks.Stats{}
			for _, st := range s.Locks().Stats(t0, t1, nil) {
				table[st.Lock] = st
			}
			for lock := model.CollectorID(1); lock <= 3; lock++ {
				var want []locks.Use
				st := locks.Stats{Lock: lock}
				threads := map[model.TrackID]bool{}
				longestWait, longestHold, longestCondition := int64(-1), int64(-1), int64(-1)
				for _, u := range all {
					if u.Lock != lock || u.Begin > t1 || u.End < t0 {
						continue
					}
					want = append(want, u)
					if u.Begin >= t1 || u.End <= t0 && u.Begin < t0 { // figures are of [t0, t1)
						continue
					}
					if u.Kind == locks.Holding && u.Depth > 0 {
						continue // a hold in a hold is in no figure
					}
					threads[u.Track] = true
					ns := min(u.End, t1) - max(u.Begin, t0)
					switch {
					case u.Kind == locks.Waiting && !met(all, &u):
						st.Unheld, st.UnheldNs = st.Unheld+1, st.UnheldNs+ns
					case u.Kind == locks.Waiting:
						st.Waits, st.WaitNs, longestWait = st.Waits+1, st.WaitNs+ns, max(longestWait, u.End-u.Begin)
					case u.Kind == locks.Holding:
						st.Holds, st.HoldNs, longestHold = st.Holds+1, st.HoldNs+ns, max(longestHold, u.End-u.Begin)
					case u.Kind == locks.Failed:
						st.Failed++
					case u.Kind == locks.Condition:
						st.Conditions, st.ConditionNs = st.Conditions+1, st.ConditionNs+ns
						longestCondition = max(longestCondition, u.End-u.Begin)
					}
				}
				for tr, events := range r.events {
					for _, e := range events {
						if e.Lock == lock && e.Kind == model.LockSignal && e.Time >= t0 && e.Time < t1 {
							st.Signals++
							threads[model.TrackID(tr)] = true
						}
					}
				}
				st.Threads = len(threads)
				testkit.MustNoDiff(t, gocmp.Diff(want, s.Locks().Uses(lock, t0, t1, nil)), "uses of %d in %d…%d", lock, t0, t1)
				got, ok := table[lock]
				if !ok {
					got.Lock = lock
				} else if d := got.LongestWait.End - got.LongestWait.Begin; got.Waits > 0 && d != longestWait {
					t.Fatalf("longest wait %d, want %d", d, longestWait)
				} else if d := got.LongestHold.End - got.LongestHold.Begin; got.Holds > 0 && d != longestHold {
					t.Fatalf("longest hold %d, want %d", d, longestHold)
				}
				if d := got.LongestCondition.End - got.LongestCondition.Begin; got.Conditions > 0 && d != longestCondition {
					t.Fatalf("longest wait for the condition %d, want %d", d, longestCondition)
				}
				held := map[model.TrackID]int64{}
				for _, u := range all {
					if w := &got.LongestWait; u.Lock == lock && u.Kind == locks.Holding && u.Depth == 0 && u.Track != w.Track {
						held[u.Track] += max(0, min(u.End, w.End)-max(u.Begin, w.Begin))
					}
				}
				most := int64(0)
				for _, ns := range held {
					most = max(most, ns)
				}
				testkit.MustThat(t, got.HolderNs == most && (most <= 0 || held[got.Holder] == most),
					"%d held %d for %d ns while %+v, want %v", got.Holder, lock, got.HolderNs, got.LongestWait, held)
				got.LongestWait, got.LongestHold, got.LongestCondition = locks.Use{}, locks.Use{}, locks.Use{}
				got.Holder, got.HolderNs = 0, 0
				testkit.MustNoDiff(t, gocmp.Diff(st, got), "table of %d in %d…%d", lock, t0, t1)
			}
			var want []locks.Arrow
			for _, a := range arrows {
				if a.FromTime <= t1 && a.ToTime >= t0 {
					want = append(want, a)
				}
			}
			slices.SortFunc(want, func(a, b locks.Arrow) int {
				return cmp.Or(cmp.Compare(a.FromTime, b.FromTime), cmp.Compare(a.ToTime, b.ToTime), cmp.Compare(a.FromTrack, b.FromTrack), cmp.Compare(a.ToTrack, b.ToTrack), cmp.Compare(a.Lock, b.Lock))
			})
			testkit.MustNoDiff(t, gocmp.Diff(want, s.Locks().Arrows(t0, t1, nil)), "arrows in %d…%d", t0, t1)
		}
	})
}

// met tells whether a thread other than that of a wait held the lock while it lasted, or it has not
// got it.
func met(all []locks.Use, wait *locks.Use) bool {
	return wait.OpenEnd || slices.ContainsFunc(all, func(h locks.Use) bool {
		return h.Lock == wait.Lock && h.Kind == locks.Holding && h.Depth == 0 && h.Track != wait.Track &&
			h.Begin < wait.End && (h.OpenEnd || h.End > wait.Begin)
	})
}

// TestLockWork checks that questions for a range do not walk over all that is stored, and that new
// events do not make all be looked at again.
func TestLockWork(t *testing.T) {
	s := store.NewSession()
	const n = 50_000
	add := func(i int64) {
		at := i * 1000
		s.Append(&model.Batch{Track: 0, Locks: []model.LockEvent{lev(at, model.LockTry, lockA), lev(at+100, model.LockAcquired, lockA), lev(at+300, model.LockReleased, lockA), lev(at+400, model.LockSignal, lockB)}})
		s.Append(&model.Batch{Track: 1, Locks: []model.LockEvent{lev(at+10, model.LockWait, lockB), lev(at+500, model.LockWoken, lockB)}})
	}
	for i := range int64(n) {
		add(i)
	}
	table, visited := s.Locks().StatsWork(12_345, n*1000-54_321)
	testkit.That(t, visited <= 400, "%d nodes for a table", visited)
	if whole := s.Locks().Stats(math.MinInt64, math.MaxInt64, nil); whole[0].WaitNs != 0 || whole[0].Holds != n || whole[0].HoldNs != n*200 || whole[1].ConditionNs != n*490 {
		t.Errorf("all time: %+v", whole)
	}
	testkit.That(t, len(table) == 2 && table[0].Lock == lockA && table[0].Waits == 0 && table[0].Holds >= n-80,
		"table %+v", table)
	judged := s.Locks().JudgeWork(lockA)
	add(n)
	add(n + 1)
	s.Locks().Stats(0, math.MaxInt64, nil)
	work := s.Locks().JudgeWork(lockA) - judged
	testkit.That(t, work <= 20, "%d looks at threads for two more tries", work)
	testkit.Equal(t, len(s.Locks().Arrows(0, math.MaxInt64, nil)), n+2, "arrows, want %d", n)
	before := s.Locks().ArrowWork(lockB)
	add(n + 2)
	got := s.Locks().Arrows((n+2)*1000, math.MaxInt64, nil)
	testkit.That(t, len(got) == 1, "the newest: %v", got)
	s.Locks().Arrows(100_000, 101_000, nil)
	work = s.Locks().ArrowWork(lockB) - before
	testkit.That(t, work <= n/32, "%d steps for one more signal and two questions", work)
}

func TestLocksLeaveMemory(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := st.NewSession()
	const n = 30_000
	for i := range int64(n) {
		at := i * 1000
		s.Append(&model.Batch{Track: 0, Locks: []model.LockEvent{lev(at, model.LockTry, lockA), lev(at+100, model.LockAcquired, lockA), lev(at+300, model.LockReleased, lockA), lev(at+400, model.LockSignal, lockB)}})
		s.Append(&model.Batch{Track: 1, Locks: []model.LockEvent{lev(at+10, model.LockWait, lockB), lev(at+500, model.LockWoken, lockB)}})
		if i%100 == 0 {
			st.EnforceLimit(time.Time{})
		}
	}
	st.EnforceLimit(time.Time{})
	got := st.Memory().Total()
	testkit.That(t, got <= 2<<20, "%d bytes", got)
	begin, end, _ := s.Bounds()
	uses := s.Locks().Uses(lockA, math.MinInt64, math.MaxInt64, nil)
	testkit.MustThat(t, len(uses) != 0 && len(uses) <= n && uses[len(uses)-1].End == (n-1)*1000+300 &&
		end == (n-1)*1000+500, "%d uses stay, %d…%d", len(uses), begin, end)
	testkit.That(t, uses[0].End >= begin-100_000 && uses[0].Begin != 0,
		"the oldest use is %+v, the session begins at %d", uses[0], begin)
	// A late event behind what left goes to its place, and the machine goes on from the state that it
	// had there.
	s.Append(&model.Batch{Track: 0, Locks: []model.LockEvent{lev(end-600, model.LockSignal, lockB)}})
	again := s.Locks().Uses(lockA, math.MinInt64, math.MaxInt64, nil)
	testkit.NoDiff(t, gocmp.Diff(uses, again), "after a late event")
	if n, _ := s.Losses(); n[model.LossEvicted] == 0 {
		t.Error("what left was not counted")
	}
}

// The bars of a lock hold every use that touches the range, once, whatever is merged; they do not
// change when the range does; and what they cost does not grow with what they stand for.
func TestLockBarsAreTheUses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "lock"})
	for track := range model.TrackID(3) {
		b := model.Batch{Track: track}
		at := int64(rng.IntN(500))
		for range 400 {
			step := func(k model.LockKind) {
				b.Locks = append(b.Locks, model.LockEvent{Time: at, Lock: 1, Kind: k})
				at += int64(rng.IntN(60) * rng.IntN(8))
			}
			switch rng.IntN(5) {
			case 0:
				step(model.LockTry)
			case 1:
				step(model.LockSignal)
			case 2:
				step(model.LockWait)
				step(model.LockWoken)
			case 3:
				step(model.LockTry)
				step(model.LockAcquired)
				step(model.LockAcquired)
				step(model.LockReleased)
				step(model.LockReleased)
			default:
				step(model.LockTry)
				step(model.LockAcquired)
				step(model.LockReleased)
			}
		}
		s.Append(&b)
	}
	_, end, _ := s.Bounds()
	type key struct {
		track model.TrackID
		kind  locks.UseKind
		depth int
	}
	for range 300 {
		t0 := rng.Int64N(end)
		t1 := t0 + rng.Int64N(end/4)
		minNs := int64(1) << rng.IntN(14)
		bars := s.Locks().Bars(1, t0, t1, minNs, nil)
		count, busy := map[key]int64{}, map[key]int64{}
		for i, b := range bars {
			k := key{b.Track, b.Kind, b.Depth}
			count[k] += int64(b.Count)
			busy[k] += b.BusyNs
			testkit.MustThat(t, b.Count <= 1 || b.End-b.Begin < 2*minNs,
				"a merged bar of %d ns at %d ns each", b.End-b.Begin, minNs)
			testkit.MustThat(t, (b.Count != 1 || b.BusyNs == b.End-b.Begin) && b.BusyNs <= b.End-b.Begin, "bar %+v", b)
			testkit.MustThat(t, i <= 0 || bars[i-1].Begin <= b.Begin, "not in order")
		}
		// What the bars at both ends hold besides begins in the same part of time.
		from, to := t0-max(minNs, 0), t1+minNs
		for _, u := range s.Locks().Uses(1, t0, t1, nil) {
			k := key{u.Track, u.Kind, u.Depth}
			count[k]--
			busy[k] -= u.End - u.Begin
			i := slices.IndexFunc(bars, func(b locks.Bar) bool {
				return b.Track == u.Track && b.Kind == u.Kind && b.Depth == u.Depth && b.Begin <= u.Begin && b.End >= u.End
			})
			testkit.MustThat(t, i >= 0, "no bar for %+v", u)
			testkit.MustThat(t, u.End-u.Begin < minNs || bars[i].Count == 1 && bars[i].Use == u,
				"a long use is not a bar of its own: %+v in %+v", u, bars[i])
		}
		for k, n := range count {
			if k.kind == locks.Signalling {
				continue
			}
			testkit.MustThat(t, n >= 0 && busy[k] >= 0, "%+v: %d uses are missing, %d ns", k, -n, -busy[k])
		}
		// The same bars, as far as they lie well inside, from a wider range.
		inside := func(list []locks.Bar) []locks.Bar {
			list = slices.DeleteFunc(slices.Clone(list), func(b locks.Bar) bool { return b.Begin < from+2*minNs || b.End > to-2*minNs })
			slices.SortFunc(list, func(a, b locks.Bar) int {
				return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.End, b.End))
			})
			return list
		}
		wide := s.Locks().Bars(1, t0-int64(rng.IntN(5000)), t1+int64(rng.IntN(5000)), minNs, nil)
		a, b := inside(bars), inside(wide)
		testkit.MustThat(t, slices.Equal(a, b), "bars change with the range: %d, %d", len(a), len(b))
	}
	// Threads and what they did.
	var total locks.Thread
	for _, th := range s.Locks().Threads(1, nil) {
		total.Waits += th.Waits
		total.Holds += th.Holds
		total.Failed += th.Failed
		total.Conditions += th.Conditions
		total.Signals += th.Signals
	}
	st := s.Locks().Stats(0, end, nil)[0]
	testkit.That(t, total.Waits >= st.Waits && total.Holds == st.Holds && total.Failed == st.Failed &&
		total.Conditions == st.Conditions && total.Signals == st.Signals, "threads say %+v, the table %+v", total, st)
}

func TestLockBarsCostTheirPixels(t *testing.T) {
	work := func(n int) int64 {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "lock"})
		b := model.Batch{Track: 0}
		for i := range int64(n) {
			b.Locks = append(b.Locks, model.LockEvent{Time: i * 30, Lock: 1, Kind: model.LockTry}, model.LockEvent{Time: i*30 + 10, Lock: 1, Kind: model.LockAcquired}, model.LockEvent{Time: i*30 + 20, Lock: 1, Kind: model.LockReleased})
		}
		s.Append(&b)
		bars, visited := s.Locks().BarsWork(1, 0, int64(n)*30, int64(n)*30/500)
		testkit.MustThat(t, len(bars) >= 900 && len(bars) <= 1100, "%d bars", len(bars))
		return visited
	}
	few, many := work(10_000), work(100_000)
	testkit.That(t, many <= 4*few, "%d steps for 10 times as many uses, %d before", many, few)
}

// Bars that are asked for again, while the picture moves and zooms, while uses begin and end, while
// events come late, frames are taken back and data leave, are those that are made anew.
func TestKeptBarsAreTheBars(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		st := &store.Store{}
		s := st.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "lock"})
		s.Apply(model.CollectorDef{ID: 2, Name: "other"})
		var kept locks.KeptBars
		now, number := [3]int64{}, int64(0)
		width, minNs := int64(1000), int64(8)
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			switch rng.IntN(12) {
			case 0:
				width = 1 + rng.Int64N(20_000)
			case 1:
				minNs = int64(1) << rng.IntN(10)
			case 2:
				st.MemoryLimit = max(s.Memory().Total()*3/4, 1)
				st.EnforceLimit(time.Time{})
				st.MemoryLimit = 1 << 30
			default:
				track := rng.IntN(len(now))
				number++
				b := model.Batch{Track: model.TrackID(track), HasFrame: true, Number: number, Begin: now[track]}
				if rng.IntN(8) == 0 {
					b.Rewind, b.Number = true, max(number-rng.Int64N(10), 1)
					number = b.Number
				}
				for range rng.IntN(12) {
					now[track] += rng.Int64N(60) * rng.Int64N(8)
					at := now[track]
					if rng.IntN(40) == 0 {
						at -= rng.Int64N(500)
					}
					b.Locks = append(b.Locks, model.LockEvent{
						Time: max(at, 0), Lock: model.CollectorID(1 + rng.IntN(8)/7), Kind: model.LockKind(rng.IntN(int(model.LockWoken) + 1)),
					})
				}
				b.End = now[track]
				s.Append(&b)
			}
			t1 := slices.Max(now[:]) + 10
			if rng.IntN(3) == 0 {
				t1 -= rng.Int64N(t1)
			}
			t0 := max(t1-width, 0)
			touching := func(bars []locks.Bar) (list []locks.Bar) {
				for _, b := range bars {
					if b.Begin <= t1 && b.End >= t0 {
						list = append(list, b)
					}
				}
				return list
			}
			got, _ := s.Locks().BarsAgain(&kept, 1, t0, t1, minNs)
			want := s.Locks().Bars(1, t0, t1, minNs, nil)
			diff := testkit.Diff(touching(want), touching(got), cmpopts.EquateEmpty())
			testkit.MustThat(rt, diff == "", "[%d, %d], bars of %d ns:\n%s", t0, t1, minNs, diff)
		}
	})
}

// Of a million uses, a picture of all of them looks at a few when one more comes, and when it shows a
// little more than all, as panels do.
func TestKeptBarsOfALiveSession(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "lock"})
	use := func(at int64) []model.LockEvent {
		return []model.LockEvent{
			{Time: at, Lock: 1, Kind: model.LockTry}, {Time: at + 100, Lock: 1, Kind: model.LockAcquired},
			{Time: at + 900, Lock: 1, Kind: model.LockReleased},
		}
	}
	b := model.Batch{}
	const uses = 100_000
	for i := range int64(uses) {
		b.Locks = append(b.Locks, use(i*1000)...)
	}
	s.Append(&b)
	var kept locks.KeptBars
	_, first := s.Locks().BarsAgain(&kept, 1, 0, uses*1000, 65536)
	anew := 0
	for i := range int64(100) {
		s.Append(&model.Batch{Locks: use((uses + i) * 1000)})
		bars, visited := s.Locks().BarsAgain(&kept, 1, -i, (uses+i+1)*1000, 65536)
		if visited >= first {
			anew++
			continue
		}
		testkit.MustThat(t, visited <= 200 && anew <= 1 && first >= 2*uses*1000/65536 && len(bars) >= uses*1000/65536,
			"%d visited for one use more, %d at first, %d bars", visited, first, len(bars))
	}
}
