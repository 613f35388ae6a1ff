package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/internal/asked"
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
			switch n := track.Len(); {
			case n > 1 && rng.IntN(6) == 0:
				track.DropBefore(track.Position(rng.IntN(n)), model.MinTime)
			case n > 1 && rng.IntN(5) == 0:
				number = track.Frame(rng.IntN(n)).Number
				track.Rewind(number)
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
			if rng.IntN(2) == 0 {
				first, last = rng.IntN(track.Len()+1), rng.IntN(track.Len()+1)
			}
			for _, levels := range []bool{false, true} {
				got := table.AllStats(0, levels, first, last, nil)
				again := table.AllStats(0, levels, first, last, []Stats{{}})
				if len(got) > 0 && table.Visited() != 0 {
					t.Fatalf("the second question looks at %d values", table.Visited())
				}
				before := table.host.Work.asked
				table.host.Work.asked = asked.Answers[question, Stats]{}
				want := table.AllStats(0, levels, first, last, nil)
				if len(want) > 0 && table.Visited() == 0 {
					t.Fatal("nothing was looked at")
				}
				table.host.Work.asked = before
				if !slices.Equal(got, want) || !slices.Equal(again[1:], want) {
					t.Fatalf("frames %d to %d, levels %v:\n%+v\nwant\n%+v", first, last, levels, got, want)
				}
			}
		}
	}
}
