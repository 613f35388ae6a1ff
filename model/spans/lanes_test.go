package spans

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
)

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
			rows, base := b.of(c, k)
			testkit.MustThat(t, rows[0] == want[k] && len(rows) == int(blockSpans-k%blockSpans) && base == k/blockSpans<<40,
				"block from row %d: %v of %d at %d", k, rows[0], len(rows), base)
		}
		c.unpack(acc)
		if acc.Sum() != whole || c.packed != nil || [chunkSpans]lanesRow(c.rows) != want || c.base[chunkBlocks-1] != int64(chunkBlocks-1)<<40 {
			t.Fatal("unpacked it is another")
		}
	})
	testkit.That(t, packings != 0, "none was packed")
}
