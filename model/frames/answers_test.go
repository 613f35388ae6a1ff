package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/columns"
)

// newTable returns an empty table, and what it has collectors from.
func newTable() (*Keeper, *model.CollectorKeeper) {
	var acc columns.Account
	acc.Init(columns.Heap(), new(columns.Sum))
	known := new(model.CollectorKeeper)
	known.Init(&acc)
	table := new(Keeper)
	table.Init(Host{
		Collectors: &known.Collectors, Latest: func(model.TrackID) int64 { return 0 }, Work: new(Scratch),
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
				track.PushSelf(model.CollectorTime{Collector: c, Ns: rng.Int64N(1000) - 10, Count: 1})
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
		track.PushSelf(model.CollectorTime{Collector: 1, Ns: n, Count: 1})
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
						track.PushSelf(model.CollectorTime{Collector: c, Ns: rng.Int64N(1000), Count: 1})
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
	const n, block = 20_000, 1 << columns.StatShift
	for i := range int64(n) {
		track.PushSelf(model.CollectorTime{Collector: 0, Ns: 1 + i%100, Count: 1})
		track.Push(i, i*20, i*20+16, 0)
	}
	work := table.host.Work
	table.AllStats(0, false, 100, n-1, nil) // makes the blocks
	for _, from := range []int{500, 5000, 12_345} {
		table.AllStats(0, false, 100, from, nil)
		for last := from + 7; last < from+1500; last += 7 {
			got := table.AllStats(0, false, 100, last, nil)
			read := table.Visited()
			if last-100 >= columns.StatExact {
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

// plainTypical is Typical by a walk over the frames and a sort.
func plainTypical(t *Track) Typical {
	n := t.Len()
	k := min(n, typicalFrames)
	var d []int64
	for i := range k {
		f := t.Frame(i * n / k)
		d = append(d, f.End-f.Begin)
	}
	slices.Sort(d)
	return Typical{N: k, MedianNs: d[k/2], SpreadNs: d[(k-1)*3/4] - d[(k-1)/4]}
}

// plainRunning is running by a walk over the frames.
func plainRunning(f *list, timeNs int64) int64 {
	for p := f.number.End() - 1; p >= f.first; p-- {
		if f.begin.At(p) <= timeNs && f.end.At(p) > timeNs {
			return p
		}
	}
	return -1
}

// What is typical, the longest frame and which frame runs at a time is right after whatever came, left or was taken
// back, and what is typical is found out once for the frames that there are.
func TestTypicalAndRunningFollowTheFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		table, track := newTrack()
		at, number := int64(0), int64(0)
		for range 60 {
			number = lose(rng, track, number)
			for range 1 + rng.IntN(90) {
				at += 5 + rng.Int64N(10) - int64(rng.IntN(12)) // now and then backwards, or over another
				track.Push(number, at, at+rng.Int64N(12), 0)
				number++
			}
			got, want := table.Typical(0), plainTypical(track)
			testkit.MustThat(t, got == want, "typical of %d frames: %+v, want %+v", track.Len(), got, want)
			table.Typical(0)
			testkit.MustThat(t, table.Visited() == 0, "the second question looks at %d frames", table.Visited())
			first := rng.IntN(track.Len())
			last, most, sum := first+rng.IntN(track.Len()-first), int64(0), int64(0)
			for i := first; i <= last; i++ {
				sum += track.Frame(i).End - track.Frame(i).Begin
				most = max(most, track.Frame(i).End-track.Frame(i).Begin)
			}
			testkit.MustEqual(t, track.Longest(first, last), most, "the longest of frames %d to %d takes", first, last)
			testkit.MustEqual(t, track.Sum(first, last), sum, "frames %d to %d take … together", first, last)
			for range 20 {
				timeNs := track.Frame(rng.IntN(track.Len())).Begin - 5 + rng.Int64N(20)
				got, _ := track.frames.running(timeNs)
				testkit.MustEqual(t, got, plainRunning(&track.frames, timeNs), "frame … runs at %d", timeNs)
			}
		}
	}
}

// Which frame runs at a time takes a look at no more than the nodes beside it, of each level.
func TestWorkOfTheRunningFrame(t *testing.T) {
	_, track := newTrack()
	const n = 1 << 16
	for i := range int64(n) {
		track.Push(i, i*20, i*20+16, 0)
	}
	f := &track.frames
	if _, visited := f.extent(1, n-1); visited > 32*int64(f.worst.Depth()+1) {
		t.Errorf("%d frames and nodes looked at for what frames take together", visited)
	}
	for _, at := range []int64{0, 1, n / 3 * 20, n/2*20 + 17, n*20 - 5, n * 20, -1} {
		if _, visited := f.running(at); visited > 16*int64(f.worst.Depth()+1) {
			t.Errorf("at %d: %d frames and nodes looked at, of %d levels", at, visited, f.worst.Depth())
		}
	}
}
