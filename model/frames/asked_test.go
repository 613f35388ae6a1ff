package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/internal/sizes"
)

// Statistics that were asked for before are those that are made anew, whatever came, left, was taken back
// or got another parent since; and several who ask the same in turn do the work once.
func TestStatsAskedAgainAreThoseMadeAnew(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		table, keeper := newTable()
		for c := range model.CollectorID(6) {
			keeper.Define(model.CollectorDef{ID: c, Name: string(rune('a' + c)), Parent: model.CollectorID(rng.IntN(int(c) + 1))})
		}
		var track Track
		track.Init(table, 0)
		at, number := int64(0), int64(0)
		var first, last int
		for range 80 {
			number = lose(rng, &track, number)
			switch {
			case rng.IntN(10) == 0:
				keeper.Define(model.CollectorDef{ID: 5, Name: "f", Parent: model.CollectorID(rng.IntN(5))})
			case rng.IntN(30) == 0:
				track.Clear()
			}
			for range rng.IntN(40) {
				for c := range model.CollectorID(6) {
					if rng.IntN(2) == 0 {
						track.PushAlone(model.CollectorTime{Collector: c, Ns: rng.Int64N(1000), Count: 1})
						track.PushLevel(model.Level{Collector: c, Time: at, Value: rng.Float64()})
					}
				}
				track.Push(number, at, at+10, 0)
				at += 10
				number++
			}
			switch rng.IntN(4) {
			case 0, 1:
				first, last = rng.IntN(track.Len()+1), rng.IntN(track.Len()+1)
			case 2: // the end of a range is being dragged
				last += rng.IntN(20)
			}
			for _, levels := range []bool{false, true} {
				got := table.AllStats(0, levels, first, last, nil)
				again := table.AllStats(0, levels, first, last, []Stats{{}})
				testkit.MustThat(t, len(got) == 0 || table.Visited() == 0,
					"the second question looks at %d values", table.Visited())
				before := table.host.Work.asked
				table.host.Work.asked = Answers[question, Stats]{}
				table.host.Work.all = [2]tallyAll{}
				want := table.AllStats(0, levels, first, last, nil)
				testkit.MustThat(t, len(want) == 0 || table.Visited() != 0, "nothing was looked at")
				table.host.Work.asked = before
				testkit.MustThat(t, slices.Equal(got, want) && slices.Equal(again[1:], want),
					"frames %d to %d, levels %v:\n%+v\nwant\n%+v", first, last, levels, got, want)
			}
		}
	}
}

// While the end of a range is being dragged, of few frames or of many, the values that are read are those
// that come into it, and the answers are those made anew.
func TestWorkOfStatsOfAGrowingRange(t *testing.T) {
	table, keeper := newTable()
	keeper.Define(model.CollectorDef{ID: 0, Name: "a"})
	var track Track
	track.Init(table, 0)
	const n, block = 20_000, 1 << sizes.StatShift
	for i := range int64(n) {
		track.PushAlone(model.CollectorTime{Collector: 0, Ns: 1 + i%100, Count: 1})
		track.Push(i, i*20, i*20+16, 0)
	}
	work := table.host.Work
	table.AllStats(0, false, 100, n-1, nil) // makes the blocks
	for _, from := range []int{500, 5000, 12_345} {
		table.AllStats(0, false, 100, from, nil)
		for last := from + 7; last < from+1500; last += 7 {
			got := table.AllStats(0, false, 100, last, nil)
			read := table.Visited()
			if last-100 >= sizes.StatExact {
				read -= work.stats.merger.visited
			}
			testkit.MustThat(t, read <= 7 || last/block != (last-7)/block,
				"frames 100 to %d: %d values read for 7 more frames", last, read)
			if last%5 == 0 {
				kept := work.all
				work.asked, work.all, work.stats.tally = Answers[question, Stats]{}, [2]tallyAll{}, [2]tallyAll{}
				testkit.MustEqualSlices(t, got, table.AllStats(0, false, 100, last, nil), "frames 100 to %d", last)
				work.all = kept
			}
		}
	}
}
