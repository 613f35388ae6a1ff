package spans

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
)

func account() *columns.Account {
	acc := new(columns.Account)
	acc.Init(columns.Heap(), new(columns.Sum))
	return acc
}

func TestDefine(t *testing.T) {
	var k PathKeeper
	k.Init()
	for _, c := range []struct {
		def model.PathDef
		ok  bool
	}{
		{model.PathDef{ID: 0, Collector: 1}, false},             // the empty path is there
		{model.PathDef{ID: 2, Parent: 1, Collector: 5}, true},   // before its caller
		{model.PathDef{ID: 1, Collector: 4}, true},              // which comes now
		{model.PathDef{ID: 1, Collector: 4}, true},              // the same again
		{model.PathDef{ID: 1, Collector: 6}, false},             // paths never change
		{model.PathDef{ID: 3, Parent: 3, Collector: 6}, false},  // its own caller
		{model.PathDef{ID: maxPaths, Collector: 6}, false},      // too great
		{model.PathDef{ID: 4 + 1<<16 + 1, Collector: 6}, false}, // after too large a hole
		{model.PathDef{ID: 4, Parent: 2, Collector: 7}, true},
	} {
		testkit.Equal(t, k.Define(c.def), c.ok, "%+v", c.def)
	}
	want := []Row{{Collector: model.NoCollector}, {Collector: 4}, {Parent: 1, Collector: 5}, {Collector: 6}, {Parent: 2, Collector: 7}}
	testkit.MustEqual(t, k.Len(), len(want), "paths")
	for id, w := range want {
		parent, c := k.ByID(model.PathID(id))
		testkit.That(t, parent == w.Parent && c == w.Collector, "path %d: %d in %d, want %+v", id, c, parent, w)
	}
	parent, c := k.ByID(99)
	testkit.That(t, parent == model.PathRoot && c == model.NoCollector, "a path that is not there")
	k.Clear()
	testkit.Equal(t, k.Len(), 1, "not cleared")
}

// Sums of any run of blocks are those of the blocks added one by one, whatever came, went and was
// taken back.
func TestPyramidEqualsPlainSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	acc := account()
	y := PathPyramid{Acc: acc}
	var plain []map[model.PathID]PathTotal // nil where a block has left
	var totals, got PathTotals
	totals.Grow(50)
	got.Grow(50)
	first := int64(0)
	for step := range 3000 {
		switch r := rng.IntN(100); {
		case r < 2 && int64(len(plain)) > first:
			keep := first + rng.Int64N(int64(len(plain))-first+1)
			y.Truncate(keep)
			plain = plain[:keep]
		case r < 4 && int64(len(plain)) > first:
			first += rng.Int64N((int64(len(plain))-first)/8 + 1)
			y.DropBefore(first)
		default:
			at, sums := int64(len(plain)), map[model.PathID]PathTotal{}
			for range rng.IntN(6) {
				p, ns := model.PathID(1+rng.IntN(49)), rng.Int64N(1000)
				totals.Add(p, ns, 1)
				sums[p] = PathTotal{sums[p].Ns + ns, sums[p].Count + 1}
			}
			y.Push(at*10, at*10+10, &totals)
			totals.Clear()
			plain = append(plain, sums)
		}
		n := int64(len(plain))
		if y.Blocks() != n || n == first {
			testkit.MustEqual(t, y.Blocks(), n, "step %d: blocks", step)
			continue
		}
		a := first + rng.Int64N(n-first)
		b := a + 1 + rng.Int64N(n-a)
		ka, kb, begin, end := y.Within(a*10-5, b*10+5)
		testkit.MustThat(t, ka == a && kb == b && begin == a*10 && end == b*10,
			"step %d: blocks [%d, %d) at [%d, %d), want [%d, %d)", step, ka, kb, begin, end, a, b)
		y.Add(a, b, &got)
		want, have := map[model.PathID]PathTotal{}, map[model.PathID]PathTotal{}
		for _, sums := range plain[a:b] {
			for p, x := range sums {
				want[p] = PathTotal{want[p].Ns + x.Ns, want[p].Count + x.Count}
			}
		}
		for _, p := range got.Used {
			have[p] = got.Sums[p]
		}
		if !maps.Equal(want, have) {
			t.Fatalf("step %d, blocks [%d, %d): %s", step, a, b, testkit.Diff(want, have))
		}
		got.Clear()
	}
	y.Clear()
	testkit.Equal(t, acc.Sum(), 0, "bytes are not given back")
}

// A tree that is made a piece at a time is that which is made at once, however small the pieces are and
// whatever is defined meanwhile, and no piece takes much more than it may.
func TestTreeInSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range testkit.Rounds(25, 60) {
		var k PathKeeper
		k.Init()
		n := 2 + rng.IntN(3000)
		for id := 1; id < n; id++ {
			if rng.IntN(20) == 0 {
				continue // comes late, or never
			}
			k.Define(model.PathDef{ID: model.PathID(id), Parent: model.PathID(rng.IntN(id)), Collector: model.CollectorID(rng.IntN(40))})
		}
		var at, whole Tree
		own, paths := round%2 == 0, k.Len()
		add := func(sums *PathTotals) {
			rng := rand.New(rand.NewPCG(7, uint64(round)))
			for range 1 + rng.IntN(n) {
				sums.Add(model.PathID(rng.IntN(paths)), rng.Int64N(100), 1+rng.Int64N(3))
			}
		}
		add(at.Begin(&k.PathTable))
		if own {
			at.Own()
		}
		piece := int64(1 + rng.IntN(500))
		for steps := 0; ; steps++ {
			work := piece
			done := at.Step(&k.PathTable, &work)
			testkit.MustThat(t, work >= -(int64(n)*6), "round %d: a piece of %d took %d", round, piece, piece-work)
			if done {
				break
			}
			switch id := model.PathID(1 + rng.IntN(n)); {
			case steps > 40 || at.build.phase == len(phases)-1: // then it ends
			case rng.IntN(10) == 0 && int(id) < k.Len():
				k.MarkBeside(id)
			case rng.IntN(10) == 0:
				k.Define(model.PathDef{ID: id, Parent: model.PathID(rng.IntN(int(id))), Collector: 1})
			}
		}
		add(whole.Begin(&k.PathTable))
		if own {
			whole.Own()
		}
		whole.Finish(&k.PathTable)
		d := testkit.Diff(whole.Nodes, at.Nodes)
		testkit.MustThat(t, d == "" && at.Total == whole.Total && at.Rows == whole.Rows,
			"round %d, own %v: %s", round, own, d)
		for i := range at.Nodes {
			end := i + 1
			for end < len(at.Nodes) && at.Nodes[end].Depth > at.Nodes[i].Depth {
				end++
			}
			testkit.MustThat(t, int(at.Ends[i]) == end, "round %d: node %d ends at %d, not %d", round, i, at.Ends[i], end)
		}
		for work := int64(0); !at.StepInside(&work); work = piece {
		}
		testkit.MustNoDiff(t, testkit.Diff(whole.Inside(nil), append([]Inside(nil), at.Collectors()...)), "round %d", round)
		for _, in := range at.Collectors() {
			self := int64(0)
			for _, i := range at.NodesOf(in.Collector) {
				self += at.Nodes[i].Self
			}
			took, _ := at.Took(in.Collector)
			testkit.MustThat(t, self == in.Self && took == in,
				"round %d: collector %d has %d itself in its nodes, %+v", round, in.Collector, self, in)
		}
	}
}

// The path that is found is the one with the most, as far as paths are few or one stands out.
func TestDominantPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var d dominant
	for round := range 200 {
		d.reset()
		paths := 1 + rng.IntN(200)
		exact := map[model.PathID]int64{}
		var sum int64
		for range 1000 {
			p, w := model.PathID(rng.IntN(paths)*rng.IntN(3)), rng.Int64N(100)
			if round%2 == 0 && rng.IntN(3) == 0 {
				p = 7 // a third of all
			}
			d.add(p, w)
			exact[p] += w
			sum += w
		}
		got, weight := d.best()
		if len(exact) <= dominantPaths {
			for p, w := range exact {
				testkit.MustThat(t, w <= exact[got], "round %d: %d with %d, but %d has %d", round, got, exact[got], p, w)
			}
		}
		testkit.MustThat(t, weight <= exact[got], "round %d: %d of %d", round, weight, exact[got])
		testkit.MustThat(t, round%2 != 0 || exact[7] <= sum/3 || exact[got] >= exact[7],
			"round %d: %d with %d lost against %d", round, 7, exact[7], exact[got])
	}
}

// A packed chunk has the rows that it was packed from, one by one, by blocks and unpacked; and its
// account is even.
func TestPackedRows(t *testing.T) {
	packings := 0
	rapid.Check(t, func(t *rapid.T) {
		acc := new(columns.Account)
		acc.Init(columns.Heap(), new(columns.Sum))
		var want [chunkSpans]lanesRow
		for k := range chunkBlocks {
			begins, durs := rapid.IntRange(0, 32).Draw(t, "begin"), rapid.IntRange(0, 32).Draw(t, "dur")
			least, spread := rapid.Uint32Range(0, 1<<25).Draw(t, "least"), rapid.Uint32Range(0, 1<<12).Draw(t, "spread")
			flagged := rapid.Bool().Draw(t, "flagged")
			rng := rapid.Uint64().Draw(t, "seed")
			next := func(n int) uint32 {
				rng = rng*6364136223846793005 + 1442695040888963407
				return uint32(rng >> 32 >> (32 - n))
			}
			for i := range blockSpans {
				r := &want[k*blockSpans+i]
				r.begin, r.dur, r.meta = next(begins), next(durs), (least+next(32)%(spread+1))<<metaShift
				if flagged {
					r.meta |= next(metaShift)
				}
			}
		}
		c := &chunk{block: &columns.GetBlock[block](acc, 1)[:1][0]}
		c.rows, c.base = c.block.rows[:], c.block.base[:]
		copy(c.rows, want[:])
		for k := range c.base {
			c.base[k] = int64(k) << 40
		}
		whole := acc.Sum()
		if c.pack(acc); c.packed == nil {
			testkit.MustThat(t, c.block != nil && acc.Sum() == whole, "neither packed nor as it was")
			return
		}
		packings++
		testkit.MustThat(t, acc.Sum() < whole, "%d bytes packed, %d before", acc.Sum(), whole)
		var b blockRows
		for k := range int64(chunkSpans) {
			testkit.MustEqual(t, c.row(k), want[k], "row %d", k)
			rows, base := b.rowsFrom(c, k)
			testkit.MustThat(t, rows[0] == want[k] && len(rows) == int(blockSpans-k%blockSpans) && base == k/blockSpans<<40,
				"block from row %d: %v of %d at %d", k, rows[0], len(rows), base)
		}
		c.unpack(acc)
		testkit.MustThat(t, acc.Sum() == whole && c.packed == nil && [chunkSpans]lanesRow(c.rows) == want &&
			c.base[chunkBlocks-1] == int64(chunkBlocks-1)<<40, "unpacked it is another")
	})
	testkit.That(t, packings != 0, "none was packed")
}

// Runs that are handed out to their collectors are in the order that a sort of them all gives, also
// where nobody defined a collector; sorting again takes no memory.
func TestRunsInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var acc columns.Account
	acc.Init(columns.Heap(), new(columns.Sum))
	var known model.CollectorKeeper
	known.Init(&acc)
	for c := range model.CollectorID(9) {
		known.Define(model.CollectorDef{ID: c, Name: "c", Sort: rng.IntN(3)})
	}
	h := known.Tree()
	var sorter runSorter
	for round := range 200 {
		ids := 9
		if round%5 == 0 {
			ids = 12 // some are not defined
		}
		runs := make([]Run, rng.IntN(60))
		for i := range runs {
			runs[i] = Run{Collector: model.CollectorID(rng.IntN(ids)), Begin: rng.Int64N(20), End: 20 + rng.Int64N(5), Flags: model.SpanFlags(i)}
		}
		want := slices.Clone(runs)
		slices.SortStableFunc(want, func(a, b Run) int {
			return cmp.Or(h.CompareRank(a.Collector, b.Collector), cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End))
		})
		sorter.sort(h, runs)
		testkit.MustEqualSlices(t, runs, want, "round %d", round)
	}
	runs := make([]Run, 100)
	for i := range runs {
		runs[i] = Run{Collector: model.CollectorID(i % 9), Begin: int64(100 - i)}
	}
	shuffled := slices.Clone(runs)
	sorter.sort(h, shuffled)
	if n := testing.AllocsPerRun(20, func() {
		copy(shuffled, runs)
		sorter.sort(h, shuffled)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
