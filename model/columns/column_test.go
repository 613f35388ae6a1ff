package columns

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model/internal/sizes"
)

// What is cut back to a position that has left is empty there, goes on from there, and can be cut
// back again.
func TestColumnIsCutBackBehindItsFront(t *testing.T) {
	const chunk = 1 << sizes.ColumnShift
	for _, left := range []int64{2*chunk + 1, 3 * chunk, 4 * chunk} { // some of a chunk, a whole one, all
		var acc Account
		acc.Init(Heap(), new(Sum))
		c := Int64s{Column{Acc: &acc}}
		for i := range int64(4 * chunk) {
			c.Push(i)
		}
		c.DropBefore(left)
		for _, n := range []int64{2*chunk - 1, chunk + 3, chunk, 1} {
			c.Truncate(n)
			testkit.MustThat(t, c.End() == n && c.Start() == n,
				"%d left, cut back to %d: from %d to %d", left, n, c.Start(), c.End())
		}
		for i := range int64(2 * chunk) {
			c.Push(-i)
			testkit.MustEqual(t, c.At(1+i), -i, "%d left: value %d", left, 1+i)
		}
		c.Clear()
		testkit.Equal(t, acc.Sum(), 0, "bytes on the account of what is empty")
	}
}
