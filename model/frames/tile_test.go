package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/internal/histogram"
)

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
			w := &statWork{h: known.Tree(), track: &track, reader: new(bandReader)}
			var one, all statBlock
			w.framesOf(c, int64(first), int64(last), &one)
			w.frames(0, int64(first), int64(last), &all)
			w.merger.start([]*statBlock{&one}, c)
			w.merger.next()
			alone := w.merger.stats(&track, 1e9)
			w.merger.start([]*statBlock{&all}, c)
			testkit.MustEqual(t, w.merger.next(), want.Present > 0, "collector %d in %d frames", c, want.Present)
			of := w.merger.stats(&track, 1e9)
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
			out = append(out, statsOf(&tallies[c], new(histogram.Ranks), track, h, h.All[c].ID, int64(first), int64(last), false))
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
