package columns

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// A column of near values is a list of values, whatever they are.
func TestNearColumnIsAList(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var acc Account
		acc.Init(Heap(), new(Sum))
		var c Near
		c.Init(&acc)
		var plain []int64
		start, v := int64(0), int64(0)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				n := rapid.Int64Range(start+1, max(start+1, c.End())).Draw(rt, "truncate")
				if n < c.End() {
					c.Truncate(n)
					plain = plain[:n]
				}
			case 1:
				if c.End() > 0 {
					start = rapid.Int64Range(start, c.End()-1).Draw(rt, "drop")
					c.DropBefore(start)
				}
			default:
				jump := rapid.SampledFrom([]int64{0, 1, 100, 1 << 26, 1<<32 - 1, 1 << 33, -5, math.MaxInt64 / 2, math.MinInt64 / 2}).Draw(rt, "jump")
				for range rapid.IntRange(1, 3000).Draw(rt, "push") {
					v += jump
					c.Push(v)
					plain = append(plain, v)
				}
			}
			for _, i := range []int64{start, (start + c.End()) / 2, c.End() - 1} {
				if i >= start && i < c.End() && c.At(i) != plain[i] {
					rt.Fatalf("value %d of [%d, %d) is %d, want %d", i, start, c.End(), c.At(i), plain[i])
				}
			}
		}
		for i := start; i < c.End(); i++ {
			if c.At(i) != plain[i] {
				rt.Fatalf("value %d of [%d, %d) is %d, want %d", i, start, c.End(), c.At(i), plain[i])
			}
		}
		want := c.End()*5 + int64(cap(c.wide))*16 + 60_000
		testkit.MustThat(rt, acc.Sum() <= want, "%d bytes for %d values", acc.Sum(), c.End())
	})
}
