package locks_test

import (
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
