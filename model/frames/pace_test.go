package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/internal/histogram"
)

// The pace of any frames is what sorting their lengths tells.
func TestPace(t *testing.T) {
	testkit.OneGoroutine(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		lengths := made(1+rng.IntN(2500), func(int) float64 { return float64(rng.IntN(1+rng.IntN(3000)) * 1000) })
		x, track := framesOf(lengths)
		first := rng.IntN(len(lengths))
		last := first + rng.IntN(len(lengths)-first)
		got, ok := x.Pace(0, first, last, 1_000_000)
		testkit.MustThat(t, ok, "no frames")
		want := plainPace(lengths[first:last+1], 1_000_000)
		if want.Rate = track.FrameRateOf(first, last); want.Rate == 0 {
			want.Rate = math.NaN()
		}
		for i, pair := range [][2]float64{
			{got.Rate, want.Rate}, {got.Low1, want.Low1}, {got.Low01, want.Low01}, {got.Median, want.Median}, {got.P95, want.P95},
			{got.P99, want.P99}, {got.Longest, want.Longest}, {float64(got.Over), float64(want.Over)},
			{float64(got.Frames), float64(want.Frames)},
		} {
			if a, b := pair[0], pair[1]; a != b && !(math.IsNaN(a) && math.IsNaN(b)) && math.Abs(a-b) > 1e-9*b {
				t.Fatalf("figure %d of %d frames is %v, want %v", i, last-first+1, a, b)
			}
		}
	}
}

func plainPace(lengths []int64, budget int64) (p Pace) {
	ns := slices.Sorted(slices.Values(lengths))
	n := len(ns)
	slow := func(in float64) float64 {
		k, sum := int(math.Ceil(float64(n)/in)), 0.0
		for _, x := range ns[n-k:] {
			sum += float64(x) / 1e9
		}
		if sum == 0 {
			return math.NaN()
		}
		return float64(k) / sum
	}
	rank := func(share float64) float64 { return float64(ns[int(math.Ceil(share*float64(n)/100))-1]) }
	for _, x := range ns {
		if x > budget {
			p.Over++
		}
	}
	p.Frames, p.Low1, p.Low01, p.P95, p.P99, p.Longest = n, slow(100), slow(1000), rank(95), rank(99), float64(ns[n-1])
	p.Median = (float64(ns[(n-1)/2]) + float64(ns[n/2])) / 2
	return p
}

// Nothing is allocated once there is room.
func TestPaceAllocatesNothing(t *testing.T) {
	x, track := framesOf(made(5000, func(i int) float64 { return float64(i%97) * ms }))
	x.Pace(0, 0, track.NumFrames()-1, 0)
	n := testing.AllocsPerRun(10, func() { x.Pace(0, 0, track.NumFrames()-1, 0) })
	testkit.That(t, n <= 0, "%v allocations", n)
}

// Many frames that are looked through for hitches are each looked at once, not again for each block
// that they are around.
func TestHitchesLookOnce(t *testing.T) {
	x, track := framesOf(made(20_000, func(i int) float64 { return float64(10+i%7) * ms }))
	x.Hitches(0, 0, track.NumFrames()-1, nil)
	most := int64(track.NumFrames() + track.NumFrames()/50)
	testkit.That(t, x.Visited() <= most, "%d frames were looked at for the hitches of %d", x.Visited(), track.NumFrames())
}

// Numbers that leave some out are missing frames, unless it is said that nothing is missing, whenever that is
// said.
func TestNumbersThatSkip(t *testing.T) {
	for _, when := range []string{"never", "before", "amid", "behind"} {
		table, _ := newTable()
		var x Track
		x.Init(table, 0)
		skip := func(at string) {
			if at == when {
				x.Skip(true)
			}
		}
		skip("before")
		for i := range int64(40) {
			x.Push(1000+2*i, 10*i, 10*i+10, 0)
			if i == 20 {
				skip("amid")
			}
		}
		skip("behind")
		missing := int64(39)
		if when != "never" {
			missing = 0
		}
		n := x.Missing()
		testkit.That(t, n == missing && x.MissingIn(0, 39) == missing, "%s: %d are missing", when, n)
		gaps := x.Gaps(0, 400, nil)
		_, after := x.GapAfter(3)
		_, last := x.LastGap(0, 39, 1)
		testkit.That(t, int64(len(gaps)) == missing && after == (missing > 0) && last == after,
			"%s: %d gaps, one behind frame 3: %v, a last one: %v", when, len(gaps), after, last)
		testkit.Equal(t, x.FrameRateOf(0, 39), float64(40+missing)/400e-9, "%s: frames a second", when)
		if i, ok := x.FrameByNumber(1010); i != 5 || !ok || x.Frame(5).Missing != min(missing, 1) {
			t.Errorf("%s: frame 1010 is at %d: %+v", when, i, x.Frame(5))
		}
		if _, n := x.DropBefore(10, model.MinTime); n != min(missing, 10) || x.Missing() != max(missing-10, 0) {
			t.Errorf("%s: %d missing ones left with ten frames, %d stay", when, n, x.Missing())
		}
		if x.Skip(false); x.Missing() != 29 || len(x.Gaps(0, 400, nil)) != 29 {
			t.Errorf("%s: %d are missing in the end", when, x.Missing())
		}
	}
}

// What is tallied 64 frames at a time is what a plain walk over the frames gives, for collectors
// that are seldom there or always, and whatever range is asked.
func TestTilesAreAPlainWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range testkit.Rounds(15, 40) {
		table, known := newTable()
		ids := []model.CollectorID{0}
		for c := model.CollectorID(1); len(ids) < 20; c += model.CollectorID(1 + rng.IntN(3)*rng.IntN(30)) {
			known.Define(model.CollectorDef{ID: c, Name: "c", Parent: ids[rng.IntN(len(ids))]})
			ids = append(ids, c)
		}
		every := make([]int, len(ids)) // one frame in so many has it
		for k := range every {
			every[k] = 1 << rng.IntN(10)
		}
		var track Track
		track.Init(table, 0)
		n := 1 + rng.IntN(400)
		for p := range n {
			for k, c := range ids {
				if rng.IntN(every[k]) > 0 {
					continue
				}
				ns := rng.Int64N(1000) - 100
				if rng.IntN(8) == 0 {
					ns = rng.Int64N(1 << 40) // does not fit a row
				}
				track.PushSelf(model.CollectorTime{Collector: c, Ns: ns, Count: int32(rng.IntN(100))})
			}
			track.Push(int64(p), int64(p)*1000, int64(p)*1000+900, 0)
		}
		first := rng.IntN(n)
		last := first + rng.IntN(n-first)
		for _, fig := range []Figure{FigureNet, FigureSelf} {
			got := table.ExactStats(0, fig, first, last, nil)
			testkit.MustEqualSlices(t, got, plainStats(table, &track, fig, first, last),
				"figure %d of frames %d to %d of %d", fig, first, last, n)
		}
		for _, c := range ids { // of one alone, as at the edges of blocks
			want := table.Stats(0, c, false, first, last)
			w := &statWork{h: known.Tree(), track: &track.Thread, reader: new(bandReader)}
			var one, all statBlock
			w.framesOf(c, int64(first), int64(last), &one)
			w.frames(0, int64(first), int64(last), &all)
			w.merger.start([]*statBlock{&one}, c)
			w.merger.next()
			alone := w.merger.stats(&track.Thread, 1e9)
			w.merger.start([]*statBlock{&all}, c)
			testkit.MustEqual(t, w.merger.next(), want.Present > 0, "collector %d in %d frames", c, want.Present)
			of := w.merger.stats(&track.Thread, 1e9)
			testkit.MustThat(t, want.Present <= 0 || of == alone && of.Sum == want.Sum && of.MaxFrame == want.MaxFrame,
				"collector %d: alone %+v, of all %+v, want %+v", c, alone, of, want)
		}
	}
}

// plainStats walks up from each value in each frame.
func plainStats(table *Keeper, track *Track, fig Figure, first, last int) (out []Stats) {
	h := table.host.Collectors.Tree()
	tallies := make([]Tally, len(h.All))
	for c := range tallies {
		tallies[c].Begin(int64(first))
	}
	for p := first; p <= last; p++ {
		nets, there := make([]int64, len(h.All)), make([]bool, len(h.All))
		for _, a := range table.Self(0, p, nil) {
			at := h.Slot(a.Collector)
			tallies[at].Self += float64(a.Ns)
			tallies[at].Count += int64(a.Count)
			for ; at >= 0; at = h.Parents[at] {
				nets[at] += a.Ns
				there[at] = true
				if fig == FigureSelf {
					break
				}
			}
		}
		for c := range nets {
			if there[c] {
				tallies[c].Add(int64(p), float64(nets[c]))
			}
		}
	}
	for c := range tallies {
		if tallies[c].Present > 0 {
			out = append(out, statsOf(&tallies[c], new(histogram.Ranks), &track.Thread, h, h.All[c].ID, int64(first), int64(last), fig))
		}
	}
	return out
}

// Frames told 64 at a time, of several collectors of which one lies in the other, are the same as told
// one by one.
func TestTilesAreFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var y Tile
	var r histogram.Ranks
	parents := []int32{-1, 0, 1, 0}
	y.Grow(len(parents))
	for range 300 {
		n, often := 1+rng.IntN(300), 1+rng.IntN(5)
		tiled, plain := make([]Tally, len(parents)), make([]Tally, len(parents))
		for c := range parents {
			tiled[c].Begin(100)
			plain[c].Begin(100)
		}
		for from := 0; from < n; from += TileFrames {
			for f := range min(TileFrames, n-from) {
				sums, there := [4]int64{}, [4]bool{}
				for c := range parents {
					if rng.IntN(often) > 0 || c == 0 {
						continue
					}
					ns := rng.Int64N(5) - 1
					row := y.Row(int32(c))
					row.Ns[f] += ns
					row.Mask |= 1 << f
					for at := int32(c); at >= 0; at = parents[at] {
						sums[at] += ns
						there[at] = true
					}
				}
				for c := range parents {
					if there[c] {
						plain[c].Add(int64(100+from+f), float64(sums[c]))
					}
				}
			}
			y.Gather(parents)
			for k := range y.Rows {
				tiled[y.Rows[k].Slot].AddTile(int64(100+from), &y.Rows[k])
			}
			y.Reset()
		}
		for c := range parents {
			a, b := &tiled[c], &plain[c]
			if !slices.Equal(a.Values, b.Values) || a.Present != b.Present || a.Sum != b.Sum || a.Min != b.Min ||
				a.Max != b.Max || a.MaxAt != b.MaxAt || a.Absent() != b.Absent() {
				t.Fatalf("%d frames, collector %d:\n%+v\nwant\n%+v", n, c, a, b)
			}
			all := append(slices.Clone(b.Values), make([]float64, n-len(b.Values))...)
			slices.Sort(all)
			k := [4]int64{rng.Int64N(int64(n)), rng.Int64N(int64(n)), rng.Int64N(int64(n)), rng.Int64N(int64(n))}
			slices.Sort(k[:])
			for i, v := range a.Ranks(&r, int64(n), k) {
				testkit.MustThat(t, v == all[k[i]], "number %d of %v is %v", k[i], all, v)
			}
		}
	}
}

// A step of 5 % is found when 60 frames and a few have come, and dated within five frames, whatever hitches there are;
// noise, a drift and a swell are no step.
func TestSteps(t *testing.T) {
	testkit.OneGoroutine(t)
	const n, rounds = 2000, 20
	for name, c := range map[string]struct {
		phi, noise, swell, drift, step float64
		behind                         int // frames that come behind it
		found, near, others            int // at least, of them dated within five frames, and at most
	}{
		"all of it":    {0, 0.03, 0, 0, 1.05, n, 20, 19, 0},
		"at once":      {0, 0.03, 0, 0, 1.05, 60, 20, 18, 0},
		"faster":       {0, 0.03, 0, 0, 1 / 1.05, n, 20, 19, 0},
		"alike":        {0.7, 0.01, 0, 0, 1.05, n, 20, 19, 0},
		"noisy, alike": {0.7, 0.03, 0, 0, 1.05, n, 16, 10, 2},
		"and at once":  {0.7, 0.03, 0, 0, 1.05, 60, 15, 9, 2},
		"in a swell":   {0, 0.01, 0.05, 0, 1.05, n, 20, 19, 0},
		"noise, alike": {0.7, 0.03, 0, 0, 1, n, 0, 0, 1},
		"a swell":      {0, 0.02, 0.05, 0, 1, n, 0, 0, 1},
		"a drift":      {0, 0.02, 0, 0.5, 1, n, 0, 0, 0},
		"a small step": {0, 0.005, 0, 0, 1.02, n, 0, 0, 0},
	} {
		found, near, others := 0, 0, 0
		for round := range uint64(rounds) {
			rng := rand.New(rand.NewPCG(round, 2))
			state, at := rng.NormFloat64(), 400+rng.IntN(1000)
			table, track := framesOf(made(min(n, at+c.behind), func(i int) float64 {
				state = c.phi*state + math.Sqrt(1-c.phi*c.phi)*rng.NormFloat64()
				ns := 16 * ms * math.Exp(c.noise*state) * (1 + c.swell*math.Sin(float64(i)/150) + c.drift*float64(i)/n)
				if rng.IntN(80) == 0 {
					ns *= 1.5
				}
				if i >= at {
					ns *= c.step
				}
				return ns
			}))
			_, drifts := table.Drift(0, 0, track.NumFrames()-1)
			testkit.That(t, drifts == (c.drift > 0), "%s: a drift: %v", name, drifts)
			for _, s := range table.Steps(0, 0, track.NumFrames()-1, nil) {
				switch off := max(s.Index-at, at-s.Index); {
				case c.step == 1 || off > StepFrames/2:
					others++
				default:
					if found++; off <= 5 {
						near++
					}
					is := float64(s.AfterNs) / float64(s.BeforeNs)
					testkit.That(t, math.Abs(is-c.step) < 0.04, "%s: a step of %.3f", name, is)
				}
			}
		}
		testkit.That(t, found >= c.found && found <= rounds && near >= c.near && others <= c.others && (c.found > 0 || found == 0),
			"%s: %d found in %d, %d dated rightly, %d others", name, found, rounds, near, others)
	}
}
