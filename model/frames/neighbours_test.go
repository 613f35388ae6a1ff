package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
)

// framesOf returns a table whose track 0 has frames of some lengths, and the track.
func framesOf(lengths []int64) (*Keeper, *Track) {
	table, track := newTrack()
	at := int64(0)
	for i, ns := range lengths {
		track.Push(int64(i), at, at+ns, 0)
		at += ns
	}
	return table, track
}

func hitchesOf(lengths []int64) []int {
	table, track := framesOf(lengths)
	return table.Hitches(0, 0, track.NumFrames()-1, nil)
}

// made returns the lengths of n frames, in ns.
func made(n int, ns func(i int) float64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(ns(i))
	}
	return out
}

const ms = 1e6

// Neither noise nor a drift nor a change of what the program does makes a hitch.
func TestWhatIsNoHitch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		lengths []int64
		most    int // that are taken for hitches
	}{
		"noise": {made(20000, func(int) float64 { return 16*ms + 1.2*ms*rng.NormFloat64() }), 2},
		"noise with a long tail": {made(20000, func(int) float64 {
			return 16*ms + 0.5*ms*rng.NormFloat64()/math.Sqrt(max(rng.ExpFloat64(), 0.02))
		}), 100},
		"more noise now and then": {made(20000, func(i int) float64 {
			return 16*ms + (0.2+2*float64(i/100%2))*ms*rng.NormFloat64()
		}), 200},
		"drift": {made(5000, func(i int) float64 { return 8*ms + float64(i)*4000 + 0.3*ms*rng.NormFloat64() }), 0},
		"a swell over seconds": {made(5000, func(i int) float64 {
			return 12*ms + 5*ms*math.Sin(float64(i)/60) + 0.3*ms*rng.NormFloat64()
		}), 0},
		"menu and level": {made(5000, func(i int) float64 { return 5*ms + 11*ms*float64(i/137%2) + 0.3*ms*rng.NormFloat64() }), 0},
		"no length":      {make([]int64, 300), 0},
	} {
		got := hitchesOf(c.lengths)
		testkit.That(t, len(got) <= c.most, "%s: %d hitches of %d frames: %d", name, len(got), len(c.lengths), got)
	}
}

// What is half as long again as the frames around is a hitch, wherever it lies, and so is each of a few
// on end.
func TestWhatIsAHitch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	at := []int{0, 7, 60, 200, 201, 202, 203, 204, 205, 206, 270, 274, 400, 411, 547, 560, 700, 900, 999}
	lengths := made(1000, func(i int) float64 {
		ns := 5*ms + 11*ms*float64(i/274%2) + float64(i)*2000
		if slices.Contains(at, i) {
			ns *= 1.5
		}
		return ns * (1 + 0.02*rng.NormFloat64())
	})
	testkit.EqualSlices(t, hitchesOf(lengths), at, "hitches")
}

// Where frames vary by 3 %, however much one resembles the one before, those of 1.2 times the typical length are found,
// and next to no others; and so are those that a user asks for.
func TestSlightHitches(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, c := range map[string]struct {
		limit             model.HitchLimit
		phi, noise, times float64
		least, most       float64 // of the slight ones, and of 10,000 others
	}{
		"as they are":       {model.HitchLimit{}, 0, 0.03, 1.2, 0.9, 1},
		"alike":             {model.HitchLimit{}, 0.7, 0.03, 1.2, 0.9, 1},
		"a higher factor":   {model.HitchLimit{Factor: 1.3}, 0, 0.03, 1.2, 0, 0},
		"a lower factor":    {model.HitchLimit{Factor: 1.05}, 0, 0.005, 1.08, 1, 1},
		"missing a refresh": {model.HitchLimit{Refresh: 60}, 0, 0.005, 1.09, 0.99, 1},
	} {
		rng, state := rand.New(rand.NewPCG(1, 2)), 0.0
		at, others := map[int]bool{}, 0.0
		lengths := made(40000, func(i int) float64 {
			state = c.phi*state + math.Sqrt(1-c.phi*c.phi)*rng.NormFloat64()
			times := 1.0
			if i%97 == 50 {
				at[i], times = true, c.times
			}
			return 16 * ms * times * math.Exp(c.noise*state)
		})
		table, track := framesOf(lengths)
		table.SetHitches(c.limit)
		found := 0.0
		for _, i := range table.Hitches(0, 0, track.NumFrames()-1, nil) {
			if at[i] {
				found++
			} else {
				others += 1e4 / float64(len(lengths))
			}
		}
		share := found / float64(len(at))
		testkit.That(t, share >= c.least && (c.least > 0 || share < 0.01) && others <= c.most,
			"%s: %.1f %% found, and %.1f of 10,000 others", name, 100*share, others)
	}
}

// Hitches are those of the frames that are there, whatever came, left or was taken back, and whenever
// somebody asked.
func TestHitchesFollowTheFrames(t *testing.T) {
	testkit.OneGoroutine(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		table, track := newTrack()
		at, number := int64(0), int64(0)
		for range 40 {
			number = lose(rng, track, number)
			for range 1 + rng.IntN(200) {
				ns := int64(1000 + rng.IntN(100))
				if rng.IntN(40) == 0 {
					ns *= 2
				}
				track.Push(number, at, at+ns, 0)
				at, number = at+ns, number+1
			}
			if rng.IntN(2) == 0 {
				from := rng.IntN(track.NumFrames())
				table.Hitches(0, from, from+rng.IntN(3)*Block, nil)
			}
			fresh, plain := newTrack()
			for i := range track.NumFrames() {
				f := track.Frame(i)
				plain.Push(f.Number, f.Begin, f.End, 0)
			}
			got := table.Hitches(0, 0, track.NumFrames()-1, nil)
			for _, i := range got {
				a := table.Around(0, i)
				testkit.MustThat(t, track.Frame(i).End-track.Frame(i).Begin >= max(a.NoiseNs(), track.LeastNs(a.MedianNs)) && table.Hitch(0, i),
					"frame %d is no hitch: %+v", i, a)
			}
			if table.Hitches(0, 0, track.NumFrames()-1, nil); table.Visited() > int64(track.NumFrames()/Block+2) {
				t.Fatalf("the second question looks at %d of %d frames", table.Visited(), track.NumFrames())
			}
			if track.Position(0)%Block != 0 { // blocks lie elsewhere in the other one
				continue
			}
			testkit.MustEqualSlices(t, got, fresh.Hitches(0, 0, plain.NumFrames()-1, nil), "hitches")
		}
	}
}

// row is the lengths of things from position 0 on.
type row []int64

func (r row) Length(p int64) int64     { return r[p] }
func (r row) Kept() (first, end int64) { return 0, int64(len(r)) }
func (r row) News(int64, int64) int64  { return 0 }
func (r row) LeastNs(ns int64) int64   { return model.HitchLimit{}.LeastNs(ns) }

// Lengths of other things have the same hitches as frames of these lengths, also where they come one
// after another, and what came before is not looked at again.
func TestAlongIsAsOfFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{0, 5, 8, 64, 65, 1000} {
		lengths := made(n, func(i int) float64 {
			if r.IntN(40) == 0 {
				return 40 * ms
			}
			return (10 + r.Float64()) * ms
		})
		var along Along
		for k := range n {
			along.Hitches(row(lengths[:k]), int64(k-1), int64(k), nil)
		}
		most := int64(n) * (2*4 + 2) * Block
		testkit.That(t, along.Visited() <= most, "%d: %d were looked at", n, along.Visited())
		all := row(lengths)
		table, track := framesOf(lengths)
		want := table.Hitches(0, 0, track.NumFrames()-1, nil)
		got := along.Hitches(all, 0, int64(n), nil)
		testkit.MustThat(t, slices.EqualFunc(got, want, func(p int64, i int) bool { return p == int64(i) }),
			"%d: hitches are %d, of frames %d", n, got, want)
		for i := range lengths {
			if want := table.Around(0, i); along.Around(all, int64(i)) != want || along.Hitch(all, int64(i)) != table.Hitch(0, i) {
				t.Fatalf("%d: around %d is %+v, of a frame %+v", n, i, along.Around(all, int64(i)), want)
			}
		}
	}
}

// Several tracks share the memory that their blocks are found in; none sees the frames of another.
func TestHitchesOfTracksThatTakeTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for range 50 {
		var rows [2]row
		var kept [2]Along
		var work aroundWork
		for i := range rows {
			kept[i].work = &work
			rows[i] = made(1000, func(int) float64 { return (10 + 20*r.Float64()) * ms })
		}
		for range 8 {
			i := r.IntN(2)
			from := r.Int64N(1000)
			end := min(from+r.Int64N(5*Block), 1000)
			got, want := kept[i].Hitches(rows[i], from, end, nil), new(Along).Hitches(rows[i], from, end, nil)
			testkit.MustEqualSlices(t, got, want, "hitches in [%d, %d)", from, end)
		}
	}
}

// What stops the program is a stop; a slow program, or a phase in which it is slow, has none.
func TestStops(t *testing.T) {
	game := func(at ...int) []int64 {
		lengths := made(200, func(int) float64 { return 16.7 * ms })
		for _, i := range at {
			lengths[i] = 14_000 * ms
		}
		return lengths
	}
	slow := func(usual, one float64) []int64 {
		return made(100, func(i int) float64 {
			if i == 50 {
				return one * ms
			}
			return usual * ms
		})
	}
	for _, c := range []struct {
		name    string
		lengths []int64
		want    []int
	}{
		{"a breakpoint", game(100), []int{100}},
		{"loading at the begin, and a window in the background at the end", game(0, 199), []int{0, 199}},
		{"two in a row", game(100, 101), []int{100, 101}},
		{"too few frames to know", game(3)[:6], nil},
		{"a long hitch", slow(16.7, 900), nil},
		{"1.2 s among 0.9 s", slow(900, 1200), nil},
		{"4 s at 800 ms", slow(800, 4000), nil},
		{"14 s at 800 ms", slow(800, 14_000), []int{50}},
		{"a phase of 1.5 s a frame", made(80, func(i int) float64 {
			if i >= 40 {
				return 1500 * ms
			}
			return 16.7 * ms
		}), nil},
	} {
		x, track := framesOf(c.lengths)
		var got []int
		for _, s := range track.Stops(0, len(c.lengths)-1, nil) {
			got = append(got, s.Frame)
			testkit.Equal(t, s.End-s.Begin, c.lengths[s.Frame], "%s: length", c.name)
		}
		testkit.EqualSlices(t, got, c.want, c.name)
		longest := int64(0)
		for i, ns := range c.lengths {
			if !track.Stopped(i) {
				longest = max(longest, ns)
			}
		}
		p, _ := x.Pace(0, 0, len(c.lengths)-1, 0)
		bars := x.Bars(0, 0, 1000, 1, nil)
		testkit.That(t, int64(p.Longest) == longest && track.LongestFrame(0, 1000) == longest && bars[0].WorstNs == longest &&
			p.Frames == len(c.lengths)-len(c.want) && int(bars[0].Stops) == len(c.want),
			"%s: pace %+v, longest %d, bar %+v, want %d", c.name, p, track.LongestFrame(0, 1000), bars[0], longest)
		worst, hitches := x.Slowest(0, 0, 1000, 3, nil), x.Hitches(0, 0, 1000, nil)
		for _, i := range append(worst, hitches...) {
			testkit.That(t, !track.Stopped(i), "%s: frame %d is among the slowest, or a hitch", c.name, i)
		}
	}
}

// A time between two frames is a stop as well; and a rate leaves both out.
func TestStopBetweenFrames(t *testing.T) {
	_, track := newTrack()
	for i := range int64(100) {
		begin := i * 20 * ms
		if i >= 50 {
			begin += 5000 * ms
		}
		track.Push(i, begin, begin+10*ms, 0)
	}
	got := track.Stops(0, 99, nil)
	testkit.EqualSlices(t, got, []Stop{{Begin: 990 * ms, End: 6000 * ms, Frame: 50, Number: 50, Between: true}}, "stops")
	testkit.EqualSlices(t, track.StopsTouching(2000*ms, 2001*ms, nil), got, "stops at a time")
	testkit.Equal(t, int(track.FrameRateOf(0, 99)), 50, "rate")
}

// In noise a frame is a hitch if what next to none of the frames around has made it long, however long these are.
func TestHitchByNews(t *testing.T) {
	const usual, rare = 1, 2
	for name, c := range map[string]struct {
		rareNs int64          // of the rare collector
		alsoIn func(int) bool // other frames that have it, for a moment
		want   bool
	}{
		"new":                {30 * ms, nil, true},
		"new, and once more": {30 * ms, func(i int) bool { return i == 480 }, true},
		"a part of it":       {20 * ms, nil, false},
		"known":              {30 * ms, func(i int) bool { return i%20 == 0 }, false},
		"known from then on": {30 * ms, func(i int) bool { return i > 500 }, false},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		table, track := newTrack()
		at := int64(0)
		for i := range 1000 {
			work, beside := int64(40*ms+18*ms*rng.Float64()), int64(0)
			switch {
			case i == 500:
				beside = c.rareNs
				work = 78*ms - beside
			case c.alsoIn != nil && c.alsoIn(i):
				beside = 1
			}
			track.PushSelf(model.CollectorTime{Collector: usual, Ns: work, Count: 1})
			if beside > 0 {
				track.PushSelf(model.CollectorTime{Collector: rare, Ns: beside, Count: 1})
			}
			track.Push(int64(i), at, at+work+beside, 0)
			at += work + beside
		}
		testkit.Equal(t, slices.Equal(table.Hitches(0, 0, 999, nil), []int{500}), c.want, "%s", name)
	}
}

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
	switch n := track.NumFrames(); {
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
	testkit.MustThat(t, track.NumFrames() == 5000 && track.Missing() == 4999 && len(table.Bars(3, 0, 1000, 10, nil)) == 5,
		"%d frames, %d missing", track.NumFrames(), track.Missing())
	track.Clear()
	table.Clear()
	testkit.That(t, table.Bars(3, 0, 1000, 10, nil) == nil && track.NumFrames() == 0, "frames are still there")
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
				first, last = rng.IntN(track.NumFrames()+1), rng.IntN(track.NumFrames()+1)
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
	n := t.NumFrames()
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
	testkit.OneGoroutine(t)
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
			testkit.MustThat(t, got == want, "typical of %d frames: %+v, want %+v", track.NumFrames(), got, want)
			table.Typical(0)
			testkit.MustThat(t, table.Visited() == 0, "the second question looks at %d frames", table.Visited())
			first := rng.IntN(track.NumFrames())
			last, most, sum := first+rng.IntN(track.NumFrames()-first), int64(0), int64(0)
			for i := first; i <= last; i++ {
				sum += track.Frame(i).End - track.Frame(i).Begin
				most = max(most, track.Frame(i).End-track.Frame(i).Begin)
			}
			testkit.MustEqual(t, track.LongestFrame(first, last), most, "the longest of frames %d to %d takes", first, last)
			testkit.MustEqual(t, track.SumOfFrames(first, last), sum, "frames %d to %d take … together", first, last)
			for range 20 {
				timeNs := track.Frame(rng.IntN(track.NumFrames())).Begin - 5 + rng.Int64N(20)
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
