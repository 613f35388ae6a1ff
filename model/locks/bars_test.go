package locks_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

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
