package frames

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/columns"
)

// newTable returns an empty table, and what it has collectors from.
func newTable() (*Keeper, *collectors.Keeper) {
	var acc columns.Account
	acc.Init(columns.Heap(), new(columns.Sum))
	known := new(collectors.Keeper)
	known.Init(&acc)
	table := new(Keeper)
	table.Init(Host{
		Collectors: &known.Table, Latest: func(model.TrackID) int64 { return 0 }, Work: new(Scratch),
		Frames: &acc, Totals: &acc, Levels: &acc, Other: &acc,
	})
	return table, known
}

// newTrack returns an empty table, and its first track.
func newTrack() (*Keeper, *Track) {
	table, _ := newTable()
	track := new(Track)
	track.Init(table, 0)
	return table, track
}

// lose takes frames away from a track now and then, the oldest or the newest, and returns the number that comes next.
func lose(rng *rand.Rand, track *Track, number int64) int64 {
	switch n := track.Len(); {
	case n > 1 && rng.IntN(6) == 0:
		track.DropBefore(track.Position(rng.IntN(n)), model.MinTime)
	case n > 1 && rng.IntN(5) == 0:
		number = track.Frame(rng.IntN(n)).Number
		track.Rewind(number)
	}
	return number
}

// Where not all values fit, collectors are tallied in parts, as many at a time as do: the answers are
// the same, and no more is held than that. What is asked next works in the same memory.
func TestStatsInParts(t *testing.T) {
	table, known := newTable()
	const collectors, count = 40, 3000
	rng := rand.New(rand.NewPCG(9, 9))
	for c := range model.CollectorID(collectors) {
		known.Define(model.CollectorDef{ID: c, Name: "c", Parent: c/2 - (1 - min(c, 1))})
		known.EnsureTimed(c)
	}
	var track Track
	track.Init(table, 0)
	for n := range int64(count) {
		for c := range model.CollectorID(collectors) {
			if c%5 == 0 || rng.IntN(1+int(c)) == 0 || n > 2000 && c == 7 {
				track.PushAlone(model.CollectorTime{Collector: c, Ns: rng.Int64N(1000) - 10, Count: 1})
				track.PushLevel(model.Level{Collector: c, Value: rng.Float64()})
			}
		}
		track.Push(n, n*1000, n*1000+900, 0)
	}
	h := known.Tree()
	parts := &tallyAll{exact: &exact{Rooms: Rooms{Most: 4 * count}}}
	for _, fig := range []Figure{FigureNet, FigureSelf, FigureLevel} {
		for _, first := range []int{0, 1000, 2950} {
			whole := table.ExactStats(0, fig, first, count-1, nil)
			testkit.MustThat(t, len(whole) >= collectors-15, "figure %d: %d collectors", fig, len(whole))
			got := table.exactStats(parts, h, Ask{Figure: fig, First: first, Last: count - 1})
			testkit.EqualSlices(t, whole, got, "figure %d from %d on:\n%+v\n%+v", fig, first, whole, got)
			held := 0
			for c := range parts.tallies {
				held += cap(parts.tallies[c].Values)
			}
			for _, room := range parts.exact.Free {
				held += cap(room)
			}
			testkit.That(t, held == parts.exact.Held && held <= parts.exact.Most,
				"figure %d: room for %d values, %d on the account, at most %d", fig, held, parts.exact.Held, parts.exact.Most)
		}
	}
}

// A track that lets go of everything is unknown, and what it took is given back.
func TestClear(t *testing.T) {
	table, _ := newTable()
	var track Track
	track.Init(table, 3)
	empty := table.host.Frames.Sum()
	for n := range int64(5000) {
		track.PushAlone(model.CollectorTime{Collector: 1, Ns: n, Count: 1})
		track.PushLevel(model.Level{Collector: 2, Value: float64(n)})
		track.Push(n*2, n*1000, n*1000+900, 0)
	}
	track.PushLoose(model.Level{Collector: 2, Time: 7, Value: 1})
	testkit.MustThat(t, track.Len() == 5000 && track.Missing() == 4999 && len(table.Bars(3, 0, 1000, 10, nil)) == 5,
		"%d frames, %d missing", track.Len(), track.Missing())
	track.Clear()
	table.Clear()
	testkit.That(t, table.Bars(3, 0, 1000, 10, nil) == nil && track.Len() == 0, "frames are still there")
	testkit.Equal(t, table.host.Frames.Sum()-empty, 0, "bytes are not given back")
}
